/** `--reporter name[=file]`, as often as wanted: how a run is told, and where. Opens nothing. */

import { wrong } from '../plan/wrong.ts'
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

/** Lines for a person and the runner's commands can share stdout; anything else wants it alone. */
const SHARES: ReadonlySet<ReporterName> = new Set(['pretty', 'github'])

/** @param format what else would be written to stdout */
export function reporterOptions(
  words: readonly string[],
  format: 'person' | 'json' | 'short',
): readonly ReporterOption[] {
  const reporters = words.map(readReporter)
  const alone = reporters.filter(({ name, file }) => file === undefined && !SHARES.has(name))
  const pretty = reporters.some(({ name, file }) => file === undefined && name === 'pretty')
  const [first, second] = alone
  const other = format !== 'person' ? `--${format}` : (second?.name ?? (pretty ? 'pretty' : ''))
  if (first !== undefined && other !== '') {
    const what = `--reporter ${first.name} and ${other} both write to stdout`
    throw new Misuse(wrong(what, `give one of them a file: --reporter ${first.name}=FILE`))
  }
  return reporters
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
