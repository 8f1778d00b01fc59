/**
 * How much of a rotating pool was seen, and how much of it another run as long will see: what was seen
 * once may well not come up again.
 */

export type Pool = {
  /** Different ones seen. */
  readonly distinct: number
  /** So many come up again in all but one of a thousand runs as long. */
  readonly surely: number
}

/** Standard deviations below the mean that one run in a thousand falls under. */
const DEVIATIONS = 3.1

/**
 * An address seen c times comes up c times on average, so it is missed with e^−c (Poisson); misses
 * add up, about normally.
 *
 * @param answers one list for each reply
 */
export function poolOf(answers: readonly (readonly string[])[]): Pool {
  const counts = new Map<string, number>()
  for (const one of answers.flat()) counts.set(one, (counts.get(one) ?? 0) + 1)
  const misses = [...counts.values()].map(count => Math.exp(-count))
  const missed = misses.reduce((sum, miss) => sum + miss, 0)
  const variance = misses.reduce((sum, miss) => sum + miss * (1 - miss), 0)
  const sure = counts.size - missed - DEVIATIONS * Math.sqrt(variance)
  const surely = missed < 0.001 ? counts.size : Math.floor(sure)
  return { distinct: counts.size, surely: Math.max(0, surely) }
}
