/** Random policies over random networks, latencies and databases, and what they should say. */

import { readFileSync } from 'node:fs'
import { remarks } from '../../server/fault.ts'
import { readCountries } from '../../server/geo/countries.ts'
import { openDatabase } from '../../server/geo/mmdb.ts'
import { compilePlaces, type Places } from '../../server/geo/places.ts'
import { below, type Chance, draw } from '../../server/steer/chance.ts'
import type { Choose, Latency, Network, Policy, Rule } from '../../server/steer/rule.ts'
import { wantedOf } from '../../server/steer/wanted.ts'
import { isEmbedded, type Span, spanOf, WIDTH } from './blocks.ts'
import { type Value, writeDatabase } from './mmdb.ts'
import type { Lying, Told } from './oracle.ts'
import { by, nearest, pool, rule, type To } from './steering.ts'

export type Family = 4 | 6

/** A policy, the places it reads, and the same as lists for the oracle. */
export type RandomMap = {
  readonly policy: Policy
  readonly places: Places
  readonly lying: Readonly<Record<Family, Lying>>
}

const COUNTRIES = readCountries(readFileSync('data/geo/countries.csv', 'utf8'))
const SPOTS = [
  { lat: 50.11, lon: 8.68 },
  { lat: 38.95, lon: -77.45 },
  { lat: 35.68, lon: 139.69 },
  { lat: 50.11, lon: 8.68 },
]

/** Four pools, two of them at one place; the first two have two targets of each family. */
const POOLS = SPOTS.map((point, i) => {
  const more = i < 2 ? [`192.0.2.${10 + i}`, `2001:db8::${10 + i}`] : []
  return { ...pool(`p${i}`, `192.0.2.${i}`, `2001:db8::${i}`, ...more), point }
})

const RANKINGS = [[0], [1], [0, 1], [1, 0], [2, 0, 1], [3, 2]]

export function oneOf<T>(drawn: Chance, from: readonly T[]): T {
  const one = from[below(drawn, from.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}

/** Some of them, in order. */
function someOf<T>(drawn: Chance, from: readonly T[]): readonly T[] {
  return from.filter(() => below(drawn, 2) === 0)
}

export function anyNumber(drawn: Chance, family: Family): bigint {
  let number = BigInt(draw(drawn))
  while (family === 6 && number < 1n << 96n) number = (number << 32n) | BigInt(draw(drawn))
  return number & ((1n << BigInt(WIDTH[family])) - 1n)
}

/** Addresses where much happens: near special and embedded blocks, and two anywhere. */
function hotspots(drawn: Chance, family: Family): bigint[] {
  const any = [anyNumber(drawn, family), anyNumber(drawn, family)]
  if (family === 4) return [...any, 0x0a010203n, 0xc0a80101n, 0x08080808n]
  const inside = BigInt(draw(drawn))
  return [
    ...any,
    0x2002n << 112n,
    (0x2002n << 112n) | (inside << 80n),
    0xffff00000000n | inside,
    0xfc00n << 112n,
    0x20010db8n << 96n,
  ]
}

function spans(drawn: Chance, family: Family, count: number): Span[] {
  const hot = hotspots(drawn, family)
  return Array.from({ length: count }, () => {
    const bits = below(drawn, WIDTH[family] + 1)
    const flip = 1n << BigInt(below(drawn, WIDTH[family]))
    return spanOf(family, oneOf(drawn, hot) ^ (below(drawn, 2) === 0 ? flip : 0n), bits)
  })
}

/** Spans that are no two the same, and that may be written as prefixes. */
function prefixes(drawn: Chance, family: Family, count: number): Span[] {
  const all = spans(drawn, family, below(drawn, count))
  const own = new Map(all.map(span => [textOf(family, span), span]))
  return [...own.values()].filter(span => family === 4 || !isEmbedded(span))
}

export function octetsOf(family: Family, number: bigint): Uint8Array {
  const digits = WIDTH[family] / 4
  return Uint8Array.from(Buffer.from(number.toString(16).padStart(digits, '0'), 'hex'))
}

export function textOf(family: Family, { start, bits }: Span): string {
  const octets = octetsOf(family, start)
  if (family === 4) return `${octets.join('.')}/${bits}`
  return `${Buffer.from(octets).toString('hex').match(/..../g)?.join(':')}/${bits}`
}

function prefixOf(family: Family, { start, bits }: Span) {
  const at = { file: 'n', line: 1, column: 1 }
  return { family, octets: octetsOf(family, start), bits, at }
}

const FIELD = 'traits/connection_type'
const SPEEDS = ['Cellular', 'Corporate']
const CITIES = ['Berlin', 'DE/Berlin', 'US-CA/Springfield', 'Springfield', 'US/Springfield']
const PLACES: readonly Told[] = [
  { country: 'DE', continent: 'EU', city: 'Berlin', subdivision: 'DE-BE', point: [13.4, 52.52] },
  { country: 'DE', continent: 'EU', fields: { [FIELD]: 'Cellular' } },
  { country: 'FR', continent: 'EU', fields: { [FIELD]: 'Satellite' } },
  { country: 'US', continent: 'NA', subdivision: 'US-CA', city: 'Springfield' },
  { country: 'US', continent: 'NA', subdivision: 'US-IL', city: 'Springfield', asn: 64501 },
  { country: 'US', continent: 'NA', city: 'Berlin', point: [-71.18, 44.47] },
  { country: 'JP', continent: 'AS', asn: 64502, fields: { [FIELD]: 'Corporate' } },
  { continent: 'AF' },
]
const SYSTEMS: readonly Told[] = [{ asn: 64500 }, { asn: 64501 }, { asn: 64999 }]

/** As MaxMind's databases have it. */
export function recordOf({
  country,
  continent,
  subdivision,
  city,
  asn,
  point,
  fields,
}: Told): Value {
  return {
    ...(country && { country: { iso_code: country } }),
    ...(continent && { continent: { code: continent } }),
    ...(subdivision && { subdivisions: [{ iso_code: subdivision.slice(3) }] }),
    ...(city && { city: { names: { en: city } } }),
    ...(asn && { autonomous_system_number: asn }),
    ...(point && { location: { longitude: point[0], latitude: point[1] } }),
    ...(fields && { traits: { connection_type: fields[FIELD] ?? '' } }),
  }
}

/** A way to choose, of every kind; `left`: how deep it may nest. */
function anyChoose(drawn: Chance, left: number): Choose {
  const kind = oneOf(drawn, left > 0 ? ['all', 'by', 'by', 'by', 'nearest', 'latency'] : ['all'])
  if (kind === 'by') return anyBranches(drawn, left - 1)
  const limit = below(drawn, 3) === 0 ? { limit: 1 + below(drawn, 3) } : {}
  const bias = { 0: below(drawn, 100), 3: below(drawn, 2) * 50 }
  const near = nearest(
    oneOf(drawn, [
      [0, 1, 2, 3],
      [2, 1],
      [3, 0, 1],
    ]),
    { bias, ...limit },
  )
  if (kind === 'nearest') return near
  if (kind === 'latency') return { kind: 'latency', latency: below(drawn, 2), nearest: near }
  return { kind: 'all', pools: oneOf(drawn, RANKINGS) }
}

function anyBranches(drawn: Chance, left: number): Choose {
  const to = (): To => {
    if (below(drawn, 8) === 0) return { kind: 'rule', rule: 1 }
    return below(drawn, 4) === 0 ? anyChoose(drawn, left) : oneOf(drawn, RANKINGS)
  }
  const some = (keys: readonly string[]) =>
    Object.fromEntries(someOf(drawn, keys).map(key => [key, to()]))
  const sometimes = <T>(branches: T): T | undefined =>
    below(drawn, 2) === 0 ? branches : undefined
  return by({
    networks: sometimes(someOf(drawn, [0, 1, 2, 3, 4, 5]).map(index => [index, to()] as const)),
    asns: sometimes(some(['64500', '64501', '64502'])),
    fields: sometimes({ [FIELD]: some(SPEEDS) }),
    cities: sometimes(some(CITIES)),
    subdivisions: sometimes(some(['US-CA', 'US-IL', 'DE-BE'])),
    countries: sometimes(some(['DE', 'FR', 'US', 'JP'])),
    continents: sometimes(some(['EU', 'AF'])),
    default: to(),
  })
}

/** What both rules of a map have in common. */
type More = Omit<Partial<Rule>, 'owner' | 'choose'>

/** The second rule is the one that branches of the first may name: it names none. */
function rules(drawn: Chance, more: More): readonly Rule[] {
  const named = below(drawn, 4) === 0 ? anyChoose(drawn, 1) : oneOf(drawn, NAMED)
  const second = hasRule(named) ? oneOf(drawn, NAMED) : named
  return [
    rule({ ...more, choose: anyChoose(drawn, 2) }),
    rule({ ...more, owner: 'named.example.com.', choose: second }),
  ]
}

const NAMED: readonly Choose[] = [
  by({ networks: [[2, [3, 2]]], countries: { DE: [0] }, default: [1, 0] }),
  nearest([0, 1, 2, 3]),
  { kind: 'all', pools: [2, 0, 1] },
]

function hasRule(choose: Choose): boolean {
  return JSON.stringify(choose, (_, value) => (value instanceof Map ? [...value] : value)).includes(
    '"kind":"rule"',
  )
}

/** Draws a map. `more` is said of both of its rules. */
export function drawMap(drawn: Chance, more: More = {}): RandomMap {
  const [four, six] = ([4, 6] as const).map(family => drawLying(drawn, family))
  if (four === undefined || six === undefined) throw new Error('two families')
  const policy: Policy = {
    pools: POOLS,
    networks: four.networks.map((_, i) => networkOf(i, four, six)),
    latencies: four.latencies.map((_, i) => latencyOf(i, four, six)),
    rules: rules(drawn, more),
  }
  const said = remarks()
  const databases = four.databases.flatMap((_, i) => {
    const rows = ([4, 6] as const).flatMap(
      family =>
        (family === 4 ? four : six).databases[i]?.map(
          row => [textOf(family, row), recordOf(row.told)] as const,
        ) ?? [],
    )
    const file = writeDatabase({ networks: rows, aliased: below(drawn, 2) === 0 })
    return openDatabase(file, `law${i}.mmdb`, said) ?? []
  })
  const found = compilePlaces(databases, wantedOf(policy), COUNTRIES, said)
  const places = { ...found, holds: HOLDS } // a branch of what happens to be nowhere is no mistake
  return { policy, places, lying: { 4: four, 6: six } }
}

const HOLDS: Places['holds'] = ['country', 'subdivision', 'city', 'asn', 'point', `field ${FIELD}`]

function drawLying(drawn: Chance, family: Family): Lying {
  const own = prefixes(drawn, family, 12).map(span => ({ ...span, to: below(drawn, 6) }))
  const rows = () =>
    prefixes(drawn, family, 8).map(span => {
      const some = someOf(drawn, [0, 1, 2, 3])
      const times = new Map(some.map(index => [index, below(drawn, 4)]))
      return { ...span, times: times.size === 0 ? new Map([[0, 1]]) : times }
    })
  const records = (from: readonly Told[]) =>
    prefixes(drawn, family, 10)
      .filter(({ bits, start }) => bits > 0 && (family === 4 || start >= 1n << 120n))
      .map(span => ({ ...span, told: oneOf(drawn, from) }))
  return {
    networks: Array.from({ length: 6 }, (_, i) => own.filter(({ to }) => to === i)),
    latencies: [rows(), rows()],
    databases: [records(PLACES), records([...SYSTEMS, ...PLACES])],
  }
}

function networkOf(index: number, four: Lying, six: Lying): Network {
  const prefixes = [
    ...(four.networks[index] ?? []).map(span => prefixOf(4, span)),
    ...(six.networks[index] ?? []).map(span => prefixOf(6, span)),
  ]
  return { name: `n${index}`, prefixes }
}

function latencyOf(index: number, four: Lying, six: Lying): Latency {
  const rows = ([4, 6] as const).flatMap(family =>
    ((family === 4 ? four : six).latencies[index] ?? []).map(row => {
      return { ...prefixOf(family, row), times: row.times }
    }),
  )
  return { name: `l${index}.csv`, rows }
}
