/** How long an answer may be kept: what its verdicts can be relied on for, within what the rule says. */
import { describe, expect, test } from 'vitest'
import { NO_CAP, openBoard } from '../../server/steer/board.ts'
import type { Rule } from '../../server/steer/rule.ts'
import { joined } from '../../server/steer/verdict.ts'
import { compiled, decide, policyOf, pool, rule } from '../kit/steering.ts'

const POOLS = [pool('a', '192.0.2.1'), pool('b', '192.0.2.2'), pool('c', '192.0.2.3')]

/** Of a rule whose clients prefer a to b to c, or all alike. */
function ttl(
  flips: readonly number[],
  down: readonly number[],
  max: number,
  min: number,
  more: Partial<Rule> = {},
) {
  const one = { ...rule({ all: [0, 1, 2], ttl: { max, min } }), ...more }
  const { steering } = compiled(policyOf({ pools: POOLS, rules: [one] }))
  const board = openBoard(steering)
  board.flip.set(flips)
  for (const target of down) board.up[target] = 0
  return decide(steering, '198.51.100.0/24', { board })
}

describe('clamp(min, max) of the least over what was asked for', () => {
  // biome-ignore format: table
  const TABLE = [
    // rule                                              flips                       down       max min  ttl
    ['steering.md §1 nothing is checked: max',           [NO_CAP, NO_CAP, NO_CAP],   [],        30, 10, 30],
    ['ecs.md 3.4 fall × every, under max',               [20, NO_CAP, NO_CAP],       [],        30, 10, 20],
    ['ecs.md 3.4 never over max',                        [300, NO_CAP, NO_CAP],      [],        30, 10, 30],
    ['ecs.md 3.4 never under min',                       [3, NO_CAP, NO_CAP],        [],        30, 10, 10],
    ['ecs.md 3.4 not known yet: min',                    [0, NO_CAP, NO_CAP],        [],        30, 10, 10],
    ['who stands by was not asked',                      [25, 1, 1],                 [],        30, 10, 25],
    ['who is down was, and comes back',                  [15, 25, 1],                [0],       30, 10, 15],
    ['who serves instead may go, too',                   [25, 15, 1],                [0],       30, 10, 15],
    ['nothing is usable: all were asked',                [25, 20, 15],               [0, 1, 2], 30, 10, 15],
  ] as const
  test.each(TABLE)('%s', (_, flips, down, max, min, seconds) => {
    const made = ttl(flips, down, max, min)
    expect(made.ttl).toBe(seconds)
    expect(made.scope).toBe(0)
  })

  test('spread: the next pool gives a target', () => {
    const made = ttl([25, 15, 20], [], 30, 10, { spread: 'pools', answers: 2 })
    expect(made.ttl).toBe(15)
  })
})

describe('several checks make one verdict', () => {
  const up = (seconds: number) => ({ up: true, seconds })
  const down = (seconds: number) => ({ up: false, seconds })
  // biome-ignore format: table
  const TABLE = [
    // rule                                         need  of                               verdict
    ['one',                                         1, [up(30)],                           up(30)],
    ['all: the first to fall takes it down',        2, [up(30), up(10)],                   up(10)],
    ['all: one is down, and that one must rise',    2, [up(30), down(20)],                 down(20)],
    ['all: two are down, and both must rise',       2, [down(5), down(20)],                down(20)],
    ['any: the last to fall takes it down',         1, [up(30), up(10)],                   up(30)],
    ['any: one is up',                              1, [down(5), up(10)],                  up(10)],
    ['any: the first to rise brings it up',         1, [down(5), down(20)],                down(5)],
    ['2 of 3: two must fall',                       2, [up(30), up(10), up(20)],           up(20)],
    ['2 of 3: one more must fall',                  2, [up(30), up(10), down(1)],          up(10)],
    ['2 of 3: one more must rise',                  2, [up(30), down(7), down(9)],         down(7)],
    ['not known yet',                               1, [up(0)],                            up(0)],
  ] as const
  test.each(TABLE)('%s', (_, need, of, verdict) => {
    expect(joined(need, of)).toEqual(verdict)
  })
})
