/**
 * One family's partition: places turned into rankings, prefixes laid over them, and every pair of
 * equal halves made one block. Children are made before their parents, so equal leaves meet, and
 * what remains is the least cover there is: laws P2 and P3. Knows values, not what they mean,
 * except that SPECIAL is no ranking.
 */
import { type Builder, childOf, join, leaf } from '../geo/tree.ts'
import { NONE, type Overlay, overlayChild, overlayValue } from './overlay.ts'
import { SPECIAL } from './steering.ts'

/** A value of an overlay: here hangs the partition of IPv4. */
export const GRAFT = -2

export type Ground = {
  readonly build: Builder
  /** The places' own cells, and the cell of `build` that each of their nodes became. */
  readonly cells: Int32Array
  readonly translated: Int32Array
  /** The value of each place. */
  readonly values: Int32Array
  /** The first node that is this choice's own. */
  readonly first: number
}

/**
 * Turns every node of the places at once. Hot: once per cell of a database while compiling.
 * Children stand before their parents, so one pass does it; what prefixes then hide is left unused.
 */
export function translate(
  build: Builder,
  cells: Int32Array,
  values: Int32Array,
  translated: Int32Array,
): Ground {
  const ground = { build, cells, translated, values, first: build.nodes }
  for (let node = 0; 2 * node < cells.length; node += 1) {
    const zero = translatedCell(ground, cells[2 * node]!)
    translated[node] = join(build, zero, translatedCell(ground, cells[2 * node + 1]!))
  }
  return ground
}

/** Hot. */
function translatedCell(ground: Ground, place: number): number {
  return place < 0 ? leaf(ground.values[~place]!) : ground.translated[place]!
}

/**
 * Lays prefixes over the places of a family; one ranking alone becomes one leaf: law P4.
 *
 * @param root  the places' root
 * @param graft the cell that hangs wherever the overlay says GRAFT
 */
export function growPartition(ground: Ground, root: number, over: Overlay, graft: number): number {
  const cell = grow({ ...ground, over, graft }, root, 0, NONE)
  const found = rankingsOf(ground, cell)
  const [only] = found
  return only !== undefined && found.size === 1 ? leaf(only) : cell
}

type Growing = Ground & { readonly over: Overlay; readonly graft: number }

function grow(growing: Growing, place: number, node: number, inherited: number): number {
  if (node === NONE) {
    return inherited === NONE ? translatedCell(growing, place) : leaf(inherited)
  }
  const value = overlayValue(growing.over, node)
  if (value === GRAFT) return growing.graft
  const own = value === NONE ? inherited : value
  const zero = half(growing, place, node, own, 0)
  return join(growing.build, zero, half(growing, place, node, own, 1))
}

function half(growing: Growing, place: number, node: number, own: number, bit: number): number {
  const below = overlayChild(growing.over, node, bit)
  return grow(growing, childOf(growing.cells, place, bit), below, own)
}

/**
 * Every ranking of a partition. Hot: once per cell while compiling.
 * Parents stand after their children, so one pass down from the root marks all that is below it.
 */
export function rankingsOf({ build, first }: Ground, root: number): ReadonlySet<number> {
  const found = new Set<number>()
  if (root < 0) return found.add(~root)
  const { cells } = build
  const isBelow = new Uint8Array(root + 1 - first)
  isBelow[root - first] = 1
  for (let at = 2 * root + 1; at >= 2 * first; at -= 1) {
    if (isBelow[(at >> 1) - first] === 0) continue
    const cell = cells[at]!
    if (cell >= 0) isBelow[cell - first] = 1
    else if (~cell !== SPECIAL) found.add(~cell)
  }
  return found
}
