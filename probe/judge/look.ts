/**
 * Decides between rounds whether enough has been seen. Three rounds that are all the same end it;
 * the tests are looked at twice only, since every look is one more chance to be fooled; and rotation,
 * which is the absence of a difference, is not believed before the last look.
 */
import { isAbout } from './about.ts'
import { type Grid, gridOf, isAllSame } from './grid.ts'
import { type Levels, weighLevels } from './levels.ts'
import type { Observation } from './observation.ts'
import type { EcsOptions } from './options.ts'
import { isRefused } from './reply.ts'

export type Look =
  /** Ask one more complete round. */
  | { readonly kind: 'more' }
  | {
      readonly kind: 'enough'
      readonly why: 'no-reply' | 'refused' | 'all-same' | 'decided' | 'last-look'
      /** Whether answers depend on the subnet: then the scopes are worth verifying. */
      readonly dependent: boolean
    }

/** Rounds after which all being the same is enough. */
const SAME = 3

/**
 * Says after each complete round whether to go on.
 *
 * @param observations of all names and types; those of the options' name and type count
 */
export function look(observations: readonly Observation[], options: EcsOptions): Look {
  const about = observations.filter(seen => isAbout(seen, options))
  const grid = gridOf(about, options)
  const early = giveUp(about, grid)
  if (early !== undefined) return { kind: 'enough', why: early, dependent: false }
  if (grid.rounds.length >= SAME && isAllSame(grid)) {
    return { kind: 'enough', why: 'all-same', dependent: false }
  }
  const [first, last] = looks(grid.asked)
  if (grid.begun !== first && grid.begun < last) return { kind: 'more' }
  const levels = weighLevels(grid, options)
  if (grid.begun >= last) {
    return { kind: 'enough', why: 'last-look', dependent: levels.dependent }
  }
  const isEnough = grid.rounds.length >= SAME && isSettled(levels)
  return isEnough ? { kind: 'enough', why: 'decided', dependent: true } : { kind: 'more' }
}

/** The round after which nothing more is asked of so many subnets. */
export function lastRound(subnets: number): number {
  return looks(subnets)[1]
}

/**
 * The two rounds after which the tests are looked at. Two subnets can swap places in 2^(rounds − 1)
 * ways only: it takes twelve rounds before the least p, 2⁻¹¹, is under the limit.
 */
export function looks(subnets: number): readonly [number, number] {
  return subnets <= 2 ? [8, 12] : [4, 8]
}

function giveUp(about: readonly Observation[], grid: Grid): 'no-reply' | 'refused' | undefined {
  if (grid.replies.length > 0 || grid.begun < 1) return undefined
  const samples = about.filter(seen => seen.purpose === 'sample')
  if (samples.every(seen => seen.error !== undefined)) return 'no-reply'
  return grid.begun >= 2 && samples.some(isRefused) ? 'refused' : undefined
}

/**
 * Whether a dependence needs no further rounds. Where no subnet's answers vary, more of the same
 * cannot change its class, so the second level is as sure as it will be.
 */
function isSettled(levels: Levels): boolean {
  if (!levels.dependent) return false
  return !levels.varies || levels.geography === 'yes' || levels.geography === 'untested'
}
