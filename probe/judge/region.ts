/**
 * Level 2: does the dependence go with geography? Each subnet's class, all that it was given,
 * against the same classes dealt out to the subnets anew. A hash of the prefix gives subnets of one
 * region as different answers as subnets of two; steering by place does not.
 */
import { type Arranged, arrange } from './arrange.ts'
import { combine } from './combine.ts'
import { column } from './dependence.ts'
import { distances, jaccard, ruzicka } from './distance.ts'
import { type Grid, sharesOf } from './grid.ts'
import type { RegionTest } from './verdict.ts'

/** @returns undefined where no two subnets share a region, or all of them do */
export function regionTest(
  grid: Grid,
  limit: number,
  permutations: number,
  seed: number,
): RegionTest | undefined {
  const rows = grid.rows.flatMap((_, row) => (grid.regions[row] === undefined ? [] : [row]))
  const regions = rows.map(row => grid.regions[row] ?? '')
  const pairs = pairsOf(regions)
  if (pairs.within.length === 0 || pairs.across.length === 0) return undefined
  const shares = rows.map(row => sharesOf(grid, row))
  const run = (samples: number) => test(shares, pairs, samples, seed)
  const first = run(permutations)
  // Near the limit the error of sampling decides: a closer look there, and only there.
  const near = !first.exact && first.p > limit / 4 && first.p < limit * 4
  return near ? run(permutations * 10) : first
}

/** Positions of two subnets, two by two. */
type Pairs = { readonly within: Int32Array; readonly across: Int32Array }

function pairsOf(regions: readonly string[]): Pairs {
  const all = regions.flatMap((a, at) =>
    regions.slice(0, at).map((b, before) => ({ a, b, at, before })),
  )
  const flat = (pairs: typeof all) =>
    Int32Array.from(pairs.flatMap(({ at, before }) => [before, at]))
  return {
    within: flat(all.filter(({ a, b }) => a === b)),
    across: flat(all.filter(({ a, b }) => a !== b)),
  }
}

type Shares = ReadonlyMap<string, number>

function test(
  shares: readonly Shares[],
  pairs: Pairs,
  permutations: number,
  seed: number,
): RegionTest {
  const classes = [...new Map(shares.map(on => [classKey(on), on])).values()]
  const keys = classes.map(classKey)
  const labels = Int32Array.from(shares, on => keys.indexOf(classKey(on)))
  const unions = distances(
    classes.map(on => new Set(on.keys())),
    jaccard,
  )
  const tables = [unions, distances(classes, ruzicka)]
  const values: number[][] = tables.map(() => [])
  const blocks = { labels, ends: [labels.length] }
  const apart = tables.map(table => apartness(labels, pairs, table))
  const arranged = arrange(blocks, permutations, seed, order => {
    for (const [at, distance] of apart.entries()) values[at]?.push(distance(order))
  })
  const observed = values.map(list => list[0] ?? 0)
  const { p, attainable } = combine(observed, columns(values, arranged))
  const within = mean(labels, pairs.within, unions)
  const across = mean(labels, pairs.across, unions)
  const { count, exact } = arranged
  return { effect: across - within, p, arrangements: count, exact, within, across, attainable }
}

function columns(values: readonly number[][], arranged: Arranged): readonly Float64Array[] {
  return values.map(list => column(list, arranged))
}

function classKey(shares: Shares): string {
  const parts = [...shares].map(([address, share]) => `${address}=${share.toFixed(6)}`)
  return parts.sort().join(' ')
}

/** Mean distance across regions less mean distance within: the sum of both never changes. */
function apartness(labels: Int32Array, pairs: Pairs, table: Float64Array) {
  const all = sumOver(labels, pairs.across, table) + sumOver(labels, pairs.within, table)
  const within = pairs.within.length / 2
  const across = pairs.across.length / 2
  return (order: Int32Array): number => {
    const near = sumOver(order, pairs.within, table)
    return (all - near) / across - near / within
  }
}

function mean(labels: Int32Array, pairs: Int32Array, table: Float64Array): number {
  return (2 * sumOver(labels, pairs, table)) / pairs.length
}

/** Sum of distances over pairs of positions. Hot: once an arrangement and table. */
function sumOver(labels: Int32Array, pairs: Int32Array, table: Float64Array): number {
  const kinds = Math.sqrt(table.length)
  let sum = 0
  for (let at = 0; at < pairs.length; at += 2) {
    sum += table[labels[pairs[at]!]! * kinds + labels[pairs[at + 1]!]!]!
  }
  return sum
}
