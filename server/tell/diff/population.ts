/**
 * How many clients, and how many addresses, are in any block: worked out once for every node of the
 * ground, after which a block costs a walk of a few steps. IPv4 that IPv6 carries is counted as IPv4,
 * so that nothing is counted twice.
 */
import type { Site } from '../../steer/choose.ts'
import type { Steering } from '../../steer/steering.ts'
import { type Basis, basisOf, isPeopled } from '../clients.ts'

export type Population = {
  readonly basis: Basis
  readonly steering: Steering
  /** By site: 1 where clients are, 0 elsewhere. */
  readonly peopled: Uint8Array
  /** By node: 0 … 1 of its addresses. */
  readonly clients: Float64Array
  readonly space: Float64Array
}

/**
 * Measures blocks one after the other: scratch. Those that follow each other in the order of
 * addresses have most of their way in common, and only the rest of it is walked.
 */
export type Measure = {
  readonly population: Population
  readonly family: 4 | 6
  /** The last block, and the cells on the way to it, by depth: as far as the ground goes. */
  readonly prefix: Uint8Array
  readonly path: Int32Array
  depth: number
  /** What the last block has of its family, 0 … 1: of the addresses where clients are, and of all. */
  clients: number
  space: number
}

export function populationOf(steering: Steering, sites: readonly Site[]): Population {
  const basis = basisOf(sites)
  const peopled = Uint8Array.from(sites, site => Number(isPeopled(site, basis)))
  const clients = sharesBelow(steering, peopled)
  const space = sharesBelow(steering, new Uint8Array(sites.length).fill(1))
  return { basis, steering, peopled, clients, space }
}

/** By node, what its sites have. Hot: once per node. Children stand before their parents. */
function sharesBelow({ cells, root4 }: Steering, sites: Uint8Array): Float64Array {
  const nodes = new Float64Array(cells.length / 2)
  for (let node = 0; node < nodes.length; node += 1) {
    const zero = cells[2 * node]!
    const one = cells[2 * node + 1]!
    // Only IPv6 has anything above the root of IPv4, and there it is IPv4 that is carried.
    const first = zero === root4 ? 0 : zero < 0 ? sites[~zero]! : nodes[zero]!
    const second = one === root4 ? 0 : one < 0 ? sites[~one]! : nodes[one]!
    nodes[node] = (first + second) / 2
  }
  return nodes
}

export function measure(population: Population, family: 4 | 6): Measure {
  const { root4, root6 } = population.steering
  const bits = family === 4 ? 32 : 128
  const path = new Int32Array(bits + 1)
  path[0] = family === 4 ? root4 : root6
  const prefix = new Uint8Array(bits / 8)
  return { population, family, prefix, path, depth: 0, clients: 0, space: 0 }
}

/**
 * Measures a block; nothing is in one of carried IPv4. Hot: once per block that is compared.
 *
 * @param prefix zero past `bits`
 */
export function measureBlock(into: Measure, prefix: Uint8Array, bits: number): void {
  const { path, population } = into
  const { cells } = population.steering
  const carried = into.family === 6 ? population.steering.root4 : -1
  let depth = Math.min(sharedBits(into.prefix, prefix), into.depth, bits)
  while (depth < bits && path[depth]! >= 0 && path[depth] !== carried) {
    const bit = (prefix[depth >> 3]! >> (7 - (depth & 7))) & 1
    path[depth + 1] = cells[2 * path[depth]! + bit]!
    depth += 1
  }
  into.depth = depth
  into.prefix.set(prefix)
  weigh(into, path[depth]!, 2 ** -bits)
}

/** Hot. */
function weigh(into: Measure, cell: number, size: number): void {
  const { clients, space, peopled, steering } = into.population
  const isCarried = into.family === 6 && cell === steering.root4
  const root = into.path[0]!
  const inside = isCarried ? 0 : cell < 0 ? peopled[~cell]! : clients[cell]!
  const own = isCarried ? 0 : cell < 0 ? 1 : space[cell]!
  into.clients = inside === 0 ? 0 : (inside * size) / clients[root]!
  into.space = (own * size) / space[root]!
}

/** How many leading bits two addresses share. Hot. */
function sharedBits(a: Uint8Array, b: Uint8Array): number {
  for (let at = 0; at < a.length; at += 1) {
    const differing = a[at]! ^ b[at]!
    if (differing !== 0) return 8 * at + Math.clz32(differing) - 24
  }
  return 8 * a.length
}
