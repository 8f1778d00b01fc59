/** Slow starts: which targets have them, how their weight rises, and what becomes of it at a reload. */
import { describe, expect, test } from 'vitest'
import { Sheet } from '../../server/health/sheet.ts'
import { openBoard } from '../../server/steer/board.ts'
import { impose } from '../../server/steer/impose.ts'
import { placed } from '../../server/steer/named.ts'
import { HandClock } from '../kit/clock.ts'
import { compiled, policyOf, pool, rule } from '../kit/steering.ts'

const SLOW = 60

/** A sheet of one pool of two targets that starts slowly. */
function stage(hand = new HandClock(), names: readonly string[] = ['fra']) {
  const pools = names.map((name, i) => pool(name, `192.0.2.${2 * i + 1}`, `192.0.2.${2 * i + 2}`))
  const { steering } = compiled(policyOf({ pools, rules: [rule({ all: pools.map((_, i) => i) })] }))
  const board = openBoard(steering)
  const slow = new Map(names.flatMap((name, i) => (name === 'fra' ? [[i, SLOW] as const] : [])))
  const sheet = new Sheet(steering, board, slow, hand.clock)
  const check = (target: number, up: boolean) => {
    sheet.check(target, up, 10)
    sheet.settle(Math.floor(target / 2))
  }
  return { hand, board, sheet, check, steering }
}

describe('the weight of a target that comes back', () => {
  test.each([
    [0, 0.01],
    [15, 0.2575],
    [30, 0.505],
    [45, 0.7525],
  ])('after %i of 60 s: %f', async (seconds, weight) => {
    const { board, check, hand } = stage()
    check(0, false)
    check(0, true)
    await hand.run(seconds)
    expect(board.warm[0]).toBeCloseTo(weight, 2)
    expect([board.warm[1], board.partial[0], board.up[0]]).toEqual([1, 1, 1])
  })

  test('is whole in the end, and nothing waits any more', async () => {
    const { board, check, hand } = stage()
    check(0, false)
    check(0, true)
    await hand.run(SLOW + 1)
    expect([board.warm[0], board.partial[0], hand.waiting]).toEqual([1, 0, 0])
  })

  test('one that goes down meanwhile begins anew', async () => {
    const { board, check, hand } = stage()
    check(0, false)
    check(0, true)
    await hand.run(30)
    check(0, false)
    expect(board.warm[0]).toBe(1)
    check(0, true)
    expect(board.warm[0]).toBeCloseTo(0.01, 5)
  })

  test('at the start nobody comes back', async () => {
    const { board, sheet } = stage()
    sheet.check(0, true, 10)
    sheet.settle(0, 'before')
    expect(board.warm[0]).toBe(1)
  })

  test('a pool without it', () => {
    const { board, check } = stage(new HandClock(), ['iad'])
    check(0, false)
    check(0, true)
    expect([board.warm[0], board.partial[0]]).toEqual([1, 0])
  })

  test('the end of a drain is a return too', () => {
    const { board, sheet, steering } = stage()
    const does = { kind: 'drain', what: 'fra', share: 1 } as const
    const one = placed(steering, { id: 1, author: '', reason: '', made: 0, from: 0, does })
    sheet.impose(impose(steering, [one], 1))
    sheet.impose(impose(steering, [], 2))
    expect([...board.warm].map(weight => weight.toFixed(2))).toEqual(['0.01', '0.01'])
  })

  test('goes on over a reload, wherever the pool stands then', async () => {
    const before = stage()
    before.check(0, false)
    before.check(0, true)
    await before.hand.run(30)
    const after = stage(before.hand, ['iad', 'fra'])
    // The same addresses are the pool's only where they are listed: here 192.0.2.1 is of iad.
    after.sheet.warmFrom(before.sheet)
    expect([...after.board.warm]).toEqual([1, 1, 1, 1])
    const same = stage(before.hand)
    same.sheet.warmFrom(before.sheet)
    expect(same.board.warm[0]).toBeCloseTo(0.505, 2)
  })
})
