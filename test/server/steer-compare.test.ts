import { describe, expect, test } from 'vitest'
import { below, chance } from '../../server/steer/chance.ts'
import { compareSlots, movedSlots } from '../../server/steer/compare.ts'
import { leavesOf } from '../../server/steer/leaves.ts'
import type { Policy } from '../../server/steer/rule.ts'
import type { Steering } from '../../server/steer/steering.ts'
import { drawMap } from '../kit/maps.ts'
import { compiled, network, pool, rankingText, rule } from '../kit/steering.ts'

const FAMILIES = [4, 6] as const
const POOLS = ['A', 'B', 'C'].map((name, i) => pool(name, `192.0.2.${i}`, `2001:db8::${i}`))
const LESS = [...POOLS].reverse()

function words(steering: Steering, ranking: number | 'special'): string {
  return ranking === 'special' ? ranking : rankingText(steering, ranking)
}

/** What moves, block by block. */
function moves(old: Steering, now: Steering, family: 4 | 6 = 4): string[] {
  const found: string[] = []
  compareSlots(old, 0, now, 0, family, (bits, from, to, prefix) => {
    const [was, is] = [words(old, from), words(now, to)]
    if (was !== is) found.push(`${prefix.join('.')}/${bits} ${was} → ${is}`)
  })
  return found
}

/** Everybody gets A, but for networks of B. */
function mapped(text: Partial<Policy>, ...toB: readonly string[]): Steering {
  const networks = [network('b', ...toB)]
  const rules = [rule({ networks: [[0, [1]]], default: [0] })]
  return compiled({ pools: POOLS, networks, rules, ...text }).steering
}

describe('what moves between two maps, in the widest blocks that are one in both', () => {
  const old = mapped({}, '198.51.100.0/24')
  const plain = compiled({ pools: POOLS, rules: [rule({ all: [0] })] }).steering
  // biome-ignore format: table
  const TABLE = [
    ['nothing', old, mapped({}, '198.51.100.0/24'), []],
    ['half of a network', old, mapped({}, '198.51.100.0/25'), ['198.51.100.128/25 B → A']],
    ['a network', old, mapped({}, '198.51.101.0/24'), ['198.51.100.0/24 B → A', '198.51.101.0/24 A → B']],
    ['a wider one: only what is new', old, mapped({}, '198.51.100.0/22'), ['198.51.101.0/24 A → B', '198.51.102.0/23 A → B']],
    ['from the same for all', plain, mapped({}, '198.51.100.0/24', '10.0.0.0/8'), [
      '0.0.0.0/8 A → special', '10.0.0.0/8 A → B', '100.64.0.0/10 A → special', '127.0.0.0/8 A → special',
      '169.254.0.0/16 A → special', '172.16.0.0/12 A → special', '192.168.0.0/16 A → special', '198.51.100.0/24 A → B',
    ]],
    ['pools are the same by name', old, mapped({ pools: LESS, rules: [rule({ networks: [[0, [1]]], default: [2] })] }, '198.51.100.0/24'), []],
  ] as const
  for (const [what, before, after, expected] of TABLE) {
    test(what, () => expect(moves(before, after)).toEqual(expected))
  }
  test('IPv4 inside IPv6 moves with it', () => {
    expect(moves(old, mapped({}, '198.51.100.0/25'), 6)).toEqual([
      '0.0.0.0.0.0.0.0.0.0.255.255.198.51.100.128/121 B → A',
      '0.100.255.155.0.0.0.0.0.0.0.0.198.51.100.128/121 B → A',
      '32.2.198.51.100.128.0.0.0.0.0.0.0.0.0.0/41 B → A',
    ])
  })
})

describe('which names moved: their borders, or what their blocks prefer', () => {
  const NETWORKS = [network('n', '198.51.100.0/24'), network('m', '203.0.113.0/24')]
  const branches = { networks: [[0, [1]]] as const, default: [0] }
  const moved = (now: Partial<Policy>): number[] => {
    const old = compiled({ pools: POOLS, networks: NETWORKS, rules: [rule(branches)] }).steering
    return [...movedSlots(old, compiled({ pools: POOLS, networks: NETWORKS, ...now }).steering)]
  }
  const other = rule({ owner: 'other.', all: [0] })
  const networks = [network('n', '198.51.100.0/24', '198.51.101.0/24'), network('m')]
  const hash = { pick: 'hash', quantum: { ipv4: 24, ipv6: 48 } } as const
  const wide = [pool('A', '192.0.2.1', '192.0.2.9'), ...POOLS.slice(1)]
  // biome-ignore format: table
  const TABLE = [
    ['nothing', { rules: [rule(branches)] }, [0]],
    ['TTL and pick alone', { rules: [rule({ ...branches, ttl: { max: 5, min: 5 }, pick: 'random' })] }, [0]],
    ['another rule, which is new', { rules: [other, rule(branches)] }, [0, 0]],
    ['more inputs that it does not read', { rules: [rule(branches), rule({ owner: 'o.', networks: [[1, [2]]] })] }, [0, 0]],
    ['its ranking', { rules: [rule({ networks: [[0, [1, 2]]], default: [0] })] }, [1]],
    ['its default', { rules: [rule({ networks: [[0, [1]]], default: [2] })] }, [1]],
    ['its borders', { networks, rules: [rule(branches)] }, [1]],
    ['it is the same for all now', { rules: [rule({ all: [0] })] }, [1]],
    ['pools in another order, the same by name', { pools: LESS, rules: [rule({ networks: [[0, [1]]], default: [2] })] }, [0]],
    ['it hashes clients now', { pools: wide, rules: [rule({ ...branches, ...hash })] }, [1]],
  ] as const
  for (const [what, now, expected] of TABLE) {
    test(what, () => expect(moved(now)).toEqual(expected))
  }
})

/** A partition as text. */
function coverOf(steering: Steering, slot: number): string {
  return FAMILIES.flatMap(family =>
    Array.from(leavesOf(steering, slot, family), ({ prefix, bits, ranking }) => {
      return `${prefix}/${bits} ${words(steering, ranking)}`
    }),
  ).join()
}

test('on random maps: blocks are those of both, and moved is what differs as text', () => {
  const drawn = chance(20270101)
  let unmoved = 0
  for (let i = 0; i < 30; i += 1) {
    const { policy, places } = drawMap(drawn)
    const other = below(drawn, 2) === 0 ? drawMap(drawn) : { policy, places }
    const old = compiled(policy, places).steering
    const now = compiled({ ...other.policy, rules: policy.rules }, other.places).steering
    const moved = movedSlots(old, now)
    for (const slot of [0, 1]) {
      const isMoved = coverOf(old, slot) !== coverOf(now, slot)
      expect(moved[slot]).toBe(Number(isMoved))
      if (!isMoved) unmoved += 1
      const pieces = new Map<string, number>()
      for (const family of FAMILIES) {
        compareSlots(old, slot, now, slot, family, (bits, from, to) => {
          for (const key of [`${family} old ${from}`, `${family} now ${to}`]) {
            pieces.set(key, (pieces.get(key) ?? 0) + 2 ** -bits)
          }
        })
        for (const [name, steering] of [
          ['old', old],
          ['now', now],
        ] as const) {
          const own = new Map<string, number>()
          for (const { bits, ranking } of leavesOf(steering, slot, family)) {
            const key = `${family} ${name} ${ranking}`
            own.set(key, (own.get(key) ?? 0) + 2 ** -bits)
          }
          for (const [key, share] of own) expect(pieces.get(key)).toBeCloseTo(share, 12)
        }
      }
    }
  }
  expect(unmoved).toBeGreaterThan(5) // or only half of it was tried
})
