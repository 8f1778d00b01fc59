/**
 * One rule's partition of the ground, as one bit a node: all sites below have one class. The first
 * such node on the way down is the rule's leaf, so equal halves are one block, and what remains is
 * the least cover there is: laws P2 and P3.
 */
import { SPECIAL } from './steering.ts'

/** What is cut, and how. */
export type Cut = {
  readonly cells: Int32Array
  readonly root4: number
  readonly root6: number
  /** By site. */
  readonly classes: Uint32Array
  /** Classes that special blocks stay apart from, even where one is alone in a family. */
  readonly apart: ReadonlySet<number>
}

/**
 * What is below a cell, as one number: its one class; or `~class` where special blocks are beside
 * it; or MIXED.
 */
const MIXED = -0x8000_0000

/**
 * Finds the nodes below which all is one class. A family that has one class beside its special
 * blocks is one block: law P4. IPv4 comes first, so that it hangs in IPv6 as that block.
 *
 * @param below scratch: a number for each node
 * @returns a bit for each node, the lowest first
 */
export function mergeNodes(cut: Cut, below: Int32Array): Uint32Array {
  const { root4, root6, apart } = cut
  const merged = new Uint32Array((below.length + 31) >>> 5)
  for (const { first, root } of [
    { first: 0, root: root4 },
    { first: root4 + 1, root: root6 },
  ]) {
    mergeRange(cut, first, root, below, merged)
    const only = ~(below.at(root) ?? MIXED)
    if (only <= SPECIAL || only === ~MIXED || apart.has(only)) continue
    below[root] = only
    merged.set([(merged.at(root >>> 5) ?? 0) | (1 << (root & 31))], root >>> 5)
  }
  return merged
}

/** Hot: once per node and shape while compiling. Children stand before their parents. */
function mergeRange(
  { cells, classes }: Cut,
  first: number,
  last: number,
  below: Int32Array,
  merged: Uint32Array,
): void {
  for (let node = first; node <= last; node += 1) {
    const zero = cells[2 * node]!
    const one = cells[2 * node + 1]!
    const a = zero < 0 ? classes[~zero]! : below[zero]!
    const b = one < 0 ? classes[~one]! : below[one]!
    const both = a === b ? a : together(a, b)
    below[node] = both
    if (both >= 0) merged[node >>> 5]! |= 1 << (node & 31)
  }
}

/** Hot. Of two halves that differ. */
function together(a: number, b: number): number {
  if (a === MIXED || b === MIXED) return MIXED
  const one = a < 0 ? ~a : a
  const other = b < 0 ? ~b : b
  if (one === SPECIAL) return ~other
  if (other === SPECIAL || one === other) return ~one
  return MIXED
}
