/** How long clients may be sent to a dead target: the formula, and where an explanation tells it. */
import { describe, expect, test } from 'vitest'
import { openBoard } from '../../server/steer/board.ts'
import { expiryOf, failoverOf } from '../../server/tell/explain/failover.ts'
import { explainText } from '../../server/tell/explain/text.ts'
import { explained, servingOf } from '../kit/serving.ts'
import { checked, policyOf, pool, rule } from '../kit/steering.ts'

// biome-ignore format: table
const WORST = [
  // rule                                     every fast timeout fall ttl  seconds
  ['ecs.md 3.3 10·3+2+1+30',                     10,  10,      2,   3,  30,   63],
  ['one failure is enough: 10·1+2+1+30',         10,  10,      2,   1,  30,   43],
  ['a TTL twice as long: 10·3+2+1+60',           10,  10,      2,   3,  60,   93],
  ['checks twice as often: 5·3+2+1+30',           5,   5,      2,   3,  30,   48],
  ['a patient check: 10·3+10+1+30',              10,  10,     10,   3,  30,   71],
  ['fast_every 2: 10+2·2+2+1+30',                10,   2,      2,   3,  30,   47],
] as const

test.each(WORST)('%s', (_, every, fastEvery, timeout, fall, ttl, seconds) => {
  expect(failoverOf({ every, fastEvery, timeout, fall }, ttl)).toEqual({
    every,
    fastEvery,
    timeout,
    fall,
    publish: 1,
    ttl,
    seconds,
  })
})

const PUSHED = { every: 30, fastEvery: 30, timeout: 0, fall: 1, rise: 1 } as const
const BEAT = { ...PUSHED, trial: { kind: 'push' } } as const

// biome-ignore format: table
test.each([
  ['nothing is tried: 30+1+30', 30, 30, 61],
  ['pushes that count longer: 120+1+30', 120, 30, 151],
  ['a TTL twice as long: 30+1+60', 30, 60, 91],
] as const)('%s', (_, expires, ttl, seconds) => {
  const check = { ...PUSHED, every: expires, fastEvery: expires }
  expect(expiryOf(check, ttl)).toEqual({ expires, publish: 1, ttl, seconds })
})

const CHECK = checked('web')

describe('what an explanation says of it', () => {
  const of = (check: object, ttl = { max: 30, min: 10 }) => {
    const pools = [{ ...pool('fra', '192.0.2.1'), ...check }]
    return explained(servingOf(policyOf({ pools, rules: [rule({ all: [0], ttl })] })))
  }

  test('with a check: the worst case, which the greatest TTL makes', () => {
    const told = of({ check: CHECK })
    expect(told.steer?.failover).toMatchObject({ kind: 'checked', check: 'web', seconds: 63 })
    expect(told.steer?.scope.bits).toBe(0)
    expect(explainText(told)).toContain('63 s at worst: 3 × 10 s until check web has seen it')
  })

  test('with one that is pushed: how long a push counts', () => {
    const told = of({ check: checked('beat', BEAT) })
    const failover = { kind: 'pushed', pool: 'fra', check: 'beat', expires: 30, seconds: 61 }
    expect(told.steer?.failover).toEqual({ ...failover, publish: 1, ttl: 30 })
    expect(told.steer?.scope.bits).toBe(0)
    expect(explainText(told).replace(/\n {10,}/g, ' ')).toContain(
      '61 s at worst: 30 s without a push until check beat has seen it, 1 s to publish, 30 s in caches',
    )
  })

  // biome-ignore format: table
  test.each([
    ['all of them: whoever is first to see it', 2, 'checked', 63],
    ['any of them: whoever is last', 1, 'pushed', 31 + 60],
  ] as const)('counted together, %s', (_, need, kind, seconds) => {
    const slow = { ...BEAT, every: 60, fastEvery: 60 }
    const several = { name: 'both', need, of: [...CHECK.of, ...checked('beat', slow).of] }
    const told = of({ check: several })
    expect(told.steer?.failover).toMatchObject({ kind, check: 'both', seconds })
    expect(told.steer?.scope.bits).toBe(0)
  })

  test('without one: nobody but an operator notices', () => {
    const told = of({})
    expect(told.steer?.failover).toEqual({ kind: 'unchecked', pool: 'fra' })
    expect(told.steer?.scope.bits).toBe(0)
    expect(explainText(told)).toContain('until an operator acts')
  })
})

describe('the TTL', () => {
  // biome-ignore format: table
  const TTLS = [
    // rule                                     max min cap        served, why
    ['steering.md §1 one value',                 60, 60, undefined, 60, '60 s, as the rule says: nothing checks these targets'],
    ['steering.md §1 nothing is known: max',     30, 10, undefined, 30, '30 s, the most that the rule allows (10 … 30 s): nothing checks these targets'],
    ['issue 3 a change of the map caps it',      30, 10, 12,        12, '12 s, as a change that is planned caps it (10 … 30 s by the rule)'],
    ['issue 3 but never under min',              30, 10, 3,         10, '10 s, the least that the rule allows (10 … 30 s): a change that is planned caps it at 3 s'],
    ['issue 3 a change far away caps nothing',   30, 10, 3600,      30, '30 s, the most that the rule allows (10 … 30 s): nothing checks these targets'],
  ] as const

  test.each(TTLS)('%s', (_, max, min, cap, seconds, why) => {
    const pools = [pool('fra', '192.0.2.1')]
    const serving = servingOf(policyOf({ pools, rules: [rule({ all: [0], ttl: { max, min } })] }))
    const board = openBoard(serving.world.steering)
    if (cap !== undefined) board.cap[0] = cap
    const told = explained(serving, { board })
    expect(told.steer?.ttl).toEqual({ seconds, max, min, ...(cap !== undefined && { cap }) })
    expect(told.reply.answer).toEqual([`www.example.com. ${seconds} IN A 192.0.2.1`])
    expect(told.steer?.scope.bits).toBe(0)
    expect(explainText(told).replace(/\n {10,}/g, ' ')).toContain(`ttl       ${why}\n`)
  })
})
