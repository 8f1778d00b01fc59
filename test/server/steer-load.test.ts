/** Picking by load, as arithmetic. What comes of it where servers have queues: test/laws/model.test.ts. */
import { describe, expect, test } from 'vitest'
import type { Board } from '../../server/steer/board.ts'
import type { Steering } from '../../server/steer/steering.ts'
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

function loaded(steering: Steering, ...loads: readonly number[]): Board {
  const board = boardWith(steering)
  board.load.set(loads)
  return board
}

describe('least: the lowest load ÷ weight', () => {
  const NONE = Number.NaN
  // biome-ignore format: table
  const TABLE = [
    // rule                                          weights       loads              answer, of three
    ['the least, then the next',                     [1, 1, 1],    [30, 10, 20],      'bca'],
    ['divided by weight: 12, 10, 9',                 [1, 2, 4],    [12, 20, 36],      'cba'],
    ['unknown is the mean of the known: 10, 20, 15', [1, 1, 1],    [10, 20, NONE],    'acb'],
    ['which counts before weights: 10, 20, 15 ÷ 2',  [1, 1, 2],    [10, 20, NONE],    'cab'],
    ['no load at all is a load',                     [1, 1, 1],    [0, 2, 1],         'acb'],
    ['no number is no load',                         [1, 1, 1],    [10, 5, Infinity], 'bca'],
  ] as const
  for (const [name, weights, loads, expected] of TABLE) {
    test(name, () => {
      const targets = weights.map((weight, i) => `192.0.2.${i + 1}=${weight}`)
      const steering = steered({ pick: 'least', answers: 3 }, ...targets)
      const answers = words(asked(steering, 20, { board: loaded(steering, ...loads) }))
      expect(new Set(answers)).toEqual(new Set([expected]))
    })
  }
  test('equal ones: any (χ², 2 degrees, 99.9 %)', () => {
    const steering = steered({ pick: 'least' }, ...addresses(4))
    const answers = words(asked(steering, 3000, { board: loaded(steering, 5, 5, 9, 5) }))
    expect(chiSquare(counts(answers), { a: 1, b: 1, d: 1 })).toBeLessThan(13.9)
  })
  test('a load that the operator fixed', () => {
    const fixed = [{ load: 3 }, { load: 1 }, { load: 2 }]
    const steering = steeredBy({ pick: 'least' }, [poolWith('p', fixed, ...addresses(3))])
    expect(new Set(words(asked(steering, 10)))).toEqual(new Set(['b']))
  })
})

describe('two: the less loaded of two distinct random ones', () => {
  test('of a, b, c, d with loads 1 … 4: 3/6, 2/6, 1/6, never d (χ², 2 degrees, 99.9 %)', () => {
    const steering = steered({ pick: 'two' }, ...addresses(4))
    const answers = words(asked(steering, 6000, { board: loaded(steering, 1, 2, 3, 4) }))
    expect(chiSquare(counts(answers), { a: 3, b: 2, c: 1 })).toBeLessThan(13.9)
  })
  test('divided by weight: b is the less loaded', () => {
    const steering = steered({ pick: 'two' }, '192.0.2.1=1', '192.0.2.2=3')
    const answers = words(asked(steering, 20, { board: loaded(steering, 10, 20) }))
    expect(new Set(answers)).toEqual(new Set(['b']))
  })
  test('equal loads: any (χ², 2 degrees, 99.9 %)', () => {
    const steering = steered({ pick: 'two' }, ...addresses(3))
    const answers = words(asked(steering, 3000, { board: loaded(steering, 5, 5, 5) }))
    expect(chiSquare(counts(answers), { a: 1, b: 1, c: 1 })).toBeLessThan(13.9)
  })
  test('one candidate is taken', () => {
    expect(words(asked(steered({ pick: 'two' }, '192.0.2.1'), 3))).toEqual(['a', 'a', 'a'])
  })
})

describe('no load is known of anybody: weights draw', () => {
  for (const pick of ['two', 'least'] as const) {
    test(`${pick}: 1 / 3 (χ², 1 degree, 99.9 %)`, () => {
      const steering = steered({ pick }, '192.0.2.1=1', '192.0.2.2=3')
      expect(chiSquare(counts(words(asked(steering, 4000))), { a: 1, b: 3 })).toBeLessThan(10.9)
    })
  }
})
