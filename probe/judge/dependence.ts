/**
 * Level 1: does the answer depend on the subnet? The observed grid against the same grid with the
 * answers of each round dealt out to the subnets anew. Two statistics, taken together by
 * `combine.ts`: the mean distance between subnets less that within, and the G statistic of subnets
 * by addresses, which has more power where a pool rotates.
 */
import { type Arranged, arrange, arrangements, type Blocks } from './arrange.ts'
import { combine } from './combine.ts'
import { distances, jaccard } from './distance.ts'
import type { Grid } from './grid.ts'
import type { Test } from './verdict.ts'

/** @returns undefined where there is nothing to compare: one subnet, one round, or no variation */
export function dependence(grid: Grid, permutations: number, seed: number): Test | undefined {
  const layout = layoutOf(grid)
  if (layout.pairs.length === 0 || grid.rows.length < 2 || grid.sets.length < 2) return undefined
  const blocks = settle(layout, grid)
  const apart = apartness(grid, layout)
  const gain = association(grid, layout)
  const far: number[] = []
  const goes: number[] = []
  const arranged = arrange(blocks, permutations, seed, labels => {
    far.push(apart(labels))
    goes.push(gain(labels))
  })
  const observed = [far[0] ?? 0, goes[0] ?? 0]
  const { p } = combine(observed, [column(far, arranged), column(goes, arranged)])
  return { effect: observed[0] ?? 0, p, arrangements: arranged.count, exact: arranged.exact }
}

/** The values to compare with: all arrangements, which hold the observed one, or it and the samples. */
export function column(values: readonly number[], arranged: Arranged): Float64Array {
  return Float64Array.from(arranged.exact ? values.slice(1) : values)
}

type Layout = {
  /** Set indices, one round after another, holes left out; and where each round ends. */
  readonly labels: Int32Array
  readonly ends: readonly number[]
  /** The row of each label. */
  readonly rowAt: Int32Array
  /** Positions of two labels of one row, two by two. */
  readonly pairs: Int32Array
}

/** Lays rounds out one after another, the one with the most arrangements last: see `settle`. */
function layoutOf(grid: Grid): Layout {
  const width = grid.rounds.length
  const columns = grid.rounds.map((_, column) =>
    grid.rows.map((_, row) => ({ row, label: grid.cells[row * width + column] ?? -1 })),
  )
  const present = columns.map(cells => cells.filter(({ label }) => label >= 0))
  const kinds = (cells: readonly { label: number }[]) => new Set(cells.map(on => on.label)).size
  present.sort((a, b) => kinds(a) - kinds(b))
  const cells = present.flat()
  const ends = present.map((_, at) => present.slice(0, at + 1).flat().length)
  const pairs = cells.flatMap(({ row }, at) =>
    cells.slice(0, at).flatMap((other, before) => (other.row === row ? [before, at] : [])),
  )
  return {
    labels: Int32Array.from(cells, ({ label }) => label),
    ends,
    rowAt: Int32Array.from(cells, ({ row }) => row),
    pairs: Int32Array.from(pairs),
  }
}

/**
 * Both statistics stay the same when whole subnets change places, so without holes one round may
 * stay as it is, and the rest are arranged against it: far fewer arrangements, the same p.
 */
function settle(layout: Layout, grid: Grid): Blocks {
  const whole = layout.labels.length === grid.rows.length * grid.rounds.length
  const blocks = { labels: layout.labels, ends: layout.ends }
  if (!whole || arrangements(blocks) < 2) return blocks
  return { labels: layout.labels, ends: layout.ends.slice(0, -1) }
}

/** Mean distance between subnets less mean distance within one, for any arrangement. */
function apartness(grid: Grid, { labels, pairs }: Layout): (labels: Int32Array) => number {
  const sets = grid.sets.map(set => new Set(set))
  const table = distances(sets, jaccard)
  const kinds = sets.length
  let all = 0
  for (let at = 1; at < labels.length; at += 1) {
    for (let other = 0; other < at; other += 1) {
      all += table[(labels[at] ?? 0) * kinds + (labels[other] ?? 0)] ?? 0
    }
  }
  const within = pairs.length / 2
  const between = (labels.length * (labels.length - 1)) / 2 - within
  return arranged => {
    const near = sumOver(arranged, pairs, table, kinds)
    return (all - near) / between - near / within
  }
}

/** Sums the table over pairs of positions. Hot: once an arrangement. */
function sumOver(labels: Int32Array, pairs: Int32Array, table: Float64Array, kinds: number) {
  let sum = 0
  for (let at = 0; at < pairs.length; at += 2) {
    sum += table[labels[pairs[at]!]! * kinds + labels[pairs[at + 1]!]!]!
  }
  return sum
}

/**
 * The part of G = 2 Σ O ln(O ÷ E) that an arrangement can change: Σ O ln O − Σ R ln R over cells and
 * rows of the table of subnets by addresses. An empty answer counts as an address of its own.
 */
function association(grid: Grid, { labels, rowAt }: Layout): (labels: Int32Array) => number {
  const addresses = [...new Set(grid.sets.flat()), '']
  const members = grid.sets.map(set => (set.length === 0 ? [''] : set))
  const flat = Int32Array.from(members.flat(), address => addresses.indexOf(address))
  const starts = Int32Array.from([
    0,
    ...members.map((_, at) => members.slice(0, at + 1).flat().length),
  ])
  const most = labels.length * Math.max(...members.map(set => set.length))
  const logs = Float64Array.from({ length: most + 1 }, (_, n) => (n === 0 ? 0 : n * Math.log(n)))
  const width = addresses.length + 1
  const counts = new Int32Array(grid.rows.length * width)
  return arranged => gainOf({ counts, width, flat, starts, logs, rowAt }, arranged)
}

type Table = {
  /** A row's cells, one an address; the last is the row's total. */
  readonly counts: Int32Array
  readonly width: number
  /** Addresses of set s: `flat[starts[s] … starts[s + 1])`. */
  readonly flat: Int32Array
  readonly starts: Int32Array
  /** n ln n */
  readonly logs: Float64Array
  readonly rowAt: Int32Array
}

/** Hot: once an arrangement. */
function gainOf(table: Table, labels: Int32Array): number {
  const { counts, width, flat, starts, logs, rowAt } = table
  counts.fill(0)
  for (let at = 0; at < labels.length; at += 1) {
    const row = rowAt[at]! * width
    const end = starts[labels[at]! + 1]!
    for (let member = starts[labels[at]!]!; member < end; member += 1) {
      counts[row + flat[member]!]! += 1
      counts[row + width - 1]! += 1
    }
  }
  let gain = 0
  for (let cell = 0; cell < counts.length; cell += 1) {
    const sign = cell % width === width - 1 ? -1 : 1
    gain += sign * logs[counts[cell]!]!
  }
  return gain
}
