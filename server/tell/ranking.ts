/**
 * Rankings in words: pools in order of preference, those that are equally good together.
 */
import { type Steering, tiersOf } from '../steer/steering.ts'

/** What stands for the ranking of a special block. */
export const SPECIAL_TEXT = '(by the source address of the query)'

/** Names of pools, a list for each degree of preference. */
export function tierNames(steering: Steering, ranking: number): string[][] {
  return tiersOf(steering, ranking).map(tier => tier.map(pool => steering.poolNames[pool] ?? ''))
}

/** `fra = iad, sfo`: the first two are equally good. */
export function rankingText(tiers: readonly (readonly string[])[]): string {
  return tiers.map(tierText).join(', ')
}

/** `fra = iad` */
export function tierText(tier: readonly string[]): string {
  return tier.join(' = ')
}

/** The pools that come first, all equally good. */
export function firstTier(steering: Steering, ranking: number): string[] {
  return tierNames(steering, ranking)[0] ?? []
}
