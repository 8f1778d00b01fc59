/**
 * Two trees laid over each other. What the values mean is the caller's affair: each pair of them is
 * asked about once.
 */
import { type Builder, builder, childOf, join, leaf } from './tree.ts'

/** A tree a family, of the cells of one builder. */
export type Grown = { readonly build: Builder; readonly root4: number; readonly root6: number }

type Merge = {
  readonly build: Builder
  readonly first: Int32Array
  readonly second: Int32Array
  /** Leaf cells by the two leaf cells that they come of. */
  readonly known: Map<number, number>
  readonly together: (first: number, second: number) => number
}

/** Lays two trees over each other: where both end, `together` says what the two values are together. */
export function mergeTrees(
  first: Grown,
  second: Grown,
  together: (first: number, second: number) => number,
): Grown {
  const build = builder(first.build.nodes)
  const cells = { first: first.build.cells, second: second.build.cells }
  const merge: Merge = { build, ...cells, known: new Map(), together }
  const root4 = mergeCells(merge, first.root4, second.root4)
  return { build, root4, root6: mergeCells(merge, first.root6, second.root6) }
}

/** Hot: once per node while compiling. */
function mergeCells(merge: Merge, one: number, two: number): number {
  if (one < 0 && two < 0) return mergeLeaves(merge, one, two)
  const { first, second } = merge
  const zero = mergeCells(merge, childOf(first, one, 0), childOf(second, two, 0))
  return join(merge.build, zero, mergeCells(merge, childOf(first, one, 1), childOf(second, two, 1)))
}

function mergeLeaves(merge: Merge, one: number, two: number): number {
  const key = ~one * 2 ** 26 + ~two // below 2⁵², so exact
  const known = merge.known.get(key)
  if (known !== undefined) return known
  const cell = leaf(merge.together(~one, ~two))
  merge.known.set(key, cell)
  return cell
}
