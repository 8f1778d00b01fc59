/**
 * Checks that are pushed, on a clock that is moved by hand: what a push does, what it does when none
 * comes, and what TTLs hear of it.
 */
import { describe, expect, test } from 'vitest'
import type { Beat } from '../../server/health/beat.ts'
import type { Kept } from '../../server/health/kept.ts'
import { keyed } from '../../server/health/key.ts'
import { tryOnce } from '../../server/health/try.ts'
import type { Try } from '../../server/health/watch.ts'
import { Watches } from '../../server/health/watches.ts'
import type { Check } from '../../server/steer/trial.ts'
import { joined } from '../../server/steer/verdict.ts'
import { HandClock } from '../kit/clock.ts'
import { checked } from '../kit/steering.ts'

const PLACE = '192.0.2.1'
const UP: Beat = { now: 'up' }
const DOWN: Beat = { now: 'down' }

/** A check that is pushed, 30 s for each push. */
function beat(name = 'beat', expires = 30, initial: Check['initial'] = 'last'): Check {
  const times = { every: expires, fastEvery: expires, timeout: 0, maxAge: expires }
  const [check] = checked(name, { ...times, fall: 1, rise: 1, initial, trial: { kind: 'push' } }).of
  return check!
}

const at = (place: string, ...checks: readonly Check[]) =>
  keyed(checks.map(check => ({ place, check })))
const [KEY] = at(PLACE, beat()).map(({ key }) => key) as [string]

/** Watches that follow, and when something was heard, in seconds since the beginning. */
function stage(wanted = at(PLACE, beat()), known?: Partial<Kept>) {
  const hand = new HandClock()
  const begin = hand.clock.now()
  const heard: number[] = []
  const tried: string[] = []
  const passing: Try = async (trial, place) => {
    tried.push(`${trial.kind} ${place}`)
    return { passed: true, why: 'fine', ms: 20, load: undefined, capacity: undefined }
  }
  const kept = { up: true, since: 1.8e12, riseFactor: 1, changes: [], ...known }
  const before = { kept: new Map(known ? [[KEY, kept]] : []), goneMs: 60_000 }
  const watches = new Watches(
    passing,
    hand.clock,
    () => 0,
    () => heard.push((hand.clock.now() - begin) / 1000),
    before,
  )
  watches.follow(wanted)
  const push = (told: Beat = UP, check?: string, place = PLACE) =>
    watches.pushed({ place, check }, told)
  return { hand, heard, push, tried, watches, verdict: () => watches.verdict(KEY) }
}

describe('a push', () => {
  test('decides at once, either way; nothing is tried', async () => {
    const { hand, heard, push, tried, verdict } = stage()
    await hand.run(10)
    expect(push(DOWN)).toHaveLength(1)
    expect(verdict()).toMatchObject({ up: false, isProven: true, why: 'pushed down', seconds: 1 })
    const { since } = verdict()!
    await hand.run(10)
    expect(push(UP)).toHaveLength(1)
    expect(verdict()).toMatchObject({ up: true, isProven: true, why: 'pushed up', seconds: 30 })
    expect(verdict()?.since).toBe(since + 10_000)
    expect(verdict()?.lastTry).toBe(since + 10_000)
    expect(verdict()?.latencyMs).toBeUndefined()
    expect([heard, tried]).toEqual([[10, 20], []])
  })

  test('however often that changes: it is not damped', async () => {
    const { hand, push, verdict } = stage()
    for (let i = 0; i < 20; i += 1) {
      const now = i % 2 === 0 ? 'up' : 'down'
      push({ now })
      expect(verdict()?.up).toBe(now === 'up')
      await hand.run(1)
    }
  })

  test('a try of it fails, and says why', async () => {
    const why = 'nothing is tried: something pushes'
    expect(await tryOnce({ kind: 'push' }, PLACE, 100)).toMatchObject({ passed: false, why })
  })

  const wanted = [...at(PLACE, beat('a'), beat('b')), ...at('192.0.2.2', beat('a'))]
  // biome-ignore format: table
  test.each([
    ['a check at a place',            'a',       PLACE,       1, [true, false, false]],
    ['all checks at a place',         undefined, PLACE,       2, [true, true, false]],
    ['a check that is not there',     'c',       PLACE,       0, [false, false, false]],
    ['a place where nothing is',      'a',       '192.0.2.9', 0, [false, false, false]],
  ] as const)('is for %s', (_, check, place, count, proven) => {
    const { push, watches } = stage(wanted)
    expect(push(UP, check, place)).toHaveLength(count)
    expect(wanted.map(({ key }) => watches.verdict(key)?.isProven)).toEqual(proven)
  })

  test('is none for what is tried', () => {
    const { push } = stage(at(PLACE, ...checked('web').of))
    expect(push()).toHaveLength(0)
  })
})

describe('where none comes', () => {
  test('it is down when the last one expires, and stays so until one comes', async () => {
    const { hand, push, verdict } = stage()
    push()
    await hand.run(29.9)
    expect(verdict()).toMatchObject({ up: true, seconds: 1 })
    await hand.run(0.1)
    const down = { up: false, isProven: true, why: 'no push within 30 s', seconds: 1 }
    expect(verdict()).toMatchObject(down)
    await hand.run(3600)
    expect(verdict()).toMatchObject(down)
    expect(hand.waiting).toBe(0)
    push()
    expect(verdict()).toMatchObject({ up: true, seconds: 30 })
    await hand.run(30)
    expect(verdict()?.up).toBe(false)
  })

  test('steering.md §1 TTLs hear of it each time that half of what is left has passed', async () => {
    const { hand, heard, push, verdict } = stage()
    push()
    const seconds: unknown[] = []
    for (const wait of [0, 15, 7.5, 3.75, 1.875]) {
      await hand.run(wait)
      seconds.push(verdict()?.seconds)
    }
    expect(seconds).toEqual([30, 15, 7, 3, 1])
    await hand.run(10)
    const due = [0, 15, 22.5, 26.25, 28.125, 30]
    const late = heard.map((at, index) => at - (due[index] ?? Number.NaN))
    expect(late).toHaveLength(due.length)
    for (const seconds of late) {
      expect(seconds).toBeGreaterThan(-1e-9)
      expect(seconds).toBeLessThan(0.05 + 1e-9) // what is due together is done together
    }
  })

  test('pushes that are on time are all that is heard', async () => {
    const { hand, heard, push } = stage()
    for (let i = 0; i < 50; i += 1) {
      push()
      await hand.run(10)
    }
    expect(heard).toEqual(Array.from({ length: 50 }, (_, i) => 10 * i))
  })

  test('a push in time counts from when it comes', async () => {
    const { hand, push, verdict } = stage()
    push()
    await hand.run(29)
    push()
    await hand.run(29.9)
    expect(verdict()?.up).toBe(true)
    await hand.run(0.1)
    expect(verdict()?.up).toBe(false)
  })

  test.each([86_400_000, -86_400_000])('a step of the calendar by %d ms is nothing', async step => {
    const { hand, push, verdict } = stage()
    push()
    await hand.run(5)
    hand.date += step
    await hand.run(24.9)
    expect(verdict()?.up).toBe(true)
    await hand.run(0.1)
    expect(verdict()?.up).toBe(false)
  })

  test('time in which this process was held up, and heard no push, does not count', async () => {
    const { hand, push, verdict } = stage()
    push()
    await hand.run(20)
    hand.holdUp(60)
    await hand.run(5)
    expect(verdict()?.up).toBe(true)
    await hand.run(10)
    expect(verdict()?.up).toBe(false)
  })
})

describe('before the first one', () => {
  // biome-ignore format: table
  const TABLE = [
    // rule                                initial  known         is up
    ['nothing is known: up',               'last',  undefined,     true],
    ['what was known before a restart',    'last',  { up: false }, false],
    ['likewise',                           'last',  { up: true },  true],
    ['as the operator says',               'down',  { up: true },  false],
    ['as the operator says',               'up',    { up: false }, true],
  ] as const
  test.each(TABLE)('%s, initial %s', async (_, initial, known, up) => {
    const { hand, verdict } = stage(at(PLACE, beat('beat', 30, initial)), known)
    expect(verdict()).toMatchObject({ up, isProven: false, seconds: 0 })
    await hand.run(29.9)
    expect(verdict()).toMatchObject({ up, isProven: false, seconds: 0 })
    await hand.run(0.1)
    expect(verdict()).toMatchObject({ up: false, isProven: true, why: 'no push within 30 s' })
  })

  test('what was pushed is kept for after a restart', () => {
    const { push, watches } = stage()
    expect(watches.kept().size).toBe(0)
    push(DOWN)
    expect([...watches.kept().entries()]).toMatchObject([[KEY, { up: false, riseFactor: 1 }]])
  })
})

describe('a reload', () => {
  // biome-ignore format: table
  const TABLE = [
    // rule                               pushed for, then  up until s after the push
    ['the same',                            30, 30,  30],
    ['longer, from when it was pushed',     30, 60,  60],
    ['shorter, from when it was pushed',    60, 30,  30],
    ['so short that it is over already',    60, 10,  20],
  ] as const
  test.each(TABLE)('%s', async (_, first, second, end) => {
    const { hand, push, verdict, watches } = stage(at(PLACE, beat('beat', first)))
    push()
    await hand.run(20)
    watches.follow(at(PLACE, beat('beat', second)))
    await hand.run(Math.max(0, end - 20.1))
    expect(verdict()?.up).toBe(end > 20)
    await hand.run(0.1)
    expect(verdict()).toMatchObject({ up: false, why: `no push within ${second} s` })
  })

  test('what has expired stays so', async () => {
    const { hand, verdict, push, watches } = stage()
    await hand.run(31)
    watches.follow(at(PLACE, beat('beat', 300)))
    expect(verdict()?.up).toBe(false)
    push()
    expect(verdict()).toMatchObject({ up: true, seconds: 300 })
  })

  test('what is watched no more is pushed no more, and nothing waits', async () => {
    const { hand, push, watches } = stage()
    push()
    watches.follow([])
    expect(push()).toHaveLength(0)
    await hand.run(1)
    expect(hand.waiting).toBe(0)
  })
})

describe('load and capacity', () => {
  test('count as long as the push that told them, also where a later one tells nothing', async () => {
    const { hand, push, verdict } = stage()
    push({ now: 'up', load: 5, capacity: 9 })
    await hand.run(20)
    push({ now: 'up', capacity: 8 })
    expect(verdict()).toMatchObject({ load: 5, capacity: 8 })
    await hand.run(10)
    push()
    expect(verdict()).toMatchObject({ load: undefined, capacity: 8 })
    await hand.run(30)
    expect(verdict()).toMatchObject({ up: false, load: undefined, capacity: undefined })
  })
})

describe('counted together with what is tried', () => {
  // biome-ignore format: table
  const TABLE = [
    // rule                                     need  pushed  up, for s
    ['all: until one of them can be down',        2,  UP,     [true, 30]],
    ['all: what is pushed down is enough',        2,  DOWN,   [false, 1]],
    ['any: one of them',                          1,  DOWN,   [true, 30]],
    ['any: until both can be down',               1,  UP,     [true, 60]],
  ] as const
  test.each(TABLE)('%s', async (_, need, told, expected) => {
    const wanted = at(PLACE, ...checked('web').of, beat('beat', 60))
    const { hand, push, tried, watches } = stage(wanted)
    await hand.run(25)
    push(told)
    const { up, seconds } = joined(
      need,
      wanted.map(({ key }) => watches.verdict(key)!),
    )
    expect([up, seconds]).toEqual(expected)
    expect(new Set(tried)).toEqual(new Set([`tcp ${PLACE}`]))
  })
})
