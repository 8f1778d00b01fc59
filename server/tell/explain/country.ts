/** How the rankings of a rule share a part of the address space. */
import type { Desk } from '../../answer/desk.ts'
import { leafValue } from '../../geo/tree.ts'
import type { Prefix } from '../../steer/rule.ts'
import { lookUp, rankingOf, SPECIAL } from '../../steer/steering.ts'
import { rankingNames } from '../pools.ts'
import type { OfCountry } from './explanation.ts'
import { isSteered } from './line.ts'

/**
 * Shares out blocks among the rankings of the rule that decided.
 *
 * @param blocks blocks of the ground, all of one family
 * @returns the greatest share first; none where no rule decided
 */
export function sharesIn(desk: Desk, blocks: readonly Prefix[]): OfCountry['rankings'] {
  if (!isSteered(desk)) return []
  const sizes = new Map<number, number>()
  for (const block of blocks) {
    const ranking = rankingAt(desk, block)
    sizes.set(ranking, (sizes.get(ranking) ?? 0) + 2 ** -block.bits)
  }
  const all = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  return [...sizes]
    .sort(([, a], [, b]) => b - a)
    .map(([ranking, size]) => ({
      ranking: rankingNames(desk.world.steering, ranking),
      share: size / all,
    }))
}

/** Every address of a block of the ground has one ranking. */
function rankingAt({ decision, world }: Desk, { family, octets }: Prefix): number {
  const { steering } = world
  const { slot } = decision
  const shape = steering.shape[slot] ?? -1
  const number = shape < 0 ? SPECIAL : leafValue(lookUp(steering, shape, family, octets))
  return number === SPECIAL ? (steering.fallback[slot] ?? 0) : rankingOf(steering, slot, number)
}
