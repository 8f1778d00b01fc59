/**
 * Judges small pieces of an operator's file. What a piece leaves out is filled in below it, soundly,
 * so that a row shows only what it is about and its lines count from its own first one.
 */
import { readFileSync } from 'node:fs'
import type { Config } from '../../server/config/config.ts'
import { readConfig } from '../../server/config/parse.ts'
import { type Problem, remarks, wrong } from '../../server/fault.ts'
import { readCountries } from '../../server/geo/countries.ts'

export const COUNTRIES = readCountries(
  readFileSync(new URL('../../data/geo/countries.csv', import.meta.url), 'utf8'),
)

const REST = {
  listen: 'listen: [127.0.0.1]',
  zones: 'zones: [example.com.zone]',
  networks: 'networks: {office: [203.0.113.0/24], home: [198.51.100.0/24]}',
  pools:
    'pools: {fra: {at: {country: DE}, targets: [192.0.2.1]}, iad: {at: {country: US}, targets: [192.0.2.2]}}',
} as const

export type Judgement = {
  readonly config: Config | undefined
  /** Each as `line:column what · fix`, with the file before it where it is another one. */
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

/** Judges a whole file. `files` are those it may name. */
export function judgeWhole(text: string, files: Readonly<Record<string, string>> = {}): Judgement {
  const found = remarks()
  const open = (path: string) => {
    const held = Object.hasOwn(files, path) ? files[path] : undefined
    return held === undefined ? wrong(`cannot read ${path}`) : { file: path, text: held }
  }
  const config = readConfig(text, 'lbdns.yaml', open, COUNTRIES, found)
  return { config, problems: found.problems.map(shown), warnings: found.warnings.map(shown) }
}

/** Judges a piece of a file, with the rest filled in. */
export function judge(piece: string, files: Readonly<Record<string, string>> = {}): Judgement {
  const rest = Object.entries(REST).filter(([key]) => !new RegExp(`^${key}:`, 'm').test(piece))
  return judgeWhole([piece, ...rest.map(([, text]) => text), ''].join('\n'), files)
}

/**
 * A piece in which ▸ stands before each part that is wrong: the piece without the marks, and what
 * is expected of it, as `line:column words` for each mark and its words.
 */
export function marked(
  text: string,
  words: readonly string[],
): { piece: string; expected: string[] } {
  const places: string[] = []
  const lines = text.split('\n').map((line, at) => {
    const parts = line.split('▸')
    let column = 1
    for (const part of parts.slice(0, -1)) {
      column += part.length
      places.push(`${at + 1}:${column}`)
    }
    return parts.join('')
  })
  return { piece: lines.join('\n'), expected: words.map((said, at) => `${places[at]} ${said}`) }
}

/** What was remarked, cut to what a row expects where it begins like that. */
export function cut(remarked: readonly string[], expected: readonly string[]): string[] {
  return remarked.map((text, at) => {
    const start = expected[at]
    return start !== undefined && text.startsWith(start) ? start : text
  })
}

function shown({ file, line, column, what, fix }: Problem): string {
  const place = `${line}:${column} ${what}${fix === undefined ? '' : ` · ${fix}`}`
  return file === 'lbdns.yaml' ? place : `${file}:${place}`
}
