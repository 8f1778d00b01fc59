/** How the rankings of a rule share a part of the address space. */
import type { Desk } from '../../answer/desk.ts'
import type { Prefix } from '../../steer/rule.ts'
import { rankingAt, tiersNamed } from '../ranking.ts'
import { addTo, heaviest, sharesOf } from '../weights.ts'
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
  const { decision, world } = desk
  const { steering } = world
  const sizes = new Map<number, number>()
  for (const block of blocks) {
    const ranking = rankingAt(steering, decision.slot, block)
    const own = ranking === 'special' ? (steering.fallback[decision.slot] ?? 0) : ranking
    addTo(sizes, own, 2 ** -block.bits)
  }
  const shares = sharesOf(sizes)
  return heaviest(shares).map(ranking => ({
    ranking: tiersNamed(steering, ranking),
    share: shares.get(ranking) ?? 0,
  }))
}
