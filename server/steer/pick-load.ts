/**
 * Picking by load: the lowest reported load ÷ weight of all, or of two drawn at random. Reports are
 * always late; two choices forgive that, the least of all sends everybody to one target until the
 * next report. Where no load is known at all, weights draw.
 */
import type { Board } from './board.ts'
import { below, type Chance } from './chance.ts'
import type { Decision } from './decision.ts'
import { score, swap, takeByWeight, weightOf } from './pick-weight.ts'
import type { Steering } from './steering.ts'

/** Takes the less loaded of two distinct random candidates, again for each place. Hot. */
export function takeOfTwo(
  steering: Steering,
  board: Board,
  into: Decision,
  size: number,
  count: number,
  chance: Chance,
): void {
  if (!scoreLoad(steering, board, into, size)) {
    takeByWeight(steering, into, size, count, chance)
    return
  }
  const { scores } = into
  const end = into.count + size
  for (let place = into.count; place < into.count + count && place < end - 1; place += 1) {
    const one = place + below(chance, end - place)
    let other = place + below(chance, end - place - 1)
    if (other >= one) other += 1
    swap(into, place, scores[other]! < scores[one]! ? other : one)
  }
}

/** Takes the least loaded candidates, the least one first, of equal ones any. Hot. */
export function takeLeastLoaded(
  steering: Steering,
  board: Board,
  into: Decision,
  size: number,
  count: number,
  chance: Chance,
): void {
  if (!scoreLoad(steering, board, into, size)) {
    takeByWeight(steering, into, size, count, chance)
    return
  }
  for (let place = into.count; place < into.count + count; place += 1) {
    swap(into, place, leastOf(into, place, into.count + size, chance))
  }
}

/** The place of the lowest score, of equal ones drawn at random. Hot. */
function leastOf({ scores }: Decision, from: number, end: number, chance: Chance): number {
  let least = from
  let equals = 1
  for (let at = from + 1; at < end; at += 1) {
    if (scores[at]! > scores[least]!) continue
    equals = scores[at]! < scores[least]! ? 1 : equals + 1
    if (equals === 1 || below(chance, equals) === 0) least = at
  }
  return least
}

/** Hot. */
function scoreLoad(steering: Steering, board: Board, into: Decision, size: number): boolean {
  const isKnown = score(board.load, into, size)
  for (let at = into.count; at < into.count + size; at += 1) {
    into.scores[at] = into.scores[at]! / weightOf(steering, into.targets[at]!)
  }
  return isKnown
}
