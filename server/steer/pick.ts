/**
 * Which of a pool's targets are handed out, and in which order (RFC 1794). A policy is a function
 * that fills the first `count` places of an order; chance and turns are arguments.
 */
import { below, type Chance } from './chance.ts'
import type { Decision } from './decision.ts'
import { KINDS, PICK, type Steering } from './steering.ts'
import { turnOf } from './turns.ts'

/** Picks from the decision's pool, as its slot's policy has it. Hot. */
export function pick(
  steering: Steering,
  kind: number,
  turns: Uint32Array,
  chance: Chance,
  into: Decision,
): void {
  into.count = 0
  if (into.pool < 0) return
  const list = KINDS * into.pool + kind
  into.first = steering.listStart[list]!
  const size = steering.listStart[list + 1]! - into.first
  into.count = Math.min(size, steering.most[KINDS * into.slot + kind]!)
  if (steering.pick[into.slot] === PICK.shuffle) {
    shuffle(into.order, size, into.count, chance)
    return
  }
  const turn = turnOf(steering, into.slot, into.pool, kind)
  turns[turn] = rotate(into.order, size, into.count, turns[turn]!)
}

/**
 * Draws `count` of `size` positions in uniformly random order: the first steps of a Fisher–Yates
 * shuffle. Hot.
 */
export function shuffle(order: Uint16Array, size: number, count: number, chance: Chance): void {
  for (let i = 0; i < size; i += 1) order[i] = i
  for (let i = 0; i < count; i += 1) {
    const j = i + below(chance, size - i)
    const drawn = order[j]!
    order[j] = order[i]!
    order[i] = drawn
  }
}

/**
 * Takes `count` positions from the one whose turn it is. Hot.
 *
 * @param turn any uint32: what is past `size` begins again
 * @returns the next turn
 */
export function rotate(order: Uint16Array, size: number, count: number, turn: number): number {
  const start = turn % size
  for (let i = 0; i < count; i += 1) order[i] = (start + i) % size
  return start + 1
}
