/**
 * One rule's partition of the ground, as one bit a node: all sites below have one class. The first
 * such node on the way down is the rule's leaf, so equal halves are one block, and what remains is
 * the least cover there is: laws P2 and P3.
 */
import type { Ground } from './ground.ts'
import { SPECIAL } from './steering.ts'

/** The ground as merging reads it: made once, used by every shape. */
export type Merging = {
  readonly root4: number
  readonly root6: number
  /** By node, the places in `below` of its two halves: no branch tells nodes from leaves. */
  readonly halves: Int32Array
  /** Scratch: what is below each node, then the class of each site. */
  readonly below: Int32Array
  readonly nodes: number
}

export function mergingOf({ cells, root4, root6, sites }: Ground): Merging {
  const nodes = cells.length / 2
  const below = new Int32Array(nodes + sites.length)
  return { root4, root6, halves: halvesOf(cells, nodes), below, nodes }
}

/** Hot: once per cell while compiling. */
function halvesOf(cells: Int32Array, nodes: number): Int32Array {
  const halves = new Int32Array(cells.length)
  for (let at = 0; at < cells.length; at += 1) {
    const cell = cells[at]!
    halves[at] = cell < 0 ? nodes + ~cell : cell
  }
  return halves
}

/**
 * What is below a node, as one number: its one class; or `~class` where special blocks are beside
 * it; or MIXED.
 */
const MIXED = -0x8000_0000

/**
 * Finds the nodes below which all is one class. A family that has one class beside its special
 * blocks is one block: law P4. IPv4 comes first, so that it hangs in IPv6 as that block.
 *
 * @param classes by site
 * @param apart   classes that special blocks stay apart from, even where one is alone
 * @returns a bit for each node, the lowest first
 */
export function mergeNodes(
  merging: Merging,
  classes: Uint32Array,
  apart: ReadonlySet<number>,
): Uint32Array {
  const { root4, root6, below, nodes } = merging
  below.set(classes, nodes)
  const merged = new Uint32Array((nodes + 31) >>> 5)
  for (const { first, root } of [
    { first: 0, root: root4 },
    { first: root4 + 1, root: root6 },
  ]) {
    mergeRange(merging, first, root, merged)
    const only = ~(below.at(root) ?? MIXED)
    if (only <= SPECIAL || only === ~MIXED || apart.has(only)) continue
    below[root] = only
    merged.set([(merged.at(root >>> 5) ?? 0) | (1 << (root & 31))], root >>> 5)
  }
  return merged
}

/** Hot: once per node and shape while compiling. Children stand before their parents. */
function mergeRange(
  { halves, below }: Merging,
  first: number,
  last: number,
  merged: Uint32Array,
): void {
  for (let node = first; node <= last; node += 1) {
    const a = below[halves[2 * node]!]!
    const b = below[halves[2 * node + 1]!]!
    // Two classes, or MIXED: neither is less than 1, as 32 bits go. Most nodes are of this kind.
    const both = a === b ? a : ((a - 1) | (b - 1)) >= 0 ? MIXED : together(a, b)
    below[node] = both
    merged[node >>> 5]! |= ((both >>> 31) ^ 1) << (node & 31)
  }
}

/** Hot. Of two halves that differ, in one of which there are special blocks. */
function together(a: number, b: number): number {
  if (a === MIXED || b === MIXED) return MIXED
  const one = a < 0 ? ~a : a
  const other = b < 0 ? ~b : b
  if (one === SPECIAL) return ~other
  if (other === SPECIAL || one === other) return ~one
  return MIXED
}
