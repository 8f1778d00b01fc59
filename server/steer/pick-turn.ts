/**
 * Picking in turn: one after the other, or spread evenly by weight. The first target of an answer is
 * the one whose turn it is; those behind it are shown ahead of their own turn.
 */
import type { Decision } from './decision.ts'
import { swap, weightOf } from './pick-weight.ts'
import type { Steering } from './steering.ts'
import { gainsFrom, type Turns, takeTurn, turnOf } from './turns.ts'

/**
 * Puts the candidates in order from the one whose turn it is. Hot.
 *
 * @param step 0 leaves the turn as it is
 */
export function takeInTurn(
  steering: Steering,
  turns: Turns,
  step: 0 | 1,
  pool: number,
  kind: number,
  into: Decision,
  size: number,
): void {
  const turn = turnOf(steering, into.slot, pool, kind)
  const start = takeTurn(turns, turn, size, step)
  const from = into.count
  reverse(into.targets, from, from + start)
  reverse(into.targets, from + start, from + size)
  reverse(into.targets, from, from + size)
}

/** Hot. */
function reverse(targets: Uint32Array, from: number, to: number): void {
  let low = from
  let high = to - 1
  while (low < high) {
    const target = targets[low]!
    targets[low] = targets[high]!
    targets[high] = target
    low += 1
    high -= 1
  }
}

/**
 * Takes by smooth weighted round robin: everybody gains its weight, the richest is taken and pays
 * what all have gained. Hot. Each further place of an answer goes on as if those before were not
 * there; the turn goes on by the first alone.
 */
export function takeSmooth(
  steering: Steering,
  turns: Turns,
  step: 0 | 1,
  pool: number,
  into: Decision,
  size: number,
  count: number,
): void {
  const { scores, targets } = into
  const from = into.count
  const end = from + size
  const base = gainsFrom(steering, turns, into.slot, pool)
  for (let at = from; at < end; at += 1) scores[at] = turns.gains[base + targets[at]!]!
  for (let place = from; place < from + count; place += 1) {
    let richest = place
    let gained = 0
    for (let at = place; at < end; at += 1) {
      const weight = weightOf(steering, targets[at]!)
      gained += weight
      scores[at] = scores[at]! + weight
      if (isRicher(into, at, richest)) richest = at
    }
    swap(into, place, richest)
    if (place > from || step === 0) continue
    scores[place] = scores[place]! - gained
    for (let at = from; at < end; at += 1) turns.gains[base + targets[at]!] = scores[at]!
  }
}

/** Of equal ones the first in the list. Hot. */
function isRicher({ scores, targets }: Decision, one: number, other: number): boolean {
  if (scores[one] === scores[other]) return targets[one]! < targets[other]!
  return scores[one]! > scores[other]!
}
