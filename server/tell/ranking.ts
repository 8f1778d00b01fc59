/**
 * Rankings for a reader: pools by name, in order of preference, those that are equally good together.
 */
import { leafValue } from '../geo/tree.ts'
import type { Prefix } from '../steer/rule.ts'
import { lookUp, rankingOf, SPECIAL, type Steering, tiersOf } from '../steer/steering.ts'

/** The pools of a ranking by name, equally good ones together. */
export type Tiers = readonly (readonly string[])[]

/** The ranking of a block; `special` where its addresses say nothing of the client. */
export type Ranking = Tiers | 'special'

export function rankingNamed(steering: Steering, ranking: number | 'special'): Ranking {
  return ranking === 'special' ? ranking : tiersNamed(steering, ranking)
}

export function tiersNamed(steering: Steering, ranking: number): Tiers {
  return tiersOf(steering, ranking).map(tier => tier.map(pool => poolName(steering, pool)))
}

export function poolName({ poolNames }: Steering, pool: number): string {
  return poolNames[pool] ?? ''
}

/** What stands for the ranking of a special block. */
const SPECIAL_TEXT = '(by the source address of the query)'

/** `fra = iad, sfo`: the first two are equally good. */
export function rankingText(ranking: Ranking): string {
  return ranking === 'special' ? SPECIAL_TEXT : ranking.map(tierText).join(', ')
}

/** `fra = iad` */
export function tierText(tier: Tiers[number] | 'special'): string {
  return tier === 'special' ? SPECIAL_TEXT : tier.join(' = ')
}

/**
 * The ranking that a client gets, by number; `special` where only the source address of the query
 * could tell. A client told of by a prefix is at its first address, as for the server.
 */
export function rankingAt(
  steering: Steering,
  slot: number,
  { family, octets }: Prefix,
): number | 'special' {
  const shape = steering.shape[slot] ?? -1
  if (shape < 0) return steering.fallback[slot] ?? 0
  const number = leafValue(lookUp(steering, shape, family, octets))
  return number === SPECIAL ? 'special' : rankingOf(steering, slot, number)
}
