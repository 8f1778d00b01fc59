/** What is kept of a run, and a run that was kept: the flags of what can be judged again. */

import { type Wrong, wrong } from '../plan/wrong.ts'
import { type FlagRow, Misuse } from './read.ts'

export type RecordFlags = { readonly record?: string; readonly replay?: string }

export type RecordOptions = {
  readonly record: string | undefined
  readonly replay: string | undefined
}

// biome-ignore format: table
export const RECORD_FLAGS: readonly FlagRow[] = [
  ['--record <file>', 'write down all that is seen, as it is seen'],
  ['--replay <file>', 'judge a recording instead of asking'],
]

export function recordOptions({ record, replay }: RecordFlags): RecordOptions {
  if (record === undefined || replay === undefined) return { record, replay }
  throw new Misuse(wrong('--record and --replay exclude each other', 'take one of them'))
}

/** Of a name beside a recording. */
export function namedTwice([word]: readonly string[]): Wrong {
  return wrong(`${word}: a recording knows what it asked`, '--replay takes no name')
}
