import { describe, expect, test } from 'vitest'
import { problemText, remarks } from '../../server/fault.ts'
import { compilePools } from '../../server/steer/pools.ts'
import type { Choose, Policy } from '../../server/steer/rule.ts'
import { by, latency, nearest, network, policyOf, pool, rule } from '../kit/steering.ts'

function listed(policy: Partial<Policy>) {
  const said = remarks()
  return { lists: compilePools(policyOf(policy), said), said }
}

describe('a pool is three lists, with what the operator fixed', () => {
  const plain = pool('p', '192.0.2.1=0', '2001:db8::1=7', '192.0.2.2')
  const fixed = { ...plain, targets: plain.targets.map(one => ({ ...one, load: 2, capacity: 50 })) }
  const hosts = pool('h', 'Cdn.example.')

  test('all targets, those of weight 0 too, in the order written', () => {
    const { lists } = listed({ pools: [plain] })
    const seen = lists[0]?.map(list => list.map(one => [one.octets.at(-1), one.weight]))
    expect(seen).toEqual([
      [
        [1, 0],
        [2, 1],
      ],
      [[1, 7]],
      [],
    ])
  })
  test('load and capacity, and NaN where nothing is fixed', () => {
    const { lists } = listed({ pools: [plain, fixed] })
    const seen = lists.map(pool => pool[0]?.map(({ load, share }) => [load, share]))
    expect(seen).toEqual([
      [
        [Number.NaN, Number.NaN],
        [Number.NaN, Number.NaN],
      ],
      [
        [2, 50],
        [2, 50],
      ],
    ])
  })
  test('host names keep their case', () => {
    const octets = listed({ pools: [hosts] }).lists[0]?.[2]?.[0]?.octets ?? []
    expect(Buffer.from(octets).toString('latin1')).toBe('\x03Cdn\x07example\0')
  })
  test('a target written twice counts once, however it is written', () => {
    const { lists, said } = listed({
      pools: [pool('p', '2001:db8::1', '2001:db8:0:0::1=3'), pool('h', 'a.example.', 'A.example.')],
    })
    expect(lists.map(pool => pool.map(list => list.length))).toEqual([
      [0, 1, 0],
      [0, 0, 1],
    ])
    expect(said.warnings.map(problemText)).toEqual([
      'pools:1:1: pool p has 2001:db8::1 twice; it counts once · remove one of them',
      'pools:1:1: pool h has A.example. twice; it counts once · remove one of them',
    ])
  })
})

describe('a pool without a place of its own is shown at the first rule that names it', () => {
  const other: Choose = { kind: 'all', pools: [0] }
  const ring: Choose = { kind: 'latency', latency: 0, nearest: nearest([1]) }
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, Choose])[] = [
    ['for everybody',            { kind: 'all', pools: [0, 1] }],
    ['by distance',              nearest([0, 1])],
    ['by latency',               ring],
    ['for a network',            by({ networks: [[0, [1]]] })],
    ['for an ASN',               by({ asns: { 64500: [1] } })],
    ['for a field',              by({ fields: { 'traits/connection_type': { Cellular: [1] } } })],
    ['for a city',               by({ cities: { Berlin: [1] } })],
    ['for a subdivision',        by({ subdivisions: { 'US-CA': [1] } })],
    ['for a country',            by({ countries: { DE: [1] } })],
    ['for a continent',          by({ continents: { EU: [1] } })],
    ['for all others',           by({ default: [1] })],
    ['deep inside',              by({ countries: { DE: by({ default: ring }) } })],
  ]
  for (const [name, choose] of TABLE) {
    test(name, () => {
      const empty = { name: 'empty', targets: [] }
      const { said } = listed({
        pools: [pool('p', '192.0.2.1'), empty],
        networks: [network('n', '9.0.0.0/8')],
        latencies: [latency('rtt', ['9.0.0.0/8', { 1: 5 }])],
        rules: [other, { kind: 'rule', rule: 2 } as const, choose, by({ default: [1] })].map(
          (choose, i) => rule({ choose, at: { file: 'rules', line: i + 1, column: 1 } }),
        ),
      })
      expect(said.problems.map(problemText)).toEqual([
        'rules:3:1: pool empty has no targets · give it one, or remove the pool',
      ])
    })
  }
})
