import { describe, expect, test } from 'vitest'
import type { Point } from '../../server/geo/record.ts'
import type { Choose, Policy } from '../../server/steer/rule.ts'
import type { DatabaseText, Value } from '../kit/mmdb.ts'
import {
  answered,
  compiled,
  decide,
  latency,
  nearest,
  placesFor,
  policyOf,
  pool,
  rule,
} from '../kit/steering.ts'

const at = (name: string, point: Point) => ({ ...pool(name, '192.0.2.1', '2001:db8::1'), point })
const AMS = 0
const FRA = 1
const IAD = 2
const NRT = 3
const POOLS = [
  at('ams', { lat: 52.37, lon: 4.9 }),
  at('fra', { lat: 50.11, lon: 8.68 }),
  at('iad', { lat: 38.95, lon: -77.45 }),
  at('nrt', { lat: 35.76, lon: 140.39 }),
]
const ALL = [NRT, IAD, FRA, AMS]

const spot = (lat: number, lon: number): Value => ({
  location: { latitude: lat, longitude: lon },
  country: { iso_code: 'GB' },
})

/** London is 360 km from ams, 640 from fra, 5,900 from iad, 9,600 from nrt. */
const LONDON = spot(51.51, -0.13)

function steered(choose: Choose, records: DatabaseText['networks'], more: Partial<Policy> = {}) {
  const policy = policyOf({ pools: POOLS, rules: [rule({ choose })], ...more })
  const { steering, said } = compiled(policy, placesFor(policy, { networks: records }))
  expect(said.problems).toEqual([])
  return (subnet: string): string => answered(steering, decide(steering, subnet))
}

describe('nearest: by great-circle distance', () => {
  const london = (choose: Choose): string =>
    steered(choose, [['198.51.100.0/24', LONDON]])('198.51.100.0/24')
  // biome-ignore format: table
  const TABLE = [
    ['the nearest first',                     nearest(ALL),                                'ams+fra+iad+nrt/24'],
    ['−30 % makes 360 km 514: still nearest', nearest(ALL, { bias: { [AMS]: -30 } }),      'ams+fra+iad+nrt/24'],
    ['−50 % makes 360 km 720: fra is nearer', nearest(ALL, { bias: { [AMS]: -50 } }),      'fra+ams+iad+nrt/24'],
    ['99 % makes 5,900 km 59',                nearest(ALL, { bias: { [IAD]: 99 } }),       'iad+ams+fra+nrt/24'],
    ['limit 2',                               nearest(ALL, { limit: 2 }),                  'ams+fra/24'],
    ['limit past the last',                   nearest(ALL, { limit: 9 }),                  'ams+fra+iad+nrt/24'],
    ['only the pools that are named',         nearest([NRT, IAD]),                         'iad+nrt/24'],
  ] as const
  for (const [what, choose, expected] of TABLE) {
    test(what, () => expect(london(choose)).toBe(expected))
  }
  test('a client of unknown place gets them as listed', () => {
    const answer = steered(nearest(ALL), [['198.51.100.0/24', LONDON]])
    expect(answer('8.8.8.0/24')).toBe('nrt+iad+fra+ams/7')
    const limited = steered(nearest(ALL, { limit: 2 }), [['198.51.100.0/24', LONDON]])
    expect(limited('8.8.8.0/24')).toBe('nrt+iad/7')
  })
  test('a database without coordinates: by the point of its country', () => {
    const answer = steered(nearest(ALL), [
      ['198.51.100.0/24', { country_code: 'JP' }],
      ['203.0.113.0/24', { country_code: 'US' }],
      ['192.0.2.0/24', { country_code: 'DE' }],
    ])
    expect(answer('198.51.100.0/24')).toMatch(/^nrt\+/)
    expect(answer('203.0.113.0/24')).toMatch(/^iad\+/)
    expect(answer('192.0.2.0/24')).toBe('fra+ams+iad+nrt/24')
  })
  test('blocks whose pools come in one order are one block, wherever they are', () => {
    const answer = steered(nearest(ALL), [
      ['198.51.100.0/24', LONDON],
      ['198.51.101.0/24', spot(53.48, -2.24)], // Manchester
      ['198.51.102.0/24', spot(35.68, 139.69)],
    ])
    expect(answer('198.51.100.0/24')).toBe('ams+fra+iad+nrt/23')
    expect(answer('198.51.102.0/24')).toBe('nrt+ams+fra+iad/24')
  })
})

describe('equal distances share', () => {
  const twins = [
    at('b', { lat: 10, lon: 10 }),
    at('a', { lat: 10, lon: -10 }),
    at('again', { lat: 10, lon: 10 }),
    at('far', { lat: -30, lon: 0 }),
  ]
  const middle = (choose: Choose): string =>
    steered(choose, [['198.51.100.0/24', spot(10, 0)]], { pools: twins })('198.51.100.0/24')
  // biome-ignore format: table
  const TABLE = [
    ['at one place, and as far east as west', nearest([3, 2, 1, 0]),                         'b=a=again+far/24'],
    ['a bias ends it',                        nearest([3, 2, 1, 0], { bias: { 1: -1 } }),    'b=again+a+far/24'],
    ['or leaves it: both nearer by as much',  nearest([0, 3, 2], { bias: { 0: 5, 2: 5 } }),  'b=again+far/24'],
    ['a limit cuts them short',               nearest([3, 2, 1, 0], { limit: 2 }),           'b=a/24'],
  ] as const
  for (const [what, choose, expected] of TABLE) {
    test(what, () => expect(middle(choose)).toBe(expected))
  }
})

describe('latency: by measured milliseconds, then the nearest', () => {
  const rows = latency(
    'rtt.csv',
    ['198.51.100.0/24', { [AMS]: 80, [FRA]: 20, [IAD]: 90, [NRT]: 200 }],
    ['198.51.101.0/24', { [AMS]: 8, [FRA]: 2, [IAD]: 9, [NRT]: 20 }],
    ['198.51.102.0/24', { [NRT]: 5 }],
    ['198.51.96.0/20', { [IAD]: 30, [NRT]: 30, [FRA]: 31 }],
    ['203.0.113.0/24', { [AMS]: 1 }],
    ['10.1.0.0/16', { [IAD]: 3 }],
    ['2001:db8:1::/48', { [IAD]: 1, [NRT]: 2 }],
  )
  const chosen = (near = nearest([NRT, IAD, FRA])): Choose => {
    return { kind: 'latency', latency: 0, nearest: near }
  }
  const steeredBy = (choose: Choose) =>
    steered(
      choose,
      [
        ['198.51.0.0/16', LONDON],
        ['203.0.113.0/24', LONDON],
      ],
      { latencies: [rows] },
    )
  const answer = steeredBy(chosen())
  // biome-ignore format: table
  const TABLE = [
    ['the fastest first; pools of other rules are left out', '198.51.100.0/24', 'fra+iad+nrt/23'],
    ['the order counts, not how many milliseconds',          '198.51.101.0/24', 'fra+iad+nrt/23'],
    ['the longest prefix alone; the others by distance',     '198.51.102.0/24', 'nrt+fra+iad/24'],
    ['equal times share',                                    '198.51.96.0/24',  'iad=nrt+fra/22'],
    ['no row: the nearest',                                  '198.51.0.0/24',   'fra+iad+nrt/18'],
    ['a row that tells of none of its pools: the nearest',   '203.0.113.0/24',  'fra+iad+nrt/24'],
    ['no row and no place: as listed',                       '2001:db8:2::/48', 'nrt+iad+fra/47'],
    ['IPv6',                                                 '2001:db8:1::/48', 'iad+nrt+fra/48'],
    ['a row inside a special block is an ordinary block',    '10.1.2.0/24',     'iad+nrt+fra/16'],
  ] as const
  for (const [what, subnet, expected] of TABLE) {
    test(what, () => expect(answer(subnet)).toBe(expected))
  }
  test('limit counts both', () => {
    const limited = steeredBy(chosen(nearest([NRT, IAD, FRA], { limit: 2 })))
    expect(limited('198.51.102.0/24')).toBe('nrt+fra/24')
    expect(limited('198.51.96.0/24')).toBe('iad=nrt/22')
  })
})
