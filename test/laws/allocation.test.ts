/**
 * The line allocates nothing per query. Were it only one small number a query, the young generation
 * would fill and be collected again and again; so collections are counted, and heap growth is weighed.
 */

import { PerformanceObserver } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { serve } from '../../server/answer/serve.ts'
import { deskOf, peerOf, queryOf } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const QUERIES = 1_000_000
/** The least a query could allocate: one heap number. */
const LEAST = 12

const DESK = deskOf(
  `${ZONE_Z}many A 192.0.2.1\nmany A 192.0.2.2\nal CNAME many\nmx MX 10 many\nd DNAME e\nsub NS ns.sub\nns.sub A 192.0.2.3\n*.w TXT "w"\n`,
  `networks: {a: [198.51.100.0/24]}
pools: {A: {targets: [192.0.2.11, 192.0.2.12, "2001:db8::11"]}, D: {targets: [192.0.2.21, "2001:db8::21"]}}
steer:
  www.example.com: {ttl: 30, pick: shuffle, by: {networks: {a: [A]}, default: [D]}}
  turn.example.com: {ttl: 30, pick: rotate, pools: [A]}
`,
)

const subnet = '198.51.100.0/24'
const ASKED = [
  queryOf('www.example.com', { subnet }),
  queryOf('www.example.com', { subnet: '2001:db8::/56', type: 'AAAA' }),
  queryOf('turn.example.com'),
  queryOf('many.example.com', { edns: false }),
  queryOf('al.example.com'),
  queryOf('mx.example.com', { type: 'MX' }),
  queryOf('x.d.example.com'),
  queryOf('x.sub.example.com', { subnet }),
  queryOf('x.w.example.com', { type: 'TXT' }),
  queryOf('nosuch.example.com', { subnet }),
  queryOf('www.example.net'),
]

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

test('a million queries: no collection, no growth', { timeout: 60_000 }, async () => {
  const out = new Uint8Array(65_535)
  const peer = peerOf('203.0.113.9')
  const run = (queries: number) => {
    for (let i = 0; i < queries; i += 1) {
      const query = ASKED[i % ASKED.length]!
      serve(DESK, query, query.length, out, peer)
    }
  }
  run(QUERIES) // until all of it is compiled
  let collections = 0
  const observer = new PerformanceObserver(list => {
    collections += list.getEntries().length
  })
  await setTimeout(50)
  collect()
  const before = process.memoryUsage().heapUsed
  observer.observe({ entryTypes: ['gc'] })
  run(QUERIES)
  const grown = process.memoryUsage().heapUsed - before
  await setTimeout(50) // observers are told later
  observer.disconnect()
  expect(collections).toBe(0)
  expect(grown).toBeLessThan((QUERIES * LEAST) / 10)
})
