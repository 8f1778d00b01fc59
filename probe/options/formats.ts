/**
 * `-f, --format`: the form in which a run is told, and the short ways to say it. Each command has the
 * forms it can fill; another one is refused with those there are.
 */

import { wrong } from '../plan/wrong.ts'
import { type FlagRow, Misuse } from './read.ts'

/** `auto`: pretty on a terminal, plain elsewhere. */
export type Format = 'auto' | Named

type Named =
  | 'pretty'
  | 'plain'
  | 'short'
  | 'json'
  | 'jsonl'
  | 'yaml'
  | 'csv'
  | 'md'
  | 'html'
  | 'svg'

export type Formats = readonly Named[]

export type FormatFlags = {
  readonly format?: string
  readonly json?: true
  readonly jsonl?: true
  readonly short?: true
  readonly dryRun?: true
}

/** The form of a document, which holds what went wrong too: with it stdout is never anything else. */
export type DocumentFormat = 'json' | 'jsonl' | 'yaml'

// biome-ignore format: table
const SHORT_FORMS = [
  ['json',  '--json',  '-J, --json', 'one JSON document: -f json'],
  ['jsonl', '--jsonl', '--jsonl',    'JSON lines as they come: -f jsonl'],
  ['short', '--short', '--short',    'one line a result: -f short'],
] as const

export function formatFlags(formats: Formats): readonly FlagRow[] {
  const known = `${formats.join(', ')} (default: pretty on a terminal, else plain)`
  const short = SHORT_FORMS.filter(([format]) => formats.includes(format))
  return [['-f, --format <name>', known], ...short.map(([, , flag, help]): FlagRow => [flag, help])]
}

/** What was asked for, and how it was said; absent: `auto`. */
export type Said<Known = Named> = { readonly format: Known; readonly as: string }

/**
 * The one format that is asked for.
 *
 * @param short whether a word of dig's asks for it, as `--short` does
 */
export function formatOf<Known extends Named>(
  flags: FormatFlags,
  formats: readonly Known[],
  short?: true | undefined,
): Said<Known> | undefined {
  const asked = saidIn({ ...flags, ...(short && { short }) }, formats)
  const [first, ...others] = asked
  const other = others.find(({ format }) => format !== first?.format)
  if (first === undefined) return undefined
  if (other !== undefined) {
    throw new Misuse(wrong(`${first.as} and ${other.as}: one format a run`, 'leave one out'))
  }
  if (flags.dryRun && !isText(first.format) && !isDocument(first.format)) {
    const fix = `with --dry-run: ${formats.filter(one => isText(one) || isDocument(one)).join(', ')}`
    throw new Misuse(wrong(`${first.as}: a plan has nothing to put there`, fix))
  }
  return first
}

function saidIn<Known extends Named>(
  flags: FormatFlags,
  formats: readonly Known[],
): readonly Said<Known>[] {
  const { format: word } = flags
  const named = word === undefined ? [] : [{ format: knownAs(word, formats), as: `-f ${word}` }]
  const short = SHORT_FORMS.filter(([format]) => flags[format] !== undefined)
  return [...named, ...short.map(([word, as]) => ({ format: knownAs(word, formats), as }))]
}

function knownAs<Known extends Named>(word: string, formats: readonly Known[]): Known {
  const known = formats.find(one => one === word)
  if (known !== undefined) return known
  throw new Misuse(wrong(`-f ${word}: not a format here`, `there are ${formats.join(', ')}`))
}

/** For a person or a line-wise script: sentences may stand beside it. */
export function isText(format: Format): boolean {
  return format === 'short' || isPage(format)
}

/** For a person. */
export function isPage(format: Format): format is 'auto' | 'pretty' | 'plain' {
  return format === 'auto' || format === 'pretty' || format === 'plain'
}

export function isDocument(format: Format): format is DocumentFormat {
  return format === 'json' || format === 'jsonl' || format === 'yaml'
}

/** The format of a line that is refused: a document where one was asked for, whatever else was. */
export function refusedIn({ format = '', json, jsonl }: FormatFlags): Format {
  if (json) return 'json'
  if (jsonl) return 'jsonl'
  return isDocument(format as Format) ? (format as DocumentFormat) : 'auto'
}

/** The same for words that could not be read as flags at all. */
export function refusedInWords(words: readonly string[]): Format {
  const named = words.map((word, at) => {
    const [, value] = /^(?:-f|--format=|--format$)(.*)$/.exec(word) ?? []
    return value === '' ? words[at + 1] : value
  })
  const format = named.find(one => one !== undefined)
  const has = (...flags: readonly string[]): boolean => flags.some(flag => words.includes(flag))
  return refusedIn({
    ...(format !== undefined && { format }),
    ...(has('-J', '--json') && { json: true }),
    ...(has('--jsonl') && { jsonl: true }),
  })
}

const PAGES = ['pretty', 'plain'] as const
const DATA = ['json', 'jsonl', 'yaml', 'csv', 'md'] as const

export const MEASURE_FORMATS: Formats = [...PAGES, 'short', ...DATA, 'html']
export const SERVER_FORMATS: Formats = [...PAGES, 'short', ...DATA]
export const MAP_FORMATS: Formats = [...PAGES, 'short', 'json', 'yaml', 'csv', 'md', 'svg']
export const CHECK_FORMATS: Formats = [...PAGES, 'json', 'yaml', 'csv', 'md']
export const SUBNET_FORMATS = [...PAGES, 'json', 'yaml', 'csv', 'md'] as const
export const WATCH_FORMATS: Formats = [...PAGES, 'json']
