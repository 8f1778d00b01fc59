/**
 * Does the TTL count down? Then a cache answers, and what varies is the cache's doing. A cached
 * record expires at one instant: arrival time plus TTL stays the same until it is fetched again.
 */
import type { Observation } from './observation.ts'

/** Seconds by which rounding and delay may move an expiry. */
const SLACK = 1.5

type Moment = { readonly at: number; readonly ttl: number; readonly aa: boolean }

/** Arrival in seconds, TTL and authority of each reply that has a TTL, in order of sending. */
export function moments(observations: readonly Observation[]): readonly Moment[] {
  return observations.flatMap(({ at, ttl, flags }) =>
    ttl === undefined ? [] : [{ at: at / 1000, ttl, aa: flags.aa }],
  )
}

/**
 * Whether these TTLs are a cache's, or those of several caches behind one address: at least three
 * different values, and either falling throughout, or far fewer instants of expiry than replies.
 */
export function countsDown(series: readonly Moment[]): boolean {
  const values = new Set(series.map(({ ttl }) => ttl))
  if (falls(series)) return true
  if (values.size < 3) return false
  return spanOf(series) >= 3 && expiries(series) <= series.length / 4
}

/**
 * Whether one record was seen throughout and never fetched anew: its TTL falls and never rises. An
 * authority may lower a TTL step by step as well (health does that), but not in time with the clock.
 */
export function falls(series: readonly Moment[]): boolean {
  const values = new Set(series.map(({ ttl }) => ttl))
  const rises = series.some(({ ttl }, index) => ttl > (series[index - 1]?.ttl ?? ttl))
  if (rises || values.size < 2) return false
  const inTime = spanOf(series) >= 1 && expiries(series) === 1
  return inTime || (values.size >= 3 && series.every(({ aa }) => !aa))
}

/** Whether a record was fetched anew: one expires later than one that was seen before it. */
export function resets(series: readonly Moment[]): boolean {
  let earliest = Number.POSITIVE_INFINITY
  for (const { at, ttl } of series) {
    if (at + ttl - earliest > SLACK) return true
    earliest = Math.min(earliest, at + ttl)
  }
  return false
}

function spanOf(series: readonly Moment[]): number {
  const times = series.map(({ at }) => at)
  return Math.max(...times) - Math.min(...times)
}

/** Distinct instants of expiry, those closer than the slack being one. */
function expiries(series: readonly Moment[]): number {
  const instants = series.map(({ at, ttl }) => at + ttl).sort((a, b) => a - b)
  let count = 0
  let start = Number.NEGATIVE_INFINITY
  for (const instant of instants) {
    if (instant - start <= SLACK) continue
    count += 1
    start = instant
  }
  return count
}
