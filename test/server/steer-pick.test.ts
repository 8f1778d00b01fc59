import { describe, expect, test } from 'vitest'
import { below, chance, draw } from '../../server/steer/chance.ts'
import { decision } from '../../server/steer/decision.ts'
import type { Policy } from '../../server/steer/rule.ts'
import { steer } from '../../server/steer/steer.ts'
import type { Steering } from '../../server/steer/steering.ts'
import { carryTurns, startTurns, turnsLength } from '../../server/steer/turns.ts'
import {
  chosen,
  compiled,
  decide,
  peerOf,
  pool,
  type RuleText,
  rule,
  subnetOf,
} from '../kit/steering.ts'

function addresses(count: number, prefix = '192.0.2.'): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`)
}

function steered(text: RuleText, ...targets: readonly string[]): Steering {
  const rules = [rule({ all: [0], ...text })]
  return compiled({ pools: [pool('p', ...targets)], networks: [], rules }).steering
}

/** Answers of one thread, one after the other. */
function asked(
  steering: Steering,
  times: number,
  told: { turns?: Uint32Array; slot?: number; family?: (i: number) => 4 | 6 } = {},
): string[][] {
  const drawn = chance(1)
  const made = decision()
  const turns = told.turns ?? startTurns(steering, drawn)
  return Array.from({ length: times }, (_, i) => {
    const family = told.family?.(i) ?? 4
    const [subnet, peer] = [subnetOf(''), peerOf('192.0.2.53')]
    steer(steering, told.slot ?? 0, family, subnet, peer, turns, drawn, made)
    return chosen(steering, made)
  })
}

function counts(of: readonly string[]): Map<string, number> {
  const counted = new Map<string, number>()
  for (const one of of) counted.set(one, (counted.get(one) ?? 0) + 1)
  return counted
}

describe('shuffle: all, in uniformly random order', () => {
  test('each target is first in 1/n of answers ± 3 σ', () => {
    const answers = asked(steered({}, ...addresses(8)), 10_000)
    const firsts = counts(answers.map(answer => answer[0] ?? ''))
    const sigma = Math.sqrt(10_000 * (1 / 8) * (7 / 8))
    expect(firsts.size).toBe(8)
    for (const count of firsts.values()) expect(Math.abs(count - 1250)).toBeLessThan(3 * sigma)
  })
  test('all 24 orders of four occur, each about as often (χ², 23 degrees, 99.9 %)', () => {
    const orders = counts(asked(steered({}, ...addresses(4)), 10_000).map(answer => answer.join()))
    let chi = 0
    for (const count of orders.values()) chi += (count - 10_000 / 24) ** 2 / (10_000 / 24)
    expect(orders.size).toBe(24)
    expect(chi).toBeLessThan(49.7)
  })
  test('BC-104 twelve thousand answers of twelve: each first 1000 ± 110', () => {
    const answers = asked(steered({}, ...addresses(12)), 12_000)
    for (const count of counts(answers.map(answer => answer[0] ?? '')).values()) {
      expect(Math.abs(count - 1000)).toBeLessThan(110)
    }
  })
  test('BC-105 the order changes from answer to answer', () => {
    const orders = new Set(asked(steered({}, ...addresses(8)), 100).map(answer => answer.join()))
    expect(orders.size).toBeGreaterThan(90)
  })
  test('BC-100 two of sixty: never more, and all in the end', () => {
    const answers = asked(steered({ answers: 2 }, ...addresses(60)), 600)
    expect(answers.every(answer => answer.length === 2 && answer[0] !== answer[1])).toBe(true)
    expect(new Set(answers.flat()).size).toBe(60)
  })
  test('the same seed draws the same', () => {
    const steering = steered({}, ...addresses(8))
    const [one, two] = [decide(steering, '', { seed: 9 }), decide(steering, '', { seed: 9 })]
    expect(chosen(steering, one)).toEqual(chosen(steering, two))
  })
})

describe('rotate: one, the next in turn', () => {
  test('BC-104 twelve thousand answers of twelve: each exactly 1000', () => {
    const answers = asked(steered({ pick: 'rotate' }, ...addresses(12)), 12_000)
    expect(answers.every(answer => answer.length === 1)).toBe(true)
    expect([...counts(answers.flat()).values()]).toEqual(Array(12).fill(1000))
  })
  test('counts differ by at most 1 over any run, and neighbours follow each other', () => {
    const answers = asked(steered({ pick: 'rotate' }, ...addresses(5)), 103).flat()
    const numbers = answers.map(hex => Number.parseInt(hex.slice(6), 16) - 1)
    numbers.slice(1).forEach((number, i) => {
      expect(number).toBe(((numbers[i] ?? 0) + 1) % 5)
    })
    const counted = [...counts(answers).values()]
    expect(Math.max(...counted) - Math.min(...counted)).toBe(1)
  })
  test('A and AAAA asked in pairs both rotate', () => {
    const targets = [...addresses(4), '2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8::4']
    const steering = steered({ pick: 'rotate' }, ...targets)
    const answers = asked(steering, 80, { family: i => (i % 2 === 0 ? 4 : 6) }).flat()
    expect([...counts(answers).values()]).toEqual(Array(8).fill(10))
  })
  test('three at a time, from the one whose turn it is', () => {
    const [first = []] = asked(steered({ pick: 'rotate', answers: 3 }, ...addresses(8)), 1)
    const numbers = first.map(hex => Number.parseInt(hex.slice(6), 16) - 1)
    const start = numbers[0] ?? 0
    expect(numbers).toEqual([start, (start + 1) % 8, (start + 2) % 8])
  })
  test('servers start anywhere', () => {
    const steering = steered({ pick: 'rotate' }, ...addresses(8))
    const starts = Array.from({ length: 60 }, (_, seed) =>
      chosen(steering, decide(steering, '', { seed })).join(),
    )
    expect(new Set(starts).size).toBe(8)
  })
  test('a host name in turn', () => {
    const answers = asked(steered({ pick: 'rotate' }, 'a.example.', 'b.example.'), 10).flat()
    expect([...counts(answers).values()]).toEqual([5, 5])
  })
})

describe('weight 0: only where no other target of the kind is', () => {
  const TABLE = [
    [
      'beside weighted ones',
      ['192.0.2.1=0', '192.0.2.2', '192.0.2.3=5'],
      4,
      ['c0000202', 'c0000203'],
    ],
    ['BC-109 all of weight 0', ['192.0.2.1=0', '192.0.2.2=0'], 4, ['c0000201', 'c0000202']],
    [
      'the only one of its family',
      ['192.0.2.1', '2001:db8::1=0'],
      6,
      ['20010db8000000000000000000000001'],
    ],
  ] as const
  for (const [name, targets, family, expected] of TABLE) {
    test(name, () => {
      const steering = steered({}, ...targets)
      expect(chosen(steering, decide(steering, '', { family })).sort()).toEqual(expected)
    })
  }
})

describe('walking: the first pool with targets of the asked family', () => {
  const policy: Policy = {
    pools: [pool('ipv4', '192.0.2.1'), pool('both', '192.0.2.2', '2001:db8::2')],
    networks: [],
    rules: [rule({ all: [0, 1] })],
  }
  const { steering } = compiled(policy)
  test('BC-124 A from the first pool only', () => {
    expect(chosen(steering, decide(steering, '', { family: 4 }))).toEqual(['c0000201'])
  })
  test('AAAA from the second', () => {
    const made = decide(steering, '', { family: 6 })
    expect(made.pool).toBe(1)
    expect(chosen(steering, made)).toEqual(['20010db8000000000000000000000002'])
  })
  test('none has it: nothing is chosen', () => {
    const only = steered({}, '192.0.2.1')
    expect(decide(only, '', { family: 6 })).toMatchObject({ pool: -1, count: 0 })
  })
})

describe('as many as fit 1232 octets', () => {
  // 1232 − 12 header − owner − 4 − 11 OPT − 24 subnet − 28 cookie − 64 spare, by 16 or 28 octets
  // biome-ignore format: table
  const TABLE = [
    ['A, an owner of 17',      'www.example.com.', {},                              4, 67],
    ['AAAA, an owner of 17',   'www.example.com.', {},                              6, 38],
    ['A, a wildcard',          '*.example.com.',   {},                              4, 52],
    ['A, told to truncate',    'www.example.com.', { truncate: true },              4, 200],
    ['A, fewer asked for',     'www.example.com.', { answers: 8 },                  4, 8],
    ['A, more asked for',      'www.example.com.', { answers: 100 },                4, 67],
    ['A, more, and truncate',  'www.example.com.', { answers: 100, truncate: true }, 4, 100],
  ] as const
  const targets = [...addresses(200), ...addresses(200, '2001:db8::')]
  for (const [name, owner, text, family, expected] of TABLE) {
    test(name, () => {
      const steering = steered({ owner, ...text }, ...targets)
      expect(decide(steering, '', { family }).count).toBe(expected)
    })
  }
  test('told to truncate: as many as fit a TCP message, or there would be no answer at all', () => {
    const many = Array.from({ length: 5000 }, (_, i) => `10.0.${i >> 8}.${i & 255}`)
    const steering = steered({ truncate: true }, ...many)
    expect(decide(steering, '').count).toBe(3740) // 60,000 octets less the same
  })
  test('BC-099 a pool of sixty is given whole', () => {
    expect(decide(steered({}, ...addresses(60)), '').count).toBe(60)
  })
})

describe('turns outlive a reload', () => {
  const rules = (owners: readonly string[]) =>
    owners.map(owner => rule({ owner, pick: 'rotate', all: [0, 1] }))
  const pools = [pool('x', ...addresses(7)), pool('y', '2001:db8::1', '2001:db8::2')]
  const old = compiled({ pools, networks: [], rules: rules(['a.', 'b.']) }).steering
  const turns = startTurns(old, chance(1))
  asked(old, 3, { turns, slot: 1 })
  const [next] = asked(old, 1, { turns: turns.slice(), slot: 1 })

  test('where owner and pool keep their names', () => {
    const policy = { pools: [...pools].reverse(), networks: [], rules: rules(['c.', 'b.', 'a.']) }
    const now = compiled({
      ...policy,
      pools: [pool('y', '2001:db8::1'), pool('x', ...addresses(7))],
    })
    const carried = carryTurns(old, turns, now.steering, chance(2))
    expect(carried).toHaveLength(turnsLength(now.steering))
    expect(asked(now.steering, 1, { turns: carried, slot: 1 })).toEqual([next])
  })
  test('a smaller pool goes on within it', () => {
    const policy = {
      pools: [pool('x', '192.0.2.1')],
      networks: [],
      rules: [rule({ owner: 'b.', all: [0] })],
    }
    const { steering } = compiled(policy)
    const carried = carryTurns(old, turns, steering, chance(2))
    expect(asked(steering, 2, { turns: carried })).toEqual([['c0000201'], ['c0000201']])
  })
})

describe('chance', () => {
  test('xoshiro128** from the state 1, 2, 3, 4', () => {
    // By hand: rotl(2 · 5, 7) · 9 = 1280 · 9, then twice with the state stepped.
    const state = Uint32Array.of(1, 2, 3, 4)
    expect([draw(state), draw(state), draw(state)]).toEqual([11520, 0, 5927040])
  })
  test('a seed is its own sequence, each part of it counts', () => {
    const firsts = [chance(1), chance(2), chance(1, 1), chance(1, 2), chance(0), chance()].map(draw)
    expect(new Set(firsts).size).toBe(6)
    expect(draw(chance(7, 8))).toBe(draw(chance(7, 8)))
  })
  test('below: every value, about as often (χ², 6 degrees, 99.9 %)', () => {
    const state = chance(3)
    const seen = new Uint32Array(7)
    for (let i = 0; i < 70_000; i += 1) seen[below(state, 7)]! += 1
    let chi = 0
    for (const count of seen) chi += (count - 10_000) ** 2 / 10_000
    expect(chi).toBeLessThan(22.5)
  })
  test('below 1 is 0', () => expect(below(chance(1), 1)).toBe(0))
})
