/**
 * A webhook on a clock that is moved by hand: order, tries and the time between them, what is given up,
 * and that neither hangs nor floods cost more than is allowed.
 */
import { describe, expect, test } from 'vitest'
import { earn, newBudget, pauseMs, spend } from '../../server/ops/retry.ts'
import { Webhook } from '../../server/ops/webhook.ts'
import { chance as chanceOf, draw } from '../../server/steer/chance.ts'
import type { Happening } from '../../server/tell/control/told.ts'
import { ADDRESS, gaps, LATER, numbered, playing, REFUSED, stage, TAKEN } from '../kit/webhook.ts'

const ALMOST_1 = 1 - 2 ** -53
const END = ' · no more is said until it takes one'
const LOST = 'lbdns.yaml:3:5: an event is lost, as this webhook does not take it: '

/** Uniform from 0 … 1, the same at each run. */
function seeded(seed: number): () => number {
  const state = chanceOf(seed)
  return () => draw(state) / 2 ** 32
}

describe('events', () => {
  test('are posted in order, one at a time, however slowly they are taken', async () => {
    let underWay = 0
    let most = 0
    const { hand, events, posted, open } = stage(hand => async ({ number }) => {
      underWay += 1
      most = Math.max(most, underWay)
      await hand.after(number % 3 === 0 ? 3_000 : 10)
      underWay -= 1
      return number % 4 === 0 && underWay === 0 && posted.at(-2)?.number !== number ? LATER : TAKEN
    })
    const hook = open()
    for (let i = 1; i <= 20; i += 1) events.tell(numbered(i))
    await hand.run(120)
    const order = posted.map(({ number }) => number)
    expect(most).toBe(1)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(new Set(order).size).toBe(20)
    expect(hook.counts).toEqual({ sent: 20, failed: 0, dropped: 0, retried: 5, waiting: 0 })
  })

  test('of other kinds are not posted', async () => {
    const { hand, events, posted, open } = stage(playing(TAKEN))
    const hook = open({ kinds: ['planned', 'reload refused'] })
    const planned: Happening = { kind: 'planned', digest: '7', at: 'x' }
    for (const one of [numbered(1), planned, numbered(2)]) events.tell(one)
    await hand.run(10)
    expect(posted.map(({ number }) => number)).toEqual([7])
    expect(hook.counts.sent).toBe(1)
  })

  test('are posted as JSON, with what proves to be us', async () => {
    const { hand, events, posted, open } = stage(playing(TAKEN))
    hand.date = Date.parse('2026-12-24T06:00:00Z') - hand.clock.now()
    open({ token: 'a.token', secret: 'a secret of the hook, quite long' })
    open()
    const told = events.tell({ kind: 'planned', digest: 'a', at: '2026-12-25T06:00:00Z' })
    await hand.run(1)
    const own = { 'content-type': 'application/json', 'user-agent': 'lbdns' }
    const about = { 'x-lbdns-event': 'planned', 'x-lbdns-event-id': events.nameOf(told) }
    expect(posted.map(({ parcel }) => parcel.body)).toEqual(Array(2).fill(JSON.stringify(told)))
    expect(posted[1]?.parcel.fields).toEqual({ ...own, ...about })
    expect(posted[0]?.parcel.fields).toEqual({
      ...{ ...own, ...about, authorization: 'Bearer a.token' },
      // openssl dgst -sha256 -hmac, over the body
      'x-lbdns-signature':
        'sha256=8b2ba37383ae6b1fb7c49c80e4af833628cefd1ab1a2a5e978109f3a20a10f43',
    })
  })
})

describe('what is not taken', () => {
  // biome-ignore format: table
  const TABLE = [
    // rule                                       outcomes                       tries sent failed why
    ['is refused for good: it is not tried again', [REFUSED, TAKEN],             1,    0,   1,     'status 404'],
    ['is taken at the second try',                 [LATER, TAKEN],               2,    1,   0,     undefined],
    ['is taken at the last try',                   [...Array(7).fill(LATER), TAKEN], 8, 1,  0,     undefined],
    ['is tried eight times',                       [LATER],                      8,    0,   1,     'status 503, 8 times'],
    ['is refused at the second try',               [LATER, REFUSED],             2,    0,   1,     'status 404'],
  ] as const
  test.each(TABLE)('%s', async (_, outcomes, tries, sent, failed, why) => {
    const { hand, events, posted, open, warned } = stage(playing(...outcomes))
    const hook = open()
    events.tell(numbered(1))
    await hand.run(600)
    expect(posted.length).toBe(tries)
    expect(hook.counts).toEqual({ sent, failed, dropped: 0, retried: tries - 1, waiting: 0 })
    expect(warned).toEqual(why === undefined ? [] : [`${LOST}${why}${END}`])
  })

  test('is said once, and once more after something was taken', async () => {
    const receiver = playing(REFUSED, REFUSED, TAKEN, REFUSED, REFUSED)
    const { hand, events, open, warned } = stage(receiver)
    open()
    for (let i = 1; i <= 5; i += 1) events.tell(numbered(i))
    await hand.run(10)
    expect(warned.length).toBe(2)
  })

  // biome-ignore format: table
  const WAYS: readonly (readonly [string, () => Promise<never>, number, string])[] = [
    ['hangs, and heeds no signal',  () => new Promise(() => undefined),                          8 * 5, 'no answer within 5 s, 8 times'],
    ['throws',                      () => { throw new Error('oh') },                             0,     'Error: oh, 8 times'],
    ['rejects',                     () => Promise.reject(new Error('oh')),                       0,     'Error: oh, 8 times'],
    ['hangs, and rejects too late', () => new Promise((_, no) => setTimeout(no, 50)),            8 * 5, 'no answer within 5 s, 8 times'],
  ]
  test.each(WAYS)('as what posts %s', async (_, way, seconds, why) => {
    const { hand, events, posted, open, warned } = stage(
      () => way,
      () => 0,
    )
    open()
    events.tell(numbered(1))
    await hand.run(600)
    expect(posted.length).toBe(8)
    expect((posted.at(-1)?.at ?? 0) - (posted[0]?.at ?? 0)).toBeCloseTo((seconds * 7) / 8, 1)
    expect(warned).toEqual([`${LOST}${why}${END}`])
    if (seconds > 0) expect(posted.every(({ signal }) => signal.aborted)).toBe(true)
  })
})

describe('the time to the next try', () => {
  /** After so many failures, in seconds: 1 s, doubled each time, and at most a minute. */
  const LIMITS = [1, 2, 4, 8, 16, 32, 60]

  test.each([
    ['nothing at the least', 0, 0],
    ['the limit at the most', ALMOST_1, 1],
    ['in between as chance has it', 0.25, 0.25],
  ])('is %s', async (_, chance, share) => {
    const { hand, events, posted, open } = stage(playing(LATER), () => chance)
    open()
    events.tell(numbered(1))
    await hand.run(600)
    // A try takes 20 ms, and clocks go by whole milliseconds.
    const waited = gaps(posted).map(gap => gap - 0.02)
    expect(waited.length).toBe(LIMITS.length)
    for (const [at, limit] of LIMITS.entries()) {
      expect(Math.abs((waited[at] ?? 0) - share * limit)).toBeLessThan(0.0021)
    }
  })

  test('is anything in between, equally often: full jitter, drawn anew each time', async () => {
    const { hand, events, posted, open } = stage(
      hand =>
        async ({ number }) => {
          await hand.after(1)
          return posted.filter(one => one.number === number).length === 1 ? LATER : TAKEN
        },
      seeded(7),
    )
    open()
    const count = 1_000
    for (let i = 0; i < count; i += 1) {
      events.tell(numbered(i))
      await hand.run(7) // the budget is never short: ten a minute
    }
    const waited = gaps(posted).filter((_, at) => at % 2 === 0)
    const cells = Array<number>(10).fill(0)
    for (const gap of waited) cells[Math.min(9, Math.floor((gap - 0.001) * 10))]! += 1
    expect(waited.length).toBe(count)
    expect(Math.max(...waited)).toBeLessThanOrEqual(1.003)
    const chi2 = cells.reduce((sum, cell) => sum + (cell - count / 10) ** 2 / (count / 10), 0)
    expect(chi2).toBeLessThan(27.88) // 9 degrees of freedom, 0.1 %
  })

  // biome-ignore format: table
  const ASKED = [
    // failures asked for, in ms  chance     ms
    [1,         undefined,        0.5,       500],
    [1,         3_000,            0,         3_000],
    [1,         3_000,            0.5,       3_500],
    [4,         10_000,           0.5,       14_000],
    [1,         59_800,           0.5,       60_000],
    [1,         86_400_000,       0.5,       60_000],
    [99,        undefined,        0.5,       30_000],
    [2_000,     undefined,        0.5,       30_000],
  ] as const
  test.each(ASKED)(
    'RFC 9110 §10.2.3 after %i failures, asked for %s ms',
    (failures, asked, chance, ms) => {
      expect(pauseMs(failures, chance, asked)).toBe(ms)
    },
  )
})

describe('the budget', () => {
  test('has ten retries, and one more every six seconds', () => {
    const budget = newBudget(0)
    expect(Array.from({ length: 12 }, () => spend(budget, 0))).toEqual([
      ...Array(10).fill(0),
      ...[6_000, 6_000],
    ])
    expect([spend(budget, 4_000), spend(budget, 6_000), spend(budget, 6_000)]).toEqual([
      ...[2_000, 0, 6_000],
    ])
    expect(Array.from({ length: 11 }, () => spend(budget, 1e9))).toEqual([
      ...Array(10).fill(0),
      6_000,
    ])
  })

  test('has one more for ten events, and no more than ten at a time', () => {
    const budget = newBudget(0)
    for (let i = 0; i < 1_000; i += 1) earn(budget)
    expect(Array.from({ length: 11 }, () => spend(budget, 0)).at(-1)).toBe(6_000)
    for (let i = 0; i < 9; i += 1) earn(budget)
    expect(spend(budget, 0)).toBe(600)
    earn(budget)
    expect(spend(budget, 0)).toBe(0)
  })

  test('holds for all webhooks together: eight that take nothing, for an hour', async () => {
    const { hand, events, posted, open } = stage(playing(LATER), seeded(3))
    const hooks = Array.from({ length: 8 }, () => open())
    const minutes = 60
    const told = 100
    for (let i = 0; i < told; i += 1) events.tell(numbered(i))
    await hand.run(60 * minutes)
    const retried = hooks.reduce((sum, { counts }) => sum + counts.retried, 0)
    const first = hooks.reduce((sum, { counts }) => sum + told - counts.waiting, 0)
    expect(posted.length).toBe(first + retried)
    expect(retried).toBeLessThanOrEqual(10 + 10 * minutes + (8 * told) / 10)
    expect(retried).toBeGreaterThan(9 * minutes) // all that may be, is
  })

  test('that is empty makes none wait that is taken at once', async () => {
    const { hand, events, open, means } = stage(playing(LATER))
    open()
    const { clock } = hand
    const budget = newBudget(clock.now())
    for (let i = 0; i < 10; i += 1) spend(budget, clock.now())
    const good = new Webhook(ADDRESS, budget, { ...means, post: async () => TAKEN })
    for (let i = 0; i < 50; i += 1) good.tell(events.tell(numbered(i)))
    await hand.run(0.1)
    expect(good.counts.sent).toBe(50)
  })
})

describe('what waits', () => {
  test('is a thousand events at the most; the oldest are lost, and that is said once', async () => {
    const { hand, events, posted, open, warned } = stage(hand => async () => {
      await hand.after(4_000)
      return TAKEN
    })
    const hook = open()
    for (let i = 0; i < 1_500; i += 1) events.tell(numbered(i))
    // One is under way already.
    expect(hook.counts).toEqual({ sent: 0, failed: 0, dropped: 499, retried: 0, waiting: 1_000 })
    expect(warned).toEqual([`${LOST}more than 1000 wait${END}`])
    await hand.run(4 * 1_001 + 1)
    expect(posted.map(({ number }) => number)).toEqual([
      ...[0, ...Array.from({ length: 1_000 }, (_, at) => 500 + at)],
    ])
    expect(hook.counts).toMatchObject({ sent: 1_001, waiting: 0 })
  })

  test('goes to where a reload says', async () => {
    const { hand, events, posted, open } = stage(playing(LATER, TAKEN))
    const hook = open({ token: 'old' })
    for (let i = 0; i < 3; i += 1) events.tell(numbered(i))
    await hand.run(0.1)
    hook.follow({ ...ADDRESS, token: 'new' })
    await hand.run(10)
    expect(posted.map(({ parcel }) => parcel.fields.authorization)).toEqual([
      ...['Bearer old', 'Bearer new', 'Bearer new', 'Bearer new'],
    ])
  })
})

describe('the end', () => {
  test('has each tried once more, at once', async () => {
    const { hand, events, posted, open } = stage(playing(LATER), () => ALMOST_1)
    const hook = open()
    for (let i = 0; i < 4; i += 1) events.tell(numbered(i))
    await hand.run(2)
    const before = posted.length
    let isClosed = false
    void hook.close(1_000).then(() => {
      isClosed = true
    })
    await hand.run(0.9)
    expect(isClosed).toBe(true)
    expect(posted.slice(before).map(({ number }) => number)).toEqual([0, 1, 2, 3])
    expect(hook.counts).toMatchObject({ sent: 0, failed: 4, dropped: 0, waiting: 0 })
    expect(hand.waiting).toBe(0)
  })

  test('comes within its time, though what posts hangs; the rest is lost', async () => {
    const { hand, events, posted, open } = stage(() => () => new Promise(() => undefined))
    const hook = open()
    for (let i = 0; i < 4; i += 1) events.tell(numbered(i))
    await hand.run(1)
    let isClosed = false
    void hook.close(1_000).then(() => {
      isClosed = true
    })
    await hand.run(0.9)
    expect(isClosed).toBe(false)
    await hand.run(0.1)
    expect([isClosed, posted.length, hand.waiting]).toEqual([true, 1, 0])
    expect(hook.counts).toMatchObject({ sent: 0, failed: 1, dropped: 3, waiting: 0 })
  })

  test('lets what is taken be taken, as far as there is time', async () => {
    const { hand, events, open } = stage(hand => async () => {
      await hand.after(300)
      return TAKEN
    })
    const hook = open()
    for (let i = 0; i < 9; i += 1) events.tell(numbered(i))
    void hook.close(1_000)
    await hand.run(2)
    expect(hook.counts).toMatchObject({ sent: 3, failed: 1, dropped: 5 })
    events.tell(numbered(9))
    await hand.run(10)
    expect(hook.counts).toMatchObject({ sent: 3, failed: 1, dropped: 5, waiting: 0 })
  })

  test('comes at once where nothing waits', async () => {
    const { hand, open } = stage(playing(TAKEN))
    await open().close(1_000)
    expect(hand.waiting).toBe(0)
  })
})
