/**
 * Two maps beside each other: which blocks of the address space get another ranking, and whether
 * caches may hold blocks of both that do not fit together. Pools of two maps are the same where they
 * have the same name.
 */
import { classOf, isLeaf } from './leaves.ts'
import { rankingOf, SPECIAL, type Steering, tiersOf } from './steering.ts'

/** One rule of one map. */
type Side = { readonly steering: Steering; readonly slot: number; readonly shape: number }

/** Takes a block over which both maps have one ranking each. `prefix` changes with the next. */
export type Visit = (
  bits: number,
  from: number | 'special',
  to: number | 'special',
  prefix: Uint8Array,
) => void

/** Walks the partitions of two slots in step: the widest blocks that lie inside one of each. */
export function compareSlots(
  old: Steering,
  oldSlot: number,
  now: Steering,
  nowSlot: number,
  family: 4 | 6,
  visit: Visit,
): void {
  const before = sideOf(old, oldSlot)
  const after = sideOf(now, nowSlot)
  const prefix = new Uint8Array(family === 4 ? 4 : 16)
  const walk: Walk = { before, after, prefix, visit }
  compareCells(walk, rootOf(before, family), rootOf(after, family), 0)
}

type Walk = {
  readonly before: Side
  readonly after: Side
  readonly prefix: Uint8Array
  readonly visit: Visit
}

function sideOf(steering: Steering, slot: number): Side {
  return { steering, slot, shape: steering.shape.at(slot) ?? -1 }
}

/** Stands for the one block of a map that has no other. */
const WHOLE = -1

function rootOf({ steering, shape }: Side, family: 4 | 6): number {
  if (shape === -1) return WHOLE
  return family === 4 ? steering.root4 : steering.root6
}

/** Hot: once per block of either map. */
function compareCells(walk: Walk, one: number, other: number, bits: number): void {
  const { before, after, prefix } = walk
  const ends = isEnd(before, one)
  const otherEnds = isEnd(after, other)
  if (ends && otherEnds) {
    walk.visit(bits, rankingAt(before, one), rankingAt(after, other), prefix)
    return
  }
  const { cells } = before.steering
  const others = after.steering.cells
  compareCells(walk, ends ? one : cells[2 * one]!, otherEnds ? other : others[2 * other]!, bits + 1)
  const mask = 0x80 >> (bits & 7)
  prefix[bits >> 3]! |= mask
  compareCells(
    walk,
    ends ? one : cells[2 * one + 1]!,
    otherEnds ? other : others[2 * other + 1]!,
    bits + 1,
  )
  prefix[bits >> 3]! &= ~mask
}

/** Hot. */
function isEnd({ steering, shape }: Side, cell: number): boolean {
  return shape === -1 || isLeaf(steering, shape, cell)
}

/** Hot. */
function rankingAt({ steering, slot, shape }: Side, cell: number): number | 'special' {
  if (shape === -1) return steering.fallback[slot]!
  const number = classOf(steering, shape, cell)
  return number === SPECIAL ? 'special' : rankingOf(steering, slot, number)
}

/**
 * Finds the names whose borders or rankings moved: answers of the old map that caches still hold
 * overlap those of the new one.
 *
 * @returns by slot of `now`: 1 where its owner was steered before, and otherwise
 */
export function movedSlots(old: Steering, now: Steering): Uint8Array {
  const before = new Map(old.owners.map((owner, slot) => [owner.join(), slot]))
  const oneGround = haveOneGround(old, now)
  const comparing: Comparing = { old, now, oneGround, made: new Map() }
  return Uint8Array.from(now.owners, (owner, slot) => {
    const oldSlot = before.get(owner.join())
    if (oldSlot === undefined) return 0
    return Number(hasMoved(comparing, sideOf(old, oldSlot), sideOf(now, slot)))
  })
}

type Comparing = {
  readonly old: Steering
  readonly now: Steering
  /** Both maps have one ground: then shapes can be compared without walking them. */
  readonly oneGround: boolean
  /** By old and new shape, what was found. */
  readonly made: Map<string, Pairs | 'moved'>
}

/** Where two shapes have the same borders: which classes of the one are which of the other. */
type Pairs = {
  /** By class of the old shape, the first that was met; −1: none. */
  readonly first: Int32Array
  /** The others, by class of the old shape. */
  readonly more: Map<number, Set<number>>
}

function haveOneGround(old: Steering, now: Steering): boolean {
  const haveRoots = old.root4 === now.root4 && old.root6 === now.root6
  return haveRoots && isEqual(old.cells, now.cells)
}

/** Hot: while comparing. */
function isEqual(one: Int32Array | Uint32Array, other: Int32Array | Uint32Array): boolean {
  if (one.length !== other.length) return false
  for (let i = 0; i < one.length; i += 1) if (one[i] !== other[i]) return false
  return true
}

function hasMoved(comparing: Comparing, before: Side, after: Side): boolean {
  if (quantumText(before) !== quantumText(after)) return true
  if (before.shape === -1 && after.shape === -1) {
    return namesOf(before, WHOLE) !== namesOf(after, WHOLE)
  }
  if (before.shape === -1 || after.shape === -1) return true
  const key = `${before.shape} ${after.shape}`
  const found = comparing.made.get(key) ?? pairsOf(comparing, before, after)
  comparing.made.set(key, found)
  return found === 'moved' || !pairsFit(found, before, after)
}

/** Tells whether two rules' classes that hold over the same blocks are the same pools. */
function pairsFit({ first, more }: Pairs, before: Side, after: Side): boolean {
  const others = [...first.entries()].map(([mine, other]) => ({ mine, other }))
  for (const [mine, met] of more) for (const other of met) others.push({ mine, other })
  return others.every(
    ({ mine, other }) => other === -1 || namesOf(before, mine) === namesOf(after, other),
  )
}

/** How far hashing tells clients apart. */
function quantumText({ steering, slot }: Side): string {
  if (steering.sticky.at(slot) !== 1) return ''
  return `${steering.quantum4.at(slot)} ${steering.quantum6.at(slot)}`
}

/** The pools of a class, by name. */
function namesOf({ steering, slot, shape }: Side, number: number): string {
  if (number === SPECIAL) return ''
  const ranking =
    shape === -1 ? (steering.fallback.at(slot) ?? 0) : rankingOf(steering, slot, number)
  const tiers = tiersOf(steering, ranking)
  return JSON.stringify(tiers.map(tier => tier.map(pool => steering.poolNames[pool]).sort()))
}

function pairsOf({ old, now, oneGround }: Comparing, before: Side, after: Side): Pairs | 'moved' {
  const classes = old.siteClass.subarray(before.shape * old.sites, (before.shape + 1) * old.sites)
  const most = classes.reduce((greatest, number) => Math.max(greatest, number), 0)
  const pairs: Pairs = { first: new Int32Array(most + 1).fill(-1), more: new Map() }
  if (oneGround && haveSameBits(before, after)) {
    for (let site = 0; site < classes.length; site += 1) {
      meet(pairs, classOf(old, before.shape, ~site), classOf(now, after.shape, ~site))
    }
    return pairs
  }
  const isSame =
    pairCells(before, after, old.root4, now.root4, pairs) &&
    pairCells(before, after, old.root6, now.root6, pairs)
  return isSame ? pairs : 'moved'
}

/** Tells whether the same nodes are merged. */
function haveSameBits(before: Side, after: Side): boolean {
  const [one, other] = [before, after].map(({ steering: { merged, mergedWords }, shape }) =>
    merged.subarray(shape * mergedWords, (shape + 1) * mergedWords),
  )
  return one !== undefined && other !== undefined && isEqual(one, other)
}

/** Notes which classes hold over one block. Hot: once per block. */
function meet({ first, more }: Pairs, mine: number, other: number): void {
  if (first[mine] === other) return
  if (first[mine] === -1) {
    first[mine] = other
    return
  }
  const met = more.get(mine) ?? new Set()
  more.set(mine, met.add(other))
}

/**
 * Meets the classes of every block. Hot: once per block.
 *
 * @returns false where the borders differ
 */
function pairCells(before: Side, after: Side, one: number, other: number, pairs: Pairs): boolean {
  const ends = isLeaf(before.steering, before.shape, one)
  if (ends !== isLeaf(after.steering, after.shape, other)) return false
  if (ends) {
    const mine = classOf(before.steering, before.shape, one)
    meet(pairs, mine, classOf(after.steering, after.shape, other))
    return true
  }
  const { cells } = before.steering
  const others = after.steering.cells
  return (
    pairCells(before, after, cells[2 * one]!, others[2 * other]!, pairs) &&
    pairCells(before, after, cells[2 * one + 1]!, others[2 * other + 1]!, pairs)
  )
}
