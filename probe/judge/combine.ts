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
  const grains = columns.map(column => column.map(value => Math.round(value * GRAIN)))
  const sorted = grains.map(column => column.slice().sort())
  const ranks = sorted.map((column, at) => atLeast(column, Math.round((observed[at] ?? 0) * GRAIN)))
  const bests = sorted.map(column => atLeast(column, column.at(-1) ?? 0))
  return {
    p: share(grains, sorted, Math.min(...ranks)),
    attainable: share(grains, sorted, Math.min(...bests)),
  }
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

/** The share of arrangements in which some statistic is among its `rank` greatest, ties and all. */
function share(
  columns: readonly Float64Array[],
  sorted: readonly Float64Array[],
  rank: number,
): number {
  const total = columns[0]?.length ?? 0
  const strange = new Uint8Array(total)
  for (const [index, column] of columns.entries()) {
    mark(strange, column, sorted[index]?.[total - rank - 1] ?? Number.NEGATIVE_INFINITY)
  }
  return strange.reduce((sum, one) => sum + one, 0) / total
}

/** Hot: once an arrangement and statistic. */
function mark(strange: Uint8Array, column: Float64Array, above: number): void {
  for (let at = 0; at < column.length; at += 1) if (column[at]! > above) strange[at] = 1
}
