/**
 * The sampling plan at a small share of `npm run power`. A row fails where its count would come about
 * less than once in a million runs of the suite, were the plan just as good as it must be: the tail of
 * the binomial at 95 % power, and at 1 % false alarms.
 */
import { describe, expect, test } from 'vitest'
import { SCENARIOS } from './scenarios.ts'
import { atMost, weigh } from './weigh.ts'

const MILLION = 1e-6
const POWER = 0.95
const FALSE_ALARMS = 0.01

const CONTROLS = SCENARIOS.filter(({ kind }) => ['same', 'sticky', 'cached'].includes(kind))
const REGIONAL = SCENARIOS.filter(({ kind }) => kind === 'regional')

describe('real is not said where nothing is', () => {
  for (const scenario of CONTROLS) {
    test(scenario.name, { timeout: 120_000 }, () => {
      const { runs, real } = weigh(scenario, [1, 51])
      expect(1 - atMost(real - 1, runs, FALSE_ALARMS), `${real} of ${runs}`).toBeGreaterThan(
        MILLION,
      )
    })
  }
})

describe('what goes with the region is seen by round 8', () => {
  for (const scenario of REGIONAL) {
    test(scenario.name, { timeout: 120_000 }, () => {
      const { runs, byEight } = weigh(scenario, [1, 13])
      expect(atMost(byEight, runs, POWER), `${byEight} of ${runs}`).toBeGreaterThan(MILLION)
    })
  }
})

describe('the tail of the binomial', () => {
  // biome-ignore format: table
  const TABLE = [
    // at most   of   each    chance, by the formula
    [-1,         5,   0.25,   0],
    [0,          1,   0.25,   0.75],
    [1,          2,   0.5,    0.75],
    [2,          2,   0.5,    1],
    [0,          10,  0.1,    0.9 ** 10],
    [1,          3,   0.5,    0.5],
  ] as const
  for (const [hits, runs, p, expected] of TABLE) {
    test(`at most ${hits} of ${runs} at ${p}`, () =>
      expect(atMost(hits, runs, p)).toBeCloseTo(expected, 12))
  }
})
