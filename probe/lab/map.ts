/**
 * The lab's geography: every listed /16 belongs to a country, all the rest to the first country.
 * Answers with the country and the depth of the leaf, which is the only honest scope.
 */

import type { Row } from '../plan/panel.ts'
import { readAddress } from '../plan/subnet.ts'

export type Place = {
  /** Number of the country, from 0; 0 is also everywhere that is not listed. */
  readonly country: number
  /** Depth of the leaf: leading bits that decide. */
  readonly depth: number
}

export type Atlas = {
  readonly countries: readonly string[]
  /** Country number and depth of the leaf, by the first sixteen bits of an IPv4 address. */
  readonly blocks: Uint8Array
  readonly depths: Uint8Array
}

const BITS = 16

export function atlasOf(table: readonly Row[]): Atlas {
  const countries = [...new Set(table.map(row => row.country))]
  const blocks = new Uint8Array(1 << BITS)
  for (const row of table) {
    const octets = readAddress(row.prefix.replace(/\/.*$/, ''))
    if (octets === undefined || octets.length !== 4) continue
    blocks[blockOf(octets)] = countries.indexOf(row.country)
  }
  const atlas = { countries, blocks, depths: new Uint8Array(1 << BITS) }
  divide(atlas, 0, 0)
  return atlas
}

/**
 * Where an address is.
 *
 * @param octets 4, or 16: the lab knows no IPv6 geography, so all of it is the first country
 */
export function placeOf(atlas: Atlas, octets: Uint8Array): Place {
  if (octets.length !== 4) return { country: 0, depth: 0 }
  const block = blockOf(octets)
  return { country: atlas.blocks[block] ?? 0, depth: atlas.depths[block] ?? 0 }
}

/** Halves a block until one country is left in it: that depth is the scope. */
function divide(atlas: Atlas, first: number, depth: number): void {
  const size = 1 << (BITS - depth)
  const country = atlas.blocks[first]
  if (atlas.blocks.subarray(first, first + size).every(other => other === country)) {
    atlas.depths.fill(depth, first, first + size)
    return
  }
  divide(atlas, first, depth + 1)
  divide(atlas, first + size / 2, depth + 1)
}

function blockOf(octets: Uint8Array): number {
  return ((octets[0] ?? 0) << 8) | (octets[1] ?? 0)
}
