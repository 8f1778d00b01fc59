/**
 * The whole way from rounds to a code, scopes tried, over seeds. Tolerances are five standard
 * deviations of the binomial, or what a false alarm of one in a thousand leaves.
 */
import { expect, test } from 'vitest'
import { timesOf } from './judge-simulate.ts'
import { SCENARIOS } from './scenarios.ts'

// biome-ignore format: table
const TABLE: readonly (readonly [scenario: string, code: string, runs: number, least: number])[] = [
  ['a random one of eight',                'rotation',        20, 20],
  ['a counter over four',                  'rotation',        10, 10],
  // All 60 of the first three rounds alike, 0.9^60 = 0.2 %, would be a single answer: one is allowed.
  ['two, weighted 90 : 10',                'rotation',        15, 14],
  ['four regions, two of four inside',     'geo',              5,  5],
  // The hardest case that is still seen.
  ['two regions, one of eight inside',     'geo',              2,  2],
  ['a hash of the prefix over four sites', 'prefix-sharding', 15, 14],
  // Sometimes too little to tell.
  ['a hash of the prefix over two sites',  'prefix-sharding', 10,  6],
  ['a cache before a random one of eight', 'cached',          10, 10],
]

for (const [name, code, runs, least] of TABLE) {
  test(`${name} is ${code}, whatever the seed`, { timeout: 60_000 }, () => {
    const server = SCENARIOS.find(scenario => scenario.name === name)?.server
    expect(server).toBeDefined()
    const { hits, codes } = timesOf(code, runs, server ?? (() => () => ({})))
    expect(hits, JSON.stringify(codes)).toBeGreaterThanOrEqual(least)
    if (code !== 'geo') expect(codes.geo).toBeUndefined()
  })
}
