/** What a run may cost: the flags of waiting, trying, pace and budget, and the seed of its order. */

import { DEFAULT_MANNER } from '../ask/ask.ts'
import { DEFAULT_QUERIES, DEFAULT_RATE } from '../plan/budget.ts'
import type { Aliases } from '../words.ts'
import { type FlagRow, real, whole } from './read.ts'

export type LimitFlags = {
  readonly timeout?: string
  readonly tries?: string
  readonly maxQueries?: string
  readonly rate?: string
  readonly seed?: string
  readonly deadline?: string
  readonly dryRun?: true
}

export type LimitOptions = {
  readonly timeoutMs: number
  readonly tries: number
  /** Most questions for one name and type. */
  readonly queries: number
  readonly rate: number
  readonly seed: number | undefined
  /** Of the whole run; absent: none. */
  readonly deadlineMs: number | undefined
  readonly action: 'measure' | 'plan-only'
}

// biome-ignore format: table
export const LIMIT_FLAGS: readonly FlagRow[] = [
  ['--timeout <seconds>', 'wait for one reply (default: 3)'],
  ['--tries <number>', 'times a query is sent at most (default: 2)'],
  ['--max-queries <number>', 'most queries for one name and type (default: 500)'],
  ['--rate <number>', 'queries a second to one server, none on this machine (default: 20)'],
  ['--deadline <seconds>', 'end the whole run then, and report what was seen (default: none)'],
  ['--seed <number>', 'order and sampling of the run (default: random, printed)'],
  ['--dry-run', 'print the plan and send nothing'],
]

/** @param most queries for one name and type, where no flag says how many */
export function limitOptions(
  flags: LimitFlags,
  aliases: Aliases,
  most: number = DEFAULT_QUERIES,
): LimitOptions {
  const timeout = flags.timeout ?? aliases.timeout ?? String(DEFAULT_MANNER.timeoutMs / 1000)
  const tries = flags.tries ?? aliases.tries ?? String(DEFAULT_MANNER.tries)
  return {
    timeoutMs: Math.round(1000 * real('--timeout', timeout, 0.01, 60)),
    tries: whole('--tries', tries, 1, 10),
    queries: whole('--max-queries', flags.maxQueries ?? String(most), 1, 1_000_000),
    rate: real('--rate', flags.rate ?? String(DEFAULT_RATE), 0.01, 100_000),
    seed: flags.seed === undefined ? undefined : whole('--seed', flags.seed, 0, 0xffffffff),
    deadlineMs: flags.deadline === undefined ? undefined : deadlineOf(flags.deadline),
    action: flags.dryRun ? 'plan-only' : 'measure',
  }
}

function deadlineOf(text: string): number {
  return Math.round(1000 * real('--deadline', text, 0.1, 86_400))
}
