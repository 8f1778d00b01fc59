/**
 * How much so many queries can tell: pool sizes, unseen shares, tails. Plain arithmetic.
 */

/**
 * The greatest share that something never seen in `draws` draws may have, with 95 % confidence:
 * the s with (1 − s)^draws = 0.05. 1 for no draws.
 */
export function unseenShare(draws: number): number {
  return draws === 0 ? 1 : 1 - 0.05 ** (1 / draws)
}

/**
 * Chao's estimate of how many kinds there are, bias-corrected: seen + f1(f1 − 1) ÷ 2(f2 + 1), where
 * f1 and f2 are the kinds seen once and twice. Undefined where Good and Turing's coverage,
 * 1 − f1 ÷ draws, is under a fifth: the draws then say no more than "many".
 *
 * @param counts how often each kind was seen, all ≥ 1
 */
export function chao(counts: readonly number[]): number | undefined {
  const draws = sum(counts)
  const once = counts.filter(count => count === 1).length
  const twice = counts.filter(count => count === 2).length
  if (draws === 0 || 1 - once / draws < 0.2) return undefined
  return Math.round(counts.length + (once * (once - 1)) / (2 * (twice + 1)))
}

/** The chance that `draws` uniform draws see all of `pool`, by inclusion and exclusion. */
export function chanceToSeeAll(pool: number, draws: number): number {
  let chance = 0
  let choose = 1
  for (let missed = 0; missed < pool; missed += 1) {
    chance += (missed % 2 === 0 ? choose : -choose) * (1 - missed / pool) ** draws
    choose = (choose * (pool - missed)) / (missed + 1)
  }
  return Math.min(1, Math.max(0, chance))
}

/**
 * How many draws see the whole of a uniform pool 19 times in 20. Pools over 32 are estimated from
 * the limit law of the coupon collector, as the alternating sum above loses its digits there.
 */
export function drawsForPool(pool: number): number {
  if (pool > 32) return Math.ceil(pool * (Math.log(pool) - Math.log(-Math.log(0.95))))
  let draws = pool
  while (chanceToSeeAll(pool, draws) < 0.95) draws += 1
  return draws
}

/** For 0 … `trials` hits, the chance of at least so many successes, each of chance `each`. */
export function binomialTails(trials: number, each: number): Float64Array {
  const tails = new Float64Array(trials + 2)
  const ways = logFactorials(trials)
  for (let hits = trials; hits >= 0; hits -= 1) {
    const choose = (ways[trials] ?? 0) - (ways[hits] ?? 0) - (ways[trials - hits] ?? 0)
    const one = Math.exp(choose + power(each, hits) + power(1 - each, trials - hits))
    tails[hits] = Math.min(1, one + (tails[hits + 1] ?? 0))
  }
  return tails.subarray(0, trials + 1)
}

/** ln base^exponent, 0⁰ being 1. */
function power(base: number, exponent: number): number {
  return exponent === 0 ? 0 : exponent * Math.log(base)
}

/** ln 0! … ln n! */
function logFactorials(n: number): readonly number[] {
  const logs = [0]
  for (let factor = 1; factor <= n; factor += 1)
    logs.push((logs[factor - 1] ?? 0) + Math.log(factor))
  return logs
}

/** ln n! */
export function logFactorial(n: number): number {
  let log = 0
  for (let factor = 2; factor <= n; factor += 1) log += Math.log(factor)
  return log
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** How often each value occurs, in the order first met. */
export function countOf<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
