/**
 * How closely answers go with who was asked, as the G statistic of a table of askers by addresses.
 * Knows askers as rows only: subnets or regions.
 */

/**
 * The part of G = 2 Σ O ln(O ÷ E) that an arrangement can change: Σ O ln O − Σ R ln R over cells and
 * rows. An empty answer counts as an address of its own.
 *
 * @param sets  what each label stands for
 * @param rowAt the row of each position, from 0
 * @returns the statistic of labels arranged over the positions
 */
export function association(
  sets: readonly (readonly string[])[],
  rowAt: Int32Array,
): (labels: Int32Array) => number {
  const addresses = [...new Set(sets.flat()), '']
  const members = sets.map(set => (set.length === 0 ? [''] : set))
  const sizes = members.map(set => set.length)
  const starts = new Int32Array(sets.length + 1)
  for (const [set, size] of sizes.entries()) starts[set + 1] = (starts[set] ?? 0) + size
  const most = rowAt.length * Math.max(1, ...sizes)
  const width = addresses.length + 1
  const logs = Float64Array.from({ length: most + 2 }, (_, n) => (n === 0 ? 0 : n * Math.log(n)))
  const table = {
    counts: new Int32Array((Math.max(-1, ...rowAt) + 1) * width),
    width,
    flat: Int32Array.from(members.flat(), address => addresses.indexOf(address)),
    starts,
    logs,
    steps: logs.map((log, n) => (logs[n + 1] ?? log) - log),
    rowAt,
  }
  return labels => gainOf(table, labels)
}

type Table = {
  /** A row's cells, one an address; the last is the row's total. */
  readonly counts: Int32Array
  readonly width: number
  /** Addresses of set s: `flat[starts[s] … starts[s + 1])`. */
  readonly flat: Int32Array
  readonly starts: Int32Array
  /** n ln n, and how much it grows from n to n + 1. */
  readonly logs: Float64Array
  readonly steps: Float64Array
  readonly rowAt: Int32Array
}

/** Hot: once an arrangement. Adds up while counting: the table is never walked. */
function gainOf(table: Table, labels: Int32Array): number {
  const { counts, width, flat, starts, logs, steps, rowAt } = table
  counts.fill(0)
  let gain = 0
  for (let at = 0; at < labels.length; at += 1) {
    const row = rowAt[at]! * width
    const end = starts[labels[at]! + 1]!
    const start = starts[labels[at]!]!
    for (let member = start; member < end; member += 1) {
      const cell = row + flat[member]!
      gain += steps[counts[cell]!]!
      counts[cell]! += 1
    }
    counts[row + width - 1]! += end - start
  }
  for (let total = width - 1; total < counts.length; total += width) gain -= logs[counts[total]!]!
  return gain
}
