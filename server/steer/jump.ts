/**
 * Jump tables: where the first 16 bits of an address lead in a shape. They save a look-up 16 steps
 * down a tree that does not fit the processor's cache, and are worth their half megabyte only where
 * the ground is large.
 */
import type { Ground } from './ground.ts'
import { JUMP_BITS, JUMP_SIZE, siteBelow } from './steering.ts'

/** Below so many nodes all of the ground lies in the processor's cache. */
const LARGE = 4096
/** 64 MiB in all: a shape has two tables of 4 octets an entry. */
const MOST_SHAPES = (64 << 20) / (2 * 4 * JUMP_SIZE)

export type Cover = {
  /** By site. */
  readonly classes: Uint32Array
  /** A bit for each node. */
  readonly merged: Uint32Array
}

/** The tables of the first shapes, two each, one after the other. */
export function jumpTables(ground: Ground, covers: readonly Cover[]): Int32Array {
  const isLarge = ground.cells.length / 2 >= LARGE
  const first = isLarge ? covers.slice(0, MOST_SHAPES) : []
  const jump = new Int32Array(new SharedArrayBuffer(4 * 2 * JUMP_SIZE * first.length))
  first.forEach(({ classes, merged }, shape) => {
    const filling: Filling = { ground, classes, merged, jump }
    fill(filling, ground.root4, 0, 2 * shape * JUMP_SIZE)
    fill(filling, ground.root6, 0, (2 * shape + 1) * JUMP_SIZE)
  })
  return jump
}

type Filling = Cover & { readonly ground: Ground; readonly jump: Int32Array }

/** Hot: while compiling. Fills what the addresses below a cell come to, from `at` on. */
function fill(filling: Filling, cell: number, bits: number, at: number): void {
  const { classes, merged, jump, ground } = filling
  const isMerged = cell >= 0 && ((merged[cell >>> 5]! >>> (cell & 31)) & 1) === 1
  const size = 1 << (JUMP_BITS - bits)
  if (cell < 0 || isMerged) {
    jump.fill(~((classes[siteBelow(ground, cell)]! << 8) | bits), at, at + size)
  } else if (bits === JUMP_BITS) {
    jump[at] = cell
  } else {
    fill(filling, ground.cells[2 * cell]!, bits + 1, at)
    fill(filling, ground.cells[2 * cell + 1]!, bits + 1, at + size / 2)
  }
}
