/**
 * The blocks of a partition, in the order of addresses: they cover a family and never overlap. For
 * telling, not for serving: hundreds of thousands, made one at a time.
 */
import { u8 } from '../dns/octets.ts'
import { childOf } from '../geo/tree.ts'
import { rankingOf, SPECIAL, type Steering, siteBelow } from './steering.ts'

/** An aligned block of one class: its octets are zero past its bits. */
export type Block = {
  /** 4 or 16 octets. */
  readonly prefix: Uint8Array
  readonly bits: number
  /** By number; `special`: an address in here tells nothing of its client. */
  readonly ranking: number | 'special'
}

/** Every block of a slot. Where all clients get the same, that is one. */
export function* leavesOf(steering: Steering, slot: number, family: 4 | 6): Generator<Block> {
  const shape = steering.shape.at(slot) ?? -1
  if (shape === -1) {
    const ranking = steering.fallback.at(slot) ?? 0
    yield { prefix: new Uint8Array(family === 4 ? 4 : 16), bits: 0, ranking }
    return
  }
  for (const { prefix, bits, leaf } of blocksOf(steering, family, shape)) {
    const number = classOf(steering, shape, leaf)
    const ranking = number === SPECIAL ? 'special' : rankingOf(steering, slot, number)
    yield { prefix, bits, ranking }
  }
}

/** Every block of the ground, with its site. */
export function* groundOf(
  steering: Steering,
  family: 4 | 6,
): Generator<{ readonly prefix: Uint8Array; readonly bits: number; readonly site: number }> {
  for (const { prefix, bits, leaf } of blocksOf(steering, family, WHOLE)) {
    yield { prefix, bits, site: ~leaf }
  }
}

/** No shape: nothing is merged. */
const WHOLE = -1

/** Tells whether a cell is a leaf of a shape: one class holds below it. Hot: when comparing. */
export function isLeaf(steering: Steering, shape: number, cell: number): boolean {
  if (cell < 0) return true
  const { merged, mergedWords } = steering
  return ((merged[shape * mergedWords + (cell >>> 5)]! >>> (cell & 31)) & 1) === 1
}

/** The class of a leaf of a shape. Hot: when comparing. */
export function classOf(steering: Steering, shape: number, leaf: number): number {
  return steering.siteClass[shape * steering.sites + siteBelow(steering, leaf)]!
}

type Leaf = { readonly prefix: Uint8Array; readonly bits: number; readonly leaf: number }

function* blocksOf(steering: Steering, family: 4 | 6, shape: number): Generator<Leaf> {
  const root = family === 4 ? steering.root4 : steering.root6
  const prefix = new Uint8Array(family === 4 ? 4 : 16)
  const path: { readonly cell: number; readonly bits: number }[] = [{ cell: root, bits: 0 }]
  for (let top = path.pop(); top !== undefined; top = path.pop()) {
    const { cell, bits } = top
    if (cell < 0 || (shape !== WHOLE && isLeaf(steering, shape, cell))) {
      yield { prefix: prefix.slice(), bits, leaf: cell }
      carry(prefix, bits)
      continue
    }
    path.push({ cell: childOf(steering.cells, cell, 1), bits: bits + 1 })
    path.push({ cell: childOf(steering.cells, cell, 0), bits: bits + 1 })
  }
}

/** Goes on to the block after one: adds 1 at its last bit. */
function carry(prefix: Uint8Array, bits: number): void {
  let bit = bits - 1
  for (; bit >= 0; bit -= 1) {
    const mask = 0x80 >> (bit & 7)
    const octet = u8(prefix, bit >> 3)
    prefix[bit >> 3] = octet ^ mask
    if ((octet & mask) === 0) return
  }
}
