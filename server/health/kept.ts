/**
 * What is known of a watch, as it outlives the process: plain data. After a restart it is a guess that
 * the first tries have to prove.
 */
import { type Tally, tally } from './tally.ts'

export type Kept = {
  readonly up: boolean
  /** Since when, in milliseconds of the calendar. */
  readonly since: number
  /** By how much `rise` was multiplied when it last changed. */
  readonly riseFactor: number
  /** How long ago it changed of late, in milliseconds, the longest first. */
  readonly changes: readonly number[]
}

/** @param now of the clock that the tally goes by */
export function keptOf({ up, riseFactor, changes }: Tally, since: number, now: number): Kept {
  return { up, since, riseFactor, changes: changes.map(at => now - at) }
}

/** @param goneMs how long ago it was kept */
export function recalled({ up, riseFactor, changes }: Kept, now: number, goneMs: number): Tally {
  return {
    ...tally(up ? 'up' : 'down'),
    riseFactor,
    changes: changes.map(ago => now - ago - goneMs),
  }
}

/** Tells what was read back from what only looks like it. */
export function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null) return false
  const { up, since, riseFactor, changes } = value as Record<keyof Kept, unknown>
  const isFactor = [1, 2, 4, 8].some(factor => factor === riseFactor)
  const areAges = Array.isArray(changes) && changes.length <= 3 && changes.every(isSpan)
  return typeof up === 'boolean' && Number.isFinite(since) && isFactor && areAges
}

function isSpan(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY
}
