/**
 * Rankings by number. Two lists that name the same pools in the same order are one ranking: the
 * class of a client is what it prefers, not where that was written.
 */
import type { Ranking } from './rule.ts'

/** Numbers begin at 1: 0 is SPECIAL. */
export type RankingRoll = {
  readonly lists: Ranking[]
  readonly numbers: Map<string, number>
}

export function rankingRoll(): RankingRoll {
  return { lists: [[]], numbers: new Map() }
}

export function rankingNumber(roll: RankingRoll, ranking: Ranking): number {
  const key = keyOf(ranking)
  const known = roll.numbers.get(key)
  if (known !== undefined) return known
  roll.numbers.set(key, roll.lists.length)
  return roll.lists.push(ranking) - 1
}

/** `1 0=2`: as pools one after the other are joined, where none are equally good. */
function keyOf(ranking: Ranking): string {
  let key = ''
  for (const tier of ranking) {
    const [first, ...more] = tier
    key += key === '' ? first : ` ${first}`
    for (const pool of more) key += `=${pool}`
  }
  return key
}

/** The number of pools one after the other: told without making a ranking where it is known. */
export function listNumber(roll: RankingRoll, pools: readonly number[]): number {
  return roll.numbers.get(pools.join(' ')) ?? rankingNumber(roll, inOrder(pools))
}

/** Pools one after the other. One that is named twice counts where it stands first. */
export function inOrder(pools: readonly number[]): Ranking {
  return [...new Set(pools)].map(pool => [pool])
}
