/** Permutation tests: the number of arrangements, p-values that can be worked out by hand, fairness. */
import { describe, expect, test } from 'vitest'
import { arrange, arrangements } from '../../probe/judge/arrange.ts'
import { chance, draw } from '../../probe/judge/chance.ts'
import { combine } from '../../probe/judge/combine.ts'
import { dependence } from '../../probe/judge/dependence.ts'
import { gridOf } from '../../probe/judge/grid.ts'
import type { Observation } from '../../probe/judge/observation.ts'
import { regionTest } from '../../probe/judge/region.ts'
import type { Network } from '../../probe/judge/verify.ts'
import { network4, observe, panel, pool, type Region, some } from './judge-simulate.ts'

describe('how many arrangements there are', () => {
  // biome-ignore format: table
  const TABLE = [
    ['two labels in one block',            [0, 1],             [2],    2],
    ['two alike',                          [0, 0],             [2],    1],
    ['AAB in each of two rounds',          [0, 0, 1, 0, 0, 1], [3, 6], 9],
    ['five of twenty: C(20, 5)',           twenty(5),          [20],   15_504],
    ['three of twelve: C(12, 3)',          twenty(3).slice(0, 12), [12], 220],
  ] as const
  for (const [what, labels, ends, count] of TABLE) {
    test(what, () => {
      const blocks = { labels: Int32Array.from(labels), ends }
      expect(arrangements(blocks)).toBe(count)
      const seen = new Set<string>()
      const arranged = arrange(blocks, 20_000, 1, order => seen.add(order.join()))
      expect(arranged).toEqual({ count, exact: true })
      expect(seen.size).toBe(count)
    })
  }

  test('too many to go through are sampled, the observed one counted in', () => {
    const labels = Int32Array.from({ length: 12 }, (_, at) => at)
    expect(arrange({ labels, ends: [12] }, 50, 1, () => undefined)).toEqual({
      count: 51,
      exact: false,
    })
  })

  test('labels never leave their block', () => {
    const labels = Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    arrange({ labels, ends: [5, 10] }, 99, 1, order => {
      expect([...order.subarray(0, 5)].sort()).toEqual([1, 2, 3, 4, 5])
    })
  })
})

function twenty(ones: number): readonly number[] {
  return Array.from({ length: 20 }, (_, at) => (at < ones ? 1 : 0))
}

describe('the smallest of several p-values is compared with itself', () => {
  test('twice the same statistic is once the statistic', () => {
    const column = Float64Array.from({ length: 100 }, (_, at) => at)
    expect(combine([95], [column]).p).toBe(0.05)
    expect(combine([95, 95], [column, column]).p).toBe(0.05)
  })
  test('the best of two that disagree costs twice', () => {
    const up = Float64Array.from({ length: 100 }, (_, at) => at)
    const down = up.map(value => 99 - value)
    expect(combine([95, 4], [up, down]).p).toBe(0.1)
  })
  test('what no arrangement can reach is said', () => {
    const flat = new Float64Array(100)
    expect(combine([0], [flat])).toEqual({ p: 1, attainable: 1 })
  })
})

type Give = (network: Network, round: number) => readonly string[]

function observed(networks: readonly Network[], rounds: number, give: Give): Observation[] {
  return Array.from({ length: rounds }, (_, at) => at + 1).flatMap(round =>
    networks.map((network, at) =>
      observe(
        network,
        { answers: give(network, round), scope: 24 },
        { round, sequence: 100 * round + at },
      ),
    ),
  )
}

const about = { name: 'www.example.com', type: 'A' }
const trial = { permutations: 19_999, seed: 1, exchange: 'everywhere' } as const
const isUs = ({ region }: Network) => region === 'US'

describe('p-values worked out by hand', () => {
  test('4 × 5, US one set and the rest another: 4 ÷ C(20, 5) = 2.6 · 10⁻⁴', () => {
    const seen = observed(panel(), 4, network => (isUs(network) ? ['a'] : ['b']))
    const region = regionTest(gridOf(seen, about), 0.0005, 19_999, 1)
    expect(region).toMatchObject({ exact: true, arrangements: 15_504, p: 4 / 15_504 })
  })
  test('4 × 3 the same: 4 ÷ C(12, 3) = 0.018, which can never be called', () => {
    const seen = observed(panel(3), 4, network => (isUs(network) ? ['a'] : ['b']))
    const region = regionTest(gridOf(seen, about), 0.0005, 19_999, 1)
    expect(region).toMatchObject({ exact: true, p: 4 / 220, attainable: 4 / 220 })
  })
  test('one of twenty differs in four rounds: 20⁻³', () => {
    const odd = panel()[7]
    const seen = observed(panel(), 4, network => (network.text === odd?.text ? ['a'] : ['b']))
    const level = dependence(gridOf(seen, about), trial)
    expect(level).toMatchObject({ exact: true, arrangements: 8000, p: 1 / 8000 })
  })
  test('two subnets, always different, in eight rounds: 2⁻⁷', () => {
    const two = [network4(20, 1, 0), network4(60, 1, 0)]
    const seen = observed(two, 8, network => [network.text])
    expect(dependence(gridOf(seen, about), trial)).toMatchObject({ exact: true, p: 1 / 128 })
  })
  test('four subnets, all different, in four rounds: 24⁻³', () => {
    const four = [20, 60, 120, 180].map(first => network4(first, 1, 0))
    const seen = observed(four, 4, network => [network.text])
    expect(dependence(gridOf(seen, about), trial)).toMatchObject({ exact: true, p: 24 ** -3 })
  })
  test('everybody changes at once: no difference at all', () => {
    const seen = observed(panel(), 8, (_, round) => [round < 5 ? 'a' : 'b'])
    expect(dependence(gridOf(seen, about), trial)?.p).toBe(1)
  })
})

describe('fairness: under no dependence p falls below x in about x of the runs', () => {
  // 400 runs; four standard deviations over the expected count.
  const RUNS = 400
  // biome-ignore format: table
  const TABLE = [['one of eight', 8, 1], ['two of four', 4, 2], ['one of two', 2, 1]] as const
  for (const [what, size, many] of TABLE) {
    test(what, () => {
      const dice = chance(size)
      const networks = panel(2)
      const ps = Array.from({ length: RUNS }, () => {
        const seen = observed(networks, 4, () => some(pool(1, size), many, dice))
        return (
          dependence(gridOf(seen, about), { ...trial, permutations: 199, seed: draw(dice) })?.p ?? 1
        )
      })
      for (const x of [0.05, 0.1, 0.25]) {
        const below = ps.filter(p => p <= x).length
        expect(below).toBeLessThan(RUNS * x + 4 * Math.sqrt(RUNS * x * (1 - x)))
      }
      expect(ps.filter(p => p <= 0.5).length).toBeGreaterThan(RUNS * 0.3)
    })
  }
})

test('lost replies move nothing: labels change places only where a reply came', () => {
  const dice = chance(5)
  const lost = observed(panel(), 6, () => some(pool(1, 8), 1, dice)).filter(
    () => draw(dice) % 8 !== 0,
  )
  const level = dependence(gridOf(lost, about), { ...trial, permutations: 1999 })
  expect(level?.p).toBeGreaterThan(0.001)
})

test('a region is no more than a name: three regions, renamed, give the same p', () => {
  const rename: Record<Region, string> = { US: 'X', DE: 'Y', JP: 'Z', BR: 'W' }
  const give: Give = network => [network.region ?? '']
  const p = (networks: readonly Network[]) =>
    regionTest(gridOf(observed(networks, 4, give), about), 0.0005, 1999, 1)?.p
  const renamed = panel().map(one => ({ ...one, region: rename[one.region as Region] }))
  expect(p(renamed)).toBe(p(panel()))
})
