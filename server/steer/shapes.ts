/**
 * How rules part their clients: the class of each site, numbered in the order in which sites have
 * them, so that rules which part clients alike have the same numbers, whatever their pools. Those
 * share one partition.
 */
import { NOWHERE } from '../geo/record.ts'
import { likenessOf } from './alike.ts'
import { type Deciding, decide, rankingFor, type Site, tellsClient } from './choose.ts'
import type { Ground } from './ground.ts'
import type { Cover } from './jump.ts'
import { type Merging, mergeNodes, mergingOf } from './partition.ts'
import { type RankingRoll, rankingNumber } from './rankings.ts'
import type { Choose, Policy } from './rule.ts'
import { SPECIAL } from './steering.ts'

/** A rule's way to part clients, and what each part of them gets. */
export type Parting = {
  /** By site. */
  readonly classes: Uint32Array
  /** By class, by number; that of SPECIAL is none. */
  readonly rankings: readonly number[]
  /** Where no address tells anything. */
  readonly fallback: number
  /** Of `classes`. */
  readonly hash: number
}

export type Shapes = {
  readonly policy: Policy
  readonly ground: Ground
  readonly roll: RankingRoll
  /** By shape. */
  readonly covers: Cover[]
  /** Shapes by the hash of their classes: a few have the same. */
  readonly byHash: Map<number, Made[]>
  /** Partings made, by likeness; rankings by place in it. */
  readonly byLikeness: Map<string, Parting>
  readonly merging: Merging
}

/** What two rules have in common that share a shape. */
type Made = { readonly classes: Uint32Array; readonly apart: string; readonly shape: number }

export function newShapes(policy: Policy, ground: Ground, roll: RankingRoll): Shapes {
  const fresh = { covers: [], byHash: new Map(), byLikeness: new Map() }
  return { policy, ground, roll, merging: mergingOf(ground), ...fresh }
}

/** Parts the clients of a rule. */
export function partingOf(shapes: Shapes, choose: Choose): Parting {
  const { policy, roll, byLikeness } = shapes
  const { key, rankings } = likenessOf(policy, choose, roll)
  const known = byLikeness.get(key)
  if (known === undefined) {
    const made = partSites(shapes, choose)
    byLikeness.set(key, rankings.length === 0 ? made : placed(made, rankings))
    return made
  }
  return rankings.length === 0 ? known : renamed(known, place => rankings[place] ?? 0)
}

/** Says rankings by their place in the likeness. */
function placed(parting: Parting, rankings: readonly number[]): Parting {
  const places = new Map(rankings.map((number, place) => [number, place]))
  return renamed(parting, number => places.get(number) ?? 0)
}

function renamed(parting: Parting, to: (name: number) => number): Parting {
  const rankings = parting.rankings.map((name, number) => (number === SPECIAL ? name : to(name)))
  return { ...parting, rankings, fallback: to(parting.fallback) }
}

function partSites({ policy, ground, roll }: Shapes, choose: Choose): Parting {
  const rankings = [SPECIAL]
  const numbers = new Map<number, number>()
  const classes = Uint32Array.from(ground.sites, site => {
    const deciding: Deciding = { policy, site, isHeard: false, reasons: undefined }
    const ranking = decide(deciding, choose)
    if (!tellsClient(deciding)) return SPECIAL
    const named = rankingNumber(roll, ranking)
    const known = numbers.get(named)
    if (known !== undefined) return known
    numbers.set(named, rankings.length)
    return rankings.push(named) - 1
  })
  const nowhere: Site = { place: NOWHERE, networks: [], latencies: [], special: true }
  const fallback = rankingNumber(roll, rankingFor(policy, choose, nowhere))
  return { classes, rankings, fallback, hash: hashOf(classes) }
}

/**
 * The shape of a parting, or −1 where all clients get the same.
 *
 * @param apart classes whose clients are told apart further, by hashing: special blocks, which are
 *   not, stay blocks of their own beside them
 */
export function shapeOf(shapes: Shapes, parting: Parting, apart: ReadonlySet<number>): number {
  const { classes, hash, rankings } = parting
  if (rankings.length === FIRST + 1 && apart.size === 0) return -1
  const alike = shapes.byHash.get(hash) ?? []
  const key = [...apart].join()
  const known = alike.find(made => made.apart === key && isSame(made.classes, classes))
  if (known !== undefined) return known.shape
  const merged = mergeNodes(shapes.merging, classes, apart)
  const shape = shapes.covers.push({ classes, merged }) - 1
  shapes.byHash.set(hash, [...alike, { classes, apart: key, shape }])
  return shape
}

const FIRST = SPECIAL + 1

/** FNV-1a, a word at a time. Hot: once per site and parting while compiling. */
function hashOf(classes: Uint32Array): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < classes.length; i += 1) hash = Math.imul(hash ^ classes[i]!, 0x01000193)
  return hash
}

/** Hot: once per site and parting while compiling. */
function isSame(a: Uint32Array, b: Uint32Array): boolean {
  if (a === b) return true
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false
  return true
}
