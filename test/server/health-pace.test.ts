/**
 * When tries start: at points of an interval that are spread evenly, without drift, faster while
 * something is wrong, and never many at once.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstDue, newDue, nextDue, nextPhase } from '../../server/health/pace.ts'
import { type Tally, take, tally } from '../../server/health/tally.ts'
import type { Check } from '../../server/steer/trial.ts'
import { mostWithin } from '../bench/statistics.ts'

function checkOf(every: number, fastEvery = every): Check {
  const trial = { kind: 'tcp', port: 80 } as const
  const pace = { every, fastEvery, timeout: 1, fall: 3, rise: 2, maxAge: 30 }
  return { name: '', ...pace, initial: 'up', trial }
}

function tallyOf(history: string): Tally {
  const known = tally('up')
  for (const letter of history) take(known, checkOf(10), letter === 'p' ? 'passed' : 'failed', 0)
  return known
}

function phases(count: number, first = 0.3): number[] {
  const all = [first]
  while (all.length < count) all.push(nextPhase(all.at(-1)!))
  return all
}

const mostInASecond = (times: readonly number[]): number => mostWithin(times, 1000)

describe('the next try', () => {
  // biome-ignore format: table
  test.each([
    // clause                                     phase every fast  tries    last was due  next is due
    ['once in each interval',                      0.3,  10,  10,  'pp',     13_000,       23_000],
    ['failing: after `fastEvery`',                 0.3,  10,   2,  'ppf',    13_000,       15_000],
    ['down: after `fastEvery`',                    0.3,  10,   2,  'fffp',   15_000,       17_000],
    ['well again: at its point of the interval',   0.3,  10,   2,  'ppfp',   15_000,       23_000],
    ['up again: at its point of the interval',     0.3,  10,   2,  'fffpp',  19_000,       23_000],
    ['its point is right now: the one after',      0.3,  10,   2,  'ppfp',   23_000,       33_000],
    ['its point is soon: that one',                0.3,  10,   2,  'ppfp',   22_900,       23_000],
    ['unproven, and it is soon: the one after',    0.3,  10,  10,  'p',      12_900,       23_000],
    ['unproven, and it is half an interval away',  0.3,  10,  10,  'p',      17_000,       23_000],
    ['unproven and failing',                       0.3,  10,   2,  'f',      12_900,       14_900],
  ] as const)('%s', (_, phase, every, fast, history, last, due) => {
    expect(nextDue(last, phase, checkOf(every, fast), tallyOf(history))).toBeCloseTo(due, 3)
  })

  test('does not drift: a year later it is at the same point', () => {
    const check = checkOf(10)
    const known = tallyOf('pp')
    let due = 3000
    for (let i = 0; i < 3_153_600; i += 1) due = nextDue(due, 0.3, check, known)
    expect(due).toBeCloseTo(3000 + 31_536_000_000, 2)
  })

  test('law: proven, it comes within `every`, whatever happens; failing, after `fastEvery`', () => {
    const row = fc.array(fc.constantFrom('passed', 'failed'), { maxLength: 100 })
    const share = fc.double({ min: 0.01, max: 1, noNaN: true })
    const phase = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(row, share, phase, (outcomes, fast, at) => {
        const check = checkOf(10, 10 * fast)
        const known = tallyOf('pp')
        let due = 10_000 * at
        for (const outcome of outcomes) {
          take(known, check, outcome as 'passed' | 'failed', due)
          const gap = nextDue(due, at, check, known) - due
          const most = known.up && known.failures === 0 ? 10_000 : 10_000 * fast
          expect(gap).toBeGreaterThan(0)
          expect(gap).toBeLessThanOrEqual(most + 1)
          due += gap
        }
      }),
    )
  })

  // biome-ignore format: table
  test.each([
    // clause                                       phase every  tries   due       now      is due
    ['a shorter interval: soon enough for it',      0.5,   4,   'pp',  63_000,   10_000,   10_000 + 4000],
    ['a longer one: as it was',                     0.5,  60,   'pp',  13_000,   10_000,   13_000],
  ] as const)('under new numbers, %s', (_, phase, every, history, due, now, expected) => {
    expect(newDue(due, now, phase, checkOf(every), tallyOf(history))).toBe(expected)
  })
})

describe('phases', () => {
  test('any hundred in a row are spread evenly: 8 … 12 in each tenth', () => {
    const all = phases(5000)
    for (let from = 0; from + 100 <= all.length; from += 37) {
      const tenths = new Uint8Array(10)
      for (const phase of all.slice(from, from + 100)) tenths[Math.floor(10 * phase)]! += 1
      expect(Math.min(...tenths)).toBeGreaterThanOrEqual(8)
      expect(Math.max(...tenths)).toBeLessThanOrEqual(12)
    }
  })
})

describe('the first round', () => {
  const round = (count: number, every: number) =>
    phases(count).map(phase => firstDue(5000, phase, checkOf(every), count) - 5000)

  // biome-ignore format: table
  test.each([
    // clause                             watches every  takes at most s  starts in any second at most
    ['a small site: at once',                  5,  10,   0.1,             5],
    ['fifty: within a second',                50,  10,   1,               50],
    ['two hundred, rarely: fifty a second',  200,  60,   4,               52],
    ['many: the whole interval',            1000,  10,   10,              102],
    ['very many',                         10_000,  10,   10,              1005],
    ['few, but often',                        20,   1,   0.4,             20],
  ] as const)('%s', (_, count, every, seconds, most) => {
    const times = round(count, every)
    expect(Math.max(...times)).toBeLessThanOrEqual(1000 * seconds)
    expect(Math.min(...times)).toBeGreaterThan(0)
    expect(mostInASecond(times)).toBeLessThanOrEqual(most)
  })

  test('law: with the second round behind it, no second has more than 2 × max(50, sum of 1 / every)', () => {
    const groups = fc.array(
      fc.record({
        count: fc.integer({ min: 1, max: 700 }),
        every: fc.integer({ min: 1, max: 60 }),
      }),
      { minLength: 1, maxLength: 4 },
    )
    const start = fc.double({ min: 0, max: 0.999, noNaN: true })
    fc.assert(
      fc.property(groups, start, (sizes, first) => {
        const checks = sizes.flatMap(({ count, every }) => Array(count).fill(checkOf(every)))
        const rate = sizes.reduce((sum, { count, every }) => sum + count / every, 0)
        const all = phases(checks.length, first)
        const times = checks.flatMap((check: Check, i) => {
          const phase = all[i]!
          const begun = firstDue(0, phase, check, checks.length)
          const second = nextDue(begun, phase, check, tallyOf('p'))
          return [begun, second, nextDue(second, phase, check, tallyOf('pp'))]
        })
        // Evenly is not perfectly: each group may have a few more at one place than elsewhere.
        const few = 4 * sizes.length
        expect(mostInASecond(times)).toBeLessThanOrEqual(2 * Math.max(50, rate) + few)
      }),
      { numRuns: 60 },
    )
  })
})

test('a thousand that fail together and recover together are spread evenly again', () => {
  const check = checkOf(10, 1)
  const again = phases(1000).map(phase => {
    // All were tried every second of an outage, and pass in its last second.
    const last = 100_000 + ((10_000 * phase) % 1000)
    return nextDue(last, phase, check, tallyOf('fffpp'))
  })
  expect(mostInASecond(again)).toBeLessThanOrEqual(110)
  expect(Math.max(...again) - 100_000).toBeLessThanOrEqual(11_000)
})
