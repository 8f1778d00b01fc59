/**
 * All that is needed to choose targets for a client, as it lies in memory: flat arrays that threads
 * share, joined by number, never changed. A slot is one steered name, in the order of the policy's
 * rules. Knows no health and no turns: those lie beside it, `board.ts` and `turns.ts`.
 *
 * All rules share one tree a family, the ground: its leaves are sites, inside which every input that
 * some rule reads says one thing. A shape is a way to part clients: a class for each site, and a bit
 * for each node below which all sites have one class. The first such node on the way down, or the
 * leaf, is the block that decides, and its depth is the scope: the least cover there is (P2, P3).
 */
import type { Name } from '../dns/name.ts'
import { bitAt, type Hit } from '../geo/tree.ts'

/** The class of special blocks; other classes are numbered from 1. */
export const SPECIAL = 0

/** Of what kind a list of targets is: pool p has the lists 3p, 3p + 1 and 3p + 2. */
export const KIND = { ipv4: 0, ipv6: 1, host: 2 } as const
export const KINDS = 3

/** How a list is picked from. */
// biome-ignore format: table
export const PICK = {
  shuffle: 0, rotate: 1, random: 2, weighted: 3, smooth: 4,
  hash: 5, two: 6, least: 7, feedback: 8, fastest: 9,
  multi: 10,
} as const

/** Bits of a slot's `families`. */
export const HAS = { ipv4: 1, ipv6: 2 } as const

/** A slot's `resort`, where it is no pool. */
export const RESORT = { all: -1, healthiest: -2 } as const

/** How many addresses a jump table covers at once: it answers for the first 16 bits. */
export const JUMP_BITS = 16
export const JUMP_SIZE = 1 << JUMP_BITS

export type Steering = {
  /** The ground: a cell ≥ 0 is a node, one < 0 is the leaf of site `~cell`. */
  readonly cells: Int32Array
  /** Nodes. IPv4 hangs in IPv6 wherever an address carries one. */
  readonly root4: number
  readonly root6: number
  readonly sites: number

  /** By shape and node, one bit each: all sites below have one class. Shape s begins at s × words. */
  readonly merged: Uint32Array
  readonly mergedWords: number
  /** By shape and site, s × sites + site: its class. */
  readonly siteClass: Uint32Array
  /**
   * By shape and family, (2s + 0 or 1) × JUMP_SIZE, then the first 16 bits of an address: a node at
   * that depth to go on from, or ~(class << 8 | bits). Only the first shapes have tables, and none
   * where the ground is small: the others walk all the way.
   */
  readonly jump: Int32Array

  readonly slots: number
  /** By slot: its shape; −1: the same ranking for all, and not sticky. */
  readonly shape: Int32Array
  /** By slot: where its classes begin in `classRankings`, SPECIAL as the first of them. */
  readonly classStart: Uint32Array
  readonly classRankings: Uint32Array
  /** By slot: the ranking where no address tells anything. */
  readonly fallback: Uint32Array
  /** By slot: seconds. */
  readonly ttlMax: Uint32Array
  readonly ttlMin: Uint32Array
  /** By slot: one of PICK. */
  readonly pick: Uint8Array
  /** By slot: bits of an IPv4 and an IPv6 client that hashing reads. */
  readonly quantum4: Uint8Array
  readonly quantum6: Uint8Array
  /** By slot: 1 where it hashes and some client's pools have several targets. */
  readonly sticky: Uint8Array
  /** By slot: 1 where the last target comes from the next pool. */
  readonly spread: Uint8Array
  /** By slot: what to do where nothing is usable: one of RESORT, or a pool. */
  readonly resort: Int32Array
  /** By slot: targets that must be up; a share is negative; 0: as the pool says. */
  readonly quorum: Float64Array
  /** By slot: overprovisioning factor; 0: as the pool says. */
  readonly spill: Float64Array
  /** By slot: 1 where the answer is a host name. */
  readonly alias: Uint8Array
  /** By slot: which of HAS its pools have. */
  readonly families: Uint8Array
  /** By slot and kind: the most targets an answer holds. */
  readonly most: Uint16Array
  /** By slot: its HTTPS and its SVCB record in `services`; −1: none. */
  readonly https: Int32Array
  readonly svcb: Int32Array
  readonly services: readonly ServiceOctets[]

  /** By ranking: where its pools begin in `rankingPools`; one entry more than rankings. */
  readonly rankingStart: Uint32Array
  readonly rankingPools: Uint32Array
  /** By place in `rankingPools`: 1 where it is as good as the one before. */
  readonly rankingTie: Uint8Array
  /** By ranking: 1 where one of its pools has several targets of a kind. */
  readonly rankingSticky: Uint8Array

  /** By pool: as `quorum` and `spill` of slots; a quorum is never 0 here, a spill of 0 is none. */
  readonly poolQuorum: Float64Array
  readonly poolSpill: Float64Array
  /** By list: where its targets begin; one entry more than lists. */
  readonly listStart: Uint32Array
  readonly targets: number
  /** By target: its weight. */
  readonly weight: Uint16Array
  /** By target: what the operator fixed; NaN: nothing. */
  readonly fixedLoad: Float32Array
  readonly fixedShare: Float32Array
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

/** The data of a service record but for its hints, which stand between and after these. */
export type ServiceOctets = {
  readonly type: number
  /** SvcPriority, TargetName and the parameters before ipv4hint, key 4. */
  readonly head: Uint8Array
  /** Parameter 5, between the hints. */
  readonly middle: Uint8Array
  /** Those after ipv6hint, key 6. */
  readonly tail: Uint8Array
}

/**
 * Finds the class of an address and the bits that decided it. Hot: once per tailored query.
 *
 * @param shape  at least 0
 * @param octets at least 4 or 16
 */
export function lookUp(steering: Steering, shape: number, family: 4 | 6, octets: Uint8Array): Hit {
  const { cells, jump, merged, siteClass } = steering
  const wordFrom = shape * steering.mergedWords
  const classFrom = shape * steering.sites
  let cell = family === 4 ? steering.root4 : steering.root6
  let bit = 0
  const table = 2 * shape + (family === 4 ? 0 : 1)
  if (JUMP_SIZE * table < jump.length) {
    cell = jump[JUMP_SIZE * table + (octets[0]! << 8) + octets[1]!]!
    if (cell < 0) return ~cell as Hit
    bit = JUMP_BITS
  }
  while (cell >= 0) {
    if (((merged[wordFrom + (cell >>> 5)]! >>> (cell & 31)) & 1) === 1) {
      return ((siteClass[classFrom + siteBelow(steering, cell)]! << 8) | bit) as Hit
    }
    cell = cells[2 * cell + bitAt(octets, bit)]!
    bit += 1
  }
  return ((siteClass[classFrom + ~cell]! << 8) | bit) as Hit
}

/**
 * A site that has the class of all that is below a merged cell. Hot.
 *
 * The last one: nodes stand behind their halves, so the way there is through neighbours. A family
 * that is one block may have special sites all the same; the last of IPv4 is none, and hangs in IPv6.
 */
export function siteBelow(
  { cells, root4, root6 }: Pick<Steering, 'cells' | 'root4' | 'root6'>,
  cell: number,
): number {
  let last = cell === root6 ? root4 : cell
  while (last >= 0) last = cells[2 * last + 1]!
  return ~last
}

/** The site of an address, and the bits of its block of the ground. Not hot: for explaining. */
export function siteAt({ cells, root4, root6 }: Steering, octets: Uint8Array): Hit {
  let cell = octets.length === 4 ? root4 : root6
  let bit = 0
  while (cell >= 0) {
    cell = cells.at(2 * cell + bitAt(octets, bit)) ?? -1
    bit += 1
  }
  return ((~cell << 8) | bit) as Hit
}

/** The ranking of one of a slot's classes. Hot. */
export function rankingOf(steering: Steering, slot: number, number: number): number {
  return steering.classRankings[steering.classStart[slot]! + number]!
}

/** Tells whether the answers of a slot read the client. Hot. */
export function isTailored(steering: Steering, slot: number): boolean {
  return steering.shape[slot]! >= 0 || steering.sticky[slot] === 1
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

/** The pools of a ranking, those that are equally good together. */
export function tiersOf(steering: Steering, ranking: number): number[][] {
  const start = steering.rankingStart[ranking] ?? 0
  const tiers: number[][] = []
  for (const [i, pool] of poolsOf(steering, ranking).entries()) {
    if (i > 0 && steering.rankingTie[start + i] === 1) tiers.at(-1)?.push(pool)
    else tiers.push([pool])
  }
  return tiers
}
