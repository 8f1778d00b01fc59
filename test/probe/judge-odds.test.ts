/** What so many queries can tell: the figures that the specification computed by hand. */
import { describe, expect, test } from 'vitest'
import {
  binomialTails,
  chanceToSeeAll,
  chao,
  drawsForPool,
  unseenShare,
} from '../../probe/judge/odds.ts'

describe('an address not seen in so many draws has at most this share, 95 %', () => {
  // biome-ignore format: table
  const TABLE = [[20, 0.139], [50, 0.058], [100, 0.03], [0, 1]] as const
  for (const [draws, share] of TABLE) {
    test(`${draws} draws`, () => expect(unseenShare(draws)).toBeCloseTo(share, 3))
  }
})

describe('twenty draws see the whole of a uniform pool', () => {
  // biome-ignore format: table
  const TABLE = [[4, 0.987], [6, 0.848], [8, 0.53], [10, 0.21], [16, 0]] as const
  for (const [pool, chance] of TABLE) {
    test(`of ${pool}`, () => expect(chanceToSeeAll(pool, 20)).toBeCloseTo(chance, 2))
  }
})

describe('the whole pool is seen 19 times in 20 after', () => {
  // biome-ignore format: table
  const TABLE = [[2, 6], [4, 16], [6, 27], [8, 38], [16, 90], [32, 203]] as const
  for (const [pool, draws] of TABLE) {
    test(`${draws} draws for ${pool}`, () => expect(drawsForPool(pool)).toBe(draws))
  }
  test('a pool of a hundred is estimated within one in a hundred', () => {
    // Coupon collector: the n with (1 − e^(−n/100))^100 = 0.95 is 757.
    expect(drawsForPool(100)).toBeGreaterThan(750)
    expect(drawsForPool(100)).toBeLessThan(765)
  })
})

describe("Chao's estimate", () => {
  test('nothing seen once: the pool is complete', () => expect(chao([3, 4, 2])).toBe(3))
  test('f1 = 4, f2 = 3: 12 + 4·3 ÷ 2·4 = 13.5', () => {
    expect(chao([1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4])).toBe(14)
  })
  test('all seen once: many, no number', () => expect(chao([1, 1, 1, 1])).toBeUndefined())
  test('nothing seen: no number', () => expect(chao([])).toBeUndefined())
})

describe('the tail of the binomial', () => {
  test('ten of ten coins', () => expect(binomialTails(10, 0.5)[10]).toBeCloseTo(1 / 1024, 10))
  test('at least one of three sixths', () => {
    expect(binomialTails(3, 1 / 6)[1]).toBeCloseTo(1 - (5 / 6) ** 3, 10)
  })
  test('none is always reached', () => expect(binomialTails(5, 0.1)[0]).toBeCloseTo(1, 10))
})
