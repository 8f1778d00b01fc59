/**
 * All that is needed to choose targets for a client, as it lies in memory: flat arrays that threads
 * share, joined by number, never changed. A slot is one steered name, in the order of the policy's
 * rules. Knows no health and no turns: those lie beside it.
 */
import type { Name } from '../dns/name.ts'
import { leavesFrom } from '../geo/tree.ts'

/** The value of leaves that are special blocks; classes and rankings are numbered from 1. */
export const SPECIAL = 0

/** Of what kind a list of targets is: pool p has the lists 3p, 3p + 1 and 3p + 2. */
export const KIND = { ipv4: 0, ipv6: 1, host: 2 } as const
export const KINDS = 3

/** How a list is picked from. */
export const PICK = { shuffle: 0, rotate: 1 } as const

/** Bits of a slot's `families`. */
export const HAS = { ipv4: 1, ipv6: 2 } as const

export type Steering = {
  /** The cells of all partitions. Values are classes of a slot, or SPECIAL. */
  readonly cells: Int32Array
  readonly slots: number
  /** By slot: the roots of its two partitions. Rules that part clients alike have the same. */
  readonly roots4: Int32Array
  readonly roots6: Int32Array
  /** By slot: where its classes begin in `classRankings`, SPECIAL as the first of them. */
  readonly classStart: Uint32Array
  readonly classRankings: Uint32Array
  /** By slot: the ranking of the default branch. */
  readonly fallback: Uint32Array
  /** By slot: seconds. */
  readonly ttl: Uint32Array
  /** By slot: one of PICK. */
  readonly pick: Uint8Array
  /** By slot: 1 where the answer is a host name. */
  readonly alias: Uint8Array
  /** By slot: which of HAS its pools have. */
  readonly families: Uint8Array
  /** By slot and kind: the most targets an answer holds. */
  readonly most: Uint16Array
  /** By ranking: where its pools begin in `rankingPools`; one entry more than rankings. */
  readonly rankingStart: Uint32Array
  readonly rankingPools: Uint32Array
  /** By list: where its targets begin; one entry more than lists. */
  readonly listStart: Uint32Array
  /** By target: where its octets begin: an address, or a host name on the wire. */
  readonly targetStart: Uint32Array
  readonly octets: Uint8Array
  /** By slot: where its pools begin in `turnPools`; there they ascend. */
  readonly turnStart: Uint32Array
  readonly turnPools: Uint32Array
  /** By slot: its owner. */
  readonly owners: readonly Name[]
  readonly poolNames: readonly string[]
}

/** Hot. */
export function rootOf(steering: Steering, slot: number, family: 4 | 6): number {
  return family === 4 ? steering.roots4[slot]! : steering.roots6[slot]!
}

/** The ranking of one of a slot's classes, which a leaf of its partitions holds. Hot. */
export function rankingOf(steering: Steering, slot: number, number: number): number {
  return steering.classRankings[steering.classStart[slot]! + number]!
}

/** Tells whether the answers of a slot read the client. Hot. */
export function isTailored(steering: Steering, slot: number): boolean {
  return steering.roots4[slot]! >= 0 || steering.roots6[slot]! >= 0
}

/**
 * Tells whether a slot has addresses of a family, for every client or for none. Hot.
 * False asks for NODATA with scope 0. A slot that answers with a host name has both.
 */
export function hasFamily(steering: Steering, slot: number, family: 4 | 6): boolean {
  const bit = family === 4 ? HAS.ipv4 : HAS.ipv6
  return (steering.families[slot]! & bit) !== 0
}

/** The octets of a target: 4, 16, or a host name's. Makes a view: for preparing, not per query. */
export function targetOctets(steering: Steering, target: number): Uint8Array {
  return steering.octets.subarray(steering.targetStart[target], steering.targetStart[target + 1])
}

/** The pools of a ranking, in order of preference. */
export function poolsOf(steering: Steering, ranking: number): number[] {
  const { rankingStart, rankingPools } = steering
  return [...rankingPools.subarray(rankingStart[ranking], rankingStart[ranking + 1])]
}

/** One block of a partition: all its clients have one ranking, or their address tells nothing. */
export type Block = {
  /** 4 or 16 octets. */
  readonly prefix: Uint8Array
  readonly bits: number
  readonly ranking: number | 'special'
}

/** The partition of a slot, in the order of addresses. */
export function* leavesOf(steering: Steering, slot: number, family: 4 | 6): Generator<Block> {
  const root = rootOf(steering, slot, family)
  for (const { octets, bits, value } of leavesFrom(steering.cells, root, family === 4 ? 4 : 16)) {
    const ranking = value === SPECIAL ? 'special' : rankingOf(steering, slot, value)
    yield { prefix: octets, bits, ranking }
  }
}
