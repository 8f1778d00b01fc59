/**
 * How long an answer may be kept: no longer than the verdicts that made it can be relied on, nor
 * than a change of the map that is near allows; within what the rule says. ecs.md 3.4.
 */
import { type Board, NO_CAP } from './board.ts'
import type { Decision } from './decision.ts'
import type { Steering } from './steering.ts'

/** Seconds, for an answer whose pool is found. Hot. */
export function ttlOf(steering: Steering, board: Board, made: Decision): number {
  const { slot } = made
  const least = Math.min(board.cap[slot]!, flipOf(steering, board, made))
  return Math.max(steering.ttlMin[slot]!, Math.min(steering.ttlMax[slot]!, least))
}

/**
 * Seconds in which no verdict can change that was asked for: those on the pools that might have served
 * instead, and on the one that does; or NO_CAP. Hot.
 */
export function flipOf(steering: Steering, board: Board, made: Decision): number {
  const { rankingPools, rankingStart, rankingTie } = steering
  const end = rankingStart[made.ranking + 1]!
  const isWhole = made.resort || steering.spread[made.slot] === 1
  let least = NO_CAP
  let isLast = false
  for (let at = rankingStart[made.ranking]!; at < end; at += 1) {
    if (isLast && rankingTie[at] === 0) break
    const pool = rankingPools[at]!
    least = Math.min(least, board.flip[pool]!)
    if (pool === made.pool && !isWhole) isLast = true
  }
  return least
}
