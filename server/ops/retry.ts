/**
 * When what failed is tried again: after a random time, so that many who failed together do not come
 * back together, and later where too much fails. Pure: time and chance are arguments.
 */

/** Tries of one thing, the first included. */
export const MOST_TRIES = 8

const BASE_MS = 1_000
const CAP_MS = 60_000

/** In tenths of a retry: what there may be at a time, and what comes in a minute. */
const MOST_TENTHS = 100
const TENTHS_A_MINUTE = 100
const RETRY = 10

/**
 * How long to wait: anything up to a limit that doubles each time ("full jitter"), and at least as long
 * as was asked for. A minute at the most.
 *
 * @param failures so far, from 1
 * @param chance   from 0 … 1, without 1
 * @param askedMs  what the other side asked for
 */
export function pauseMs(failures: number, chance: number, askedMs = 0): number {
  const limit = Math.min(CAP_MS, BASE_MS * 2 ** (failures - 1))
  return Math.min(CAP_MS, askedMs + chance * limit)
}

/** Retries that all may make together: ten, ten more a minute, and one for each ten events. */
export type Budget = { tenths: number; atMs: number }

export function newBudget(now: number): Budget {
  return { tenths: MOST_TENTHS, atMs: now }
}

/** There was an event. */
export function earn(budget: Budget): void {
  budget.tenths = Math.min(MOST_TENTHS, budget.tenths + 1)
}

/**
 * Takes a retry.
 *
 * @returns 0, or in how many milliseconds there is one: it is to be asked for again then
 */
export function spend(budget: Budget, now: number): number {
  const grown = ((now - budget.atMs) / 60_000) * TENTHS_A_MINUTE
  budget.tenths = Math.min(MOST_TENTHS, budget.tenths + grown)
  budget.atMs = now
  const lack = RETRY - budget.tenths
  if (lack > 0) return Math.max(1, (lack / TENTHS_A_MINUTE) * 60_000)
  budget.tenths -= RETRY
  return 0
}
