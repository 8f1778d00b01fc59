/**
 * The line allocates nothing per query. Were it only one small number a query, the young generation
 * would fill and be collected again and again; so collections are counted, and the heap's growth by
 * each kind of query is weighed.
 */

import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import dnsPacket from 'dns-packet'
import { beforeAll, expect, test } from 'vitest'
import { attend } from '../../server/answer/attend.ts'
import { resample, sample, sampler } from '../../server/answer/sample.ts'
import { MOST_WORDS } from '../../server/answer/sampled.ts'
import { openTallies } from '../../server/guard/answers.ts'
import { ring, take } from '../../server/guard/ring.ts'
import { PICK } from '../../server/steer/steering.ts'
import { writeDatabase } from '../kit/mmdb.ts'
import { deskFrom, HEAD, peerOf, queryOf, setUp } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const QUERIES = 500_000
/** How often each query is asked alone. */
const EACH = 10_000
/** The least a query could allocate: one heap number. */
const LEAST = 12

const PICKS = Object.keys(PICK)

/** Three rules for each pick: tailored with an HTTPS record, the same for all, to a host name. */
const rulesOf = (pick: string) => `
  ${pick}.example.com: {ttl: 30, pick: ${pick}, answers: 2, by: {networks: {a: [A, D]}, default: [D, A]}, https: {alpn: [h2]}}
  ${pick}-all.example.com: {ttl: 30, pick: ${pick}, pools: [A]}
  ${pick}-host.example.com: {ttl: 30, pick: ${pick}, pools: [H]}`

const PLACE = { country: { iso_code: 'DE' }, location: { latitude: 51, longitude: 9 } }

const DESK = deskFrom({
  'geo.mmdb': writeDatabase({ networks: [['11.0.0.0/8', PLACE]] }),
  'lbdns.yaml': `${HEAD}geo: {database: geo.mmdb}
networks: {a: [198.51.100.0/24]}
pools:
  A: {at: {country: DE}, targets: [192.0.2.11, {address: 192.0.2.12, weight: 3}, "2001:db8::11"]}
  D: {at: {country: US}, targets: [192.0.2.21, "2001:db8::21"]}
  half: {at: {country: JP}, quorum: 50%, spill: 1.2, targets: [192.0.2.31, 192.0.2.32, "2001:db8::31"]}
  H: {targets: [h1.example.net, h2.example.net]}
steer:${PICKS.map(rulesOf).join('')}
  near.example.com: {ttl: 30, nearest: [A, D, half], https: {alpn: [h2], ech: AEj+DQBE}}
  rtt.example.com: {ttl: 30, latency: {file: rtt.csv}, nearest: [A, D, half]}
  spill.example.com: {ttl: 30, pools: [half, A]}
  spread.example.com: {ttl: 30, spread: pools, answers: 2, pools: [half, A, D], svcb: {port: 853}}
  down.example.com: {ttl: 30, last_resort: none-healthy-pool, pools: [D]}
`,
  'a.zone': `${ZONE_Z}many A 192.0.2.1
many A 192.0.2.2
al CNAME many
mx MX 10 many
d DNAME e
sub NS ns.sub
ns.sub A 192.0.2.3
*.w TXT "w"
`,
  'rtt.csv': 'prefix,pool,ms\n198.51.100.0/24,D,10\n198.51.100.0/24,A,10\n2001:db8::/32,half,5\n',
})
// One of two is less than spill asks for: `half` gives clients away. All of D is down.
setUp(DESK, 0, '192.0.2.31', '192.0.2.21', '2001:db8::21')
for (const [target] of DESK.board.up.entries()) {
  DESK.board.load[target] = 0.1 * target
  DESK.board.share[target] = 1 / (target + 3)
  DESK.board.latency[target] = 1.7 * (target + 1)
}

const subnet = '198.51.100.0/24'
const subnet6 = '2001:db8::/56'
const steered = (name: string) => [
  queryOf(`${name}.example.com`, { subnet }),
  queryOf(`${name}.example.com`, { subnet: subnet6, type: 'AAAA' }),
  queryOf(`${name}.example.com`, { subnet, type: 'HTTPS' }),
]
/** A query whose OPT record holds these: a new cookie is made, one is checked, a refusal has a reason. */
function withOptions(name: string, options: string): Uint8Array {
  const query = queryOf(name)
  const data = Buffer.from(options.replaceAll(' ', ''), 'hex')
  query[query.length - 1] = data.length
  return Uint8Array.from([...query, ...data])
}

const ASKED = [
  ...PICKS.flatMap(pick => [pick, `${pick}-all`, `${pick}-host`]).flatMap(steered),
  ...['near', 'rtt', 'spill', 'spread', 'down'].flatMap(steered),
  queryOf('spread.example.com', { type: 'SVCB' }),
  queryOf('near.example.com', { subnet: '10.0.0.0/8' }),
  queryOf('many.example.com', { edns: false }),
  queryOf('al.example.com'),
  queryOf('mx.example.com', { type: 'MX' }),
  queryOf('x.d.example.com'),
  queryOf('x.sub.example.com', { subnet }),
  queryOf('x.w.example.com', { type: 'TXT' }),
  queryOf('nosuch.example.com', { subnet }),
  queryOf('www.example.net'),
  withOptions('www.example.net', '000a 0008 0102030405060708 0003 0000'),
  withOptions(
    'many.example.com',
    '000a 0018 0102030405060708 0100000000000001 0000000000000000 000c 0000',
  ),
]

// Which functions V8 inlines is its mood of the day; without it, a number that is boxed where it is
// handed from one to another is seen in every run.
setFlagsFromString('--no-turbo-inlining')
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const TALLIES = openTallies(DESK.world.steering)
/** Every other query is taken for the query log. */
const RING = ring(1 << 10)
const SAMPLER = sampler(RING)
resample(SAMPLER, { generation: 1, share: 0.5 }, DESK.chance)
const RECORD = new Int32Array(MOST_WORDS)
const out = new Uint8Array(65_535)
const peer = peerOf('203.0.113.9')

/** Asks so many times, the queries one after the other. */
function run(queries: readonly Uint8Array[], times: number): void {
  for (let i = 0; i < times; i += 1) {
    const query = queries[i % queries.length]!
    const size = attend(DESK, TALLIES, query, query.length, out, peer)
    sample(SAMPLER, DESK, peer, size)
    take(RING, RECORD)
  }
}

/** A collection of the young generation; others may come by the clock. */
function isMinor(entry: PerformanceEntry): boolean {
  const { detail } = entry as PerformanceEntry & { readonly detail?: { readonly kind: number } }
  return detail?.kind === constants.NODE_PERFORMANCE_GC_MINOR
}

/** How many octets the heap grew by. What is compiled meanwhile counts too, so the least does. */
function grown(query: Uint8Array): number {
  collect()
  const before = process.memoryUsage().heapUsed
  run([query], EACH)
  return process.memoryUsage().heapUsed - before
}

function label(query: Uint8Array): string {
  const [asked] = dnsPacket.decode(Buffer.from(query)).questions ?? []
  return `${asked?.name} ${asked?.type.replace('UNKNOWN_65', 'HTTPS')}`
}

beforeAll(() => run(ASKED, QUERIES), 120_000) // until all of it is compiled

test('half a million queries: no collection', { timeout: 120_000 }, async () => {
  let collections = 0
  const observer = new PerformanceObserver(list => {
    collections += list.getEntries().filter(isMinor).length
  })
  await setTimeout(50)
  collect()
  observer.observe({ entryTypes: ['gc'] })
  run(ASKED, QUERIES)
  await setTimeout(50) // observers are told later
  observer.disconnect()
  expect(collections).toBe(0)
})

test.each(ASKED.map(query => [label(query), query] as const))('%s: no growth', (_, query) => {
  let least = grown(query)
  for (let again = 0; again < 20 && least > (EACH * LEAST) / 3; again += 1) {
    least = Math.min(least, grown(query))
  }
  expect(least).toBeLessThan((EACH * LEAST) / 3)
  expect(out[3]! & 15).toBeOneOf([0, 3, 5]) // answered: with records, NXDOMAIN or REFUSED
})
