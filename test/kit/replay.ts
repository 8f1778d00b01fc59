/**
 * The cache oracle: steered names of random configurations, clients that are near each other, and a
 * replay of them through a model of a cache that says who got what was meant for another class.
 */

import { type Asker, CACHES, type CacheName, MOST_TOLD } from '../../probe/judge/caches.ts'
import { below, type Chance } from '../../server/steer/chance.ts'
import type { Choose, Policy, Prefix } from '../../server/steer/rule.ts'
import { drawNames } from './configurations.ts'
import { drawAddress, drawWithin } from './edges.ts'
import { askFor, questionOf, told } from './octet-client.ts'
import { rankingText } from './steering.ts'
import { peerOf } from './world.ts'
import type { Right, Says } from './wrong-scopes.ts'

export const CACHE_NAMES = Object.keys(CACHES) as CacheName[]

/** A steered name that stands behind caches. */
export type Case = {
  readonly title: string
  readonly right: Right
  readonly clients: readonly Asker[]
}

/** The resolver in whose cache all of this happens. */
const PEER = peerOf('203.0.113.53')

/**
 * Both names of a configuration, loaded from its files.
 *
 * @param count clients a name; each brings two that are near it
 */
export function drawCases(drawn: Chance, index: number, count: number): Case[] {
  return drawNames(drawn, index).map(({ configuration, desk, edges, name, slot, title }) => {
    const { policy } = configuration
    const { steering } = desk.world
    const question = questionOf(name)
    const into = told()
    const says: Says = ({ address, family, source }) => {
      askFor(desk, question, family, address, source, PEER, into)
      return { scope: into.scope, of: into.says }
    }
    const fallback = rankingText(steering, steering.fallback[slot] ?? 0)
    const right = { says, fallback, listed: listedBy(policy, policy.rules[slot]?.choose) }
    const clients = Array.from({ length: count }, (_, i) => {
      const address = new Uint8Array(i % 2 === 0 ? 4 : 16)
      drawAddress(drawn, edges, i % 2 === 0 ? 4 : 6, address)
      return around(drawn, says, address)
    })
    return { title, right, clients: clients.flat() }
  })
}

/** The prefixes that the branches of a rule itself name. */
function listedBy({ networks }: Policy, choose: Choose | undefined): readonly Prefix[] {
  if (choose?.kind !== 'by') return []
  return choose.by.networks.flatMap(({ network }) => networks[network]?.prefixes ?? [])
}

/** A client, one of its block, and one of the block beside that. */
function around(drawn: Chance, says: Says, address: Uint8Array): Asker[] {
  const family = address.length === 4 ? 4 : 6
  const { scope = 0 } = says({ family, address, source: address.length * 8 })
  const bits = Math.min(scope, MOST_TOLD[family])
  const near = [bits, Math.max(0, bits - 1)].map(shared => {
    const other = new Uint8Array(address.length)
    drawWithin(drawn, address, shared, other)
    return other
  })
  return [address, ...near].map(own => ({ family, address: own, source: MOST_TOLD[family] }))
}

/**
 * Sends clients through an empty cache, in random order.
 *
 * @returns a line for each who got what was meant for another class
 */
export function replay(
  drawn: Chance,
  name: CacheName,
  says: Says,
  clients: readonly Asker[],
): string[] {
  const cache = CACHES[name]<string>()
  const misled: string[] = []
  for (const client of shuffled(drawn, clients)) {
    const asker = toldBy(drawn, name, client)
    const direct = says(asker)
    const kept = cache.look(asker)
    if (kept === undefined) cache.keep(asker, direct)
    else if (kept !== direct.of) {
      misled.push(`${asker.address.join('.')}/${asker.source}: ${kept}, not ${direct.of}`)
    }
  }
  return misled
}

/**
 * How much a resolver tells: most clients let it say all it may, some less, some nothing. PowerDNS
 * Recursor says the same of all by default; if it did not, entries of short queries would mislead
 * others whatever the server says, as it keeps them for all of SOURCE.
 */
function toldBy(drawn: Chance, name: CacheName, { address, family, source }: Asker): Asker {
  const isShort = name !== 'PowerDNS Recursor' && below(drawn, 4) === 0
  const bits = isShort ? below(drawn, source + 1) : source
  const cut = address.map(
    (octet, at) => octet & (0xff00 >> Math.min(8, Math.max(0, bits - 8 * at))),
  )
  return { family, address: cut, source: bits }
}

function shuffled<T>(drawn: Chance, from: readonly T[]): T[] {
  const keyed = from.map(one => ({ one, key: below(drawn, 2 ** 32 - 1) }))
  return keyed.sort((a, b) => a.key - b.key).map(({ one }) => one)
}
