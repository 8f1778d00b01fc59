/**
 * The 20,000 networks of the steered name, and what is right for a client of any address: worked out
 * on a tree of its own, so that it can judge servers.
 */
import { below, chance, draw } from '../../../server/steer/chance.ts'

/** Where clients are sent; whoever is in no network goes to the first. */
export const SITES = ['us', 'eu', 'ap', 'sa', 'af'] as const

const COUNT = 20_000

export type Network = { readonly base: number; readonly bits: number; readonly site: number }

/** First octets that no public client has: such addresses may be answered as the server likes. */
const NOT_PUBLIC = [0, 10, 100, 127, 169, 172, 192]

export function isPublic(address: number): boolean {
  return address >>> 24 < 224 && !NOT_PUBLIC.includes(address >>> 24)
}

let made: readonly Network[] | undefined

/** Random ones of 12 to 24 bits, below 198.0.0.0; some lie inside others. */
export function networks(): readonly Network[] {
  made ??= drawNetworks()
  return made
}

function drawNetworks(): readonly Network[] {
  const drawn = chance(4, 20_000)
  const all = new Map<string, Network>()
  while (all.size < COUNT) {
    const bits = 12 + below(drawn, 13)
    const base = ((draw(drawn) >>> (32 - bits)) << (32 - bits)) >>> 0
    if (!isPublic(base) || base >>> 24 >= 198) continue
    all.set(`${base}/${bits}`, { base, bits, site: below(drawn, SITES.length) })
  }
  return [...all.values()]
}

/** A site for all below, or what the next bit decides between. */
export type Cover = number | readonly [zero: Cover, one: Cover]

type Draft = { site?: number; zero?: Draft; one?: Draft }

/** The address space by site: parts that are the same are one. */
export function coverOf(networks: readonly Network[]): Cover {
  const root: Draft = { site: 0 }
  for (const { base, bits, site } of networks) {
    let node = root
    for (let bit = 0; bit < bits; bit += 1) {
      const side = (base >>> (31 - bit)) & 1 ? 'one' : 'zero'
      node[side] ??= {}
      node = node[side]
    }
    node.site = site
  }
  return settle(root, 0)
}

function settle(draft: Draft | undefined, above: number): Cover {
  const own = draft?.site ?? above
  if (draft?.zero === undefined && draft?.one === undefined) return own
  const zero = settle(draft.zero, own)
  const one = settle(draft.one, own)
  return zero === one && typeof zero === 'number' ? zero : [zero, one]
}

/** The site for an address, and how many of its bits decide it: the scope that is exactly right. */
export function locate(cover: Cover, address: number): { site: number; scope: number } {
  let part = cover
  let scope = 0
  while (typeof part !== 'number') {
    part = part[((address >>> (31 - scope)) & 1) as 0 | 1]
    scope += 1
  }
  return { site: part, scope }
}
