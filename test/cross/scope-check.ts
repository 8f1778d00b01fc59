/**
 * Is the scope that a server announces true? Many clients ask through caches that go by scope, and
 * each must get what the server itself gives that client. Says how often it is not so, and how many
 * queries reached the server: the first tells of scopes too wide, the second of scopes too narrow.
 */

import { type Asker, rfcCache } from '../../probe/judge/caches.ts'
import { ask, type Place, type Said } from '../kit/ask.ts'
import { octetsOf } from '../kit/steering.ts'
import { type Client, clientsOf } from './clients.ts'
import { type GeoMap, type Kind, startGeo, ZONE } from './geo.ts'
import { startRecursor, startUnbound } from './resolvers.ts'
import { openTap } from './tap.ts'

export type Cache = 'unbound' | 'unbound, default tree' | 'pdns_recursor' | 'RFC 7871 §7.3.1'
export const CACHES: readonly Cache[] = [
  'unbound',
  'unbound, default tree',
  'pdns_recursor',
  'RFC 7871 §7.3.1',
]

export type Findings = {
  /** A line for each client who got what was meant for another. */
  readonly wrong: string[]
  /** How many queries reached the server. */
  readonly upstream: number
}

/** A cache in front of the server: how a client asks through it, and what it had to ask the server. */
type Front = {
  readonly through: (client: Client, direct: Said) => Promise<Said>
  readonly upstream: () => number
  readonly wrong: string[]
}

const NAME = `www.${ZONE}`

/** Starts a server with the map and every cache in front of it, and sends the clients. */
export async function checkScopes(
  kind: Kind,
  map: GeoMap,
  count: number,
): Promise<Readonly<Record<Cache, Findings>>> {
  const server = await startGeo(kind, map)
  const fronts: Record<Cache, Front> = {
    unbound: await resolver(server, tap => startUnbound(ZONE, tap, { tree: 10_000 })),
    'unbound, default tree': await resolver(server, tap => startUnbound(ZONE, tap)),
    pdns_recursor: await resolver(server, tap => startRecursor(ZONE, tap)),
    'RFC 7871 §7.3.1': model(),
  }
  const networks = map.networks.map(([prefix]) => prefix)
  for (const client of clientsOf(networks, count, 1)) {
    const direct = await ask(server, { name: NAME, subnet: client.subnet })
    await Promise.all(Object.values(fronts).map(front => compare(front, client, direct)))
  }
  const found = CACHES.map(cache => {
    const { wrong, upstream } = fronts[cache]
    return [cache, { wrong, upstream: upstream() }] as const
  })
  return Object.fromEntries(found) as Record<Cache, Findings>
}

async function compare({ through, wrong }: Front, client: Client, direct: Said): Promise<void> {
  const got = await through(client, direct)
  const [given, due] = [got, direct].map(({ rcode, answer }) => `${rcode} ${answer}`)
  if (given !== due) wrong.push(`${client.subnet}: ${given}; the server says ${due}`)
}

/** The client sends its whole address; the resolver cuts it. */
async function resolver(server: Place, start: (tap: Place) => Promise<Place>): Promise<Front> {
  const tap = await openTap(server)
  const place = await start(tap)
  return {
    through({ address }) {
      return ask(place, { name: NAME, subnet: `${address}/${address.includes(':') ? 128 : 32}` })
    },
    upstream: () => tap.seen.filter(({ name }) => name === NAME).length,
    wrong: [],
  }
}

function model(): Front {
  const cache = rfcCache<Said>()
  let upstream = 0
  return {
    async through({ subnet }, direct) {
      const asker = askerOf(subnet)
      const kept = cache.look(asker)
      if (kept !== undefined) return kept
      upstream += 1
      cache.keep(asker, { scope: direct.scope, of: direct })
      return direct
    },
    upstream: () => upstream,
    wrong: [],
  }
}

function askerOf(subnet: string): Asker {
  const [base = '', bits] = subnet.split('/')
  const address = octetsOf(base)
  return { family: address.length === 4 ? 4 : 6, address, source: Number(bits) }
}
