/** Overrides over time: when they begin, end, are told of, and what TTLs are served around it. */
import { describe, expect, test } from 'vitest'
import { Overrides } from '../../server/health/overrides.ts'
import { Sheet } from '../../server/health/sheet.ts'
import { type Board, NO_CAP, openBoard } from '../../server/steer/board.ts'
import type { Does, Override } from '../../server/steer/override.ts'
import { HandClock } from '../kit/clock.ts'
import { compiled, policyOf, pool, rule } from '../kit/steering.ts'

const HOUR = 3600

function stage(kept: readonly Override[] = []) {
  const hand = new HandClock()
  const said: string[] = []
  const overrides = new Overrides(hand.clock, (turn, { does }, by) =>
    said.push([turn, does.kind, by].filter(Boolean).join(' ')),
  )
  overrides.recall(kept)
  const serve = (...names: readonly string[]): Board => {
    const pools = names.map((name, i) => pool(name, `192.0.2.${i + 1}`, `192.0.3.${i + 1}`))
    const { steering } = compiled(
      policyOf({ pools, rules: [rule({ all: pools.map((_, i) => i) })] }),
    )
    const board = openBoard(steering)
    overrides.follow(new Sheet(steering, board, new Map(), hand.clock))
    return board
  }
  const make = (does: Does, inSeconds = 0, forSeconds?: number) => {
    const from = hand.clock.date() + 1000 * inSeconds
    const until = forSeconds === undefined ? undefined : from + 1000 * forSeconds
    return overrides.make({ author: 'alice', reason: 'test', from, until, does })
  }
  return { hand, said, overrides, serve, make }
}

const drain = (what: string, share = 1): Does => ({ kind: 'drain', what, share })
const ups = (board: Board) => [...board.up].join('')

describe('a drain that is planned', () => {
  test('begins and ends when it should, and is told of', async () => {
    const { hand, make, said, serve } = stage()
    const board = serve('fra', 'iad')
    make(drain('fra'), 60, 300)
    await hand.run(59)
    expect(ups(board)).toBe('1111')
    await hand.run(2)
    expect(ups(board)).toBe('0011')
    await hand.run(298)
    expect(ups(board)).toBe('0011')
    await hand.run(2)
    expect(ups(board)).toBe('1111')
    expect(said).toEqual(['made drain alice', 'begun drain', 'ended drain'])
    expect(hand.waiting).toBe(0)
  })

  test('caps what answers of its pool are kept for, and no others', async () => {
    const { hand, make, serve } = stage()
    const board = serve('fra', 'iad')
    make(drain('fra', 0.3), 60, 300)
    const caps: number[] = []
    for (let second = 0; second < 60; second += 1) {
      caps.push(board.flip[0] ?? 0)
      await hand.run(1)
    }
    // Written anew every quarter of a second: never more than what is left, at most a second less.
    const left = caps.map((cap, second) => 60 - second - cap)
    expect(left.every(more => more >= 0 && more <= 1.5)).toBe(true)
    expect(board.flip[1]).toBe(NO_CAP)
    await hand.run(1)
    expect(board.flip[0]).toBeGreaterThan(297) // its end is a change as well
    expect(board.flip[0]).toBeLessThanOrEqual(299)
    await hand.run(301)
    expect(board.flip[0]).toBe(NO_CAP)
  })
})

describe('a ramp', () => {
  const ramp: Does = {
    kind: 'ramp',
    name: 'www.example.com.',
    from: 'fra',
    to: 'iad',
    seconds: HOUR,
  }

  test('moves on by time alone, with the least TTL on the way', async () => {
    const { hand, make, serve } = stage()
    const board = serve('fra', 'iad')
    make(ramp)
    await hand.run(HOUR / 4)
    expect((board.rampShare[0] ?? 0) / 2 ** 30).toBeCloseTo(0.25, 2)
    expect([board.rampFrom[0], board.rampTo[0], board.cap[0]]).toEqual([0, 1, 0])
    await hand.run(HOUR)
    expect(board.rampShare[0]).toBe(2 ** 30)
    expect(board.cap[0]).toBe(NO_CAP)
    expect(hand.waiting).toBe(0)
  })

  test('undone, all go back', async () => {
    const { hand, make, overrides, serve } = stage()
    const board = serve('fra', 'iad')
    const { id } = make(ramp)
    await hand.run(HOUR / 2)
    overrides.undo(one => one.id === id, 'bob')
    expect(board.rampFrom[0]).toBe(-1)
  })
})

describe('what outlives', () => {
  test('a reload: names count, not numbers', () => {
    const { make, serve } = stage()
    serve('fra', 'iad')
    make(drain('fra'))
    expect(ups(serve('ams', 'iad', 'fra'))).toBe('111100')
  })

  test('a reload that drops what is drained, and one that brings it back', () => {
    const { make, overrides, serve } = stage()
    serve('fra', 'iad')
    make(drain('fra'))
    expect(ups(serve('iad'))).toBe('11')
    expect(overrides.placed[0]).toMatchObject({ kind: 'void', why: expect.stringContaining('fra') })
    expect(ups(serve('fra', 'iad'))).toBe('0011')
  })

  test('a restart: what is in force, what is to come; what has ended is told of', async () => {
    const { clock } = new HandClock()
    const now = clock.date()
    const one = (id: number, from: number, until: number | undefined, what: string): Override => {
      const [begin, end] = [now + 1000 * from, until === undefined ? undefined : now + 1000 * until]
      return { id, author: 'a', reason: '', made: now, from: begin, until: end, does: drain(what) }
    }
    const { hand, make, said, serve } = stage([
      one(7, -60, undefined, 'fra'),
      one(8, 60, 120, 'iad'),
      one(9, -60, -1, 'sin'),
    ])
    const board = serve('fra', 'iad', 'sin')
    expect(ups(board)).toBe('001111')
    expect(said).toEqual(['ended drain'])
    await hand.run(61)
    expect(ups(board)).toBe('000011')
    expect(make(drain('sin')).id).toBe(10)
  })
})
