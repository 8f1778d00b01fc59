/**
 * Replies out of a cache: one record seen twenty times is one observation, or a rotation that a cache
 * holds for as long as its TTL would look like a change. Authorities (AA) are always counted.
 */
import type { Observation } from './observation.ts'
import { setKey } from './reply.ts'
import { answersIn } from './watch-state.ts'

/** Records that expire within so many seconds of each other are one: TTLs are whole seconds. */
const SLACK = 1.5

/**
 * Notes when the record of a reply expires.
 *
 * @param expiries of records seen, by group and set; the new one is written in
 * @param seen its `at` in milliseconds since 1970
 * @returns whether the record has not been counted yet
 */
export function noteExpiry(
  expiries: Map<string, number>,
  letter: string,
  seen: Observation,
): boolean {
  if (seen.flags.aa || seen.ttl === undefined) return true
  const key = `${letter} ${setKey(answersIn(seen))}`
  const expiry = seen.at / 1000 + seen.ttl
  const before = expiries.get(key)
  if (before !== undefined && Math.abs(expiry - before) <= SLACK) return false
  expiries.set(key, expiry)
  return true
}

/** Expiries that are still to come. */
export function unexpired(expiries: ReadonlyMap<string, number>, at: number): Map<string, number> {
  return new Map([...expiries].filter(([, expiry]) => expiry > at / 1000 - SLACK))
}
