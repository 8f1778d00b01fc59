/**
 * What a slot does with every part of the address space: each block of the ground, and the leaf of
 * the slot's partition that it lies in. One walk down the tree, in the order of addresses. IPv4 is
 * left out where IPv6 carries it: nothing is told there that IPv4 itself does not tell.
 */
import { bitAt } from '../geo/tree.ts'
import type { Site } from '../steer/choose.ts'
import { type Block, classOf, isLeaf } from '../steer/leaves.ts'
import { rankingOf, SPECIAL, type Steering } from '../steer/steering.ts'

/** One part: scratch, which changes with the next. */
export type Part = {
  /** 4 or 16 octets, zero past `bits`. */
  readonly prefix: Uint8Array
  bits: number
  site: Site
  /** The leaf around it: counted from 1, and 0 on the way to it. */
  leaf: number
  leafBits: number
  ranking: Block['ranking']
}

type Walk = {
  readonly steering: Steering
  readonly sites: readonly Site[]
  readonly slot: number
  readonly shape: number
  /** A cell that is not entered. */
  readonly skipped: number
  readonly visit: (part: Part) => void
  readonly part: Part
  leaves: number
}

/** Visits every part. */
export function eachPart(
  steering: Steering,
  sites: readonly Site[],
  slot: number,
  family: 4 | 6,
  visit: (part: Part) => void,
): void {
  const { root4, root6 } = steering
  const [site] = sites
  if (site === undefined) return
  const prefix = new Uint8Array(family === 4 ? 4 : 16)
  const walk: Walk = {
    steering,
    sites,
    slot,
    visit,
    leaves: 0,
    shape: steering.shape.at(slot) ?? -1,
    skipped: family === 6 ? root4 : -1,
    part: { prefix, bits: 0, site, leaf: 0, leafBits: 0, ranking: 'special' },
  }
  descend(walk, family === 4 ? root4 : root6, 0)
}

/** Hot: once per node of the ground. */
function descend(walk: Walk, cell: number, bits: number): void {
  if (cell >= 0 && cell === walk.skipped) return
  const { part } = walk
  const enters = part.leaf === 0 && isEnd(walk, cell)
  if (enters) enter(walk, cell, bits)
  if (cell < 0) {
    part.bits = bits
    part.site = walk.sites[~cell]!
    walk.visit(part)
  } else {
    const { cells } = walk.steering
    descend(walk, cells[2 * cell]!, bits + 1)
    part.prefix[bits >> 3]! |= 0x80 >> (bits & 7)
    descend(walk, cells[2 * cell + 1]!, bits + 1)
    part.prefix[bits >> 3]! &= ~(0x80 >> (bits & 7))
  }
  if (enters) part.leaf = 0
}

/** Hot. */
function isEnd({ steering, shape }: Walk, cell: number): boolean {
  return shape === -1 || isLeaf(steering, shape, cell)
}

/** Hot: once per leaf. */
function enter(walk: Walk, cell: number, bits: number): void {
  const { steering, slot, shape, part } = walk
  walk.leaves += 1
  part.leaf = walk.leaves
  part.leafBits = bits
  if (shape === -1) {
    part.ranking = steering.fallback[slot]!
    return
  }
  const number = classOf(steering, shape, cell)
  part.ranking = number === SPECIAL ? 'special' : rankingOf(steering, slot, number)
}

/** Tells whether a block is the first part of a wider one, `wider` bits long. Hot. */
export function startsBlock(prefix: Uint8Array, wider: number, bits: number): boolean {
  for (let bit = wider; bit < bits; bit += 1) {
    if (bitAt(prefix, bit) === 1) return false
  }
  return true
}

/** Tells whether a block is the last part of a wider one, `wider` bits long. Hot. */
export function endsBlock(prefix: Uint8Array, wider: number, bits: number): boolean {
  for (let bit = wider; bit < bits; bit += 1) {
    if (bitAt(prefix, bit) === 0) return false
  }
  return true
}
