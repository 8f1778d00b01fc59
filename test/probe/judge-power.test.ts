/**
 * How often the plan of 4 × 5 subnets is right, over seeds. Tolerances are five standard deviations
 * of the binomial, or what a false alarm of one in a thousand leaves.
 */
import { expect, test } from 'vitest'
import { below } from '../../probe/judge/chance.ts'
import { pool, regionOf, type Server, some, timesOf } from './judge-simulate.ts'

const EIGHT = pool(1, 8)
const OTHERS = pool(11, 8)
const SITES = { US: EIGHT, DE: OTHERS, JP: pool(21, 8), BR: pool(31, 8) }

/** A random function of the prefix, another one for each seed. */
function sharding(kinds: number): (seed: number) => Server {
  return seed => {
    const site = new Map<string, number>()
    let state = seed * 7919
    return ({ network }) => {
      const key = network?.text ?? ''
      state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x297a2d39
      const mine = site.get(key) ?? (state >>> 0) % kinds
      site.set(key, mine)
      return { answers: [`198.51.100.${mine}`], scope: 24 }
    }
  }
}

test('a random one of eight is rotation, whatever the seed', () => {
  const { codes } = timesOf('rotation', 20, () => ({ chance }) => ({
    answers: some(EIGHT, 1, chance),
    scope: 0,
  }))
  expect(codes).toEqual({ rotation: 20 })
})

test('a counter over four is rotation, whatever the seed', () => {
  const { codes } = timesOf('rotation', 10, () => ({ turn }) => ({
    answers: [EIGHT[turn % 4] ?? ''],
    scope: 0,
  }))
  expect(codes).toEqual({ rotation: 10 })
})

test('nine to one is rotation, whatever the seed', () => {
  const nine: Server = ({ chance }) => ({
    answers: [EIGHT[below(chance, 10) ? 0 : 1] ?? ''],
    scope: 0,
  })
  const { hits } = timesOf('rotation', 15, () => nine)
  // All 60 of the first three rounds alike, 0.9^60 = 0.2 %, would be a single answer: one is allowed.
  expect(hits).toBeGreaterThanOrEqual(14)
})

test('two of four inside each of four regions is geography', () => {
  const server: Server = ({ network, chance }) => ({
    answers: some(SITES[regionOf(network)].slice(0, 4), 2, chance),
    scope: 6,
  })
  expect(timesOf('geo', 5, () => server).hits).toBe(5)
})

test('two regions, one of eight inside each: the hardest case that is still seen', () => {
  const server: Server = ({ network, chance }) => ({
    answers: some(regionOf(network) === 'US' ? EIGHT : OTHERS, 1, chance),
    scope: 6,
  })
  expect(timesOf('geo', 2, () => server).hits).toBe(2)
})

test('a hash of the prefix over four sites is no geography', () => {
  const { hits, codes } = timesOf('prefix-sharding', 15, sharding(4))
  expect(codes.geo).toBeUndefined()
  expect(hits).toBeGreaterThanOrEqual(14)
})

test('a hash over two sites is no geography, though sometimes too little to tell', () => {
  const { hits, codes } = timesOf('prefix-sharding', 10, sharding(2))
  expect(codes.geo).toBeUndefined()
  expect(hits).toBeGreaterThanOrEqual(6)
})
