/**
 * How many clients are in any block: for every node of the ground, the share of its addresses where
 * clients are. Made once a map, then any block is a walk of a few steps.
 */
import { bitAt } from '../geo/tree.ts'
import type { Site } from '../steer/choose.ts'
import type { Steering } from '../steer/steering.ts'
import { type Basis, basisOf, isPeopled } from './clients.ts'

export type Population = {
  readonly basis: Basis
  readonly steering: Steering
  /** By node: 0 … 1 of its addresses. */
  readonly nodes: Float64Array
  /** By site: 1 where clients are, 0 elsewhere. */
  readonly sites: Uint8Array
}

export function populationOf(steering: Steering, sites: readonly Site[]): Population {
  const basis = basisOf(sites)
  const peopled = Uint8Array.from(sites, site => Number(isPeopled(site, basis)))
  return { basis, steering, nodes: nodesOf(steering, peopled), sites: peopled }
}

/** Hot: once per node. Children stand before their parents. */
function nodesOf({ cells, root4 }: Steering, sites: Uint8Array): Float64Array {
  const nodes = new Float64Array(cells.length / 2)
  for (let node = 0; node < nodes.length; node += 1) {
    const zero = cells[2 * node]!
    const one = cells[2 * node + 1]!
    // IPv4 that IPv6 carries is counted as IPv4, which nothing but IPv6 has above it.
    const first = zero === root4 ? 0 : zero < 0 ? sites[~zero]! : nodes[zero]!
    const second = one === root4 ? 0 : one < 0 ? sites[~one]! : nodes[one]!
    nodes[node] = (first + second) / 2
  }
  return nodes
}

/** The share of a family's clients that are in a block; 0 where there are none at all. */
export function peopledIn(
  population: Population,
  family: 4 | 6,
  prefix: Uint8Array,
  bits: number,
): number {
  const { steering } = population
  const root = family === 4 ? steering.root4 : steering.root6
  const all = shareAt(population, root)
  if (all === 0) return 0
  let cell = root
  for (let bit = 0; bit < bits && cell >= 0; bit += 1) {
    cell = steering.cells.at(2 * cell + bitAt(prefix, bit)) ?? -1
  }
  return (shareAt(population, cell) * 2 ** -bits) / all
}

function shareAt({ nodes, sites }: Population, cell: number): number {
  return (cell < 0 ? sites[~cell] : nodes[cell]) ?? 0
}
