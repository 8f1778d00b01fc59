/**
 * What tries tell of load, capacity and latency: for how long it counts, and that picks heed it. From
 * tries to answers, through a real board; no socket, a clock by hand.
 */
import { describe, expect, test } from 'vitest'
import { checksOf } from '../../server/health/checked.ts'
import { Sheet } from '../../server/health/sheet.ts'
import type { Outcome } from '../../server/health/try.ts'
import { Verdicts } from '../../server/health/verdicts.ts'
import { openBoard } from '../../server/steer/board.ts'
import type { Pick } from '../../server/steer/rule.ts'
import type { Check } from '../../server/steer/trial.ts'
import { HandClock } from '../kit/clock.ts'
import { asked, chiSquare, counts, words } from '../kit/draws.ts'
import { checked, compiled, policyOf, pool, rule } from '../kit/steering.ts'

type Telling = {
  readonly load?: number
  readonly capacity?: number
  readonly ms?: number
  readonly passed?: boolean
}

/** One pool under one check, tried every 10 s; `tells` is what a try of each address comes to. */
function stage(pick: Pick, pace: Partial<Check>, tells: Readonly<Record<string, Telling>>) {
  const told = { ...tells }
  const places = Object.keys(tells)
  const policy = policyOf({
    pools: [{ ...pool('p', ...places), check: checked('web', pace) }],
    rules: [rule({ all: [0], pick, answers: pick === 'least' ? places.length : 1 })],
  })
  const { steering } = compiled(policy)
  const board = openBoard(steering)
  const hand = new HandClock()
  const tryIt = async (_: unknown, place: string): Promise<Outcome> => {
    const { load, capacity, ms = 20, passed = true } = told[place] ?? {}
    return { passed, why: 'so', ms, load, capacity }
  }
  const verdicts = new Verdicts(
    tryIt,
    hand.clock,
    () => 0,
    () => undefined,
  )
  const checks = checksOf(policy, steering, path => path)
  verdicts.follow(checks, new Sheet(steering, board, new Map(), hand.clock))
  return { board, hand, told, answers: (times: number) => words(asked(steering, times, { board })) }
}

const [A, B, C] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'] as const

describe('picks heed it', () => {
  test.each(['least', 'two'] as const)('%s: the one that told the lower load', async pick => {
    const { answers, hand } = stage(pick, {}, { [A]: { load: 9 }, [B]: { load: 1 } })
    await hand.run(15)
    const first = answers(50).map(answer => answer[0])
    expect(new Set(first)).toEqual(new Set(['b']))
  })

  // biome-ignore format: table
  const SHARES = [
    ['feedback', 'capacity 1 : 3',       { capacity: 2 }, { capacity: 6 }, { a: 1, b: 3 }],
    ['feedback', 'load 1 : 3, inverse',  { load: 4 },     { load: 12 },    { a: 3, b: 1 }],
    ['fastest',  '10 ms and 30 ms',      { ms: 10 },      { ms: 30 },      { a: 3, b: 1 }],
  ] as const
  test.each(SHARES)('%s: %s (χ², 1 degree, 99.9 %%)', async (pick, _, a, b, shares) => {
    const { answers, hand } = stage(pick, {}, { [A]: a, [B]: b })
    await hand.run(15)
    expect(chiSquare(counts(answers(3000)), shares)).toBeLessThan(10.8)
  })
})

describe('it counts for a while', () => {
  const NONE = Number.NaN
  // biome-ignore format: table
  const TABLE = [
    // what happens after a minute                  each try tells      for s  load, capacity by then
    ['told again and again',                        { load: 7, capacity: 3 }, 35, 7,    3],
    ['passing, and telling no more: still counts',  {},                  15,    5,    3],
    ['for 3 × every, and no longer',                {},                  35,    NONE, NONE],
    ['failing: still counts',                       { passed: false },   15,    5,    3],
    ['failing for 3 × every: no longer',            { passed: false },   35,    NONE, NONE],
  ] as const
  test.each(TABLE)('%s', async (_, then, seconds, load, capacity) => {
    const { board, hand, told } = stage('least', {}, { [A]: { load: 5, capacity: 3 } })
    await hand.run(60)
    told[A] = then
    await hand.run(seconds)
    expect([...board.load]).toEqual([load])
    expect([...board.share]).toEqual([capacity])
  })

  test('as long as the operator says', async () => {
    const { board, hand, told } = stage('least', { maxAge: 90 }, { [A]: { load: 5 } })
    await hand.run(60)
    told[A] = {}
    await hand.run(75)
    expect([...board.load]).toEqual([5])
    await hand.run(35)
    expect([...board.load]).toEqual([Number.NaN])
  })

  test('then it is the mean of the others: 10, 20, 15', async () => {
    const { answers, hand, told } = stage(
      'least',
      {},
      { [A]: { load: 10 }, [B]: { load: 20 }, [C]: { load: 1 } },
    )
    await hand.run(60)
    expect(new Set(answers(20))).toEqual(new Set(['cab']))
    told[C] = {}
    await hand.run(45)
    expect(new Set(answers(20))).toEqual(new Set(['acb']))
  })
})
