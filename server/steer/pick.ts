/**
 * Which of a pool's targets are handed out, and in which order (RFC 1794). First the candidates are
 * gathered into the decision, then a policy moves so many as wanted to their front. Chance and turns
 * are arguments; scope is not known here.
 */
import type { Board } from './board.ts'
import { type Chance, drawBits } from './chance.ts'
import { type Decision, makeRoom } from './decision.ts'
import { targetKeeps } from './keeps.ts'
import { takeByHash } from './pick-hash.ts'
import { takeLeastLoaded, takeOfTwo } from './pick-load.ts'
import { takeInTurn, takeSmooth } from './pick-turn.ts'
import { shuffle, takeEach, takeFast, takeShares, takeWeighted } from './pick-weight.ts'
import { KINDS, PICK, RESORT, type Steering } from './steering.ts'
import type { Turns } from './turns.ts'
import { usablePool } from './walk.ts'

/**
 * Picks from the decision's pool, as its slot has it; the last target from the next pool where the
 * slot spreads. Hot.
 *
 * @param step by how many places turns go on: 1, or 0 where the answer is only shown
 */
export function pick(
  steering: Steering,
  board: Board,
  kind: number,
  turns: Turns,
  step: 0 | 1,
  chance: Chance,
  into: Decision,
): void {
  into.count = 0
  if (into.pool < 0) return
  const { pool, resort, slot } = into
  const most = steering.most[KINDS * slot + kind]!
  const spreads = steering.spread[slot] === 1 && most > 1
  const next = spreads ? usablePool(steering, board, kind, into, pool) : -1
  const own = next < 0 ? most : most - 1
  let size = candidates(steering, board, pool, kind, chance, into)
  if (size === 0 || (resort && steering.resort[slot] !== RESORT.healthiest)) {
    size = gatherWeighty(steering, board, pool, kind, WISH.all, chance, into)
  }
  take(steering, board, pool, kind, turns, step, chance, size, own, into)
  if (next < 0) return
  size = candidates(steering, board, next, kind, chance, into)
  take(steering, board, next, kind, turns, step, chance, size, 1, into)
}

/** What is asked of a target; each asks for all that the one before does. */
const WISH = { all: 0, up: 1, left: 2 } as const

/** Gathers the targets that are up, of them those left to this client, where any is. Hot. */
function candidates(
  steering: Steering,
  board: Board,
  pool: number,
  kind: number,
  chance: Chance,
  into: Decision,
): number {
  if (board.partial[pool] === 1) {
    const size = gather(steering, board, pool, kind, WISH.left, 1, chance, into)
    if (size > 0) return size
  }
  return gatherWeighty(steering, board, pool, kind, WISH.up, chance, into)
}

/** Gathers the targets that have a weight, or where there are none the others. Hot. */
function gatherWeighty(
  steering: Steering,
  board: Board,
  pool: number,
  kind: number,
  wish: number,
  chance: Chance,
  into: Decision,
): number {
  const size = gather(steering, board, pool, kind, wish, 1, chance, into)
  return size > 0 ? size : gather(steering, board, pool, kind, wish, 0, chance, into)
}

/**
 * Puts candidates behind the targets chosen so far. Hot.
 *
 * @param wish   one of WISH
 * @param weight the least that they have
 * @returns how many
 */
function gather(
  steering: Steering,
  board: Board,
  pool: number,
  kind: number,
  wish: number,
  weight: number,
  chance: Chance,
  into: Decision,
): number {
  const list = KINDS * pool + kind
  const start = steering.listStart[list]!
  const end = steering.listStart[list + 1]!
  const up = wish === WISH.all ? 0 : 1
  let next = into.count
  makeRoom(into, next + end - start)
  for (let target = start; target < end; target += 1) {
    if (board.up[target]! < up || steering.weight[target]! < weight) continue
    if (isGiven(steering, target, into)) continue
    if (wish === WISH.left && !isLeft(steering, board, target, chance, into)) continue
    into.targets[next] = target
    next += 1
  }
  return next - into.count
}

/**
 * Tells whether a client may have a target that is drained in part, or starts slowly and has but a
 * chance to be there: where weights are drawn by, its own rises instead. Hot.
 */
function isLeft(
  steering: Steering,
  board: Board,
  target: number,
  chance: Chance,
  into: Decision,
): boolean {
  if (!targetKeeps(steering, board, target, into)) return false
  const pick = steering.pick[into.slot]
  const warm = board.warm[target]!
  if (warm === 1 || pick === PICK.weighted || pick === PICK.hash) return true
  return drawBits(chance) >>> 0 < warm * 0x1_0000_0000
}

/** Tells whether the answer has the same address already, from another pool. RFC 2181 §5. Hot. */
function isGiven(steering: Steering, target: number, { count, targets }: Decision): boolean {
  for (let i = 0; i < count; i += 1) {
    if (isSame(steering, target, targets[i]!)) return true
  }
  return false
}

/** Hot. */
function isSame({ octets, targetStart }: Steering, one: number, other: number): boolean {
  const from = targetStart[one]!
  const against = targetStart[other]!
  const length = targetStart[one + 1]! - from
  if (targetStart[other + 1]! - against !== length) return false
  for (let i = 0; i < length; i += 1) {
    if (octets[from + i] !== octets[against + i]) return false
  }
  return true
}

/** Takes at most `most` of `size` candidates into the answer, by the slot's policy. Hot. */
function take(
  steering: Steering,
  board: Board,
  pool: number,
  kind: number,
  turns: Turns,
  step: 0 | 1,
  chance: Chance,
  size: number,
  most: number,
  into: Decision,
): void {
  if (size === 0) return
  let count = Math.min(size, most)
  switch (steering.pick[into.slot]) {
    case PICK.rotate:
      takeInTurn(steering, turns, step, pool, kind, into, size)
      break
    case PICK.smooth:
      takeSmooth(steering, turns, step, pool, into, size, count)
      break
    case PICK.weighted:
      takeWeighted(steering, board, into, size, count, chance)
      break
    case PICK.hash:
      takeByHash(steering, board, into, size, count)
      break
    case PICK.two:
      takeOfTwo(steering, board, into, size, count, chance)
      break
    case PICK.least:
      takeLeastLoaded(steering, board, into, size, count, chance)
      break
    case PICK.feedback:
      takeShares(board, into, size, count, chance)
      break
    case PICK.fastest:
      takeFast(board, into, size, count, chance)
      break
    case PICK.multi:
      count = Math.min(count, takeEach(steering, into, size, chance))
      break
    default: // shuffle and random differ in how many they take
      shuffle(into, size, count, chance)
  }
  into.count += count
}
