/**
 * How clients share pools, worked out instead of drawn: for telling an operator what a change does.
 * Goes the way of `walk.ts`.
 */
import { ALL, type Board } from './board.ts'
import { decision } from './decision.ts'
import { keptBy } from './keeps.ts'
import { type Steering, tiersOf } from './steering.ts'
import { isUsable, resortPool } from './walk.ts'

/**
 * How the clients of a ranking share its pools, as draws would have it: 0 … 1 by pool, together 1.
 * Empty where no pool has such targets.
 */
export function sharesIn(
  steering: Steering,
  board: Board,
  slot: number,
  ranking: number,
  kind: number,
): Map<number, number> {
  const usable = tiersOf(steering, ranking)
    .map(tier => tier.filter(pool => isUsable(steering, board, slot, pool, kind)))
    .filter(tier => tier.length > 0)
  const shares = new Map<number, number>()
  const add = (pool: number, share: number) => shares.set(pool, (shares.get(pool) ?? 0) + share)
  let left = 1
  for (const tier of usable) {
    const each = left / tier.length
    for (const pool of tier) {
      const kept = (each * keptBy(steering, board, slot, pool)) / ALL
      add(pool, kept)
      left -= kept
    }
  }
  const [first = []] = usable
  for (const pool of first) if (left > 0) add(pool, left / first.length)
  if (usable.length === 0) addResort(steering, board, slot, ranking, kind, add)
  return ramped(steering, board, slot, kind, shares)
}

function addResort(
  steering: Steering,
  board: Board,
  slot: number,
  ranking: number,
  kind: number,
  add: (pool: number, share: number) => void,
): void {
  const pool = resortPool(steering, board, kind, { ...decision(), slot, ranking })
  if (pool >= 0) add(pool, 1)
}

/** An operator's ramp takes its share of what a pool has. */
function ramped(
  steering: Steering,
  board: Board,
  slot: number,
  kind: number,
  shares: Map<number, number>,
): Map<number, number> {
  const from = board.rampFrom[slot] ?? -1
  const to = board.rampTo[slot] ?? -1
  const moved = ((shares.get(from) ?? 0) * (board.rampShare[slot] ?? 0)) / ALL
  if (moved === 0 || !isUsable(steering, board, slot, to, kind)) return shares
  return new Map(shares)
    .set(from, (shares.get(from) ?? 0) - moved)
    .set(to, (shares.get(to) ?? 0) + moved)
}
