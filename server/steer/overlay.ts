/**
 * Prefixes with a value each, as a growing binary trie: what is laid over the places of a database.
 * Node 0 is the root. Longer prefixes win over the shorter around them. Knows no rankings.
 */
import { bitAt } from '../geo/tree.ts'
import type { Prefix } from './rule.ts'

/** Columns of a node: its two children, its value, and a mark of who put it. */
const ZERO = 0
const VALUE = 2
const MARK = 3
const WIDTH = 4

/** No child, no value. */
export const NONE = -1

export type Overlay = { cells: Int32Array; nodes: number }

export function overlay(): Overlay {
  const made: Overlay = { cells: new Int32Array(WIDTH << 8), nodes: 0 }
  addNode(made)
  return made
}

function addNode(into: Overlay): number {
  if (WIDTH * (into.nodes + 1) > into.cells.length) {
    const wider = new Int32Array(2 * into.cells.length)
    wider.set(into.cells)
    into.cells = wider
  }
  const node = into.nodes
  into.cells.fill(NONE, WIDTH * node, WIDTH * (node + 1))
  into.nodes += 1
  return node
}

/** The node of a prefix, made where it is not there yet. */
export function nodeOf(into: Overlay, prefix: Prefix): number {
  let node = 0
  for (let bit = 0; bit < prefix.bits; bit += 1) {
    const child = WIDTH * node + ZERO + bitAt(prefix.octets, bit)
    const next = into.cells.at(child) ?? NONE
    node = next === NONE ? addNode(into) : next
    if (next === NONE) into.cells[child] = node
  }
  return node
}

export function setNode(into: Overlay, node: number, value: number, mark: number): void {
  into.cells[WIDTH * node + VALUE] = value
  into.cells[WIDTH * node + MARK] = mark
}

/** Hot: while compiling. The child of a node, or NONE. */
export function overlayChild(of: Overlay, node: number, bit: number): number {
  return node === NONE ? NONE : of.cells[WIDTH * node + ZERO + bit]!
}

/** Hot: while compiling. */
export function overlayValue(of: Overlay, node: number): number {
  return of.cells[WIDTH * node + VALUE]!
}

export function overlayMark(of: Overlay, node: number): number {
  return of.cells.at(WIDTH * node + MARK) ?? NONE
}
