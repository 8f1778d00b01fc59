/**
 * Which subnets are answered alike. Where no subnet's answers vary, those with equal sets; where they
 * rotate, those that share addresses, directly or through others. A class is what a scope promises
 * to be the same.
 */
import { type Grid, rowSets, variesWithin } from './grid.ts'
import { setKey } from './reply.ts'

export type Classes = {
  /** Class of each row of the grid, −1 for a row without answers. */
  readonly ofRow: readonly number[]
  readonly members: readonly ReadonlySet<string>[]
  /** Replies behind each class, and whether so many have seen next to all of its addresses. */
  readonly replies: readonly number[]
  readonly covered: readonly boolean[]
  readonly varies: boolean
}

/** Good and Turing's coverage from which a class counts as known. */
const COVERED = 0.95

export function classesOf(grid: Grid): Classes {
  const varies = variesWithin(grid)
  const given = grid.rows.map((_, row) => rowSets(grid, row).map(set => grid.sets[set] ?? []))
  const ofRow = varies ? joined(given) : equal(given)
  const count = Math.max(-1, ...ofRow) + 1
  const replies = Array.from({ length: count }, (_, on) =>
    given.filter((_, row) => ofRow[row] === on).flat(),
  )
  return {
    ofRow,
    members: replies.map(sets => new Set(sets.flat())),
    replies: replies.map(sets => sets.length),
    covered: replies.map(sets => !varies || coverage(sets) >= COVERED),
    varies,
  }
}

type Given = readonly (readonly (readonly string[])[])[]

function equal(given: Given): readonly number[] {
  const keys = given.map(sets => (sets[0] === undefined ? undefined : setKey(sets[0])))
  const kinds = [...new Set(keys.filter(key => key !== undefined))]
  return keys.map(key => (key === undefined ? -1 : kinds.indexOf(key)))
}

/** Connected components; rows that were only ever answered with nothing are one class. */
function joined(given: Given): readonly number[] {
  const unions = given.map(sets => new Set(sets.flatMap(set => (set.length === 0 ? [''] : set))))
  const classes = unions.map(() => -1)
  let next = 0
  for (const [row, union] of unions.entries()) {
    if (union.size === 0 || classes[row] !== -1) continue
    spread(unions, classes, row, next)
    next += 1
  }
  return classes
}

function spread(unions: readonly Set<string>[], classes: number[], from: number, to: number): void {
  const waiting = [from]
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    classes[row] = to
    const here = unions[row] ?? new Set()
    for (const [other, union] of unions.entries()) {
      if (classes[other] === -1 && [...here].some(address => union.has(address)))
        waiting.push(other)
    }
  }
}

/** 1 − (addresses seen once) ÷ (replies): the share of the pool's traffic that has been seen. */
function coverage(sets: readonly (readonly string[])[]): number {
  const times = new Map<string, number>()
  for (const address of sets.flat()) times.set(address, (times.get(address) ?? 0) + 1)
  const once = [...times.values()].filter(count => count === 1).length
  return sets.length === 0 ? 0 : 1 - once / sets.length
}

/** How one more answer compares with a class: of it, of another one, or never seen before. */
export function compare(
  classes: Classes,
  on: number,
  set: readonly string[],
): 'same' | 'other' | 'new' {
  const members = classes.members[on] ?? new Set()
  if (!classes.varies) return isEqual(members, set) ? 'same' : 'other'
  if (set.some(address => members.has(address))) return 'same'
  if (set.length === 0) return members.size === 0 ? 'same' : 'new'
  const elsewhere = classes.members.some(
    (others, at) => at !== on && classes.covered[at] && set.every(address => others.has(address)),
  )
  return elsewhere && classes.covered[on] ? 'other' : 'new'
}

function isEqual(members: ReadonlySet<string>, set: readonly string[]): boolean {
  return members.size === set.length && set.every(address => members.has(address))
}
