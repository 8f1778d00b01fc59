/** The flags of `watch`: how often, until when, and what to do on a change. */

import { readDuration, readUntil, type Until } from '../judge/watch-until.ts'
import { wrong } from '../plan/wrong.ts'
import { CALIBRATE_FLAGS } from './calibrate.ts'
import { WATCH_FORMATS } from './formats.ts'
import { LIMIT_FLAGS } from './limits.ts'
import { PANEL_FLAGS } from './panel.ts'
import { type FlagRow, Misuse } from './read.ts'
import { SERVER_FLAGS } from './servers.ts'

export type OwnWatchFlags = {
  readonly interval?: string
  readonly until?: string
  readonly for?: string
  readonly once?: true
  readonly bell?: true
}

export type WatchOptions = {
  readonly everyMs: number
  readonly until: Until | undefined
  readonly forMs: number | undefined
  readonly passes: 'endless' | 'one'
  readonly bell: 'rings' | 'silent'
}

// biome-ignore format: table
export const WATCH_FLAGS: readonly FlagRow[] = [
  ['-i, --interval <duration>', 'from one pass to the next: 2s, 1m (default: 5s)'],
  ['--until <condition>', 'verdict=geo, change, silent or stable=5m: exit 0 when it is met'],
  ['--for <duration>', 'end after that; exit 1 where --until was not met'],
  ['--once', 'one pass, printed plainly'],
  ['--bell', 'ring on a change'],
  ...SERVER_FLAGS,
  ...PANEL_FLAGS,
  ...CALIBRATE_FLAGS,
  ...LIMIT_FLAGS.filter(([flag]) => !/^--(max-queries|deadline|dry-run)/.test(flag)),
  ['-f, --format <name>', `${WATCH_FORMATS.join(', ')} (default: pretty on a terminal, else plain)`],
  ['-J, --json', 'one JSON document a line for each change: -f json'],
  ['--color <when>', 'auto, always or never (default: auto)'],
]

/** The shortest pause that still is one, and the longest that a timer holds. */
const LEAST_MS = 100
const MOST_MS = 86_400_000

export function watchOptions(flags: OwnWatchFlags): WatchOptions {
  const { interval = '5s', until } = flags
  return {
    everyMs: durationOf('--interval', interval, LEAST_MS),
    until: until === undefined ? undefined : untilOf(until),
    forMs: flags.for === undefined ? undefined : durationOf('--for', flags.for, 0),
    passes: flags.once ? 'one' : 'endless',
    bell: flags.bell ? 'rings' : 'silent',
  }
}

function durationOf(flag: string, text: string, least: number): number {
  const ms = readDuration(text)
  if (ms !== undefined && ms >= least && ms <= MOST_MS) return ms
  throw new Misuse(
    wrong(`${flag} ${text}: not a duration from ${least / 1000}s to 1d`, 'such as 5s or 2m'),
  )
}

function untilOf(text: string): Until {
  const until = readUntil(text)
  if (until !== undefined) return until
  const fix = 'verdict=geo (any answer or code), change, silent, or stable=5m'
  throw new Misuse(wrong(`--until ${text}: no such condition`, fix))
}
