/**
 * Prefixes with a value each, as a growing binary trie: what is laid over the places of a database.
 * Node 0 is the root. Knows no meaning of a value, and none of a mark beside it.
 */
import { bitAt } from '../geo/tree.ts'
import type { Prefix } from './rule.ts'

/** Columns of a node: its two children, its value, and a mark. */
const ZERO = 0
const VALUE = 2
const MARK = 3
const WIDTH = 4

/** No child. */
export const NONE = -1

export type Overlay = { cells: Int32Array; nodes: number }

/** One node: its value and its mark are 0, as those of every new node. */
export function overlay(): Overlay {
  const made: Overlay = { cells: new Int32Array(WIDTH << 8), nodes: 0 }
  addNode(made)
  return made
}

/** Hot: while compiling. */
function addNode(into: Overlay): number {
  if (WIDTH * (into.nodes + 1) > into.cells.length) grow(into)
  const node = into.nodes
  into.cells[WIDTH * node + ZERO] = NONE
  into.cells[WIDTH * node + ZERO + 1] = NONE
  into.nodes += 1
  return node
}

function grow(into: Overlay): void {
  const wider = new Int32Array(2 * into.cells.length)
  wider.set(into.cells)
  into.cells = wider
}

/** The node of a prefix, made where it is not there yet. Hot: while compiling. */
export function nodeOf(into: Overlay, prefix: Prefix): number {
  let node = 0
  for (let bit = 0; bit < prefix.bits; bit += 1) {
    const child = WIDTH * node + ZERO + bitAt(prefix.octets, bit)
    let next = into.cells[child]!
    if (next === NONE) {
      next = addNode(into)
      into.cells[child] = next
    }
    node = next
  }
  return node
}

export function setValue(into: Overlay, node: number, value: number): void {
  into.cells[WIDTH * node + VALUE] = value
}

export function setMark(into: Overlay, node: number, mark: number): void {
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

/** Hot: while compiling. */
export function overlayMark(of: Overlay, node: number): number {
  return of.cells[WIDTH * node + MARK]!
}
