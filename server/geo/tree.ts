/**
 * Longest-prefix match over addresses, as one flat array.
 *
 * Node `n` owns `cells[2n]` (next bit 0) and `cells[2n + 1]` (next bit 1).
 * A cell ≥ 0 is another node; a cell < 0 is a leaf holding the value `~cell`.
 * Every node has both cells, so each walk ends in a leaf after 0 … 128 steps. Trees share cells: a
 * tree is its root cell. A family with one value is a root that is a leaf already: depth 0.
 * Knows no value's meaning.
 */
/** One tree a family over shared cells. */
export type PrefixTree = {
  readonly cells: Int32Array
  readonly root4: number
  readonly root6: number
}

declare const hit: unique symbol

/**
 * A value and the number of bits that decided it, packed: a small integer, so no allocation, as long
 * as values stay below 2²².
 */
export type Hit = number & { readonly [hit]: true }

/** Hot. */
export function leafValue(found: Hit): number {
  return found >> 8
}

/** Hot. */
export function leafBits(found: Hit): number {
  return found & 0xff
}

/** Hot. The bit of an address at `bit`, counted from the left. */
export function bitAt(octets: Uint8Array, bit: number): number {
  return (octets[bit >> 3]! >> (7 - (bit & 7))) & 1
}

/**
 * Finds the value for an address. Hot: once per steered query.
 *
 * @param octets the address, of the root's family: at least 4 or 16 octets
 */
export function lookup(cells: Int32Array, root: number, octets: Uint8Array): Hit {
  let cell = root
  let bit = 0
  while (cell >= 0) {
    cell = cells[2 * cell + bitAt(octets, bit)]!
    bit += 1
  }
  return ((~cell << 8) | bit) as Hit
}

/** A leaf's cell. */
export function leaf(value: number): number {
  return ~value
}

/** Hot. The cell one bit further down; below a leaf there is only the leaf. */
export function childOf(cells: Int32Array, cell: number, bit: number): number {
  return cell < 0 ? cell : cells[2 * cell + bit]!
}

/** Cells being built, children before parents. */
export type Builder = { cells: Int32Array; nodes: number }

/** @param nodes how many are likely; it grows where there are more */
export function builder(nodes: number = 1 << 11): Builder {
  return { cells: new Int32Array(2 * Math.max(1, nodes)), nodes: 0 }
}

/**
 * Puts two halves together. Hot: once per node while compiling.
 *
 * @returns the cell of a new node, or of the one leaf that both halves are
 */
export function join(build: Builder, zero: number, one: number): number {
  if (zero < 0 && zero === one) return zero
  const node = build.nodes
  if (2 * node === build.cells.length) grow(build)
  build.cells[2 * node] = zero
  build.cells[2 * node + 1] = one
  build.nodes = node + 1
  return node
}

function grow(build: Builder): void {
  const wider = new Int32Array(2 * build.cells.length)
  wider.set(build.cells)
  build.cells = wider
}

/** The finished cells, in memory that threads share. */
export function seal(build: Builder): Int32Array {
  const length = 2 * build.nodes
  const cells = new Int32Array(new SharedArrayBuffer(4 * length))
  cells.set(build.cells.subarray(0, length))
  return cells
}
