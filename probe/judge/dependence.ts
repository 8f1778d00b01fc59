/**
 * Level 1: does the answer depend on the subnet? The observed grid against the same grid with the
 * answers of each round dealt out to the subnets anew. Three statistics, taken together by
 * `combine.ts`: the mean distance between subnets less that within; the G statistic of subnets by
 * addresses, which has more power where a pool rotates; and of regions by addresses, which has yet
 * more where it rotates inside a region.
 */
import { type Arranged, arrange, arrangements, type Blocks } from './arrange.ts'
import { association } from './association.ts'
import { combine } from './combine.ts'
import { distances, jaccard } from './distance.ts'
import { type Grid, variesWithin } from './grid.ts'
import type { Test } from './verdict.ts'

/** A tenth of the permutations is enough where that shows a p as far from speaking as this. */
const HOPELESS = 0.02

const STATISTICS = 3

export type Trial = {
  readonly permutations: number
  readonly seed: number
  /** `everywhere`, or only between subnets of one region: do those differ among themselves? */
  readonly exchange: 'everywhere' | 'within-regions'
}

/** @returns undefined where there is nothing to compare: one subnet, one round, or no variation */
export function dependence(grid: Grid, trial: Trial): Test | undefined {
  const layout = layoutOf(grid, trial)
  if (layout.pairs.length === 0 || grid.rows.length < 2 || grid.sets.length < 2) return undefined
  const certain = constantRows(grid, layout, trial)
  if (certain !== undefined) return certain
  const first = test(grid, layout, Math.ceil(trial.permutations / 10), trial.seed)
  return first.p > HOPELESS ? first : test(grid, layout, trial.permutations, trial.seed)
}

/**
 * No hole, and nobody's answer ever varied: then only the observed arrangement, of M in each round
 * but one, leaves no distance within subnets. Its p is 1 ÷ M^(rounds − 1), and three times that at
 * most with the other two statistics: no sampling can say it better.
 */
function constantRows(grid: Grid, layout: Layout, trial: Trial): Test | undefined {
  const whole = layout.labels.length === grid.rows.length * grid.rounds.length
  if (!whole || variesWithin(grid)) return undefined
  const all = arrangements(settle(layout))
  if (all < trial.permutations) return undefined
  const effect = apartness(grid, layout)(layout.labels)
  return { effect, p: Math.min(1, STATISTICS / all), arrangements: all, exact: true }
}

function test(grid: Grid, layout: Layout, permutations: number, seed: number): Test {
  const regions = [...new Set(grid.regions)]
  const regionAt = layout.rowAt.map(row => regions.indexOf(grid.regions[row]))
  const statistics = [
    apartness(grid, layout),
    association(grid.sets, layout.rowAt),
    ...(regions.length > 1 ? [association(grid.sets, regionAt)] : []),
  ]
  const values: number[][] = statistics.map(() => [])
  const arranged = arrange(settle(layout), permutations, seed, labels => {
    for (const [at, statistic] of statistics.entries()) values[at]?.push(statistic(labels))
  })
  const observed = values.map(list => list[0] ?? 0)
  const columns = values.map(list => column(list, arranged))
  const { count, exact } = arranged
  return { effect: observed[0] ?? 0, p: combine(observed, columns).p, arrangements: count, exact }
}

/** The values to compare with: all arrangements, which hold the observed one, or it and the samples. */
export function column(values: readonly number[], arranged: Arranged): Float64Array {
  return Float64Array.from(arranged.exact ? values.slice(1) : values)
}

type Layout = {
  /** Set indices, one round after another, holes left out. */
  readonly labels: Int32Array
  /** Where each block of labels that may change places ends. */
  readonly ends: readonly number[]
  /** How many of the blocks are the last round's. */
  readonly lastRound: number
  /** The row of each label. */
  readonly rowAt: Int32Array
  /** Positions of two labels of one row, two by two. */
  readonly pairs: Int32Array
}

type Cell = { readonly row: number; readonly label: number }

/** Lays rounds out one after another, the one with the most arrangements last: see `settle`. */
function layoutOf(grid: Grid, { exchange }: Trial): Layout {
  const columns = grid.rounds.map((_, column) => cellsOf(grid, column))
  const kinds = (cells: readonly Cell[]) => new Set(cells.map(({ label }) => label)).size
  columns.sort((a, b) => kinds(a) - kinds(b))
  const regionOf = ({ row }: Cell) => (exchange === 'everywhere' ? '' : (grid.regions[row] ?? ''))
  const blocks = columns.flatMap(cells => {
    const strata = [...new Set(cells.map(regionOf))]
    return strata.map(stratum => cells.filter(cell => regionOf(cell) === stratum))
  })
  const cells = blocks.flat()
  const pairs = cells.flatMap(({ row }, at) =>
    cells.slice(0, at).flatMap((other, before) => (other.row === row ? [before, at] : [])),
  )
  return {
    labels: Int32Array.from(cells, ({ label }) => label),
    ends: blocks.map((_, at) => blocks.slice(0, at + 1).flat().length),
    lastRound: new Set(columns.at(-1)?.map(regionOf)).size,
    rowAt: Int32Array.from(cells, ({ row }) => row),
    pairs: Int32Array.from(pairs),
  }
}

function cellsOf(grid: Grid, column: number): readonly Cell[] {
  const width = grid.rounds.length
  const cells = grid.rows.map((_, row) => ({ row, label: grid.cells[row * width + column] ?? -1 }))
  return cells.filter(({ label }) => label >= 0)
}

/**
 * One round stays as it is. The first two statistics do not change when whole subnets change places,
 * so for them that is the same p from far fewer arrangements; for the third it is a smaller, and
 * just as valid, set of exchanges.
 */
function settle(layout: Layout): Blocks {
  return { labels: layout.labels, ends: layout.ends.slice(0, -layout.lastRound) }
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
