/**
 * `lbprobe map` recovers what a server was configured with, and nothing else: our own server and gdnsd
 * over 20,000 networks, the demo by our own `lbdns map`, and a small map. Where scopes are untrue, as
 * with the geoip module of Knot, it says which blocks lie in others and what caches make of it.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gdnsd } from '../bench/peers/gdnsd.ts'
import { coverOf, networks, SITES } from '../bench/site/networks.ts'
import { addressesOf, networkLists, poolRow, STEERED, writeSite } from '../bench/site/site.ts'
import { answers, ask, type Place } from '../kit/ask.ts'
import { startLbdns } from '../kit/lbdns.ts'
import {
  describeWith, folder, freePort, LBDNS, run, startReady, stopAll,
} from '../kit/process.ts' // biome-ignore format: list
import { type GeoMap, NEEDS, startGeo } from './geo.ts'
import { coverFrom, differences, type Mapped, mapped, prefixesOf } from './mapped.ts'

const EXPECTED = coverOf(networks())
/** The first address of each site. */
const FIRST = SITES.map((_, site) => addressesOf(poolRow(site))[0] ?? '')

/** Sweeps of tens of thousands of queries, on a machine that is busy. */
const SWEEP_MS = 280_000

afterAll(stopAll)

describe('20,000 networks', () => {
  test(
    'lbdns: its partition to the prefix, a query a leaf',
    async () => {
      const place = await startOurs()
      const map = await mapped(place, `${STEERED} --samples 0`)
      report('lbdns', map)
      expect(map).toMatchObject({ kind: 'partition', coverage: 1, overlaps: [] })
      const own = await run(process.execPath, [
        LBDNS, 'map', STEERED, '-c', join(place.folder, 'lbdns.yaml'), '-4', '--csv',
      ]) // biome-ignore format: one line
      const lines = own.stdout.trim().split('\n').slice(1)
      expect(prefixesOf(map)).toEqual(lines.map(line => line.replace(/,[^,]*$/, '')))
      expect(differences(coverFrom(map, FIRST), EXPECTED)).toEqual([])
    },
    SWEEP_MS,
  )
})

describeWith(NEEDS.gdnsd, '20,000 networks of gdnsd', () => {
  let place: Place
  let map: Mapped
  beforeAll(async () => {
    place = await startGdnsd()
    map = await mapped(place, `${STEERED} --samples 1`)
    report('gdnsd', map)
  }, SWEEP_MS)

  test('the partition that was configured, but where gdnsd itself departs from it', async () => {
    expect(map).toMatchObject({ kind: 'partition', coverage: 1, overlaps: [], findings: [] })
    const found = differences(coverFrom(map, FIRST), EXPECTED)
    expect(found.filter(line => !DEPARTS.test(line))).toEqual([])
    const { answer } = await ask(place, { name: STEERED, subnet: '149.168.0.0/24' })
    expect(answer).toContain(FIRST[found.length === 0 ? 4 : 1])
  })

  test('in as many queries as there are leaves and samples', () => {
    const { asked, unanswered } = map.queries
    const { blocks, samples, repeats } = map.replies
    expect(asked - unanswered).toBe(blocks + samples + repeats)
    expect(blocks).toBe(asksIn(map))
    expect(repeats).toBe(3 * SITES.length)
  })
})

/**
 * 149.168.0.0/13 is of site 1, and both its halves are of site 4. gdnsd makes one network of the halves
 * and then lets the other of the same name win: all of it is answered as site 1.
 */
const DEPARTS = /^149\.1(6[89]|7[0-5])\./

describe('the demo', () => {
  test(
    '193.0.0.0/8 as lbdns map lists it',
    async () => {
      const demo = await run(process.execPath, [LBDNS, 'map', '--demo', DEMO, '-4', '--csv'])
      const config = readFileSync('data/demo/lbdns.yaml', 'utf8').replace(/^listen:.*$/m, '')
      const zone = readFileSync('data/demo/example.com.zone', 'utf8')
      const server = await startLbdns(config, { 'example.com.zone': zone })
      const map = await mapped(
        { host: '127.0.0.1', port: server.port },
        `${DEMO} --within 193.0.0.0/8`,
      )
      report('demo', map)
      expect(map).toMatchObject({ kind: 'partition', coverage: 1, overlaps: [], findings: [] })
      const lines = demo.stdout.split('\n').filter(line => /^193\./.test(line))
      expect(lines.length).toBeGreaterThan(1000)
      expect(prefixesOf(map)).toEqual(lines.map(line => line.replace(/,[^,]*$/, '')))
    },
    SWEEP_MS,
  )
})

const DEMO = 'cdn.example.com'

async function startOurs(): Promise<Place & { readonly folder: string }> {
  const lists = networkLists()
  const pools = SITES.map((site, at) => [site, { targets: addressesOf(poolRow(at)) }])
  const www = {
    ttl: '60s',
    by: {
      networks: Object.fromEntries(SITES.map(site => [site, [site]])),
      default: [SITES[0]],
    },
  }
  const config = {
    zones: ['site.zone'],
    networks: Object.fromEntries(lists.map(([site]) => [site, { file: `${site}.txt` }])),
    pools: Object.fromEntries(pools),
    steer: { [STEERED]: www },
  }
  const text = Object.entries(config).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  const files = lists.map(([site, list]) => [`${site}.txt`, `${list.join('\n')}\n`])
  const zone =
    '$ORIGIN example.com.\n@ 300 SOA ns1 admin 1 7200 1800 259200 60\n@ 300 NS ns1\nns1 300 A 127.0.0.1\n'
  const server = await startLbdns(text.join('\n'), {
    'site.zone': zone,
    ...Object.fromEntries(files),
  })
  return { host: '127.0.0.1', port: server.port, folder: server.folder }
}

async function startGdnsd(): Promise<Place> {
  const [place, where] = [{ host: '127.0.0.1', port: await freePort() }, folder()]
  const site = writeSite(where, 'steered')
  mkdirSync(join(where, 'gdnsd'))
  const args = await gdnsd.prepare(site, join(where, 'gdnsd'), place.port)
  await startReady('gdnsd', args, () => answers(place, 'example.com'))
  return place
}

/** Leaves as they were asked for: one wider than a /8 once for each /8. */
function asksIn({ leaves }: Mapped): number {
  return leaves.reduce((sum, { scope }) => sum + Math.max(1, 2 ** (8 - scope)), 0)
}

function report(server: string, { leaves, queries, replies }: Mapped): void {
  const { blocks, samples, repeats } = replies
  process.stdout.write(
    `${server}: ${leaves.length} leaves, ${queries.asked} queries = ${blocks} for leaves + ${samples} samples + ${repeats} repeats\n`,
  )
}

/** One network inside another, twice over, and one in two halves. */
const SMALL: GeoMap = {
  networks: [
    ['10.0.0.0/8', '192.0.2.10'],
    ['10.1.0.0/16', '192.0.2.11'],
    ['10.1.2.0/24', '192.0.2.12'],
    ['10.128.0.0/9', '192.0.2.13'],
    ['172.16.5.0/25', '192.0.2.14'],
  ],
  otherwise: '192.0.2.1',
}

/** By hand: 10.0.0.0/9 less the /16 is eight blocks, that less the /24 again eight, and so on. */
const SMALL_COVER = coverOf([
  { base: 0, bits: 0, site: 0 },
  { base: 0x0a000000, bits: 8, site: 1 },
  { base: 0x0a010000, bits: 16, site: 2 },
  { base: 0x0a010200, bits: 24, site: 3 },
  { base: 0x0a800000, bits: 9, site: 4 },
  { base: 0xac100500, bits: 25, site: 5 },
])
const SMALL_SITES = ['1', '10', '11', '12', '13', '14'].map(last => `192.0.2.${last}`)

for (const kind of ['lbdns', 'gdnsd'] as const) {
  describeWith(NEEDS[kind], `a small map by ${kind}`, () => {
    test('to the prefix, below /24 too, and nobody is mis-steered by any cache', async () => {
      const map = await mapped(await startGeo(kind, SMALL), 'www.geo.test')
      expect(map).toMatchObject({ kind: 'partition', coverage: 1, overlaps: [], findings: [] })
      expect(differences(coverFrom(map, SMALL_SITES), SMALL_COVER)).toEqual([])
      expect(map.oracle.models.map(({ share }) => share)).toEqual([0, 0, 0])
    }, 60_000)
  })
}

describeWith(NEEDS.knot, 'nested subnets of Knot geoip', () => {
  let map: Mapped
  beforeAll(async () => {
    map = await mapped(await startGeo('knot', SMALL), 'www.geo.test --samples 8')
  }, 60_000)

  test('are found to lie in each other', () => {
    expect(map.kind).toBe('untrue')
    expect(map.overlaps).toContainEqual({ outer: '10.0.0.0/8', inner: '10.128.0.0/9' })
    expect(map.findings).toContainEqual(expect.objectContaining({ id: 'ECS006' }))
  })

  // half of 10.0.0.0/8 was asked about, and all of it when its /9 was not yet kept, or nobody's yet
  test.each(['RFC 7871 §7.3.1', 'PowerDNS Recursor'])('mislead clients through %s', model => {
    const found = map.oracle.models.find(one => one.model === model)
    expect(found?.share).toBeGreaterThan(0)
  })
})
