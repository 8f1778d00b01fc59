/** The arithmetic of the bench: medians, percentiles, what /proc says, how rounds become rows. */
import { describe, expect, test } from 'vitest'
import { megabytesOf, nanosOf, ticksOf } from '../bench/machine/proc.ts'
import { type Column, figureOf, type Result, rowsOf } from '../bench/result.ts'
import { count, histogram, median, mostWithin, percentile } from '../bench/statistics.ts'
import { tableText } from '../bench/table.ts'
import { verdicts } from '../bench/targets.ts'

test.each([
  ['none', [], Number.NaN],
  ['one', [7], 7],
  ['odd, out of order', [9, 1, 5], 5],
  ['even: the mean of the middle two', [4, 1, 3, 2], 2.5],
  ['by value, not as text', [10, 9, 100], 10],
] as const)('median of %s', (_, values, expected) => {
  expect(median(values)).toEqual(expected)
})

test.each([
  ['none', [], 0],
  ['what is a span apart is not within it', [0, 10, 20], 1],
  ['what is less apart is', [0, 9, 18, 27], 2],
  ['in any order', [30, 1, 2, 31, 32, 3, 33], 4],
] as const)('the most within a span of 10: %s', (_, times, expected) => {
  expect(mostWithin(times, 10)).toBe(expected)
})

describe('percentiles', () => {
  const of = (latencies: readonly number[]) => {
    const made = histogram()
    for (const micros of latencies) count(made, micros)
    return made
  }
  const hundred = of(Array.from({ length: 100 }, (_, i) => i + 1))

  test.each([
    [0.5, 50],
    [0.99, 99],
    [1, 100],
  ])('of 1 … 100 µs, %d is %d µs', (share, micros) => {
    const found = percentile(hundred, share)
    expect(found).toBeGreaterThanOrEqual(micros)
    expect(found).toBeLessThanOrEqual(micros * (1 + 1 / 64))
  })

  test.each([0, 0.1, 15.9, 16, 17.3, 255, 4_000, 123_456, 9_999_999])(
    'a lone latency of %d µs comes back within a 64th, and never shorter',
    micros => {
      const found = percentile(of([micros]), 0.5)
      expect(found).toBeGreaterThanOrEqual(micros)
      expect(found).toBeLessThanOrEqual(micros * (1 + 1 / 64) + 1 / 8)
    },
  )

  test('one in a thousand shows in p99.9 and not in p99', () => {
    const latencies = of([...Array(998).fill(10), 5_000, 5_000])
    expect(percentile(latencies, 0.99)).toBeLessThan(11)
    expect(percentile(latencies, 0.999)).toBeGreaterThanOrEqual(5_000)
  })

  test('nothing counted is no number', () => {
    expect(percentile(histogram(), 0.5)).toBeNaN()
  })
})

test.each([
  ['a plain name', '1 (node) S 0 1 1 0 -1 4 9 9 9 9 250 50 7 7 20', 300],
  ['a name with blanks and parentheses', '1 (a) b (c)) R 0 1 1 0 -1 4 9 9 9 9 3 4 7 7 20', 7],
])('proc(5): user and system time, %s', (_, stat, ticks) => {
  expect(ticksOf(stat)).toBe(ticks)
})

test('memory is in MB of a million octets; a row that is not there is 0', () => {
  const status = 'VmPeak:\t  999999 kB\nVmRSS:\t   12500 kB\nRssAnon:\t 1 kB\n'
  expect(megabytesOf(status, 'VmRSS')).toBe(12.8)
  expect(megabytesOf(status, 'Pss')).toBe(0)
})

test('schedstat begins with nanoseconds', () => {
  expect(nanosOf('106828745 31186876 773\n')).toBe(106_828_745)
})

const COLUMNS: readonly Column[] = [
  { key: 'micros', title: 'µs/query', digits: 2, fold: 'median' },
  { key: 'lost', title: 'lost', digits: 0, fold: 'sum' },
]

function result(workload: string, micros: Readonly<Record<string, readonly number[]>>): Result {
  const samples = Object.entries(micros).flatMap(([server, values]) =>
    values.map(value => ({ server, figures: { micros: value, lost: 1 } })),
  )
  return { workload, title: 'a title', columns: COLUMNS, samples, ratio: 'micros', notes: ['so'] }
}

const MIXED = result('mixed', { echo: [2, 3, 1], lbdns: [3, 9, 2.5], gdnsd: [4, 4, 4] })

test('rounds become medians, and what counts against a server is added up', () => {
  expect(rowsOf(MIXED).map(({ server, figures }) => [server, ...figures.values()])).toEqual([
    ['echo', 2, 3],
    ['lbdns', 3, 3],
    ['gdnsd', 4, 3],
  ])
  expect(figureOf([MIXED], 'mixed', 'gdnsd', 'micros')).toBe(4)
  expect(figureOf([MIXED], 'mixed', 'knot', 'micros')).toBeUndefined()
  expect(figureOf([MIXED], 'ecs', 'gdnsd', 'micros')).toBeUndefined()
})

test('a table has ratios to the floor and to ours, and its notes', () => {
  expect(tableText(MIXED)).toBe(`mixed: a title
  server  µs/query  lost  ÷ echo  ÷ lbdns
  echo        2.00     3    1.00     0.67
  lbdns       3.00     3    1.50     1.00
  gdnsd       4.00     3    2.00     1.33
  so
`)
})

test.each([
  ['CPU per query, mixed, ÷ echo', 1.5, false],
  ['CPU per query, mixed, ÷ gdnsd', 0.75, true],
  ['CPU per query, mixed, ÷ Knot', undefined, undefined],
])('target: %s', (figure, measured, met) => {
  const verdict = verdicts([MIXED]).find(one => one.figure === figure)
  expect([verdict?.measured, verdict?.met]).toEqual([measured, met])
})
