import { describe, expect, test } from 'vitest'
import { below, chance, draw } from '../../server/steer/chance.ts'

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
