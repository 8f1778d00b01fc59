/** Picking by chance and by weight, each row of the spec's table against its check column. */
import { describe, expect, test } from 'vitest'
import type { Pick } from '../../server/steer/rule.ts'
import {
  addresses,
  asked,
  boardWith,
  chiSquare,
  counts,
  poolWith,
  steered,
  steeredBy,
  words,
} from '../kit/draws.ts'
import { chosen, compiled, decide, placesFor, pool, rule } from '../kit/steering.ts'

const PICKS: readonly Pick[] = [
  'shuffle',
  'rotate',
  'random',
  'weighted',
  'smooth',
  'hash',
  'two',
  'least',
  'feedback',
  'fastest',
  'multi',
]

/** Three standard deviations of a count of `times` with chance p. */
function threeSigma(times: number, p: number): number {
  return 3 * Math.sqrt(times * p * (1 - p))
}

describe('shuffle: all, in uniformly random order', () => {
  test('each target is first in 1/n of answers ± 3 σ', () => {
    const answers = asked(steered({}, ...addresses(8)), 10_000)
    const firsts = counts(answers.map(answer => answer[0] ?? ''))
    expect(firsts.size).toBe(8)
    for (const count of firsts.values()) {
      expect(Math.abs(count - 1250)).toBeLessThan(threeSigma(10_000, 1 / 8))
    }
  })
  test('all 24 orders of four occur, each about as often (χ², 23 degrees, 99.9 %)', () => {
    const orders = counts(asked(steered({}, ...addresses(4)), 10_000).map(answer => answer.join()))
    expect(orders.size).toBe(24)
    const alike = Object.fromEntries([...orders.keys()].map(order => [order, 1]))
    expect(chiSquare(orders, alike)).toBeLessThan(49.7)
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

describe('random: one, uniform', () => {
  test('BC-104 twelve thousand answers of twelve (χ², 11 degrees, 99.9 %)', () => {
    const answers = asked(steered({ pick: 'random' }, ...addresses(12)), 12_000)
    expect(answers.every(answer => answer.length === 1)).toBe(true)
    const shares = Object.fromEntries([...'abcdefghijkl'].map(one => [one, 1]))
    expect(chiSquare(counts(words(answers)), shares)).toBeLessThan(31.3)
  })
  test('two at a time: all twelve pairs of four about as often (χ², 11 degrees, 99.9 %)', () => {
    const pairs = counts(
      words(asked(steered({ pick: 'random', answers: 2 }, ...addresses(4)), 6000)),
    )
    expect(pairs.size).toBe(12)
    const alike = Object.fromEntries([...pairs.keys()].map(pair => [pair, 1]))
    expect(chiSquare(pairs, alike)).toBeLessThan(31.3)
  })
})

describe('weighted: chance in proportion to weight, without replacement', () => {
  test('gdnsd 45 / 60 / 75 gives 25.0 / 33.3 / 41.7 %', () => {
    const targets = ['192.0.2.1=45', '192.0.2.2=60', '192.0.2.3=75']
    const shares = counts(words(asked(steered({ pick: 'weighted' }, ...targets), 60_000)))
    for (const [target, p] of [
      ['a', 0.25],
      ['b', 1 / 3],
      ['c', 0.4167],
    ] as const) {
      expect(Math.abs((shares.get(target) ?? 0) - 60_000 * p)).toBeLessThan(threeSigma(60_000, p))
    }
  })
  test('BC-107 15 / 15 / 35 / 35: never empty, each share within 3 σ', () => {
    const targets = ['192.0.2.1=15', '192.0.2.2=15', '192.0.2.3=35', '192.0.2.4=35']
    const answers = asked(steered({ pick: 'weighted' }, ...targets), 10_000)
    expect(answers.every(answer => answer.length === 1)).toBe(true)
    const shares = counts(words(answers))
    for (const [target, p] of [
      ['a', 0.15],
      ['b', 0.15],
      ['c', 0.35],
      ['d', 0.35],
    ] as const) {
      expect(Math.abs((shares.get(target) ?? 0) - 10_000 * p)).toBeLessThan(threeSigma(10_000, p))
    }
  })
  test('BC-108 weights count in a pool reached by continent, and the scope is its leaf', () => {
    const policy = {
      pools: [pool('EU', '192.0.2.1=900', '192.0.2.2=100'), pool('D', '192.0.2.9')],
      rules: [rule({ pick: 'weighted', continents: { EU: [0] }, default: [1] })],
    }
    const europe = { continent: { code: 'EU' } }
    const places = placesFor(policy, { networks: [['198.51.100.0/24', europe]] })
    const { steering } = compiled(policy, places)
    const answers = asked(steering, 2000, { subnet: () => '198.51.100.0/24' })
    const heavy = counts(words(answers)).get('a') ?? 0
    expect(Math.abs(heavy - 1800)).toBeLessThan(threeSigma(2000, 0.9))
    expect(decide(steering, '198.51.100.0/24').scope).toBe(24)
  })
  test('BC-110 both of 1 / 9 in every answer, the heavy one first in 90 %', () => {
    const steering = steered({ pick: 'weighted', answers: 2 }, '192.0.2.1=1', '192.0.2.2=9')
    const orders = counts(words(asked(steering, 1000)))
    expect([...orders.keys()].sort()).toEqual(['ab', 'ba'])
    expect(Math.abs((orders.get('ba') ?? 0) - 900)).toBeLessThan(threeSigma(1000, 0.9))
  })
  test('geodns max_hosts: two of 1 / 2 / 3 as drawn without replacement (χ², 5 degrees)', () => {
    const steering = steered(
      { pick: 'weighted', answers: 2 },
      '192.0.2.1=1',
      '192.0.2.2=2',
      '192.0.2.3=3',
    )
    // The first by w ÷ 6, the second by w ÷ what is left.
    const shares = {
      ab: (1 / 6) * (2 / 5),
      ac: (1 / 6) * (3 / 5),
      ba: (2 / 6) * (1 / 4),
      bc: (2 / 6) * (3 / 4),
      ca: (3 / 6) * (1 / 3),
      cb: (3 / 6) * (2 / 3),
    }
    expect(chiSquare(counts(words(asked(steering, 20_000))), shares)).toBeLessThan(20.5)
  })
  test('the greatest weights and many of them do not overflow', () => {
    const many = Array.from({ length: 20_000 }, (_, i) => `10.0.${i >> 8}.${i & 255}=65535`)
    const steering = steered({ pick: 'weighted' }, ...many)
    const halves = counts(asked(steering, 200).map(([one = '']) => one < '0a002710'))
    expect(Math.abs((halves.get(true) ?? 0) - 100)).toBeLessThan(threeSigma(200, 0.5))
  })
})

describe('feedback: chance in proportion to capacity', () => {
  const steering = steeredBy({ pick: 'feedback' }, [
    poolWith('p', [{ capacity: 10 }, { capacity: 30 }, {}], ...addresses(3)),
  ])
  test('10 / 30 / unknown is 10 / 30 / 20: unknown is the mean (χ², 2 degrees, 99.9 %)', () => {
    const shares = counts(words(asked(steering, 6000)))
    expect(chiSquare(shares, { a: 10, b: 30, c: 20 })).toBeLessThan(13.8)
  })
  test('the mean of the candidates: who is down does not count', () => {
    const board = boardWith(steering, 'c0000201')
    const shares = counts(words(asked(steering, 6000, { board })))
    expect(chiSquare(shares, { b: 30, c: 30 })).toBeLessThan(10.8)
  })
  test('nothing known: alike, whatever the weights', () => {
    const plain = steered({ pick: 'feedback' }, '192.0.2.1=1', '192.0.2.2=9')
    expect(chiSquare(counts(words(asked(plain, 4000))), { a: 1, b: 1 })).toBeLessThan(10.8)
  })
  test('no capacity anywhere: alike, not nothing', () => {
    const board = boardWith(steering)
    board.share.fill(0)
    const shares = counts(words(asked(steering, 3000, { board })))
    expect(chiSquare(shares, { a: 1, b: 1, c: 1 })).toBeLessThan(13.8)
  })
})

describe('fastest: chance inverse to latency, at least 1 % of an average share', () => {
  const steering = steered({ pick: 'fastest', answers: 1 }, ...addresses(4))
  const timed = (...milliseconds: readonly number[]) => {
    const board = boardWith(steering)
    board.latency.set(milliseconds)
    return board
  }
  test('10 / 20 / 40 / 40 ms is 4 : 2 : 1 : 1 (χ², 3 degrees, 99.9 %)', () => {
    const answers = asked(steering, 8000, { board: timed(10, 20, 40, 40) })
    expect(chiSquare(counts(words(answers)), { a: 4, b: 2, c: 1, d: 1 })).toBeLessThan(16.3)
  })
  test('a target a million times slower has 1 % of an average share: 1 of 400', () => {
    const answers = asked(steering, 80_000, { board: timed(10, 10, 10, 1e7) })
    const slow = counts(words(answers)).get('d') ?? 0
    expect(Math.abs(slow - 200)).toBeLessThan(threeSigma(80_000, 1 / 400))
  })
  test('unknown is the mean', () => {
    const answers = asked(steering, 6000, { board: timed(10, 30, Number.NaN, 20) })
    expect(chiSquare(counts(words(answers)), { a: 6, b: 2, c: 3, d: 3 })).toBeLessThan(16.3)
  })
  test('no time at all is no division by zero', () => {
    const answers = asked(steering, 400, { board: timed(0, 0, 0, 0) })
    expect(chiSquare(counts(words(answers)), { a: 1, b: 1, c: 1, d: 1 })).toBeLessThan(16.3)
  })
})

describe('multi: each by itself, weight ÷ greatest weight', () => {
  test('gdnsd 45 / 60 / 60: the heaviest always, all three 75 % of the time', () => {
    const targets = ['192.0.2.1=45', '192.0.2.2=60', '192.0.2.3=60']
    const answers = words(asked(steered({ pick: 'multi' }, ...targets), 20_000))
    const sets = counts(answers.map(answer => [...answer].sort().join('')))
    expect([...sets.keys()].sort()).toEqual(['abc', 'bc'])
    expect(Math.abs((sets.get('abc') ?? 0) - 15_000)).toBeLessThan(threeSigma(20_000, 0.75))
  })
  test('their order is random: each of two equal ones is first half of the time', () => {
    const steering = steered({ pick: 'multi' }, '192.0.2.1', '192.0.2.2')
    const answers = words(asked(steering, 10_000))
    const first = counts(answers.map(answer => answer[0] ?? ''))
    expect(answers.every(answer => answer.length === 2)).toBe(true)
    expect(Math.abs((first.get('a') ?? 0) - 5000)).toBeLessThan(threeSigma(10_000, 0.5))
  })
  test('answers caps what was drawn, and none is empty', () => {
    const targets = ['192.0.2.1=1', '192.0.2.2=65535', '192.0.2.3=65535']
    const answers = asked(steered({ pick: 'multi', answers: 1 }, ...targets), 1000)
    expect(answers.every(answer => answer.length === 1)).toBe(true)
  })
})

describe('weight 0: only where no weighted target of the kind is up', () => {
  // biome-ignore format: table
  const TABLE = [
    // rule                                               targets                                          down          candidates
    ['BC-109 0 / 5: the weighted one',                    ['192.0.2.1=0', '192.0.2.2=5'],                  [],           'b'],
    ['Route 53: 0 only when all others are unhealthy',    ['192.0.2.1=0', '192.0.2.2=5', '192.0.2.3=1'],   ['c0000202'], 'c'],
    ['Route 53: and then it serves',                      ['192.0.2.1=0', '192.0.2.2=5'],                  ['c0000202'], 'a'],
    ['Route 53: all unhealthy is all healthy',            ['192.0.2.1=0', '192.0.2.2=5', '192.0.2.3=1'],   ['c0000201', 'c0000202', 'c0000203'], 'bc'],
    ['BC-109 0 / 0: both, alike',                         ['192.0.2.1=0', '192.0.2.2=0'],                  [],           'ab'],
    ['BC-109 0 / 0 and one is down',                      ['192.0.2.1=0', '192.0.2.2=0'],                  ['c0000201'], 'b'],
  ] as const
  describe.each(PICKS)('%s', pick => {
    for (const [name, targets, down, expected] of TABLE) {
      test(name, () => {
        const steering = steered({ pick, answers: 1 }, ...targets)
        const answers = asked(steering, 200, {
          board: boardWith(steering, ...down),
          subnet: i => `198.51.${i}.0/24`,
        })
        expect(answers.every(answer => answer.length === 1)).toBe(true)
        expect([...new Set(words(answers))].sort().join('')).toBe(expected)
      })
    }
    test('the only one of its family', () => {
      const steering = steered({ pick, answers: 8 }, '192.0.2.1', '2001:db8::1=0')
      const made = decide(steering, '', { family: 6 })
      expect(chosen(steering, made)).toEqual(['20010db8000000000000000000000001'])
    })
  })
})

describe('answers: at most so many, never the same one twice', () => {
  describe.each(PICKS)('%s', pick => {
    for (const [answers, expected] of [
      [1, 1],
      [3, 3],
      [8, 5],
    ] as const) {
      test(`${answers} of five up are ${expected}`, () => {
        const steering = steered({ pick, answers }, ...addresses(6))
        const board = boardWith(steering, 'c0000203')
        for (const answer of words(asked(steering, 50, { board }))) {
          expect([...new Set(answer)]).toHaveLength(expected)
          expect(answer).not.toContain('c')
        }
      })
    }
    test('a host name, alone', () => {
      const steering = steered({ pick, answers: 3 }, 'a.example.', 'b.example.')
      const made = decide(steering, '', { family: 6 })
      expect(made).toMatchObject({ alias: true, count: 1 })
    })
  })
})
