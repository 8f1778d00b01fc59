/**
 * Every way to steer behind caches that go by scope: whatever other clients asked before, each gets
 * through Unbound and PowerDNS Recursor what lbdns itself means for him. A server whose scopes are a
 * little too short shows that the check can fail.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Asker, rfcCache } from '../../probe/judge/caches.ts'
import type { Place } from '../kit/ask.ts'
import { describeWith, stopAll } from '../kit/process.ts'
import { exchangeUdp } from '../kit/server.ts'
import { octetsOf } from '../kit/steering.ts'
import { type Ask, queryOf, type Said, said, subnetOctets } from '../kit/world.ts'
import { type Client, clientsOf } from './clients.ts'
import { closeAll, hasty, openAt, truthful } from './in-process.ts'
import { startRecursor, startUnbound } from './resolvers.ts'
import {
  aliasOf,
  hintPoolsOf,
  hintsOf,
  NETWORKS,
  poolsOf,
  steeredDesk,
  targetsOf,
  ZONE,
} from './steered.ts'
import { openTap, type Seen } from './tap.ts'

const CLIENTS = 300

type Row = {
  readonly name: string
  readonly type: 'A' | 'AAAA' | 'HTTPS'
  /** What of an answer must be as it was meant for the client. */
  readonly means: (answer: Said) => string
}

// biome-ignore format: table
const ROWS: readonly Row[] = [
  { name: 'nearest', type: 'A',     means: poolsOf },
  { name: 'nearest', type: 'AAAA',  means: poolsOf },
  { name: 'latency', type: 'A',     means: poolsOf },
  { name: 'nested',  type: 'A',     means: poolsOf },
  { name: 'nested',  type: 'AAAA',  means: poolsOf },
  { name: 'fine',    type: 'A',     means: targetsOf },
  { name: 'fine',    type: 'AAAA',  means: targetsOf },
  { name: 'coarse',  type: 'A',     means: targetsOf },
  { name: 'split',   type: 'A',     means: targetsOf },
  { name: 'split',   type: 'HTTPS', means: hintsOf },
  { name: 'spread',  type: 'A',     means: poolsOf },
  { name: 'spill',   type: 'A',     means: poolsOf },
  { name: 'spill',   type: 'AAAA',  means: poolsOf },
  { name: 'spill',   type: 'HTTPS', means: hintPoolsOf },
  { name: 'alias',   type: 'A',     means: aliasOf },
  { name: 'service', type: 'A',     means: poolsOf },
  { name: 'service', type: 'HTTPS', means: hintPoolsOf },
]

const RESOLVERS = {
  unbound: (server: Place) => startUnbound(ZONE, server, { tree: 10_000 }),
  pdns_recursor: (server: Place) => startRecursor(ZONE, server),
} as const
type Resolver = keyof typeof RESOLVERS
const KINDS = Object.keys(RESOLVERS) as Resolver[]

type Findings = {
  /** A line for each client who got what was meant for another. */
  readonly wrong: readonly string[]
  /** What was meant for clients, each once. */
  readonly classes: ReadonlySet<string>
  /** For how many clients the server was asked, and would be by the cache of RFC 7871 §7.3.1. */
  readonly upstream: number
  readonly needed: number
}

type Through = {
  readonly rows: readonly Findings[]
  /** A line for each client whose A, AAAA and HTTPS are not from one pool. */
  readonly torn: readonly string[]
}

/** Asks as a stub does: RD is set. */
async function asked(place: Place, name: string, options: Ask): Promise<Said> {
  const query = queryOf(`${name}.${ZONE}`, options)
  query[2] = (query[2] ?? 0) | 1
  return said(await exchangeUdp(place, query))
}

/** The whole address is told; the resolver cuts it. */
function whole(address: string): string {
  return `${address}/${address.includes(':') ? 128 : 32}`
}

function askerOf(subnet: string): Asker {
  const [base = '', bits] = subnet.split('/')
  const address = octetsOf(base)
  return { family: address.length === 4 ? 4 : 6, address, source: Number(bits) }
}

/** At the edges of what databases tell apart, just outside, inside, near and anywhere. */
function someClients(seed: number): readonly Client[] {
  return clientsOf(NETWORKS, 2_000, seed).slice(0, CLIENTS)
}

/** A resolver whose cache is empty, and what it asks. */
type Front = Place & { readonly seen: readonly Seen[] }

/** The clients of one row, one after the other. */
async function send(row: Row, server: Place, front: Front, seed: number): Promise<Findings> {
  const { name, type, means } = row
  const wrong: string[] = []
  const classes = new Set<string>()
  const cache = rfcCache<string>()
  let [upstream, needed] = [0, 0]
  for (const { address, subnet } of someClients(seed)) {
    const direct = await asked(server, name, { type, subnet })
    const due = means(direct)
    const before = front.seen.length
    const given = means(await asked(front, name, { type, subnet: whole(address) }))
    if (given !== due) wrong.push(`${subnet}: ${given}, and the server says ${due}`)
    classes.add(due)
    if (front.seen.slice(before).some(query => isFor(query, row, subnet))) upstream += 1
    if (cache.look(askerOf(subnet)) !== undefined) continue
    needed += 1
    cache.keep(askerOf(subnet), { scope: direct.scope, of: due })
  }
  return { wrong, classes, upstream, needed }
}

/** Whether a query is one that a client made necessary; a resolver repeats it where we are slow. */
function isFor(query: Seen, { name, type }: Row, subnet: string): boolean {
  const word = type === 'HTTPS' ? 'UNKNOWN_65' : type
  if (query.name !== `${name}.${ZONE}` || query.type !== word) return false
  return query.told === Buffer.from(subnetOctets(subnet)).toString('hex')
}

/** Every row through one resolver, side by side, each with clients of its own. */
async function sendAll(kind: Resolver, server: Place, seed: number): Promise<Through> {
  const tap = await openTap(server)
  const front = { ...(await RESOLVERS[kind](tap)), seen: tap.seen }
  const rows = await Promise.all(ROWS.map((row, i) => send(row, server, front, seed + i)))
  const torn = await Promise.all(WHOLE.map(name => tornOf(name, front, seed)))
  return { rows, torn: torn.flat() }
}

/** Names of which A, AAAA and the hints of HTTPS are to be from one pool. */
const WHOLE = ['split', 'spill', 'service'] as const

/** A line for each client for whom they are not. */
async function tornOf(name: string, resolver: Place, seed: number): Promise<string[]> {
  const torn: string[] = []
  for (const { address } of someClients(seed).slice(0, 100)) {
    const subnet = whole(address)
    const a = poolsOf(await asked(resolver, name, { type: 'A', subnet }))
    const aaaa = poolsOf(await asked(resolver, name, { type: 'AAAA', subnet }))
    const https = hintPoolsOf(await asked(resolver, name, { type: 'HTTPS', subnet }))
    const pools = new Set(`${a} ${aaaa} ${https}`.split(/[; ]+/))
    if (pools.size !== 1) torn.push(`${name} ${subnet}: A ${a}, AAAA ${aaaa}, HTTPS ${https}`)
  }
  return torn
}

describeWith(KINDS, `${CLIENTS} clients of each steered name, through resolvers`, () => {
  type All = Readonly<Record<Resolver, Through>>
  let found: All
  let planted: All

  beforeAll(async () => {
    found = await everywhere(await openAt(truthful(steeredDesk())))
    planted = await everywhere(await openAt(hasty(steeredDesk(), 2)))
    for (const kind of KINDS) console.info(figures(kind, found[kind].rows))
  }, 58_000)
  afterAll(async () => {
    await stopAll()
    await closeAll()
  })

  async function everywhere(server: Place): Promise<All> {
    const all = KINDS.map(async (kind, i) => [kind, await sendAll(kind, server, 100 * i + 1)])
    return Object.fromEntries(await Promise.all(all))
  }

  describe.each(KINDS)('%s', kind => {
    const rows = ROWS.map(({ name, type }, i) => [name, type, i] as const)

    test.each(rows)('%s %s: everybody gets what is meant for him', (_name, _type, i) => {
      const { wrong, classes } = found[kind].rows[i]!
      expect(wrong).toEqual([])
      expect(classes.size).toBeGreaterThan(2)
    })

    test.each(rows)('%s %s: the server is asked just as often as it must be', (_name, _type, i) => {
      const { upstream, needed } = found[kind].rows[i]!
      expect(needed).toBeLessThan(CLIENTS)
      expect(upstream).toBe(needed)
    })

    test('A, AAAA and HTTPS of one client are from one pool', () => {
      expect(found[kind].torn).toEqual([])
    })

    test.each(rows)('%s %s: scopes two bits too short are found out', (_name, _type, i) => {
      expect(planted[kind].rows[i]!.wrong.length).toBeGreaterThan(0)
    })
  })
})

function figures(kind: Resolver, found: readonly Findings[]): string {
  const lines = found.map(({ wrong, upstream, needed, classes }, i) => {
    const { name, type } = ROWS[i]!
    const counts = `upstream ${upstream} (RFC ${needed}), ${classes.size} classes, wrong`
    return `${kind} ${name} ${type}: ${CLIENTS} clients, ${counts} ${wrong.length}`
  })
  return lines.join('\n')
}
