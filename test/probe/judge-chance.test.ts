/** Chance that repeats itself, and is fair. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { below, chance, draw, shuffle } from '../../probe/judge/chance.ts'
import { uniformity } from '../../probe/judge/uniform.ts'

test('the same seed draws the same numbers', () => {
  fc.assert(
    fc.property(fc.integer(), seed => {
      const one = chance(seed)
      const other = chance(seed)
      for (let at = 0; at < 8; at += 1) expect(draw(one)).toBe(draw(other))
    }),
  )
})

test('neighbouring seeds draw other numbers', () => {
  const firsts = Array.from({ length: 1000 }, (_, seed) => draw(chance(seed)))
  expect(new Set(firsts).size).toBe(1000)
})

test('below stays below, and shuffling loses nothing', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 1000 }), (seed, bound) => {
      const state = chance(seed)
      expect(below(state, bound)).toBeLessThan(bound)
      const values = Int32Array.from({ length: 20 }, (_, at) => at)
      shuffle(state, values, 5, 15)
      expect([...values.subarray(0, 5)]).toEqual([0, 1, 2, 3, 4])
      expect([...values].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at))
    }),
  )
})

test('each of the six orders of three comes a sixth of the time', () => {
  const state = chance(3)
  const counts = new Map<string, number>()
  for (let at = 0; at < 6000; at += 1) {
    const values = Int32Array.of(1, 2, 3)
    shuffle(state, values, 0, 3)
    counts.set(values.join(), (counts.get(values.join()) ?? 0) + 1)
  }
  expect(counts.size).toBe(6)
  // Five standard deviations of a binomial of 6000 and 1/6: ± 145.
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(145)
})

test('uniformity: two of two addresses, 18 to 2, is p = 422 ÷ 2^20', () => {
  // C(20,0) + C(20,1) + C(20,2) = 211, twice for both tails.
  const p = uniformity([18, 2], 1)
  expect(p).toBeLessThan(0.0012)
  expect(uniformity([10, 10], 1)).toBe(1)
  expect(uniformity([12, 8], 1)).toBeGreaterThan(0.3)
})
