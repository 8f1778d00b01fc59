/**
 * Is one of several handed out as often as another? Pearson's statistic, its p-value by sampling from
 * the multinomial, because twenty queries over eight addresses are far too few for the chi-square
 * curve.
 */
import { below, chance } from './chance.ts'
import { sum } from './odds.ts'
import { chanceOf } from './resample.ts'

/**
 * How often equal chances give counts at least as uneven as these. 1 for fewer than two kinds.
 *
 * Kinds that were never seen are not in `counts`: that makes the test miss unevenness now and then,
 * and never invent it.
 */
export function uniformity(counts: readonly number[], seed: number): number {
  const draws = sum(counts)
  if (counts.length < 2 || draws === 0) return 1
  // With equal expectations Pearson's statistic grows with the sum of squares: integers, so no rounding.
  const observed = sum(counts.map(count => count * count))
  const state = chance(seed)
  const bins = new Int32Array(counts.length)
  return chanceOf(observed, () => {
    bins.fill(0)
    for (let drawn = 0; drawn < draws; drawn += 1) {
      const bin = below(state, bins.length)
      bins[bin] = (bins[bin] ?? 0) + 1
    }
    return bins.reduce((squares, count) => squares + count * count, 0)
  })
}
