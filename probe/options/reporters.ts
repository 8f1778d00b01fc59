/** `--reporter name[=file]`, as often as wanted: how a run is told, and where. Opens nothing. */

import { wrong } from '../plan/wrong.ts'
import { isPage, type Said } from './formats.ts'
import { collected, type FlagRow, Misuse } from './read.ts'

export const REPORTER_NAMES = [
  'pretty',
  'junit',
  'sarif',
  'github',
  'tap',
  'nagios',
  'prom',
  'markdown',
] as const

export type ReporterName = (typeof REPORTER_NAMES)[number]

export type ReporterOption = {
  readonly name: ReporterName
  /** Absent: stdout. */
  readonly file: string | undefined
}

export const REPORTER_FLAGS: readonly FlagRow[] = [
  ['--reporter <name>', `${REPORTER_NAMES.join(', ')}; name=file writes there`, collected],
]

/** Pages for a person and the runner's commands can share stdout; anything else wants it alone. */
const SHARES: ReadonlySet<ReporterName> = new Set(['pretty', 'github'])

type Writer = { readonly as: string; readonly needs: 'room' | 'stdout alone' }

/** @param main the format that was asked for, where it goes to stdout; absent: it makes room */
export function reporterOptions(
  words: readonly string[],
  main: Said | undefined,
): readonly ReporterOption[] {
  const reporters = words.map(readReporter)
  const writers: readonly Writer[] = [
    ...reporters
      .filter(({ file }) => file === undefined)
      .map(({ name }) => writer(`--reporter ${name}`, SHARES.has(name))),
    ...(main === undefined ? [] : [writer(main.as, isPage(main.format))]),
  ]
  const alone = writers.find(({ needs }) => needs === 'stdout alone')
  const other = writers.find(one => one !== alone)
  if (alone === undefined || other === undefined) return reporters
  const [first = '', second] = [alone, other].map(({ as }) => as).sort(reportersFirst)
  const what = `${first} and ${second} both write to stdout`
  throw new Misuse(wrong(what, `give one of them a file: ${first}=FILE`))
}

function writer(as: string, shares: boolean): Writer {
  return { as, needs: shares ? 'room' : 'stdout alone' }
}

/** A file can be given to a reporter in one word. */
function reportersFirst(one: string, other: string): number {
  return Number(other.startsWith('--reporter ')) - Number(one.startsWith('--reporter '))
}

function readReporter(word: string): ReporterOption {
  const [text = '', file] = word.split(/=(.*)/s)
  const name = REPORTER_NAMES.find(known => known === text)
  if (name === undefined) {
    const what = `--reporter ${text}: not a reporter`
    throw new Misuse(wrong(what, `known: ${REPORTER_NAMES.join(', ')}`))
  }
  if (file === '') throw new Misuse(wrong(`--reporter ${word}: no file`, `${name}=FILE`))
  return { name, file }
}
