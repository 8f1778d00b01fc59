/**
 * One p-value from several statistics over the same arrangements, by the smallest of their p-values
 * (Westfall and Young). The smallest is itself compared over all arrangements, so looking at two
 * statistics costs nothing in false alarms.
 */

/** Digits kept of a statistic: sums of equal terms in another order must stay equal. */
const GRAIN = 1e9

export type Combined = {
  readonly p: number
  /** The least p that any arrangement could have given: above the limit, the test can never speak. */
  readonly attainable: number
}

/**
 * @param observed the statistics of what was seen, greater meaning stranger
 * @param columns  for each statistic its value in every arrangement, the observed one among them
 */
export function combine(observed: readonly number[], columns: readonly Float64Array[]): Combined {
  const total = columns[0]?.length ?? 0
  const least = new Float64Array(total).fill(total)
  let seen = total
  for (const [index, column] of columns.entries()) {
    const grains = column.map(value => Math.round(value * GRAIN))
    const sorted = grains.slice().sort()
    for (const [at, value] of grains.entries()) {
      least[at] = Math.min(least[at] ?? total, atLeast(sorted, value))
    }
    seen = Math.min(seen, atLeast(sorted, Math.round((observed[index] ?? 0) * GRAIN)))
  }
  const best = least.reduce((min, value) => Math.min(min, value), total)
  return { p: share(least, seen), attainable: share(least, best) }
}

/** How many of the sorted values are no smaller than `value`. */
function atLeast(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return sorted.length - low
}

function share(ranks: Float64Array, limit: number): number {
  return ranks.reduce((count, rank) => count + (rank <= limit ? 1 : 0), 0) / ranks.length
}
