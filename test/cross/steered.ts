/**
 * One server for every way to steer: two small databases that part addresses differently, names that
 * each choose or pick in another way, and some targets down. Says of an answer what it means for the
 * client, so that answers in another order are the same. Knows nothing of resolvers.
 */
import type { Desk } from '../../server/answer/desk.ts'
import { type Fields, writeDatabase } from '../kit/mmdb.ts'
import { serviceOf } from '../kit/service.ts'
import { addresses, deskFrom, type Said, setUp } from '../kit/world.ts'
import { smallWorld } from './small-world.ts'

export const ZONE = 'geo.test'

/** Pool, where it stands, how many targets of each family. */
// biome-ignore format: table
const SITES = [
  ['fra',  { lat: 50.1,  lon: 8.7 },    [3, 2]],
  ['iad',  { lat: 38.9,  lon: -77.4 },  [3, 2]],
  ['nrt',  { lat: 35.8,  lon: 140.4 },  [3, 2]],
  ['gru',  { lat: -23.4, lon: -46.5 },  [3, 2]],
  ['half', { lat: 1.4,   lon: 104.0 },  [4, 4]],
  ['many', { lat: 48.2,  lon: 16.4 },   [8, 8]],
  ['one',  { lat: 59.3,  lon: 18.1 },   [1, 1]],
] as const

const POOLS = SITES.map(([name, at, [ipv4, ipv6]], index) => ({
  name,
  at,
  targets: [
    ...Array.from({ length: ipv4 }, (_, i) => `192.0.2.${16 * index + i + 1}`),
    ...Array.from({ length: ipv6 }, (_, i) => `2001:db8:ffff:${index + 1}::${i + 1}`),
  ],
}))
const POOL_OF = new Map(
  POOLS.flatMap(({ name, targets }) => targets.map(target => [target, name] as const)),
)

/** Half of that pool, of either family: with `spill: 1.4` it keeps 70 % of its clients. */
const DOWN = POOLS.filter(({ name }) => name === 'half').flatMap(({ targets }) =>
  targets.filter((_, i) => i % 2 === 0),
)

/** An ECHConfigList: its length, version fe0d, the length of the contents, the contents. */
const CONTENTS = Buffer.from(Array.from({ length: 60 }, (_, i) => (7 * i) & 255))
export const ECH = Buffer.concat([Buffer.from([0, 64, 0xfe, 0x0d, 0, 60]), CONTENTS]).toString(
  'base64',
)

/** Continent, country, latitude, longitude. */
// biome-ignore format: table
const PLACES = [
  ['EU', 'DE', 52.5,  13.4],
  ['EU', 'FR', 48.9,  2.4],
  ['NA', 'US', 34.1,  -118.2],
  ['NA', 'US', 40.7,  -74.0],
  ['SA', 'BR', -23.5, -46.6],
  ['AS', 'JP', 35.7,  139.7],
  ['OC', 'NZ', -36.8, 174.8],
  ['AF', 'ZA', -33.9, 18.4],
] as const

function placeRecord(index: number): Fields {
  const [continent, country, latitude, longitude] = PLACES[index % PLACES.length] ?? PLACES[0]
  return {
    continent: { code: continent },
    country: { iso_code: country },
    location: { latitude, longitude },
  }
}

/** The borders of countries and those of AS numbers are not the same. */
const COUNTRY_NETWORKS = smallWorld(90, 5).networks
const ASN_NETWORKS = [...smallWorld(40, 6).networks, ...COUNTRY_NETWORKS.slice(0, 20)]
/** Where 6to4 addresses have the IPv4 network of a database in them, and beside. */
const MEASURED = ['45.0.0.0/10', '130.64.0.0/12', '203.0.113.0/24', '2001:db8:4000::/36']
const EMBEDDED = ['2002:cb00:7100::/40', '2002:2d00::/26']

/** Clients are drawn around these. */
export const NETWORKS = [...COUNTRY_NETWORKS, ...ASN_NETWORKS, ...MEASURED, ...EMBEDDED]

const BY_CONTINENT = {
  continents: { EU: ['fra', 'iad'], NA: ['iad', 'fra'], AS: ['nrt', 'gru'], SA: ['gru', 'nrt'] },
  default: ['fra', 'nrt'],
}
const NESTED = {
  asns: {
    64500: ['gru'],
    AS64501: { by: { countries: { US: ['iad'], DE: ['fra'] }, default: ['nrt'] } },
    64502: { nearest: ['fra', 'iad'] },
  },
  countries: { US: ['iad', 'fra'], JP: { nearest: ['nrt', 'iad'] } },
  default: { rule: 'nearest.geo.test' },
}
/** What is served by another host, at another port. */
const SVCB = { port: 8443, priority: 2, target: `one.${ZONE}` }

const STEER = {
  nearest: { nearest: ['fra', 'iad', 'nrt', 'gru'], bias: { iad: 20 } },
  latency: { latency: { file: 'rtt.csv' }, nearest: ['fra', 'iad', 'nrt', 'gru'] },
  nested: { by: NESTED },
  fine: { pick: 'hash', pools: ['many'] },
  coarse: { pick: 'hash', quantum: { ipv4: 20, ipv6: 40 }, pools: ['many'] },
  split: {
    pick: 'hash',
    quantum: { ipv4: 20, ipv6: 40 },
    by: { continents: { EU: ['many'], NA: ['iad'] }, default: ['gru'] },
    https: { alpn: ['h2'] },
  },
  spread: { answers: 3, spread: 'pools', by: BY_CONTINENT },
  spill: {
    spill: 1.4,
    by: { continents: { EU: ['half', 'fra'], NA: ['half', 'iad'] }, default: ['half', 'nrt'] },
    https: { alpn: ['h2'] },
  },
  alias: { by: { countries: { DE: ['to-eu'], FR: ['to-eu'], US: ['to-us'] }, default: ['to-as'] } },
  service: { https: { alpn: ['h2', 'h3'], ech: ECH }, by: BY_CONTINENT },
  lone: { https: { alpn: ['h2', 'h3'], ech: ECH }, svcb: SVCB, pools: ['one'] },
  pair: { https: { alpn: ['h2'] }, pools: ['iad'] },
}

const ZONE_FILE = `$ORIGIN geo.test.
$TTL 300
@ SOA ns1 admin 1 7200 1800 259200 60
@ NS ns1
ns1 A 127.0.0.1
eu A 192.0.2.201
us A 192.0.2.202
as A 192.0.2.203
`

const LATENCIES = `prefix,pool,ms
45.0.0.0/10,gru,12
45.0.0.0/10,iad,80
130.64.0.0/12,nrt,9
203.0.113.0/24,iad,3
2001:db8:4000::/36,gru,7
`

/** The desk at which all of this is served. */
export function steeredDesk(): Desk {
  const aliases = ['eu', 'us', 'as'].map(name => [`to-${name}`, { targets: [`${name}.${ZONE}`] }])
  const pools = POOLS.map(({ name, at, targets }) => [name, { at, targets }])
  const config = {
    listen: ['127.0.0.1:5353'],
    zones: ['geo.zone'],
    geo: { database: ['country.mmdb', 'asn.mmdb'] },
    pools: Object.fromEntries([...pools, ...aliases]),
    steer: Object.fromEntries(
      Object.entries(STEER).map(([name, rule]) => [`${name}.${ZONE}`, { ttl: '300s', ...rule }]),
    ),
  }
  const desk = deskFrom({
    'lbdns.yaml': JSON.stringify(config),
    'geo.zone': ZONE_FILE,
    'rtt.csv': LATENCIES,
    'country.mmdb': writeDatabase({
      networks: COUNTRY_NETWORKS.map((network, i) => [network, placeRecord(i)]),
    }),
    'asn.mmdb': writeDatabase({
      networks: ASN_NETWORKS.map((network, i) => [
        network,
        { autonomous_system_number: 64500 + (i % 5) },
      ]),
    }),
  })
  setUp(desk, 0, ...DOWN)
  return desk
}

/** From which pools an answer is, a word for each address. */
export function poolsOf(answer: Said): string {
  return poolsAmong(addresses(answer))
}

function poolsAmong(list: readonly string[]): string {
  return list
    .map(one => POOL_OF.get(one) ?? `no pool has ${one}`)
    .sort()
    .join(' ')
}

/** The very addresses. */
export function targetsOf(answer: Said): string {
  return addresses(answer).join(' ')
}

/** Where an alias leads, whatever follows it. */
export function aliasOf({ answer }: Said): string {
  const aliases = answer.map(line => line.split(' ')).filter(([, , type]) => type === 'CNAME')
  return aliases.map(([, , , target]) => target).join(' ')
}

/** From which pools the hints of a service record are. */
export function hintPoolsOf(answer: Said): string {
  const { ipv4, ipv6 } = serviceOf(answer)
  return `${poolsAmong(ipv4)}; ${poolsAmong(ipv6)}`
}

/** The very hints. */
export function hintsOf(answer: Said): string {
  const { ipv4, ipv6 } = serviceOf(answer)
  return [...ipv4, ...ipv6].join(' ')
}
