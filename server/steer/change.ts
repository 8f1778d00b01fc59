/**
 * How long answers may be kept while the map of a name changes, so that old and new covers meet in
 * caches only for a while: after a planned change for the least TTL, after any other for the old
 * greatest one. Time is an argument; what moves is `compare.ts`'s to say.
 */
import { hexText } from '../dns/octets.ts'
import { NO_CAP } from './board.ts'
import type { Steering } from './steering.ts'

/** By slot: when, in milliseconds, its answers should have left all caches; 0: no such time. */
export type Ends = Float64Array

/** No answer is to outlive anything. */
export function noEnds(steering: Steering): Ends {
  return new Float64Array(steering.slots)
}

/**
 * Before a planned change: what moves is to leave the caches by then.
 *
 * @param moved by slot: 1 where it will not be as it is
 * @param at    milliseconds
 */
export function endsBefore(moved: Uint8Array, at: number): Ends {
  return Float64Array.from(moved, isMoved => (isMoved === 1 ? at : 0))
}

/**
 * After a change: new answers are to leave the caches together with the last old ones.
 *
 * @param moved   by slot of `now`: 1 where it is not as it was
 * @param oldEnds what still held of the old map's answers
 * @param at      when the change took place, in milliseconds
 */
export function endsAfter(
  old: Steering,
  oldEnds: Ends,
  now: Steering,
  moved: Uint8Array,
  change: { readonly at: number; readonly planned: 'planned' | 'unplanned' },
): Ends {
  const before = new Map(old.owners.map((owner, slot) => [hexText(owner), slot]))
  const ttl = change.planned === 'planned' ? old.ttlMin : old.ttlMax
  return Float64Array.from(now.owners, (owner, slot) => {
    const was = before.get(hexText(owner))
    if (was === undefined) return 0
    const end = change.at + 1000 * (ttl[was] ?? 0)
    return moved[slot] === 1 ? end : (oldEnds[was] ?? 0)
  })
}

/**
 * Writes how long answers may be kept from now on, at most; rules' least TTLs stay the least. A cap
 * holds until the next call, so that must come within `everyMs`.
 *
 * @param caps by slot: seconds, or NO_CAP
 * @returns whether there will be anything to write later
 */
export function capAnswers(
  caps: Uint32Array,
  ends: Ends,
  now: number,
  everyMs: number,
): 'on' | 'over' {
  let left: 'on' | 'over' = 'over'
  for (const [slot, end] of ends.entries()) {
    const isPast = end <= now
    caps[slot] = isPast ? NO_CAP : secondsTo(end, now, everyMs)
    if (!isPast) left = 'on'
  }
  return left
}

/** Whole seconds for which nothing changes that changes at a time to come; asked again in `everyMs`. */
export function secondsTo(time: number, now: number, everyMs: number): number {
  return Math.min(NO_CAP, Math.max(0, Math.floor((time - now - everyMs) / 1000)))
}
