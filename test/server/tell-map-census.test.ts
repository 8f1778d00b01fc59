/**
 * A partition in numbers. Leaves and scopes are counted by a scan of lists that shares nothing with
 * the tree; shares and cache entries come from arithmetic.
 */
import { describe, expect, test } from 'vitest'
import { chance } from '../../server/steer/chance.ts'
import type { Policy } from '../../server/steer/rule.ts'
import { type Census, censusOf, expectedEntries } from '../../server/tell/map/census.ts'
import { censusJson, censusText } from '../../server/tell/map/census-text.ts'
import { rankingText } from '../../server/tell/ranking.ts'
import { depthOf, isEmbedded, type Run, runsOf, spanOf } from '../kit/blocks.ts'
import { drawMap } from '../kit/maps.ts'
import type { Value } from '../kit/mmdb.ts'
import { classOf, edgesOf } from '../kit/oracle.ts'
import { compiled, network, placesFor, policyOf, pool, rule } from '../kit/steering.ts'

const POOLS = [
  pool('fra', '192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2'),
  pool('iad', '192.0.2.3', '2001:db8::3'),
  pool('nrt', '192.0.2.4', '2001:db8::4'),
]
const country = (code: string): Value => ({ country: { iso_code: code } })
type Announced = readonly (readonly [cidr: string, record: Value])[]

/** Two /8s of two countries, and twice as much IPv6 in one as in the other. */
const ANNOUNCED: Announced = [
  ['16.0.0.0/8', country('DE')],
  ['17.0.0.0/8', country('US')],
  ['2a00::/15', country('DE')],
  ['2600::/16', country('US')],
]
const BY_COUNTRY = rule({ countries: { DE: [0, 1], US: [1, 0] }, default: [2] })

function counted(policy: Partial<Policy>, announced: Announced = ANNOUNCED, family: 4 | 6 = 4) {
  const whole = policyOf({ pools: POOLS, ...policy })
  const { steering, sites } = compiled(whole, placesFor(whole, { networks: announced }))
  return censusOf(steering, sites, 0, family)
}

/** By ranking as text, so that rows are in no order. */
function rows<Key extends 'leaves' | 'blocks' | 'space' | 'clients'>(census: Census, key: Key) {
  return Object.fromEntries(
    census.rankings.map(({ ranking, ...one }) => [
      ranking === 'special' ? ranking : rankingText(ranking),
      one[key],
    ]),
  )
}

const SPECIAL4 = 4 * 2 ** -8 - 2 ** -8 + 2 ** -10 + 2 * 2 ** -16 + 2 ** -12

describe('shares', () => {
  test('of IPv4: two /8s of 256, and the special blocks', () => {
    const census = counted({ rules: [BY_COUNTRY] })
    expect(rows(census, 'space')).toEqual({
      'fra, iad': 1 / 256,
      'iad, fra': 1 / 256,
      nrt: 254 / 256 - SPECIAL4,
      special: SPECIAL4,
    })
  })

  test('of clients: only announced addresses have any', () => {
    const census = counted({ rules: [BY_COUNTRY] })
    expect(census.basis).toBe('announced')
    expect(rows(census, 'clients')).toEqual({
      'fra, iad': 0.5,
      'iad, fra': 0.5,
      nrt: 0,
      special: 0,
    })
  })

  test('of IPv6: IPv4 inside it is not counted again', () => {
    const census = counted({ rules: [BY_COUNTRY] }, ANNOUNCED, 6)
    const { 'fra, iad': fra, 'iad, fra': iad, nrt } = rows(census, 'clients')
    expect([fra, iad, nrt]).toEqual([2 / 3, 1 / 3, 0])
    const all = 1 - 2 ** -16 - 2 * 2 ** -96
    expect(rows(census, 'space')['fra, iad']).toBeCloseTo(2 ** -15 / all, 15)
  })

  test('a country inside a private network is nobody', () => {
    const announced: Announced = [...ANNOUNCED, ['10.0.0.0/8', country('DE')]]
    const rules = [rule({ networks: [[0, [0]]], countries: { US: [1] }, default: [2] })]
    const census = counted({ networks: [network('n', '10.1.0.0/16')], rules }, announced)
    expect(rows(census, 'clients')).toEqual({ fra: 0, iad: 0.5, nrt: 0.5, special: 0 })
  })

  test('where no database was read, clients are at all public addresses', () => {
    const networks = [network('upper', '224.0.0.0/3')]
    const census = counted({ networks, rules: [rule({ networks: [[0, [1]]], default: [0] })] }, [])
    expect(census.basis).toBe('public')
    const { iad } = rows(census, 'clients')
    expect(iad).toBeCloseTo(0.125 / (1 - SPECIAL4), 15)
  })

  test('the same for all is one leaf', () => {
    const census = counted({
      rules: [rule({ all: [1, 0] }), { ...BY_COUNTRY, owner: BY_COUNTRY.owner }],
    })
    expect(census).toMatchObject({ leaves: 1, blocks: 1, scopes: new Map([[0, 1]]) })
    expect(rows(census, 'clients')).toEqual({ 'iad, fra': 1 })
  })
})

/** Leaves by depth, the long way: from the first address on, the widest block that stays in its run. */
function leavesBy(family: 4 | 6, runs: readonly Run[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const run of runs) {
    for (let at = run.start; at < run.end; ) {
      const bits = depthOf(family, run, at)
      const span = spanOf(family, at, bits)
      if (!isEmbedded(span)) counts.set(bits, (counts.get(bits) ?? 0) + 1)
      at = span.end
    }
  }
  return new Map([...counts].sort(([a], [b]) => a - b))
}

/** A ranking as the lists have it: `p0 = p1, p2` is `0=1 2`. */
function listed(text: string): string {
  return text
    .replace(/\bp(\d)/g, '$1')
    .replaceAll(' = ', '=')
    .replaceAll(', ', ' ')
}

/** The share of IPv4 that runs of each class have. */
function sharesBy(runs: readonly Run[]): Record<string, number> {
  const shares: Record<string, number> = {}
  for (const { start, end, says } of runs) {
    shares[says] = (shares[says] ?? 0) + Number(end - start) / 2 ** 32
  }
  return shares
}

describe('random maps', () => {
  const drawn = chance(1)
  const maps = Array.from({ length: 25 }, () => {
    const { policy, places, lying } = drawMap(drawn)
    const { steering, sites } = compiled(policy, places)
    const choose = policy.rules[0]?.choose ?? { kind: 'all', pools: [0] }
    const says = (family: 4 | 6) => ({
      edges: edgesOf(family, lying[family]),
      says: (at: bigint) => classOf(policy, choose, family, lying[family], at),
    })
    return { steering, sites, runs: runsOf(says(4), says(6)) }
  })

  test.each([4, 6] as const)('IPv%i: as many leaves as the least cover, at every depth', family => {
    for (const { steering, sites, runs } of maps) {
      const census = censusOf(steering, sites, 0, family)
      const expected = leavesBy(family, runs[family])
      expect(census.scopes).toEqual(expected)
      expect(census.leaves).toBe([...expected.values()].reduce((sum, count) => sum + count, 0))
      expect(census.blocks).toBe(census.leaves)
    }
  })

  test('the shares are those of the lists', () => {
    for (const { steering, sites, runs } of maps) {
      const census = censusOf(steering, sites, 0, 4)
      const numbered = Object.entries(rows(census, 'space')).map(
        ([text, share]) => [listed(text), share] as const,
      )
      expect(Object.fromEntries(numbered)).toEqual(sharesBy(runs[4]))
    }
  })
})

describe('hashed clients', () => {
  const hashed = rule({ pick: 'hash', quantum: { ipv4: 20, ipv6: 40 }, all: [0] })

  test('each block of the quantum is one: all of IPv4 but the special blocks', () => {
    const census = counted({ rules: [hashed] })
    expect(rows(census, 'blocks')).toEqual({ fra: 2 ** 20 * (1 - SPECIAL4), special: 7 })
    expect(census.scopes.get(20)).toBe(2 ** 20 * (1 - SPECIAL4))
  })

  test('leaves longer than the quantum stay what they are', () => {
    const networks = [network('n', '16.0.0.0/24', '16.0.4.0/22')]
    const rules = [
      {
        ...hashed,
        ...rule({ networks: [[0, [0, 1]]], default: [0] }),
        pick: 'hash' as const,
        quantum: hashed.quantum,
      },
    ]
    const census = counted({ networks, rules })
    // 16.0.0.0/20 falls apart: a /24 and a /22 named, the rest of it a /24, a /23, and a /21.
    expect(rows(census, 'blocks')['fra, iad']).toBe(2)
    expect(rows(census, 'blocks').fra).toBe(2 ** 20 * (1 - SPECIAL4) - 1 + 3)
    expect([...census.scopes].filter(([scope]) => scope > 20)).toEqual([
      [21, 1],
      [22, 1],
      [23, 1],
      [24, 2],
    ])
  })

  test('IPv6: 2⁴⁰ blocks, fewer for special and carried ones', () => {
    const census = counted({ rules: [hashed] }, ANNOUNCED, 6)
    const fra = rows(census, 'blocks').fra
    // Out: ::/8, 2001::/32 (smaller than a block: its block is split), 2002::/16, fc00::/7, fe80::/10, ff00::/8.
    const out = 2 ** 32 + 2 ** 8 + 2 ** 24 + 2 ** 33 + 2 ** 30 + 2 ** 32
    expect(fra).toBe(2 ** 40 - out)
  })

  test('a ranking with one target each is not hashed', () => {
    const census = counted({ rules: [rule({ pick: 'hash', all: [1] })] })
    expect(census).toMatchObject({ leaves: 1, blocks: 1 })
  })
})

describe('expected entries of a cache', () => {
  test.each([1, 2, 10, 1000])('two equal leaves, %i clients: 2 (1 − 2⁻ⁿ)', clients => {
    const census = counted({ rules: [BY_COUNTRY] })
    expect(expectedEntries(census, clients)).toBeCloseTo(2 * (1 - 2 ** -clients), 12)
  })

  test('leaves of a half and two quarters: 3 − ½ⁿ − 2 · ¾ⁿ', () => {
    const announced: Announced = [
      ['16.0.0.0/8', country('DE')],
      ['17.0.0.0/8', country('DE')],
      ['18.0.0.0/8', country('DE')],
      ['64.0.0.0/8', country('US')],
    ]
    const census = counted({ rules: [rule({ countries: { DE: [0] }, default: [1] })] }, announced)
    // 16/7 and 18/8 are two leaves of DE; US lies in 64/3, the rest of which is empty.
    for (const n of [1, 3, 20]) {
      const expected = 3 - 0.5 ** n - 0.75 ** n - 0.75 ** n
      expect(expectedEntries(census, n)).toBeCloseTo(expected, 12)
    }
  })

  test('hashed: 2¹³ blocks with clients, all alike', () => {
    const census = counted({
      rules: [rule({ pick: 'hash', quantum: { ipv4: 20, ipv6: 48 }, all: [0] }), BY_COUNTRY],
    })
    const blocks = 2 ** 13
    for (const n of [1, 1000, 100_000]) {
      expect(expectedEntries(census, n)).toBeCloseTo(blocks * (1 - (1 - 1 / blocks) ** n), 6)
    }
  })

  test('a block whose clients are in two places of it is one entry', () => {
    const announced: Announced = [
      ['16.0.0.0/16', country('DE')],
      ['16.2.0.0/16', country('US')],
    ]
    const rules = [rule({ all: [1] }), BY_COUNTRY]
    const census = counted({ rules }, announced)
    expect(expectedEntries(census, 50)).toBe(1)
  })

  test('nobody anywhere is no entry', () => {
    const census = counted({ rules: [BY_COUNTRY] })
    expect(expectedEntries(census, 0)).toBe(0)
  })
})

describe('said', () => {
  const of = { name: 'www.example.com', digest: '00ff', geo: 'places.mmdb of 2026-06-17' }

  test('to a person', () => {
    const text = censusText(of, [counted({ rules: [BY_COUNTRY] })])
    expect(text).toContain('www.example.com  digest 00ff, geo data: places.mmdb of 2026-06-17\n')
    expect(text).toMatch(/\n {2}ranking +leaves +of all +of announced\n/)
    expect(text).toMatch(/\n {2}fra, iad +1 +0\.391 % +50\.0 %\n/)
    expect(text).toMatch(/\n {2}100 +2\.0\n/)
  })

  test('to a program', () => {
    const document = JSON.parse(censusJson(of, [counted({ rules: [BY_COUNTRY] })]))
    expect(document).toMatchObject({ schema: 'lbdns.map-summary/1', ...of })
    expect(document.families).toMatchObject([{ family: 4, basis: 'announced' }])
    expect(document.families[0].rankings).toContainEqual({
      ...{ ranking: [['fra'], ['iad']], leaves: 1, blocks: 1, space: 1 / 256, clients: 0.5 },
    })
    expect(document.families[0].entries).toContainEqual({ clients: 10, expected: 2 - 2 ** -9 })
  })

  test('of very many rankings a person is shown twenty, and the rest together', () => {
    const networks = Array.from({ length: 25 }, (_, i) =>
      network(`n${i}`, `${100 + 2 * i}.0.0.0/8`),
    )
    const pools = networks.map((_, i) => pool(`p${i}`, `192.0.2.${i + 1}`, `2001:db8::${i + 1}`))
    const rules = [rule({ networks: pools.map((_, i) => [i, [i]] as const), default: [0] })]
    const text = censusText(of, [counted({ pools, networks, rules }, [])])
    expect(text).toMatch(/\n {2}6 more +/)
  })
})
