/**
 * Picking by chance: alike for all, or in proportion to a weight, a reported share or a speed. All
 * draw without replacement, in the order of the answer.
 *
 * In every policy the candidates are `targets[count]` and on; those taken are moved to their front.
 */
import type { Board } from './board.ts'
import { below, type Chance, drawBits } from './chance.ts'
import type { Decision } from './decision.ts'
import type { Steering } from './steering.ts'

/** An average share is divided by this for the least one: 1 % of all, itself included. */
const LEAST = 99
/** Milliseconds: nothing is faster. */
const FASTEST = 0.001

/**
 * Draws `count` of `size` candidates in uniformly random order: the first steps of a Fisher–Yates
 * shuffle. Hot.
 */
export function shuffle(into: Decision, size: number, count: number, chance: Chance): void {
  const { count: from, targets } = into
  for (let i = 0; i < count; i += 1) {
    const drawn = from + i + below(chance, size - i)
    const target = targets[drawn]!
    targets[drawn] = targets[from + i]!
    targets[from + i] = target
  }
}

/** Draws with chances in proportion to weights, whoever starts slowly has less of. Hot. */
export function takeWeighted(
  steering: Steering,
  board: Board,
  into: Decision,
  size: number,
  count: number,
  chance: Chance,
): void {
  for (let at = into.count; at < into.count + size; at += 1) {
    const target = into.targets[at]!
    into.scores[at] = weightOf(steering, target) * board.warm[target]!
  }
  drawByScore(into, size, count, chance)
}

/** Likewise, of candidates that are there by chance where they start slowly. Hot. */
export function takeByWeight(
  steering: Steering,
  into: Decision,
  size: number,
  count: number,
  chance: Chance,
): void {
  for (let at = into.count; at < into.count + size; at += 1) {
    into.scores[at] = weightOf(steering, into.targets[at]!)
  }
  drawByScore(into, size, count, chance)
}

/**
 * Draws each candidate by itself, with the chance weight ÷ greatest weight, so that the heaviest are
 * always there; in uniformly random order. Hot.
 *
 * @returns how many were drawn, at least 1
 */
export function takeEach(steering: Steering, into: Decision, size: number, chance: Chance): number {
  const { count: from, targets } = into
  let greatest = 1
  for (let at = from; at < from + size; at += 1) {
    greatest = Math.max(greatest, weightOf(steering, targets[at]!))
  }
  let drawn = 0
  for (let at = from; at < from + size; at += 1) {
    if (below(chance, greatest) >= weightOf(steering, targets[at]!)) continue
    swap(into, from + drawn, at)
    drawn += 1
  }
  shuffle(into, drawn, drawn, chance)
  return drawn
}

/** Candidates have weights, or none of them has: then they are alike. Hot. */
export function weightOf(steering: Steering, target: number): number {
  return Math.max(1, steering.weight[target]!)
}

/** Draws with chances in proportion to the shares reported; unknown ones are average. Hot. */
export function takeShares(
  board: Board,
  into: Decision,
  size: number,
  count: number,
  chance: Chance,
): void {
  score(board.share, into, size)
  drawByScore(into, size, count, chance)
}

/**
 * Draws with chances in proportion to speed, but none with less than 1 % of an average chance: a
 * slow target must be seen to recover. Hot.
 */
export function takeFast(
  board: Board,
  into: Decision,
  size: number,
  count: number,
  chance: Chance,
): void {
  const { scores } = into
  const end = into.count + size
  score(board.latency, into, size)
  let total = 0
  for (let at = into.count; at < end; at += 1) {
    const speed = 1 / Math.max(FASTEST, scores[at]!)
    scores[at] = speed
    total += speed
  }
  const least = total / size / LEAST
  for (let at = into.count; at < end; at += 1) scores[at] = Math.max(least, scores[at]!)
  drawByScore(into, size, count, chance)
}

/**
 * Scores candidates by what the board knows of them; unknown is the mean of the others, and 1 where
 * nothing is known. Hot.
 *
 * @returns whether anything is known
 */
export function score(column: Float32Array, into: Decision, size: number): boolean {
  const { scores, targets } = into
  const end = into.count + size
  let sum = 0
  let known = 0
  for (let at = into.count; at < end; at += 1) {
    if (!isKnown(column, targets[at]!)) continue
    sum += column[targets[at]!]!
    known += 1
  }
  const mean = known === 0 ? 1 : sum / known
  for (let at = into.count; at < end; at += 1) {
    scores[at] = isKnown(column, targets[at]!) ? column[targets[at]!]! : mean
  }
  return known > 0
}

/** NaN is not, and nothing else that is no measure. Hot: is told where to look, not boxed values. */
function isKnown(column: Float32Array, target: number): boolean {
  const value = column[target]!
  return value >= 0 && value < Number.POSITIVE_INFINITY
}

/** Draws with chances in proportion to scores; where all that is left has none, alike. Hot. */
export function drawByScore(into: Decision, size: number, count: number, chance: Chance): void {
  const { scores } = into
  const end = into.count + size
  for (let place = into.count; place < into.count + count; place += 1) {
    let total = 0
    for (let at = place; at < end; at += 1) total += scores[at]!
    if (total === 0) {
      swap(into, place, place + below(chance, end - place))
      continue
    }
    let point = ((drawBits(chance) >>> 0) / 0x1_0000_0000) * total
    let at = place
    while (at < end - 1 && point >= scores[at]!) {
      point -= scores[at]!
      at += 1
    }
    swap(into, place, at)
  }
}

/** Exchanges two candidates. Hot. */
export function swap({ scores, targets }: Decision, one: number, other: number): void {
  const target = targets[one]!
  const mark = scores[one]!
  targets[one] = targets[other]!
  scores[one] = scores[other]!
  targets[other] = target
  scores[other] = mark
}
