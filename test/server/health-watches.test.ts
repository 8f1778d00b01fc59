/**
 * All watches on a clock that is moved by hand, with tries that touch no socket: when they start, what
 * is known, and that neither reloads, nor the calendar, nor tries that misbehave disturb them.
 */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { MACHINE } from '../../server/health/clock.ts'
import { keyed, watchKey } from '../../server/health/key.ts'
import type { Outcome } from '../../server/health/try.ts'
import type { Try } from '../../server/health/watch.ts'
import { Watches } from '../../server/health/watches.ts'
import type { Check, Trial } from '../../server/steer/trial.ts'
import { mostWithin } from '../bench/statistics.ts'
import { HandClock } from '../kit/clock.ts'
import { httpTrial } from '../kit/health.ts'

const HTTP = httpTrial(80, { path: '/healthz' })

function checkOf(numbers: Partial<Check> = {}): Check {
  const every = numbers.every ?? 10
  const given = { name: 'web', every, fastEvery: every, timeout: 2, fall: 3, rise: 2 }
  return { ...given, initial: 'up', maxAge: 3 * every, trial: HTTP, ...numbers }
}

const PASSED: Outcome = {
  passed: true,
  why: 'status 200',
  ms: 20,
  load: undefined,
  capacity: undefined,
}
const FAILED: Outcome = { ...PASSED, passed: false, why: 'status 500' }

/** Watches, and what was tried of each place, in seconds since the beginning. */
function stage(tryOf: (hand: HandClock) => Try = passing) {
  const hand = new HandClock()
  const begin = hand.clock.now()
  const tries: { place: string; at: number; trial: Trial }[] = []
  const heard: string[] = []
  const inner = tryOf(hand)
  const note: Try = (trial, place, timeoutMs) => {
    tries.push({ place, at: (hand.clock.now() - begin) / 1000, trial })
    return inner(trial, place, timeoutMs)
  }
  const watches = new Watches(
    note,
    hand.clock,
    () => 0.25,
    key => heard.push(key),
  )
  return { hand, watches, tries, heard }
}

const passing = (hand: HandClock): Try => {
  return async () => {
    await hand.after(20)
    return PASSED
  }
}

/** Comes to these, one after the other, the last again and again. */
function playing(outcomes: readonly Outcome[]): (hand: HandClock) => Try {
  let next = 0
  return hand => async () => {
    const outcome = outcomes[Math.min(next, outcomes.length - 1)]!
    next += 1
    await hand.after(20)
    return outcome
  }
}

const outcomesOf = (letters: string) => [...letters].map(one => (one === 'p' ? PASSED : FAILED))
const PLACE = '192.0.2.1'
const only = (check = checkOf(), place = PLACE) => keyed([{ place, check }])
const KEY = watchKey(PLACE, HTTP)
const thousand = (check = checkOf()) =>
  keyed(Array.from({ length: 1000 }, (_, i) => ({ place: `10.0.${i >> 8}.${i & 255}`, check })))

/** By whole second: how many started in it. */
function starts(tries: readonly { at: number }[], seconds: number): number[] {
  const counts: number[] = Array(seconds).fill(0)
  for (const { at } of tries) if (at < seconds) counts[Math.floor(at)]! += 1
  return counts
}

describe('verdicts', () => {
  test('before any try it is what it is to be at first, and unproven', () => {
    const { watches } = stage()
    watches.follow(only(checkOf({ initial: 'down' })))
    const nothing = { latencyMs: undefined, load: undefined, why: undefined, lastTry: undefined }
    expect(watches.verdict(KEY)).toMatchObject({ up: false, isProven: false, seconds: 0 })
    expect(watches.verdict(KEY)).toMatchObject(nothing)
    expect(watches.verdict('another')).toBeUndefined()
  })

  test('BC-117 every third try fails, rise 2, fall 3: no change; three failures: down once', async () => {
    const { hand, watches } = stage(playing(outcomesOf(`${'ppf'.repeat(20)}fff`)))
    watches.follow(only(checkOf({ every: 1 })))
    const since = watches.verdict(KEY)?.since
    for (let i = 0; i < 60; i += 1) {
      await hand.run(1)
      expect(watches.verdict(KEY)).toMatchObject({ up: true, since })
    }
    await hand.run(5)
    const down = watches.verdict(KEY)
    expect(down).toMatchObject({ up: false, isProven: true, why: 'status 500' })
    await hand.run(60)
    expect(watches.verdict(KEY)?.since).toBe(down?.since)
  })

  test('latency is smoothed over tries that passed; load is as they told last', async () => {
    const told = [
      { ...PASSED, ms: 100, load: 5, capacity: 9 },
      { ...PASSED, ms: 200, load: 7, capacity: 8 },
      { ...FAILED, ms: 2000 },
    ]
    const { hand, watches } = stage(playing(told))
    watches.follow(only())
    await hand.run(1)
    expect(watches.verdict(KEY)).toMatchObject({ latencyMs: 100, load: 5, capacity: 9 })
    await hand.run(10)
    await hand.run(10)
    expect(watches.verdict(KEY)).toMatchObject({ latencyMs: 130, load: 7, why: 'status 500' })
  })

  test('load and capacity each count from when they were told', async () => {
    const told = [
      { ...PASSED, load: 5, capacity: 9 },
      { ...PASSED, load: 7 },
      PASSED,
      PASSED,
      PASSED,
    ]
    const { hand, watches } = stage(playing(told))
    watches.follow(only())
    await hand.run(35)
    expect(watches.verdict(KEY)).toMatchObject({ load: 7, capacity: undefined })
    await hand.run(10)
    expect(watches.verdict(KEY)).toMatchObject({ load: undefined, capacity: undefined })
  })

  test('each try is told of, with the key', async () => {
    const { hand, watches, tries, heard } = stage()
    watches.follow(only())
    await hand.run(60)
    expect(heard).toEqual(tries.map(() => KEY))
  })

  test('seconds to flip follow the tries: fast ones while it fails', async () => {
    const { hand, watches, tries } = stage(playing(outcomesOf('ppfff')))
    watches.follow(only(checkOf({ fastEvery: 2 })))
    await hand.run(25)
    const failed = tries[2]!.at
    expect(tries.slice(2, 6).map(({ at }) => Math.round(at - failed))).toEqual(
      [0, 2, 4, 6].slice(0, tries.length - 2),
    )
    await hand.run(15)
    expect(watches.verdict(KEY)).toMatchObject({ up: false, seconds: 4 })
  })
})

describe('one watch, however many pools', () => {
  test('BC-119 one address in 20 pools, every 5 s: 12 ± 2 tries in 60 s', async () => {
    const { hand, watches, tries } = stage()
    const pools = Array.from({ length: 20 }, (_, i) => checkOf({ name: `pool ${i}`, every: 5 }))
    const wanted = keyed(pools.map(check => ({ place: PLACE, check })))
    watches.follow(wanted)
    await hand.run(60)
    expect(Math.abs(tries.length - 12)).toBeLessThanOrEqual(2)
    for (const { key } of wanted) expect(watches.verdict(key)?.isProven).toBe(true)
  })

  const dns = (octets: number[]): Trial => {
    const name = new Uint8Array(octets)
    return { kind: 'dns', port: 53, transport: 'udp', name, type: 6, rcodes: [0] }
  }
  // biome-ignore format: table
  test.each([
    ['the name of the check does not matter',     { name: 'other' },                           [0, 0]],
    ['other numbers at one time: another watch',  { fall: 5 },                                 [0, 1]],
    ['another port',                              { trial: { ...HTTP, port: 8080 } },          [0, 1]],
    ['another path',                              { trial: { ...HTTP, path: '/' } },           [0, 1]],
    ['what is written in another order',          { trial: { ...flipped(HTTP) } },             [0, 0]],
  ] as const)('%s', (_, other, expected) => {
    const keys = keyed([checkOf(), checkOf(other)].map(check => ({ place: PLACE, check })))
    expect(keys.map(({ key }) => keys.findIndex(one => one.key === key))).toEqual(expected)
  })

  const signed = (path: string, pem: string): Trial => {
    const terms = { name: 'www.example.org', verify: 'on', days: 0 } as const
    return { kind: 'tls', port: 443, tls: { ...terms, ca: { path, pem } } }
  }

  test('which file has the certificates counts, and what is in it does not', () => {
    expect(watchKey(PLACE, signed('a', 'old'))).toBe(watchKey(PLACE, signed('a', 'new')))
    expect(watchKey(PLACE, signed('a', 'old'))).not.toBe(watchKey(PLACE, signed('b', 'old')))
  })

  test('octets in a trial count', () => {
    expect(watchKey(PLACE, dns([1, 97, 0]))).toBe(watchKey(PLACE, dns([1, 97, 0])))
    expect(watchKey(PLACE, dns([1, 97, 0]))).not.toBe(watchKey(PLACE, dns([1, 98, 0])))
  })
})

function flipped(trial: Trial): Trial {
  return Object.fromEntries(Object.entries(trial).reverse()) as unknown as Trial
}

describe('a reload', () => {
  test('BC-118 what is named no more is tried no more, and nothing of it is heard', async () => {
    const { hand, watches, tries, heard } = stage()
    watches.follow(only())
    await hand.run(30)
    const changed = checkOf({ trial: { ...HTTP, path: '/new' } })
    watches.follow(only(changed))
    const before = tries.length
    await hand.run(30)
    const later = tries.slice(before)
    expect(later.length).toBeGreaterThanOrEqual(3)
    for (const { trial } of later) expect(trial).toEqual(changed.trial)
    expect(watches.verdict(KEY)).toBeUndefined()

    watches.follow([])
    const end = [tries.length, heard.length]
    await hand.run(60)
    expect([tries.length, heard.length]).toEqual(end)
    expect(hand.waiting).toBe(0)
  })

  test('a try under way when its watch goes is let go, also if the watch comes again', async () => {
    const slow = (hand: HandClock): Try => {
      return async () => {
        await hand.after(1500)
        return FAILED
      }
    }
    const { hand, watches, tries, heard } = stage(slow)
    watches.follow(only())
    while (tries.length === 0) await hand.run(0.1)
    watches.follow([])
    watches.follow(only())
    await hand.run(1.45)
    expect(heard).toEqual([])
    expect(watches.verdict(KEY)).toMatchObject({ why: undefined })
  })

  test('those that stay keep history and phase, whatever comes beside them', async () => {
    const { hand, watches, tries } = stage()
    watches.follow(only())
    await hand.run(25)
    const known = watches.verdict(KEY)
    watches.follow([...thousand(), ...only()])
    expect(watches.verdict(KEY)).toEqual(known)
    await hand.run(30)
    const mine = tries.filter(({ place }) => place === PLACE).map(({ at }) => at)
    const gaps = mine.slice(2).map((at, i) => at - mine[i + 1]!)
    for (const gap of gaps) expect(gap).toBeCloseTo(10, 2)
    expect(gaps.length).toBeGreaterThanOrEqual(3)
  })

  test('new numbers keep the history and hold at once', async () => {
    const { hand, watches, tries } = stage(playing(outcomesOf('ppf')))
    watches.follow(only(checkOf({ every: 600, fastEvery: 600 })))
    await hand.run(1499)
    expect(watches.verdict(KEY)).toMatchObject({ up: true, seconds: 1200, isProven: true })
    watches.follow(only(checkOf({ every: 5, fall: 2 })))
    expect(watches.verdict(KEY)).toMatchObject({ up: true, seconds: 5, isProven: true })
    const before = tries.length
    await hand.run(5.1)
    expect(tries.length).toBe(before + 1)
    expect(watches.verdict(KEY)?.up).toBe(false)
  })

  test('stopped, nothing waits any more', async () => {
    const { hand, watches } = stage()
    watches.follow(thousand())
    await hand.run(3)
    watches.stop()
    await hand.run(1)
    expect(hand.waiting).toBe(0)
  })
})

describe('a thousand targets, every 10 s', () => {
  test('a hundred a second, never more than two hundred; all known after two intervals', async () => {
    const { hand, watches, tries } = stage()
    const wanted = thousand()
    watches.follow(wanted)
    await hand.run(20.1)
    for (const { key } of wanted) expect(watches.verdict(key)?.isProven).toBe(true)
    await hand.run(39.9)
    const counts = starts(tries, 60)
    expect(Math.max(...counts)).toBeLessThanOrEqual(200)
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(90)
    expect(tries.length).toBeGreaterThanOrEqual(5990)
    expect(tries.length).toBeLessThanOrEqual(6010)
    const times = tries.map(({ at }) => 1000 * at)
    expect(mostWithin(times, 1000)).toBeLessThanOrEqual(200)
    expect(mostWithin(times, 100)).toBeLessThanOrEqual(20)
  })

  test('it wakes at most twenty times a second to begin them', async () => {
    const { hand, watches, tries } = stage()
    watches.follow(thousand())
    await hand.run(60)
    for (let second = 0; second < 60; second += 1) {
      const times = tries.map(({ at }) => at).filter(at => Math.floor(at) === second)
      expect(new Set(times).size).toBeLessThanOrEqual(20)
    }
  })

  test('after the process was held up for 25 s, no crowd', async () => {
    const { hand, watches, tries } = stage()
    const wanted = thousand()
    watches.follow(wanted)
    await hand.run(30)
    hand.holdUp(25)
    await hand.run(30)
    const counts = starts(tries, 85).slice(55)
    expect(Math.max(...counts)).toBeLessThanOrEqual(200)
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(90)
    for (const { key } of wanted) expect(watches.verdict(key)?.up).toBe(true)
  })

  test('held up while a try is under way: its next one is not put off by as much', async () => {
    const slow = (hand: HandClock): Try => {
      return async () => {
        await hand.after(1500)
        return PASSED
      }
    }
    const { hand, watches, tries } = stage(slow)
    watches.follow(only())
    await hand.run(30)
    const before = tries.length
    while (tries.length === before) await hand.run(0.1)
    hand.holdUp(25)
    await hand.run(10)
    expect(tries.length).toBe(before + 2)
    expect(watches.verdict(KEY)?.up).toBe(true)
  })

  test('a small site is known at once', async () => {
    const { hand, watches, tries } = stage()
    watches.follow(thousand().slice(0, 5))
    await hand.run(0.2)
    expect(tries.length).toBe(5)
  })
})

describe('the calendar', () => {
  test.each([86_400_000, -86_400_000])(
    'a step of %d ms changes nothing but what is shown',
    async step => {
      const { hand, watches, tries, heard } = stage()
      watches.follow(only(checkOf({ every: 5 })))
      await hand.run(60)
      const before = { ...watches.verdict(KEY), lastTry: undefined }
      hand.date += step
      await hand.run(60)
      expect({ ...watches.verdict(KEY), lastTry: undefined }).toEqual(before)
      expect(heard.length).toBe(tries.length)
      expect(Math.abs(tries.length - 24)).toBeLessThanOrEqual(2)
    },
  )

  afterEach(() => vi.useRealTimers())

  test('the clock of the machine is not that of the calendar', () => {
    const [now, date] = [MACHINE.now(), MACHINE.date()]
    vi.useFakeTimers({ toFake: ['Date'], now: date + 86_400_000 })
    expect(MACHINE.date() - date).toBeGreaterThanOrEqual(86_400_000)
    expect(MACHINE.now() - now).toBeLessThan(60_000)
  })
})

describe('tries that misbehave', () => {
  const never: Try = () => new Promise(() => undefined)
  const rejecting: Try = () => Promise.reject(new Error('no luck'))
  const throwing: Try = () => {
    throw new Error('no luck')
  }

  test('one that never ends has failed after its timeout and a grace, and the next one starts', async () => {
    const { hand, watches, tries } = stage(() => never)
    watches.follow(only())
    await hand.run(0.1)
    await hand.run(3.1)
    expect(watches.verdict(KEY)).toMatchObject({ up: true, why: 'no outcome within 3 s' })
    await hand.run(31)
    expect(watches.verdict(KEY)).toMatchObject({ up: false, isProven: true })
    expect(tries.length).toBe(4)
  })

  test.each([
    ['rejects', rejecting],
    ['throws', throwing],
  ])('one that %s has failed, and nobody else hears of it', async (_, bad) => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const { hand, watches } = stage(() => bad)
    watches.follow(only())
    await hand.run(35)
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
    expect(watches.verdict(KEY)).toMatchObject({ up: false, why: 'no luck' })
  })

  test('one that takes longer than the interval delays the next: never two at once', async () => {
    let under = 0
    let most = 0
    const slow = (hand: HandClock): Try => {
      return async () => {
        under += 1
        most = Math.max(most, under)
        await hand.after(1800)
        under -= 1
        return PASSED
      }
    }
    const { hand, watches, tries } = stage(slow)
    watches.follow(only(checkOf({ every: 1 })))
    await hand.run(18.1)
    expect(most).toBe(1)
    expect(tries.length).toBeGreaterThanOrEqual(9)
    expect(tries.length).toBeLessThanOrEqual(11)
  })

  test('one that ends after it was given up is not heard', async () => {
    const late = (hand: HandClock): Try => {
      return async () => {
        await hand.after(4000)
        return PASSED
      }
    }
    const { hand, watches, tries, heard } = stage(late)
    watches.follow(only())
    await hand.run(9)
    expect(tries.length).toBe(1)
    expect(heard.length).toBe(1)
    expect(watches.verdict(KEY)?.why).toBe('no outcome within 3 s')
  })
})

test('spec/ecs.md 3.3: dead right after a try, found down within 3 · 10 + 2 s', async () => {
  let dead = false
  const target = (hand: HandClock): Try => {
    return async (_trial, _place, timeoutMs) => {
      await hand.after(dead ? timeoutMs : 20)
      return dead ? FAILED : PASSED
    }
  }
  const { hand, watches, heard } = stage(target)
  watches.follow(only())
  await hand.run(35)
  const before = heard.length
  while (heard.length === before) await hand.run(0.01)
  dead = true
  await hand.run(31.5)
  expect(watches.verdict(KEY)?.up).toBe(true)
  await hand.run(0.5)
  expect(watches.verdict(KEY)?.up).toBe(false)
})
