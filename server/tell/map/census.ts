/**
 * A partition in numbers: what part of the address space each ranking has, how deep the scopes are,
 * and how many entries of it the cache of a resolver will hold. Counts hashed blocks without listing
 * them; leaves IPv4 that IPv6 carries to IPv4.
 */
import type { Site } from '../../steer/choose.ts'
import type { Steering } from '../../steer/steering.ts'
import { type Basis, basisOf, isPeopled } from '../clients.ts'
import { eachPart, type Part, startsBlock } from '../parts.ts'
import { type Ranking, rankingNamed } from '../ranking.ts'
import { addTo, sum, type Weights } from '../weights.ts'
import { scopeIn } from './quantum.ts'

export type Census = {
  readonly family: 4 | 6
  readonly basis: Basis
  /** Leaves of the partition. */
  readonly leaves: number
  /** What caches keep apart: the leaves or, where the rule hashes, the blocks of its quantum. */
  readonly blocks: number
  /** Those with the most clients first. */
  readonly rankings: readonly Counted[]
  /** Blocks by SCOPE PREFIX-LENGTH, ascending. */
  readonly scopes: ReadonlyMap<number, number>
  /** Blocks by their share of clients; those without any are left out. */
  readonly crowds: ReadonlyMap<number, number>
}

export type Counted = {
  readonly ranking: Ranking
  readonly leaves: number
  readonly blocks: number
  /** Of the family's addresses: 0 … 1. */
  readonly space: number
  /** Of the addresses where clients are: 0 … 1. */
  readonly clients: number
}

/** Counts one family of a slot. */
export function censusOf(
  steering: Steering,
  sites: readonly Site[],
  slot: number,
  family: 4 | 6,
): Census {
  const basis = basisOf(sites)
  const count: Count = {
    tallies: new Map(),
    scopes: new Map(),
    crowds: new Map(),
    leaf: 0,
    crowd: 0,
  }
  eachPart(steering, sites, slot, family, part => {
    const leaf = { prefix: part.prefix, bits: part.leafBits, ranking: part.ranking }
    countPart(count, part, scopeIn(steering, slot, leaf), isPeopled(part.site, basis))
  })
  settle(count)
  return closed(count, steering, family, basis)
}

type Tally = { leaves: number; blocks: number; space: number; clients: number }

type Count = {
  readonly tallies: Map<Part['ranking'], Tally>
  readonly scopes: Weights<number>
  readonly crowds: Weights<number>
  leaf: number
  /** Clients met so far in the present block, as a share of the family's addresses. */
  crowd: number
}

/** @param cached bits of the block that a cache keeps: the leaf's or more */
function countPart(count: Count, part: Part, cached: number, peopled: boolean): void {
  const { bits, leaf, leafBits, prefix } = part
  const tally = tallyOf(count, part.ranking)
  const entered = count.leaf !== leaf
  count.leaf = leaf
  if (entered) tally.leaves += 1
  const share = 2 ** -bits
  tally.space += share
  if (peopled) tally.clients += share
  // Within a leaf, hashed blocks begin wherever their bits say so.
  const begins = cached === leafBits ? entered : startsBlock(prefix, cached, bits)
  const blocks = begins ? 2 ** Math.max(0, cached - bits) : 0
  if (blocks > 0) settle(count)
  tally.blocks += blocks
  if (blocks > 0) addTo(count.scopes, cached, blocks)
  if (blocks > 1 && peopled) addTo(count.crowds, 2 ** -cached, blocks)
  else if (peopled) count.crowd += share
}

/** A block has ended: it counts with all clients met in it. */
function settle(count: Count): void {
  if (count.crowd > 0) addTo(count.crowds, count.crowd, 1)
  count.crowd = 0
}

function tallyOf({ tallies }: Count, ranking: Part['ranking']): Tally {
  const known = tallies.get(ranking)
  if (known !== undefined) return known
  const tally = { leaves: 0, blocks: 0, space: 0, clients: 0 }
  tallies.set(ranking, tally)
  return tally
}

function closed(count: Count, steering: Steering, family: 4 | 6, basis: Basis): Census {
  const tallies = [...count.tallies]
  const all = sum(tallies.map(([, { clients }]) => clients))
  const space = sum(tallies.map(([, tally]) => tally.space))
  const rankings = tallies.map(
    ([ranking, tally]): Counted => ({
      ranking: rankingNamed(steering, ranking),
      ...tally,
      space: tally.space / space,
      clients: all === 0 ? 0 : tally.clients / all,
    }),
  )
  return {
    family,
    basis,
    leaves: sum(rankings.map(({ leaves }) => leaves)),
    blocks: sum(rankings.map(({ blocks }) => blocks)),
    rankings: rankings.toSorted((a, b) => b.clients - a.clients || b.space - a.space),
    scopes: new Map([...count.scopes].toSorted(([a], [b]) => a - b)),
    crowds: new Map([...count.crowds].map(([share, blocks]) => [share / all, blocks])),
  }
}

/**
 * How many entries a resolver's cache holds that so many clients ask within one TTL, each at an
 * address of its own choice, all equally likely: Σ over blocks 1 − (1 − p)ⁿ.
 */
export function expectedEntries({ crowds }: Census, clients: number): number {
  return sum(
    [...crowds].map(
      ([share, blocks]) => blocks * -Math.expm1(clients * Math.log1p(-Math.min(1, share))),
    ),
  )
}
