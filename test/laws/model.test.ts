/**
 * What our picks do in models, as the mean of five seeds: with queues as others have found it, and
 * with keys as arithmetic has it. `npm run model` prints all of it.
 */
import { describe, expect, test } from 'vitest'
import { type Figure, meanOf, SEEDS } from './figure.ts'
import { MOVES } from './moving.ts'
import { POLICIES } from './policies.ts'

/** One figure simulates 1.5 million requests: two seconds, where nobody else is at work. */
const PATIENCE_MS = 120_000

function hold(figures: readonly Figure[]): void {
  for (const { name, wanted, measure } of figures) {
    if (wanted === undefined) continue
    test(`${name}: ${wanted.text}`, { timeout: PATIENCE_MS }, () => {
      const mean = meanOf(measure())
      expect(mean).toBeGreaterThanOrEqual(wanted.least)
      expect(mean).toBeLessThanOrEqual(wanted.most)
    })
  }
}

describe('99th percentile of time in the system', () => hold(POLICIES))
describe('share of keys that move when a sixth server joins five', () => hold(MOVES))

describe('longer than with another, whatever the seed', () => {
  // biome-ignore format: table
  const TABLE = [
    // the one                 the other               at least so many times
    ['random',                 'rotate',               1],
    ['rotate',                 'two, fresh loads',     1],
    ['two, fresh loads',       'least, fresh loads',   1],
    ['random',                 'two, fresh loads',     2],
    ['random',                 'two, reports every 2', 2],
    ['least, reports every 2', 'rotate',               1],
    ['least, reports every 2', 'two, reports every 2', 1.5],
    ['hash, 500 clients',      'hash, 5,000 clients',  1],
  ] as const
  const seedsOf = (name: string) => POLICIES.find(figure => figure.name === name)?.measure() ?? []

  for (const [one, other, times] of TABLE) {
    test(`${one}: more than ${times} × ${other}`, { timeout: PATIENCE_MS }, () => {
      const shorter = seedsOf(other)
      expect(shorter).toHaveLength(SEEDS.length)
      for (const [seed, longer] of seedsOf(one).entries()) {
        expect(longer).toBeGreaterThan(times * (shorter[seed] ?? Number.NaN))
      }
    })
  }
})
