/**
 * Overload in a model: sources send to a queue like the kernel's, first come first served and full at
 * some point, and one thread takes batches from it as the engine does. Time is counted in work: an
 * answer costs one unit, a look at an address and nothing more a third (recvmmsg's part of an answer).
 */
import { describe, expect, test } from 'vitest'
import { address } from '../../server/dns/address.ts'
import { isKnown, known, meet, sourceHash, trust } from '../../server/guard/known.ts'
import {
  admit,
  isMeeting,
  look,
  type Overload,
  overload,
  SERVE,
  TRUNCATE,
} from '../../server/guard/overload.ts'
import { below, chance } from '../../server/steer/chance.ts'

/** Answers a millisecond that one thread can give. */
const CAPACITY = 100
const LOOK_COST = 1 / 3
/** The kernel's queue, and the engine's batch. */
const QUEUE = 120 * CAPACITY
const BATCH = 64

/** Who sends, how many a millisecond, and from when until when, in ms. */
type Sender = {
  readonly name: string
  readonly rate: number
  readonly from?: number
  readonly until?: number
  readonly source: (nth: number) => number
}

type Tally = { sent: number; answered: number; waited: number }

/** A hash for each of so many hosts, as any hash is: spread over 32 bits. */
const hosts = (count: number, seed: number) => {
  const dice = chance(seed)
  const hashes = Int32Array.from({ length: count }, () => below(dice, 0xffffffff) | 0)
  return (nth: number) => hashes[nth % count] ?? 0
}
const forged = (seed: number) => {
  const dice = chance(seed)
  return () => below(dice, 0xffffffff) | 0
}

type Model = {
  readonly state: Overload
  /** What each sender got in ms `from` … `until`. */
  readonly share: (name: string, from: number, until: number) => number
  readonly answered: (from: number, until: number) => number
  readonly longestWait: (from: number, until: number) => number
  readonly sheddingAt: readonly boolean[]
}

function run(senders: readonly Sender[], forMs: number, shed: 'on' | 'off' = 'on'): Model {
  const state = overload(known(1), chance(7))
  const tallies = senders.map(() =>
    Array.from({ length: forMs }, (): Tally => ({ sent: 0, answered: 0, waited: 0 })),
  )
  const queue: { readonly who: number; readonly source: number; readonly at: number }[] = []
  const sheddingAt: boolean[] = []
  const due = senders.map(() => 0)
  const sentBy = senders.map(() => 0)
  let head = 0
  let work = 0
  for (let now = 0; now < forMs; now += 1) {
    arrive(now)
    work = queue.length === head ? 0 : Math.min(work, 0) + CAPACITY
    while (work > 0 && head < queue.length) work -= serveBatch(now)
    if (head > 1e6) {
      queue.splice(0, head)
      head = 0
    }
    sheddingAt.push(state.isShedding)
  }

  function arrive(now: number): void {
    const order = senders.flatMap(({ from = 0, rate, until = forMs }, who) => {
      due[who] = (due[who] ?? 0) + (now >= from && now < until ? rate : 0)
      const count = Math.floor(due[who] ?? 0)
      due[who] = (due[who] ?? 0) - count
      return Array.from({ length: count }, (_, nth) => ({ who, key: (nth + 0.5) / count }))
    })
    order.sort((a, b) => a.key - b.key)
    for (const { who } of order) {
      const tally = tallies[who]?.[now]
      if (tally === undefined) continue
      const total = sentBy[who] ?? 0
      sentBy[who] = total + 1
      tally.sent += 1
      if (queue.length - head < QUEUE)
        queue.push({ who, source: senders[who]?.source(total) ?? 0, at: now })
    }
  }

  /** @returns what it cost */
  function serveBatch(now: number): number {
    const count = Math.min(BATCH, queue.length - head)
    const first = queue[head]
    look(state, count < 32 || first === undefined ? 0 : now - first.at, now)
    let cost = 0
    for (const { at, source, who } of queue.slice(head, head + count)) {
      const verdict = state.isShedding && shed === 'on' ? admit(state, source) : SERVE
      if (!state.isShedding && isMeeting(state)) meet(state.known, source)
      cost += verdict === SERVE || verdict === TRUNCATE ? 1 : LOOK_COST
      const tally = tallies[who]?.[at]
      if (verdict !== SERVE || tally === undefined) continue
      tally.answered += 1
      tally.waited = Math.max(tally.waited, now - at)
    }
    head += count
    return cost
  }

  const between = (who: number, from: number, until: number) =>
    tallies[who]?.slice(from, until) ?? []
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
  return {
    state,
    sheddingAt,
    share(name, from, until) {
      const mine = between(
        senders.findIndex(one => one.name === name),
        from,
        until,
      )
      return sum(mine.map(one => one.answered)) / sum(mine.map(one => one.sent))
    },
    answered: (from, until) =>
      sum(senders.flatMap((_, who) => between(who, from, until).map(one => one.answered))),
    longestWait: (from, until) =>
      Math.max(...senders.flatMap((_, who) => between(who, from, until).map(one => one.waited))),
  }
}

/** From the first ms on; the flood begins at 1000 and ends at 4000. */
const good = (rate: number): Sender => ({ name: 'good', rate, source: hosts(240, 3) })
const flood = (rate: number, source: Sender['source']): Sender => ({
  name: 'flood',
  rate,
  from: 1000,
  until: 4000,
  source,
})
/** The limits have settled. */
const SETTLED = 2000

describe('who is protected from what', () => {
  // biome-ignore format: table
  const ROWS: readonly (readonly [what: string, good: number, rate: number, source: Sender['source'], least: number])[] = [
    ['one host at twice the capacity',           30, 200, hosts(1, 5),    0.95],
    ['twenty hosts at 1.5 times the capacity',   30, 150, hosts(20, 5),   0.95],
    ['forged sources at 0.9 of the capacity',    30,  90, forged(5),      0.95],
    ['forged sources at 1.5 times the capacity', 30, 150, forged(5),      0.95],
  ]
  for (const [what, rate, bad, source, least] of ROWS) {
    test(`those who were here before, at 30 %, from ${what}: ${100 * least} %`, () => {
      const senders = [good(rate), flood(bad, source)]
      const on = run(senders, 4000)
      const off = run(senders, 4000, 'off')
      expect(off.share('good', SETTLED, 4000)).toBeLessThan(least)
      expect(on.share('good', SETTLED, 4000)).toBeGreaterThanOrEqual(least)
    })
  }

  test('five times the capacity of forged sources: more of the good than without', () => {
    const senders = [good(10), flood(500, forged(9))]
    const [on, off] = [run(senders, 4000), run(senders, 4000, 'off')]
    // Of 510 that come, n are looked at: n ÷ 3, and two thirds more for each that is answered. Those are
    // the good, a sixteenth of the others, and a sixteenth of the rest that is truncated: n is 235, or
    // 46 % of all.
    expect(on.share('good', SETTLED, 4000)).toBeGreaterThan(0.42)
    expect(off.share('good', SETTLED, 4000)).toBeLessThan(0.22)
  })
})

describe('nobody is turned away', () => {
  test('where nobody stands out: 240 hosts at 1.1 … 10 times the capacity, and goodput stays', () => {
    for (const times of [1.1, 1.5, 2, 3, 5, 10]) {
      const same = { ...flood(CAPACITY * times - 30, hosts(240, 3)), name: 'more' }
      const model = run([good(30), same], 3000)
      expect(model.answered(1500, 2800)).toBeGreaterThan(0.95 * 1300 * CAPACITY)
      expect(model.longestWait(1500, 2800)).toBeLessThanOrEqual(QUEUE / CAPACITY + 1)
    }
  })

  test('in quiet times, strangers included', () => {
    const model = run([good(30), { name: 'new', rate: 50, source: forged(4) }], 3000)
    expect(model.sheddingAt.includes(true)).toBe(false)
    expect([model.share('good', 0, 2900), model.share('new', 0, 2900)]).toEqual([1, 1])
  })

  test('in a burst that is over before two periods are', () => {
    const burst: Sender = {
      name: 'burst',
      rate: 200,
      from: 1000,
      until: 1010,
      source: hosts(2000, 8),
    }
    const model = run([good(30), burst], 3000)
    expect(model.share('good', 0, 2900)).toBe(1)
    expect(model.share('burst', 0, 2900)).toBe(1)
  })

  test('any more, two seconds after the flood has ended', () => {
    for (const source of [hosts(1, 5), forged(5)]) {
      const model = run([good(30), flood(200, source)], 8000)
      expect(model.sheddingAt.slice(1000, 4000).includes(true)).toBe(true)
      expect(model.sheddingAt.slice(6500).includes(true)).toBe(false)
      expect(model.share('good', 4300, 7900)).toBe(1)
    }
  })

  test('who is new during a flood gets in sometimes: one in sixteen at least', () => {
    const late: Sender = { name: 'late', rate: 5, from: 2000, source: hosts(100, 12) }
    const model = run([good(30), flood(150, forged(5)), late], 4000)
    expect(model.share('late', SETTLED, 4000)).toBeGreaterThan(1 / 20)
  })
})

describe('who is known', () => {
  const at = (text: string) => {
    const own = address()
    own.octets.set(text.split('.').map(Number))
    return sourceHash(known(1), own)
  }

  test('once is not enough, twice is; a proof is at once', () => {
    const all = known(1)
    const [one, two] = [at('192.0.2.1'), at('192.0.2.2')]
    meet(all, one)
    expect(isKnown(all, one)).toBe(false)
    meet(all, one)
    trust(all, two)
    expect([isKnown(all, one), isKnown(all, two), isKnown(all, at('192.0.2.3'))]).toEqual([
      true,
      true,
      false,
    ])
  })

  test('100,000 known: none is forgotten, and less than 5 % of strangers are taken for known', () => {
    const all = known(2)
    const source = hosts(200_000, 77)
    for (let nth = 0; nth < 100_000; nth += 1) trust(all, source(nth))
    let [forgotten, mistaken] = [0, 0]
    for (let nth = 0; nth < 100_000; nth += 1) {
      if (!isKnown(all, source(nth))) forgotten += 1
      if (isKnown(all, source(100_000 + nth))) mistaken += 1
    }
    expect(forgotten).toBe(0)
    expect(mistaken).toBeLessThan(5_000)
  })

  test('ten million forged sources that come once do not become known, nor drive out who is', () => {
    const all = known(3)
    const friends = hosts(240, 5)
    for (let nth = 0; nth < 240; nth += 1) trust(all, friends(nth))
    const strangers = forged(6)
    let mistaken = 0
    for (let nth = 0; nth < 10_000_000; nth += 1) {
      const one = strangers()
      if (nth % 1000 === 0 && isKnown(all, one)) mistaken += 1
      meet(all, one)
    }
    expect(mistaken).toBeLessThan(1_000)
    for (let nth = 0; nth < 240; nth += 1) expect(isKnown(all, friends(nth))).toBe(true)
  })

  test('an IPv6 host is its /64', () => {
    const all = known(4)
    const six = (last: number, seventh: number) => ({
      family: 6 as const,
      octets: Uint8Array.from({ length: 16 }, (_, i) => (i === 15 ? last : i === 7 ? seventh : 1)),
    })
    expect(sourceHash(all, six(1, 1))).toBe(sourceHash(all, six(2, 1)))
    expect(sourceHash(all, six(1, 1))).not.toBe(sourceHash(all, six(1, 2)))
  })
})
