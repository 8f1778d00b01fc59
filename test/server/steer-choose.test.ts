import { describe, expect, test } from 'vitest'
import { reasonsFor } from '../../server/steer/choose.ts'
import type { Policy } from '../../server/steer/rule.ts'
import { siteAt } from '../../server/steer/steering.ts'
import type { DatabaseText, Fields } from '../kit/mmdb.ts'
import {
  answered,
  by,
  compiled,
  decide,
  network,
  octetsOf,
  placesFor,
  policyOf,
  pool,
  type RuleText,
  rule,
} from '../kit/steering.ts'

const NAMES = ['rest', 'net', 'asn', 'cell', 'corp', 'city', 'sub', 'land', 'cont']
const POOLS = NAMES.map((name, i) => pool(name, `192.0.2.${i}`, `2001:db8::${i}`))
const numberOf = (name: string): number => NAMES.indexOf(name)

/** Compiles one rule over databases; `said` is how it answers, and why. */
function steered(text: Partial<Policy>, ...databases: readonly DatabaseText[]) {
  const policy = policyOf({ pools: POOLS, ...text })
  const { steering, sites, said } = compiled(policy, placesFor(policy, ...databases))
  expect(said.problems).toEqual([])
  const why = (client: string): string => {
    const site = sites[siteAt(steering, octetsOf(client)) >> 8]
    const choose = policy.rules[0]?.choose
    if (site === undefined || choose === undefined) throw new Error('no site')
    return reasonsFor(policy, choose, site)
      .map(({ kind, key }) => `${kind} ${key}`.trim())
      .join(', ')
  }
  const answer = (subnet: string): string => answered(steering, decide(steering, subnet))
  return { answer, why }
}

const BERLIN = {
  continent: { code: 'EU' },
  country: { iso_code: 'DE' },
  subdivisions: [{ iso_code: 'BE' }],
  city: { names: { en: 'Berlin' } },
  traits: { connection_type: 'Cellular', user_type: 'business' },
  autonomous_system_number: 64500,
}

describe('precedence: each input is asked only where those before it do not know the client', () => {
  const user = { 'traits/user_type': { business: [numberOf('corp')] } }
  const connection = { 'traits/connection_type': { Cellular: [numberOf('cell')] } }
  // biome-ignore format: table
  const INPUTS: readonly (readonly [answer: string, reason: string, branches: RuleText])[] = [
    ['net/24',  'network office',     { networks: [[0, [numberOf('net')]]] }],
    ['asn/24',  'asn AS64500',        { asns: { 64500: [numberOf('asn')] } }],
    ['cell/24', 'field traits/connection_type=Cellular', { fields: { ...connection, ...user } }],
    ['corp/24', 'field traits/user_type=business',       { fields: user }],
    ['city/24', 'city Berlin',        { cities: { Berlin: [numberOf('city')] } }],
    ['sub/24',  'subdivision DE-BE',  { subdivisions: { 'DE-BE': [numberOf('sub')] } }],
    ['land/24', 'country DE',         { countries: { DE: [numberOf('land')] } }],
    ['cont/24', 'continent EU',       { continents: { EU: [numberOf('cont')] } }],
  ]
  /** The branches of some inputs; of those of one kind the first stand. */
  const from = (first: number): RuleText =>
    Object.assign(
      {},
      ...INPUTS.slice(first)
        .map(([, , branches]) => branches)
        .reverse(),
    )
  const networks = [network('office', '198.51.100.0/24')]
  const database: DatabaseText = {
    networks: [
      ['198.51.100.0/24', BERLIN],
      ['203.0.113.0/24', { country_code: 'FR' }],
    ],
  }
  for (const [i, [expected, reason]] of INPUTS.entries()) {
    test(`${reason} is before all that follows`, () => {
      const { answer, why } = steered({ networks, rules: [rule(from(i))] }, database)
      expect(answer('198.51.100.0/24')).toBe(expected)
      expect(why('198.51.100.0')).toBe(reason)
    })
  }
  test('where a country is known, its continent is, by our own table; where neither, default', () => {
    const { answer, why } = steered({ networks, rules: [rule(from(0))] }, database)
    expect(answer('203.0.113.0/24')).toBe('cont/24')
    expect(why('203.0.113.0')).toBe('continent EU')
    expect(answer('8.8.8.0/24')).toBe('rest/7')
    expect(why('8.8.8.8')).toBe('default')
  })
})

describe('cities: the longest form wins', () => {
  const at = (country: string, part: string, city: string): Fields => ({
    country: { iso_code: country },
    subdivisions: [{ iso_code: part }],
    city: { names: { en: city } },
  })
  const database: DatabaseText = {
    networks: [
      ['198.51.100.0/24', at('US', 'IL', 'Springfield')],
      ['198.51.101.0/24', at('US', 'CA', 'Springfield')],
      ['198.51.102.0/24', at('AU', 'QLD', 'Springfield')],
      ['198.51.103.0/24', at('CH', 'BE', 'Biel/Bienne')],
    ],
  }
  const cities = { 'US-IL/Springfield': [5], 'US/Springfield': [6], Springfield: [7] }
  const rules = [rule({ cities: { ...cities, 'CH/Biel/Bienne': [8] } })]
  const { answer, why } = steered({ rules }, database)
  // biome-ignore format: table
  const TABLE = [
    ['subdivision and name', '198.51.100.0/24', 'city/24', 'city US-IL/Springfield'],
    ['country and name',     '198.51.101.0/24', 'sub/24',  'city US/Springfield'],
    ['the name alone',       '198.51.102.0/24', 'land/24', 'city Springfield'],
    ['a stroke in the name', '198.51.103.0/24', 'cont/24', 'city CH/Biel/Bienne'],
    ['no city',              '198.51.104.0/24', 'rest/21', 'default'],
  ] as const
  for (const [what, subnet, expected, reason] of TABLE) {
    test(what, () => {
      expect(answer(subnet)).toBe(expected)
      expect(why(subnet.split('/')[0] ?? '')).toBe(reason)
    })
  }
})

describe('country and AS number from two databases', () => {
  const rules = [rule({ asns: { 64500: [2] }, countries: { DE: [7] } })]
  const countries: DatabaseText = { networks: [['198.51.0.0/16', { country_code: 'DE' }]] }
  const systems: DatabaseText = {
    networks: [
      ['198.51.100.0/22', { autonomous_system_number: 64500 }],
      ['203.0.113.0/24', { autonomous_system_number: 64500 }],
    ],
  }
  const { answer } = steered({ rules }, countries, systems)
  test('both are laid over each other', () => {
    expect(answer('198.51.100.0/24')).toBe('asn/22')
    expect(answer('198.51.104.0/24')).toBe('land/21')
    expect(answer('203.0.113.0/24')).toBe('asn/24')
  })
})

describe('nested rules', () => {
  const networks = [network('office', '198.51.100.0/25', '10.1.0.0/16')]
  const database: DatabaseText = {
    networks: [
      ['198.51.100.0/24', { country_code: 'DE' }],
      ['203.0.113.0/24', { country_code: 'FR' }],
    ],
  }
  const other = rule({
    owner: 'other.example.com.',
    networks: [[0, [1]]],
    continents: { EU: [8] },
    default: [0],
  })
  const named = { kind: 'rule', rule: 1 } as const
  const rules = [rule({ countries: { DE: named }, default: [7] }), other]
  const { answer, why } = steered({ networks, rules }, database)
  // biome-ignore format: table
  const TABLE = [
    ['the other rule reads the client too', '198.51.100.0/25',   'net/25',  'country DE, rule other.example.com., network office'],
    ['and so parts a branch of this one',   '198.51.100.128/25', 'cont/25', 'country DE, rule other.example.com., continent EU'],
    ['elsewhere it is not asked',           '203.0.113.0/24',    'land/5',  'default'],
    ['its networks count in its branch',    '10.1.2.0/24',       'land/8',  'special, default'],
  ] as const
  for (const [what, subnet, expected, reason] of TABLE) {
    test(what, () => {
      expect(answer(subnet)).toBe(expected)
      expect(why(subnet.split('/')[0] ?? '')).toBe(reason)
    })
  }
  test('as a whole: what reads the other rule everywhere is that rule', () => {
    const { answer, why } = steered({ networks, rules: [rule({ choose: named }), other] }, database)
    expect(answer('10.1.2.0/24')).toBe('net/16')
    expect(why('10.1.2.3')).toBe('rule other.example.com., network office')
    expect(answer('203.0.113.0/24')).toBe('cont/24')
  })
  test('branches within branches', () => {
    const inner = by({ continents: { EU: [8] }, default: [0] })
    const one = rule({ networks: [[0, inner]], default: inner })
    const { answer, why } = steered({ networks, rules: [one] }, database)
    expect(answer('198.51.100.0/25')).toBe('cont/24')
    expect(why('198.51.100.0')).toBe('network office, continent EU')
    expect(why('198.51.100.128')).toBe('default, continent EU')
    // The network names the block, so its clients get a branch; no database knows them.
    expect(answer('10.1.2.0/24')).toBe('rest/16')
    expect(why('10.1.2.3')).toBe('network office, default')
  })
  test('the same for all has one reason', () => {
    const { answer, why } = steered({ rules: [rule({ all: [3, 4] })] })
    expect(answer('198.51.100.0/24')).toBe('cell+corp/0')
    expect(why('198.51.100.0')).toBe('all')
  })
})
