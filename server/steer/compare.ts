/**
 * Two maps beside each other: which blocks of the address space get another ranking, and whether
 * caches may hold blocks of both that do not fit together. Pools of two maps are the same where they
 * have the same name.
 */
import { classOf, isLeaf } from './leaves.ts'
import { rankingOf, SPECIAL, type Steering } from './steering.ts'

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
  const comparing: Comparing = { old, now, made: new Map() }
  return Uint8Array.from(now.owners, (owner, slot) => {
    const oldSlot = before.get(owner.join())
    return Number(oldSlot !== undefined && hasMoved(comparing, oldSlot, slot))
  })
}

type Comparing = {
  readonly old: Steering
  readonly now: Steering
  /** By old and new shape: the classes that hold where both hold; absent where borders differ. */
  readonly made: Map<string, ReadonlySet<number> | undefined>
}

function hasMoved(comparing: Comparing, oldSlot: number, slot: number): boolean {
  const { old, now } = comparing
  const before = sideOf(old, oldSlot)
  const after = sideOf(now, slot)
  if (quantumText(before) !== quantumText(after)) return true
  if (before.shape === -1 && after.shape === -1) {
    return namesOf(before, WHOLE) !== namesOf(after, WHOLE)
  }
  const classes = classesOf(comparing, before, after)
  if (classes === undefined) return true
  return [...classes].some(
    pair => namesOf(before, Math.floor(pair / CLASSES)) !== namesOf(after, pair % CLASSES),
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
  const { rankingStart, rankingPools, rankingTie, poolNames } = steering
  const first = rankingStart.at(ranking) ?? 0
  const pools = rankingPools.subarray(first, rankingStart[ranking + 1])
  return Array.from(pools, (pool, i) => `${rankingTie[first + i]} ${poolNames[pool]}`).join()
}

function classesOf(
  { made, old, now }: Comparing,
  before: Side,
  after: Side,
): ReadonlySet<number> | undefined {
  if (before.shape === -1 || after.shape === -1) return undefined
  const key = `${before.shape} ${after.shape}`
  if (made.has(key)) return made.get(key)
  const found = new Set<number>()
  const same =
    pairCells(before, after, old.root4, now.root4, found) &&
    pairCells(before, after, old.root6, now.root6, found)
  const classes = same ? found : undefined
  made.set(key, classes)
  return classes
}

/** More classes than a shape can have. */
const CLASSES = 2 ** 22

/**
 * Collects the pairs of classes of blocks that are the same in both. Hot: once per block.
 *
 * @returns false where the borders differ
 */
function pairCells(
  before: Side,
  after: Side,
  one: number,
  other: number,
  found: Set<number>,
): boolean {
  const ends = isLeaf(before.steering, before.shape, one)
  if (ends !== isLeaf(after.steering, after.shape, other)) return false
  if (ends) {
    const mine = classOf(before.steering, before.shape, one)
    found.add(mine * CLASSES + classOf(after.steering, after.shape, other))
    return true
  }
  const { cells } = before.steering
  const others = after.steering.cells
  return (
    pairCells(before, after, cells[2 * one]!, others[2 * other]!, found) &&
    pairCells(before, after, cells[2 * one + 1]!, others[2 * other + 1]!, found)
  )
}
