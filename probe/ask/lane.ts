/**
 * The lane to one server: how many questions are on it at once and when the next may enter. It learns
 * that a server limits its responses and then goes at half the pace, and counts refusals in a row.
 * Waits for nobody itself: clock and sleep are the wire's.
 */

import type { Wire } from './wire.ts'

export type Lane = {
  /** Questions under way. */
  busy: number
  readonly waiting: (() => void)[]
  /** When the next question may leave, on the wire's clock. */
  dueAt: number
  /** Times the usual pause between two questions. */
  slowness: number
  slowedAt: number
  /** Whether a whole reply ever came over UDP. */
  heard: boolean
  /** Replies REFUSED since the last other reply. */
  refusals: number
}

/** Lanes by server text. */
export type Lanes = Map<string, Lane>

/** Questions to one remote server at once. */
export const MOST_AT_ONCE = 4

/** After so many REFUSED in a row, over all names, nothing more is asked of a server. */
export const STORM = 50

/** Slower than that helps nobody: a run would not end. */
const SLOWEST = 8
const BETWEEN_SLOWDOWNS_MS = 1000

export function laneTo(lanes: Lanes, server: string): Lane {
  const known = lanes.get(server)
  if (known !== undefined) return known
  const lane: Lane = {
    busy: 0,
    waiting: [],
    dueAt: 0,
    slowness: 1,
    slowedAt: Number.NEGATIVE_INFINITY,
    heard: false,
    refusals: 0,
  }
  lanes.set(server, lane)
  return lane
}

/** Enters as soon as fewer than `most` are under way; first come, first served. */
export async function enter(lane: Lane, most: number): Promise<void> {
  if (lane.busy >= most) await new Promise<void>(resolve => lane.waiting.push(resolve))
  else lane.busy += 1
}

/** Leaves, and hands the place on. */
export function leave(lane: Lane): void {
  const next = lane.waiting.shift()
  if (next === undefined) lane.busy -= 1
  else next()
}

/**
 * Waits for the lane's turn at a rate.
 *
 * @param until not longer than that, on the wire's clock
 */
export async function turn(lane: Lane, rate: number, wire: Wire, until: number): Promise<void> {
  const now = wire.now()
  const due = Math.max(now, lane.dueAt)
  lane.dueAt = due + (1000 * lane.slowness) / rate
  if (due > now) await wire.sleep(Math.min(due, until) - now)
}

/** Halves the pace, to an eighth at least, and not again before the first halving can have worked. */
export function slowDown(lane: Lane, now: number): void {
  if (now < lane.slowedAt + BETWEEN_SLOWDOWNS_MS) return
  lane.slowedAt = now
  lane.slowness = Math.min(SLOWEST, lane.slowness * 2)
}
