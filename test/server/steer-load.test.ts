/**
 * Picking by load, as arithmetic and in a model: servers with queues, of which the board knows only
 * what was true a while ago.
 */
import { describe, expect, test } from 'vitest'
import { type Board, openBoard } from '../../server/steer/board.ts'
import { type Chance, chance, draw } from '../../server/steer/chance.ts'
import { decision } from '../../server/steer/decision.ts'
import type { Pick } from '../../server/steer/rule.ts'
import { steer } from '../../server/steer/steer.ts'
import type { Steering } from '../../server/steer/steering.ts'
import { startTurns } from '../../server/steer/turns.ts'
import {
  addresses,
  asked,
  boardWith,
  chiSquare,
  counts,
  poolWith,
  steered,
  steeredBy,
  words,
} from '../kit/draws.ts'
import { peerOf, subnetOf } from '../kit/steering.ts'

function loaded(steering: Steering, ...loads: readonly number[]): Board {
  const board = boardWith(steering)
  board.load.set(loads)
  return board
}

describe('least: the lowest load ÷ weight', () => {
  const NONE = Number.NaN
  // biome-ignore format: table
  const TABLE = [
    // rule                                          weights       loads              answer, of three
    ['the least, then the next',                     [1, 1, 1],    [30, 10, 20],      'bca'],
    ['divided by weight: 12, 10, 9',                 [1, 2, 4],    [12, 20, 36],      'cba'],
    ['unknown is the mean of the known: 10, 20, 15', [1, 1, 1],    [10, 20, NONE],    'acb'],
    ['which counts before weights: 10, 20, 15 ÷ 2',  [1, 1, 2],    [10, 20, NONE],    'cab'],
    ['no load at all is a load',                     [1, 1, 1],    [0, 2, 1],         'acb'],
    ['no number is no load',                         [1, 1, 1],    [10, 5, Infinity], 'bca'],
  ] as const
  for (const [name, weights, loads, expected] of TABLE) {
    test(name, () => {
      const targets = weights.map((weight, i) => `192.0.2.${i + 1}=${weight}`)
      const steering = steered({ pick: 'least', answers: 3 }, ...targets)
      const answers = words(asked(steering, 20, { board: loaded(steering, ...loads) }))
      expect(new Set(answers)).toEqual(new Set([expected]))
    })
  }
  test('equal ones: any (χ², 2 degrees, 99.9 %)', () => {
    const steering = steered({ pick: 'least' }, ...addresses(4))
    const answers = words(asked(steering, 3000, { board: loaded(steering, 5, 5, 9, 5) }))
    expect(chiSquare(counts(answers), { a: 1, b: 1, d: 1 })).toBeLessThan(13.9)
  })
  test('a load that the operator fixed', () => {
    const fixed = [{ load: 3 }, { load: 1 }, { load: 2 }]
    const steering = steeredBy({ pick: 'least' }, [poolWith('p', fixed, ...addresses(3))])
    expect(new Set(words(asked(steering, 10)))).toEqual(new Set(['b']))
  })
})

describe('two: the less loaded of two distinct random ones', () => {
  test('of a, b, c, d with loads 1 … 4: 3/6, 2/6, 1/6, never d (χ², 2 degrees, 99.9 %)', () => {
    const steering = steered({ pick: 'two' }, ...addresses(4))
    const answers = words(asked(steering, 6000, { board: loaded(steering, 1, 2, 3, 4) }))
    expect(chiSquare(counts(answers), { a: 3, b: 2, c: 1 })).toBeLessThan(13.9)
  })
  test('divided by weight: b is the less loaded', () => {
    const steering = steered({ pick: 'two' }, '192.0.2.1=1', '192.0.2.2=3')
    const answers = words(asked(steering, 20, { board: loaded(steering, 10, 20) }))
    expect(new Set(answers)).toEqual(new Set(['b']))
  })
  test('equal loads: any (χ², 2 degrees, 99.9 %)', () => {
    const steering = steered({ pick: 'two' }, ...addresses(3))
    const answers = words(asked(steering, 3000, { board: loaded(steering, 5, 5, 5) }))
    expect(chiSquare(counts(answers), { a: 1, b: 1, c: 1 })).toBeLessThan(13.9)
  })
  test('one candidate is taken', () => {
    expect(words(asked(steered({ pick: 'two' }, '192.0.2.1'), 3))).toEqual(['a', 'a', 'a'])
  })
})

describe('no load is known of anybody: weights draw', () => {
  for (const pick of ['two', 'least'] as const) {
    test(`${pick}: 1 / 3 (χ², 1 degree, 99.9 %)`, () => {
      const steering = steered({ pick }, '192.0.2.1=1', '192.0.2.2=3')
      expect(chiSquare(counts(words(asked(steering, 4000))), { a: 1, b: 3 })).toBeLessThan(10.9)
    })
  }
})

describe('the model: 16 queues at 80 %, log-normal service, Poisson arrivals', () => {
  // Age of the loads in mean services, and the 99th percentile that spec/background.md gives.
  // biome-ignore format: table
  const FIGURES = [
    ['random', 0, 25.07],
    ['two',    0, 8.86],
    ['two',    2, 10.52],
    ['least',  0, 6.06],
    ['least',  2, 19.95],
  ] as const
  const runs = FIGURES.map(([pick, age]) => [1, 2, 3].map(seed => ninetyNinth({ pick, age, seed })))
  const [random, two, lateTwo, least, lateLeast] = runs

  for (const [run, [pick, age, figure]] of FIGURES.entries()) {
    test(`${pick}, loads ${age} services old: ${figure} within a tenth`, () => {
      const mean = (runs[run] ?? []).reduce((sum, time) => sum + time / 3, 0)
      expect(Math.abs(mean / figure - 1)).toBeLessThan(0.1)
    })
  }
  test('two beats random by half with every seed, however old the loads', () => {
    for (const [i, time] of (random ?? []).entries()) {
      expect(two?.[i]).toBeLessThan(time / 2)
      expect(lateTwo?.[i]).toBeLessThan(time / 1.9)
    }
  })
  test('least is the best with fresh loads, and two with old ones', () => {
    for (const [i, time] of (two ?? []).entries()) expect(least?.[i]).toBeLessThan(time)
    for (const [i, time] of (lateTwo ?? []).entries())
      expect(time).toBeLessThan(lateLeast?.[i] ?? 0)
  })
})

const SERVERS = 16
const REQUESTS = 20_000
const LOAD = 0.8
const SIGMA = 0.85

type Model = {
  readonly pick: Pick
  /** How old a load may be: every so many mean services all are reported. 0: always fresh. */
  readonly age: number
  readonly seed: number
}

/** The 99th percentile of the time in the system, in mean services. */
function ninetyNinth({ pick, age, seed }: Model): number {
  const steering = steered({ pick }, ...addresses(SERVERS))
  const board = openBoard(steering)
  const made = decision()
  const [events, drawn] = [chance(seed), chance(seed, 1)]
  const turns = startTurns(steering, drawn)
  const [nobody, peer] = [subnetOf(''), peerOf('192.0.2.53')]
  /** By server: when each of its requests will have been served, ascending. */
  const queues = Array.from({ length: SERVERS }, (): number[] => [])
  const times: number[] = []
  let [now, reported] = [0, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < REQUESTS; i += 1) {
    now -= Math.log(uniform(events)) / (SERVERS * LOAD)
    if (now - reported >= age) {
      reported = now
      queues.forEach((queue, server) => {
        board.load[server] = queue.filter(done => done > now).length
      })
    }
    steer(steering, board, 0, 4, nobody, peer, turns, drawn, made)
    const queue = queues[made.targets[0] ?? 0] ?? []
    while (queue.length > 0 && (queue[0] ?? 0) <= now) queue.shift()
    const done = Math.max(now, queue.at(-1) ?? 0) + serviceTime(events)
    queue.push(done)
    times.push(done - now)
  }
  return times.sort((a, b) => a - b)[Math.floor(0.99 * REQUESTS)] ?? 0
}

/** Log-normal with mean 1. */
function serviceTime(events: Chance): number {
  const radius = Math.sqrt(-2 * Math.log(uniform(events)))
  const normal = radius * Math.cos(2 * Math.PI * uniform(events))
  return Math.exp(SIGMA * normal - SIGMA ** 2 / 2)
}

/** In (0, 1). */
function uniform(events: Chance): number {
  return (draw(events) + 0.5) / 0x1_0000_0000
}
