/**
 * Which branch of which input decided, its prefix, the block of equal ranking and why it is no wider:
 * against the specification's vectors and arithmetic.
 */
import { describe, expect, test } from 'vitest'
import { ecsPolicy } from '../../server/answer/ecs.ts'
import type { Reason, Steered } from '../../server/tell/explain/explanation.ts'
import { explainText } from '../../server/tell/explain/text.ts'
import { explained, servingOf } from '../kit/serving.ts'
import {
  by,
  latency,
  nearest,
  network,
  placesFor,
  policyOf,
  pool,
  type RuleText,
  rule,
} from '../kit/steering.ts'

const POOLS = ['A', 'B', 'D'].map((name, index) => pool(name, `192.0.2.${index + 1}`))

/** One line a reason: its kind, what names it, and the prefix behind it. */
function line(reason: Reason): string {
  const { kind } = reason
  const key = 'key' in reason ? ` ${reason.key}` : ''
  return `${kind}${key}${'prefix' in reason ? ` ${reason.prefix}` : ''}`
}

/** Reasons, block, what is beside it, scope. */
function why({ locate, scope }: Steered): readonly unknown[] {
  const { because, leaf } = locate
  const { prefix, ranking } = leaf?.beside ?? {}
  const beside = prefix && `${prefix} ${ranking === 'special' ? ranking : ranking?.join()}`
  return [because.map(line).join(', '), leaf?.prefix, beside, scope.bits]
}

function steered(text: RuleText, client: string, source?: string): Steered {
  const serving = servingOf(policyOf({ ...GIVEN, rules: [rule(text), NAMED] }), PLACES)
  const { steer } = explained(serving, { client, ...(source && { source }) })
  if (steer === undefined) throw new Error('not steered')
  return steer
}

const SOURCE = { family: 4, octets: Uint8Array.of(20, 0, 0, 0), bits: 8 } as const
const NAMED = rule({ owner: 'named.example.com.', networks: [[4, [1]]], default: [0] })

const GIVEN = {
  pools: POOLS,
  networks: [
    network('block', '1.2.0.0/20'),
    network('hole', '1.2.3.0/24'),
    network('ten', '10.0.0.0/8'),
    network('ten-one', '10.1.0.0/16'),
    network('office', '203.0.113.0/24', '203.0.113.128/25', '2001:db8:5::/48'),
  ],
}
const TEXTS: readonly RuleText[] = [
  { networks: [[0, [0]]], default: [2] },
  { countries: { DE: [0] }, continents: { EU: [1] }, default: [2] },
  { asns: { 64500: [0] }, subdivisions: { 'US-CA': [1] }, cities: { Berlin: [1] }, default: [2] },
  { fields: { 'traits/connection_type': { Cellular: [0] } }, default: [2] },
]
const record = (code: string, more = {}) => ({ country: { iso_code: code }, ...more })
const PLACES = placesFor(policyOf({ ...GIVEN, rules: TEXTS.map(rule) }), {
  networks: [
    ['20.0.0.0/8', record('DE')],
    ['20.128.0.0/16', record('FR')],
    ['24.0.0.0/16', record('US', { subdivisions: [{ iso_code: 'CA' }] })],
    ['25.0.0.0/12', record('DE', { city: { names: { en: 'Berlin' } } })],
    ['26.0.0.0/10', { autonomous_system_number: 64500 }],
    ['27.0.0.0/20', record('FR', { traits: { connection_type: 'Cellular' } })],
  ],
})

const RFC: RuleText = { networks: [[0, [0]], [1, [1]]], default: [2] } // biome-ignore format: row
const VECTOR: RuleText = { networks: [[2, [0]], [3, [1]]], default: [2] } // biome-ignore format: row
const OFFICE: RuleText = { networks: [[4, [0]]], default: [2] }
const LANDS: RuleText = { countries: { DE: [0] }, continents: { EU: [1] }, default: [2] }
const FINE: RuleText = {
  asns: { 64500: [0] },
  subdivisions: { 'US-CA': [1] },
  cities: { Berlin: [1] },
  fields: { 'traits/connection_type': { Cellular: [0] } },
  default: [2],
}
const NESTED: RuleText = {
  countries: { DE: { kind: 'rule', rule: 1 } },
  default: by({ networks: [[4, [0]]], default: [2] }),
}

// biome-ignore format: table
const ROWS = [
  // clause                                       rule     client               reasons                                       block             beside                  scope
  ['RFC 7871 §7.2.1 in the /20, beside the hole', RFC,     '1.2.2.0/24',        'network block 1.2.0.0/20',                   '1.2.2.0/24',     '1.2.3.0/24 B',         24],
  ['RFC 7871 §7.2.1 in the hole',                 RFC,     '1.2.3.0/24',        'network hole 1.2.3.0/24',                    '1.2.3.0/24',     '1.2.2.0/24 A',         24],
  ['RFC 7871 §7.2.1 far from the hole',           RFC,     '1.2.9.0/24',        'network block 1.2.0.0/20',                   '1.2.8.0/21',     '1.2.3.0/24 B',         21],
  ['RFC 7871 §7.2.1 outside of both',             RFC,     '1.2.16.0/24',       'default',                                    '1.2.16.0/20',    '1.2.0.0/23 A',         20],
  ['steering.md §2 10.1.2.0/24 → 16',             VECTOR,  '10.1.2.0/24',       'network ten-one 10.1.0.0/16',                '10.1.0.0/16',    '10.0.0.0/16 A',        16],
  ['steering.md §2 10.2.3.0/24 → 15',             VECTOR,  '10.2.3.0/24',       'network ten 10.0.0.0/8',                     '10.2.0.0/15',    '10.1.0.0/16 B',        15],
  ['steering.md §2 9.0.0.0/24 → 7',               VECTOR,  '9.0.0.0/24',        'default',                                    '8.0.0.0/7',      '10.0.0.0/16 A',        7],
  ['the longest prefix of a network',             OFFICE,  '203.0.113.200/32',  'network office 203.0.113.128/25',            '203.0.113.0/24', '203.0.112.0/24 D',     24],
  ['ecs.md N6 IPv4 inside IPv6',                  OFFICE,  '2002:cb00:7101::/48','network office 203.0.113.0/24',             '2002:cb00:7100::/40', '2002:cb00:7000::/40 D', 40],
  ['a network of IPv6',                           OFFICE,  '2001:db8:5:7::/64', 'network office 2001:db8:5::/48',             '2001:db8:5::/48', '2001:db8:4::/48 D',   48],
  ['country before continent',                    LANDS,   '20.1.2.0/24',       'country DE 20.0.0.0/9',                      '20.0.0.0/9',     '20.128.0.0/16 B',      9],
  ['continent before default',                    LANDS,   '20.128.9.0/24',     'continent EU 20.128.0.0/16',                 '20.128.0.0/16',  '20.129.0.0/16 A',      16],
  ['ASN',                                         FINE,    '26.1.2.0/24',       'asn AS64500 26.0.0.0/10',                    '26.0.0.0/10',    '26.64.0.0/10 D',       10],
  ['city',                                        FINE,    '25.1.2.0/24',       'city Berlin 25.0.0.0/12',                    '25.0.0.0/12',    '25.16.0.0/12 D',       12],
  ['subdivision',                                 FINE,    '24.0.2.0/24',       'subdivision US-CA 24.0.0.0/16',              '24.0.0.0/16',    '24.1.0.0/16 D',        16],
  ['a field of a database',                       FINE,    '27.0.2.0/24',       'field traits/connection_type=Cellular 27.0.0.0/20', '27.0.0.0/20', '27.0.16.0/20 D',  20],
  ['another rule decides, outermost first',       NESTED,  '20.1.2.0/24',       'country DE 20.0.0.0/9, rule named.example.com., default', '20.0.0.0/9', '20.128.0.0/16 D', 9],
  ['a branch of a branch',                        NESTED,  '203.0.113.0/24',    'default, network office 203.0.113.0/24',     '203.0.113.0/24', '203.0.112.0/24 D',     24],
] as const

test.each(ROWS)('%s', (_, text, client, reasons, block, beside, scope) => {
  expect(why(steered(text, client))).toEqual([reasons, block, beside, scope])
})

describe('where a branch is written', () => {
  // `by` of the kit puts each list of branches in a line of its own.
  // biome-ignore format: table
  const LINES = [
    ['a network',   OFFICE, '203.0.113.0/24', ['rules:2']],
    ['a country',   LANDS,  '20.1.2.0/24',    ['rules:7']],
    ['a continent', LANDS,  '20.128.2.0/24',  ['rules:8']],
    ['an ASN',      FINE,   '26.1.2.0/24',    ['rules:3']],
    ['a field',     FINE,   '27.0.2.0/24',    ['rules:4']],
    ['a city',      FINE,   '25.0.2.0/24',    ['rules:5']],
    ['a subdivision', FINE, '24.0.2.0/24',    ['rules:6']],
    ['through another rule, to its default', NESTED, '20.1.2.0/24', ['rules:7', 'rules:1', undefined]],
  ] as const

  test.each(LINES)('%s', (_, text, client, lines) => {
    const { locate, scope } = steered(text, client)
    expect(locate.because.map(reason => ('at' in reason ? reason.at : undefined))).toEqual(lines)
    expect(`/${scope.bits}`).toBe(locate.leaf?.prefix.replace(/^.*\//, '/'))
  })
})

describe('whose address decides', () => {
  // biome-ignore format: table
  const WHOSE = [
    // clause                                         client          source        by         why not the subnet  reasons                    block            scope
    ['RFC 7871 §7.1.1 the subnet',                    '20.1.2.0/24',  '26.0.0.1',   'subnet',  undefined,          'country DE 20.0.0.0/9',   '20.0.0.0/9',    9],
    ['RFC 7871 §7.2.2 no subnet: the source',         'none',         '20.1.2.3',   'source',  'not told',         'country DE 20.0.0.0/9',   '20.0.0.0/9',    0],
    ['RFC 7871 §7.1.2 SOURCE 0: the source',          '0.0.0.0/0',    '20.1.2.3',   'source',  'source 0',         'country DE 20.0.0.0/9',   '20.0.0.0/9',    0],
    ['ecs.md N1 a private subnet: the source',        '10.1.2.0/24',  '20.1.2.3',   'source',  'special',          'country DE 20.0.0.0/9',   '20.0.0.0/9',    8],
    ['ecs.md N1 172.16/12',                           '172.17.0.0/16','20.1.2.3',   'source',  'special',          'country DE 20.0.0.0/9',   '20.0.0.0/9',    12],
    ['ecs.md N1 and a private source: the default',   '10.1.2.0/24',  '192.168.1.1','nobody',  'special',          'default',                 undefined,       8],
    ['no subnet, and a private source: the default',  'none',         '192.168.1.1','nobody',  'not told',         'default',                 undefined,       0],
  ] as const

  test.each(WHOSE)('%s', (_, client, source, whose, passed, reasons, block, scope) => {
    const steer = steered(LANDS, client, source)
    const [because, leaf, , bits] = why(steer)
    expect([steer.locate.by, steer.locate.passed]).toEqual([whose, passed])
    expect([because, leaf, bits]).toEqual([reasons, block, scope])
  })

  // biome-ignore format: table
  const UNHEARD = [
    ['RFC 7871 §7.2.1 switched off: no option back', { enabled: false, deny: [] },     'off',          undefined, 'none, as client subnets are switched off'],
    ['RFC 7871 §11.3 not believed: SCOPE 0',         { enabled: true, deny: [SOURCE] }, 'not believed', 0,         '0: what the resolver told was not used'],
  ] as const

  test.each(UNHEARD)('%s', (_, { enabled, deny }, passed, scope, words) => {
    const given = servingOf(policyOf({ ...GIVEN, rules: [rule(LANDS), NAMED] }), PLACES)
    const ecs = ecsPolicy({ enabled, allow: [], deny })
    const serving = { ...given, world: { ...given.world, ecs } }
    const told = explained(serving, { client: '26.1.2.0/24', source: '20.1.2.3' })
    expect([told.steer?.locate.by, told.steer?.locate.passed]).toEqual(['source', passed])
    expect([told.read.subnet, told.reply.scope]).toEqual(['26.1.2.0/24', scope])
    expect(told.steer?.ranking).toEqual([['A']]) // by the source, which is in DE
    expect(explainText(told)).toContain(`scope     ${words}\n`)
  })

  test('special blocks are told', () => {
    const { locate, scope } = steered(LANDS, '10.1.2.0/24', '192.168.1.1')
    expect(locate.special).toEqual({ subnet: '10.0.0.0/8', source: '192.168.0.0/16' })
    expect(scope).toEqual({ bits: 8, source: 24 })
  })
})

describe('nobody is told apart', () => {
  // biome-ignore format: table
  const SAME = [
    ['a rule of pools',                  { all: [0, 1] },                         'all'],
    ['branches that all lead there',     { countries: { DE: [0] }, default: [0] }, 'alike'],
  ] as const

  test.each(SAME)('%s', (_, text, reasons) => {
    const steer = steered(text as RuleText, '20.1.2.0/24')
    expect(why(steer)).toEqual([reasons, undefined, undefined, 0])
    expect([steer.locate.tailored, steer.locate.passed]).toEqual([false, 'not tailored'])
  })
})

describe('by distance', () => {
  // On a sphere of 6371.0088 km, a quarter of a great circle is π ÷ 2 × 6371.0088 = 10,007.6 km.
  const QUARTER = 10_008
  const HALF = 20_015
  const at = (lat: number, lon: number, index: number, bias = 0) => {
    return { ...pool(`p${index}`, `192.0.2.${index}`), point: { lat, lon }, bias }
  }
  const pools = [at(0, 10, 0), at(0, 100, 1), at(90, 0, 2)]
  const choose = nearest([0, 1, 2], { bias: { 2: 50 } })
  const base = policyOf({ pools, rules: [rule({ choose })] })
  const places = placesFor(base, {
    networks: [
      ['20.0.0.0/8', { location: { latitude: 0, longitude: 10 } }],
      ['21.0.0.0/8', { location: { latitude: 0, longitude: -170 } }],
    ],
  })
  const reason = (client: string, more = {}) => {
    const policy = { ...base, ...more }
    const { steer } = explained(servingOf(policy, places), { client })
    return [steer?.locate.because, steer?.scope.bits]
  }

  test('at one pool, a quarter from the others; bias halves one', () => {
    const point = { lat: 0, lon: 10 }
    const pool2 = { pool: 'p2', kilometres: QUARTER, bias: 50, counts: 5_004 }
    const near = [{ pool: 'p0', kilometres: 0, bias: 0 }, pool2]
    const all = [...near, { pool: 'p1', kilometres: QUARTER, bias: 0 }]
    expect(reason('20.1.2.0/24')).toEqual([[{ kind: 'nearest', point, pools: all }], 8])
  })

  test('on the other side', () => {
    const [because, scope] = reason('21.1.2.0/24')
    expect(because).toMatchObject([
      { pools: [{ pool: 'p2', counts: 5_004 }, { pool: 'p1' }, { pool: 'p0', kilometres: HALF }] },
    ])
    expect(scope).toBe(8)
  })

  test('nobody knows where', () => {
    const pools = ['p0', 'p1', 'p2'].map(name => ({ pool: name, bias: name === 'p2' ? 50 : 0 }))
    expect(reason('9.1.2.0/24')).toEqual([[{ kind: 'nearest', pools }], 7])
  })

  const latencies = [latency('rtt.csv', ['20.1.0.0/16', { 1: 12.5, 0: 95 }])]
  const measured = rule({ choose: { kind: 'latency', latency: 0, nearest: choose } })

  test('by latency, where it was measured', () => {
    const told = [
      { pool: 'p1', milliseconds: 12.5 },
      { pool: 'p0', milliseconds: 95 },
    ]
    const because = [{ kind: 'latency', key: 'rtt.csv', prefix: '20.1.0.0/16', pools: told }]
    expect(reason('20.1.2.0/24', { latencies, rules: [measured] })).toEqual([because, 16])
  })

  test('by distance, where it was not', () => {
    const [because, scope] = reason('20.2.2.0/24', { latencies, rules: [measured] })
    expect(because).toMatchObject([{ kind: 'nearest', instead: 'rtt.csv' }])
    expect(scope).toBe(15)
  })
})
