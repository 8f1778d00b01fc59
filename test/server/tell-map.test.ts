/** Leaves of maps as text, CSV and JSON: ties, hashing, special blocks; and no map is kept in memory. */
import { describe, expect, test } from 'vitest'
import type { Policy } from '../../server/steer/rule.ts'
import { type MapFormat, mapText } from '../../server/tell/map/map.ts'
import { compiled, nearest, network, placesFor, policyOf, pool, rule } from '../kit/steering.ts'

const point = { lat: 50.11, lon: 8.68 }
const POOLS = [
  { ...pool('fra', '192.0.2.1', '192.0.2.2', '2001:db8::1'), point },
  { ...pool('iad', '192.0.2.3', '2001:db8::3'), point: { lat: 38.95, lon: -77.45 } },
  { ...pool('ams', '192.0.2.4', '2001:db8::4'), point },
]

function written(policy: Partial<Policy>, format: MapFormat, families: (4 | 6)[] = [4]): string {
  const whole = policyOf({ pools: POOLS, ...policy })
  const database = {
    networks: [['0.0.0.0/0', { location: { latitude: 50, longitude: 8 } }]],
  } as const
  const { steering } = compiled(whole, placesFor(whole, database))
  return [...mapText(steering, 0, { name: 'www.example.com.', families, format })].join('')
}

/** Half of IPv4 by network, where no special block lies in it; the rest is written out by hand. */
const UPPER = { networks: [network('upper', '192.0.0.0/2')] }
const FIRST_UP = [
  '192.0.0.0/9          9  iad, fra',
  '192.128.0.0/11      11  iad, fra',
  '192.160.0.0/13      13  iad, fra',
  '192.168.0.0/16      16  (by the source address of the query)',
  '192.169.0.0/16      16  iad, fra',
]

describe('text', () => {
  test('a line a leaf: the prefix, its scope, the pools in order of preference', () => {
    const rules = [rule({ networks: [[0, [1, 0]]], default: [0] })]
    const lines = written({ ...UPPER, rules }, 'text').split('\n')
    const at = lines.findIndex(line => line.startsWith('192.0.0.0'))
    expect(lines.slice(at, at + 5)).toEqual(FIRST_UP)
    expect(lines[0]).toBe('0.0.0.0/8            8  (by the source address of the query)')
  })

  test('pools that are equally near stand together', () => {
    const rules = [rule({ choose: nearest([0, 1, 2]) })]
    expect(written({ rules }, 'text')).toBe('0.0.0.0/0            0  fra = ams, iad\n')
  })

  test('where clients are hashed, the scope is that of replies; special blocks stand apart', () => {
    const rules = [rule({ pick: 'hash', quantum: { ipv4: 22, ipv6: 40 }, all: [0] })]
    const lines = written({ rules }, 'text').split('\n')
    expect(lines.slice(0, 2)).toEqual([
      '0.0.0.0/8            8  (by the source address of the query)',
      '1.0.0.0/8           22  fra, hashed by /22',
    ])
    expect(lines).toContain('169.255.0.0/16      22  fra, hashed by /22')
  })

  test('hashing is for clients of several targets: others keep the scope of their leaf', () => {
    const rules = [rule({ pick: 'hash', networks: [[0, [1]]], default: [0] })]
    const lines = written({ networks: [network('n', '16.0.0.0/8')], rules }, 'text').split('\n')
    expect(lines).toContain('16.0.0.0/8           8  iad')
    expect(lines).toContain('17.0.0.0/8          24  fra, hashed by /24')
    expect(lines).toContain('10.0.0.0/8           8  (by the source address of the query)')
  })

  test('IPv6 that carries IPv4 is hashed as far as IPv4 is', () => {
    const rules = [rule({ pick: 'hash', networks: [[0, [1]]], default: [0] })]
    const networks = [network('n', '16.0.0.0/8')]
    const pools = [pool('fra', '2001:db8::1', '2001:db8::2'), pool('iad', '2001:db8::3')]
    const lines = written({ pools, networks, rules }, 'text', [6]).split('\n')
    expect(lines).toContain('2002:1000::/24                24  iad')
    expect(lines).toContain('2002:1100::/24                40  fra, hashed by /40')
    expect(lines).toContain('2400::/6                      48  fra, hashed by /48')
    expect(lines).toContain('::ffff:17.0.0.0/104          120  fra, hashed by /120')
  })
})

describe('CSV', () => {
  test('blanks part pools, and = those that are equally good', () => {
    const rules = [rule({ choose: nearest([0, 1, 2]) })]
    expect(written({ rules }, 'csv')).toBe('prefix,scope,ranking\n0.0.0.0/0,0,fra=ams iad\n')
  })

  test('special blocks say so', () => {
    const rules = [rule({ networks: [[0, [1, 0]]], default: [0] })]
    const csv = written({ ...UPPER, rules }, 'csv')
    expect(csv).toContain('\n10.0.0.0/8,8,special\n')
    expect(csv).toContain('\n192.0.0.0/9,9,iad fra\n')
  })
})

describe('JSON', () => {
  test('a list for each degree of preference', () => {
    const rules = [rule({ choose: nearest([0, 1, 2]) })]
    expect(JSON.parse(written({ rules }, 'json'))).toEqual({
      schema: 'lbdns.map/2',
      name: 'www.example.com.',
      leaves: [{ prefix: '0.0.0.0/0', scope: 0, ranking: [['fra', 'ams'], ['iad']] }],
    })
  })

  test('says where clients are hashed', () => {
    const rules = [rule({ pick: 'hash', all: [0] })]
    expect(JSON.parse(written({ rules }, 'json')).leaves.slice(0, 2)).toEqual([
      { prefix: '0.0.0.0/8', scope: 8, ranking: 'special' },
      { prefix: '1.0.0.0/8', scope: 24, ranking: [['fra']], hashed: true },
    ])
  })
})

test('a map is told one leaf at a time', () => {
  const rules = [rule({ networks: [[0, [1, 0]]], default: [0] })]
  const { steering } = compiled(policyOf({ pools: POOLS, ...UPPER, rules }))
  const pieces = mapText(steering, 0, { name: 'a.', families: [4, 6], format: 'text' })
  expect(pieces.next().value).toMatch(/^0\.0\.0\.0\/8 .*\n$/)
  expect(pieces.next().value).toMatch(/^1\.0\.0\.0\/8 .*\n$/)
})
