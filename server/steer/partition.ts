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
  /** The places' cells, and the value of each place. */
  readonly cells: Int32Array
  readonly values: Int32Array
  readonly overlay: Overlay
  /** The cell that hangs wherever the overlay says GRAFT. */
  readonly graft: number
}

/** Grows the partition of a family over its places; one ranking alone becomes one leaf: law P4. */
export function growPartition(ground: Ground, places: number): number {
  const root = grow(ground, places, 0, NONE)
  const only = onlyRanking(ground.build, root)
  return only === undefined ? root : leaf(only)
}

function grow(ground: Ground, place: number, node: number, inherited: number): number {
  if (node === NONE) return inherited === NONE ? translate(ground, place) : leaf(inherited)
  const value = overlayValue(ground.overlay, node)
  if (value === GRAFT) return ground.graft
  const own = value === NONE ? inherited : value
  const zero = half(ground, place, node, own, 0)
  return join(ground.build, zero, half(ground, place, node, own, 1))
}

function half(ground: Ground, place: number, node: number, own: number, bit: number): number {
  const below = overlayChild(ground.overlay, node, bit)
  return grow(ground, childOf(ground.cells, place, bit), below, own)
}

/** Hot: once per cell of a database while compiling. */
function translate(ground: Ground, place: number): number {
  if (place < 0) return leaf(ground.values[~place]!)
  const zero = translate(ground, ground.cells[2 * place]!)
  return join(ground.build, zero, translate(ground, ground.cells[2 * place + 1]!))
}

/** The ranking of all blocks that are not special, where they have one alone. */
function onlyRanking(build: Builder, root: number): number | undefined {
  const found = new Set<number>()
  gather(build, root, found, 2)
  const [only] = found
  return found.size === 1 ? only : undefined
}

/** Every ranking of a partition. */
export function rankingsOf(build: Builder, root: number): ReadonlySet<number> {
  const found = new Set<number>()
  gather(build, root, found, Number.POSITIVE_INFINITY)
  return found
}

/** Adds the rankings below a cell, up to `enough` of them. */
function gather(build: Builder, cell: number, found: Set<number>, enough: number): void {
  if (cell < 0) {
    if (~cell !== SPECIAL) found.add(~cell)
    return
  }
  if (found.size >= enough) return
  gather(build, childOf(build.cells, cell, 0), found, enough)
  gather(build, childOf(build.cells, cell, 1), found, enough)
}
