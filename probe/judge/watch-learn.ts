/**
 * The first passes of `watch`: who is answered alike. Groups are those of `ecs`, found anew in each
 * pass, until next to all of every rotating pool has been seen; from then on they are known.
 */
import { judgeEcs } from './ecs.ts'
import type { Judgement } from './judgement.ts'
import type { Observation } from './observation.ts'
import { noteExpiry } from './watch-cache.ts'
import { EMPTY_POOL, isCovered, learned, noted } from './watch-pool.ts'
import {
  answersIn,
  type Change,
  type Step,
  type WatchGroup,
  type WatchRow,
  type WatchState,
} from './watch-state.ts'

/** Passes that are learned from at least, and at most. */
export const LEARNING = 4
const PATIENCE = 24

/** Sampled permutations: the least that can pass half of one in a thousand. */
export const PERMUTATIONS = 1999

/** Finds the groups anew; ends the learning when they can be relied on. */
export function learn(state: WatchState, at: number): Step {
  const { name, type, seed, window } = state
  const judged = judgeEcs(window, { name, type, seed, permutations: PERMUTATIONS })
  const groups = judged.groups.map(({ letter, subnets }): WatchGroup => {
    const expiries = new Map<string, number>()
    const mine = window.filter(
      seen => subnets.includes(seen.sent?.text ?? '') && noteExpiry(expiries, letter, seen),
    )
    return { letter, manner: 'fixed', pool: learned(noted(EMPTY_POOL, mine.map(answersIn))) }
  })
  const rows = state.rows.map(row => learnedRow(row, judged))
  const isEnough = isFixed(window) ? groups.every(isSeen) : groups.every(isWhole)
  const isKnown = state.rounds >= LEARNING && isEnough
  const phase = isKnown || state.rounds >= PATIENCE ? 'watching' : 'learning'
  const after = { ...state, rows, groups, letters: groups.length, phase } as const
  const news: Change = { kind: 'learned', at, groups: judged.groups }
  return { state: after, changes: phase === 'watching' ? [news] : [] }
}

function isWhole({ pool }: WatchGroup): boolean {
  return isCovered(pool)
}

/** Out of a cache, one record may be all that was seen in many passes. */
function isSeen({ pool }: WatchGroup): boolean {
  return pool.replies >= LEARNING
}

/** Whether no subnet was ever given two different answers. */
function isFixed(window: readonly Observation[]): boolean {
  const given = new Map<string, string>()
  return window.every(seen => {
    const key = answersIn(seen).join(' ')
    const before = given.get(seen.sent?.text ?? '') ?? key
    given.set(seen.sent?.text ?? '', before)
    return before === key
  })
}

/** The letters of a row's past are those that are known now. */
function learnedRow(row: WatchRow, judged: Judgement): WatchRow {
  const letter = judged.groups.find(({ subnets }) => subnets.includes(row.subnet))?.letter
  const trail = row.trail.replaceAll(/[^·]/g, letter ?? '+')
  return { ...row, letter, trail }
}
