/**
 * From tries to verdicts: when a target is up, down, proven; how flapping is damped; and how long an
 * answer may be kept, by hand-made rows, by a law, and by the example of spec/ecs.md 3.3.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { interval, secondsToFlip, type Tally, take, tally } from '../../server/health/tally.ts'
import type { Check } from '../../server/steer/trial.ts'

function checkOf(numbers: Partial<Check>): Check {
  const every = numbers.every ?? 10
  const trial = { kind: 'tcp', port: 80 } as const
  const given = { name: 'web', every, fastEvery: every, timeout: 2, fall: 3, rise: 2, maxAge: 30 }
  return { ...given, initial: 'up', trial, ...numbers }
}

const outcomeOf = (letter: string) => (letter === 'p' ? 'passed' : 'failed')

/** U and D: proven. */
function letterOf({ up, isProven }: Tally): string {
  const letter = up ? 'u' : 'd'
  return isProven ? letter.toUpperCase() : letter
}

/** Takes a history, p for passed and f for failed, at the intervals that apply. */
function tell(known: Tally, check: Check, history: string): { states: string; flips: number } {
  let states = ''
  let flips = 0
  for (const letter of history) {
    const now = known.tried + 1000 * interval(known, check)
    if (take(known, check, outcomeOf(letter), now) === 'flipped') flips += 1
    states += letterOf(known)
  }
  return { states, flips }
}

// biome-ignore format: table
describe.each([
  // clause                                        rise fall initial tries       after each       flips
  ['`rise` passes in a row prove it up',            2,  3,  'up',   'pp',        'uU',            0],
  ['`fall` failures in a row make it down',         2,  3,  'up',   'ppfff',     'uUUUD',         1],
  ['and no fewer: a pass between them starts anew', 2,  3,  'up',   'ppffpff',   'uUUUUUU',       0],
  ['`rise` passes in a row make it up',             2,  3,  'up',   'ppfffpp',   'uUUUDDU',       2],
  ['and no fewer: a failure between them',          2,  3,  'up',   'ppfffpfp',  'uUUUDDDD',      1],
  ['a guess that was wrong: up',                    2,  3,  'up',   'fff',       'uuD',           1],
  ['a guess that was wrong: down',                  2,  3,  'down', 'pp',        'dU',            1],
  ['a guess that was right: down',                  2,  3,  'down', 'fff',       'ddD',           0],
  ['neither in a row: unproven',                    2,  3,  'up',   'pffpffpf',  'uuuuuuuu',      0],
  ['proven once is proven',                         2,  3,  'up',   'ppfpff',    'uUUUUU',        0],
  ['one of each is enough where it says so',        1,  1,  'up',   'pfpf',      'UDUD',          3],
] as const)('%s', (_, rise, fall, initial, history, states, flips) => {
  test(`${history} is ${states}`, () => {
    expect(tell(tally(initial), checkOf({ rise, fall }), history)).toEqual({ states, flips })
  })
})

test('BC-117 every third try fails, rise 2, fall 3: nothing changes; three failures: down once', () => {
  const known = tally('up')
  expect(tell(known, checkOf({}), 'ppf'.repeat(20)).flips).toBe(0)
  expect(tell(known, checkOf({}), 'ppfff').flips).toBe(1)
  expect(known.up).toBe(false)
})

describe('damping: rise 1, fall 1, every 10 s, so a window of 100 s', () => {
  // biome-ignore format: table
  test.each([
    // clause                                          down at s          up at s            passes that took
    ['three changes within 100 s are borne',          [0, 20],           [10, 30],          [1, 1]],
    ['each further one doubles, up to 8',             [0, 20, 40, 60, 80], [10, 30, 50, 70, 90], [1, 1, 4, 8, 8]],
    ['three that do not all lie within it',           [0, 68, 136],      [34, 102, 170],    [1, 1, 1]],
    ['three that just do',                            [0, 66, 132],      [33, 99, 165],     [1, 1, 4]],
    ['almost 100 s without a change: as it was',      [0, 20, 40],       [10, 30, 139.9],   [1, 1, 4]],
    ['100 s without a change: half',                  [0, 20, 40],       [10, 30, 140],     [1, 1, 2]],
    ['200 s without a change: half of that',          [0, 20, 40],       [10, 30, 240],     [1, 1, 1]],
    ['quiet while up counts likewise',                [0, 20, 40, 300],  [10, 30, 50, 310], [1, 1, 4, 2]],
  ])('%s', (_, downs, ups, expected) => {
    const check = checkOf({ rise: 1, fall: 1 })
    const known = tally('up')
    take(known, check, 'passed', -1000)
    const passes = downs.map((down, i) => {
      expect(take(known, check, 'failed', 1000 * down)).toBe('flipped')
      let taken = 1
      while (take(known, check, 'passed', 1000 * ups[i]!) === 'same') taken += 1
      return taken
    })
    expect(passes).toEqual(expected)
  })

  test('a guess that was wrong is no change', () => {
    const known = tally('up')
    tell(known, checkOf({}), 'fff')
    expect(known.changes).toEqual([])
  })

  test('is plain data: written and read, it goes on as before', () => {
    const known = tally('up')
    tell(known, checkOf({}), 'ppfffppfffpp')
    expect(JSON.parse(JSON.stringify(known))).toEqual(known)
  })
})

describe('seconds to flip', () => {
  // biome-ignore format: table
  test.each([
    // clause                                 every fast fall rise  tries      seconds
    ['nothing is known',                       10,  10,   3,   2,   '',        0],
    ['unproven',                               10,  10,   3,   2,   'p',       0],
    ['up: three tries are missing',            10,  10,   3,   2,   'pp',      30],
    ['up: two',                                10,  10,   3,   2,   'ppf',     20],
    ['up: one',                                10,  10,   3,   2,   'ppff',    10],
    ['down: two',                              10,  10,   3,   2,   'fff',     20],
    ['down: one',                              10,  10,   3,   2,   'fffp',    10],
    ['the first after `every`, others faster', 10,   2,   3,   2,   'pp',      14],
    ['failing: all faster',                    10,   2,   3,   2,   'ppf',     4],
    ['failing: the last',                      10,   2,   3,   2,   'ppff',    2],
    ['down: faster',                           10,   2,   3,   2,   'fff',     4],
    ['up again',                               10,   2,   3,   2,   'fffpp',   14],
    ['whole seconds, rounded down',            1.5, 0.4,  2,   1,   'p',       1],
    ['at least one',                           0.5, 0.5,  1,   1,   'p',       1],
    ['damped: four passes are missing',        5,    5,   1,   1,   'pfpfpf', 20],
  ] as const)('%s', (_, every, fastEvery, fall, rise, history, seconds) => {
    const check = checkOf({ every, fastEvery, fall, rise })
    const known = tally('up')
    tell(known, check, history)
    expect(secondsToFlip(known, check)).toBe(seconds)
  })

  const numbers = fc.record({
    every: fc.integer({ min: 1, max: 20 }),
    eighths: fc.integer({ min: 1, max: 8 }),
    fall: fc.integer({ min: 1, max: 5 }),
    rise: fc.integer({ min: 1, max: 5 }),
  })
  const history = fc.string({ unit: fc.constantFrom('p', 'f'), maxLength: 200 })
  const anyCheck = numbers.map(({ eighths, ...rest }) =>
    checkOf({ ...rest, fastEvery: (eighths / 8) * rest.every }),
  )

  test('law: a cache filled at a try is empty when tries to the contrary have flipped it', () => {
    fc.assert(
      fc.property(anyCheck, history, (check, tries) => {
        const known = tally('up')
        tell(known, check, tries)
        fc.pre(known.isProven)
        const seconds = secondsToFlip(known, check)
        const since = known.tried
        const { up } = known
        while (known.up === up) tell(known, check, up ? 'f' : 'p')
        const earliest = (known.tried - since) / 1000
        // Not later than the earliest flip, and as late as whole seconds allow.
        expect(seconds).toBe(Math.max(1, Math.floor(earliest)))
      }),
    )
  })

  test('law: while up, another failure never makes it longer', () => {
    fc.assert(
      fc.property(anyCheck, history, (check, tries) => {
        const known = tally('up')
        tell(known, check, `${tries}${'p'.repeat(40)}`)
        let before = secondsToFlip(known, check)
        for (;;) {
          tell(known, check, 'f')
          if (!known.up) return
          const after = secondsToFlip(known, check)
          expect(after).toBeLessThanOrEqual(before)
          before = after
        }
      }),
    )
  })
})

/*
 * every 10, fall 3, timeout 2, publish 1, TTL 30: at worst 10·3 + 2 + 1 + 30 = 63 s.
 *
 *   0 s    10 s  12 s   20 s  22 s   30 s  32 s  33 s          63 s
 *   passes try───fails  try───fails  try───DOWN  published─────the last cache forgets it
 *   dies right after
 */
describe('spec/ecs.md 3.3: a target that dies right after a try that passed', () => {
  const check = checkOf({ every: 10, fall: 3, rise: 2, timeout: 2 })
  const known = tally('up')
  take(known, check, 'passed', -10_000)
  take(known, check, 'passed', 0)
  /** What was known, from when on. */
  const story = [{ from: 0, up: known.up, seconds: secondsToFlip(known, check) }]
  for (let start = 10_000; known.up; start += 10_000) {
    const now = start + 2000
    take(known, check, 'failed', now)
    story.push({ from: now, up: known.up, seconds: secondsToFlip(known, check) })
  }
  const at = (time: number) => story.findLast(({ from }) => from <= time)!

  test('is found down within 3 · 10 + 2 s', () => {
    expect(story).toEqual([
      { from: 0, up: true, seconds: 30 },
      { from: 12_000, up: true, seconds: 20 },
      { from: 22_000, up: true, seconds: 10 },
      { from: 32_000, up: false, seconds: 20 },
    ])
  })

  test('no cache that was told of it, with 1 s until verdicts are published, sends anybody after 63 s', () => {
    let last = 0
    for (let asked = 0; asked < 60_000; asked += 10) {
      const told = at(Math.max(0, asked - 1000))
      if (told.up) last = Math.max(last, asked + 1000 * Math.min(30, told.seconds))
    }
    expect(last).toBeLessThanOrEqual(63_000)
  })

  test('with TTL 30 whatever is known, the bound is reached and kept', () => {
    const asked = Array.from({ length: 6000 }, (_, i) => 10 * i)
    const sent = asked.filter(time => at(Math.max(0, time - 1000)).up)
    expect(sent.at(-1)! + 30_000).toBe(62_990)
  })

  test('an answer given at a try is forgotten by the flip; one between tries less than `every` after', () => {
    const flip = 32_000
    for (const { from, up, seconds } of story) {
      // A try counts from its start, two seconds before it has failed.
      const start = from === 0 ? 0 : from - 2000
      if (up) expect(start + 1000 * seconds).toBeLessThanOrEqual(flip)
    }
    for (let asked = 0; asked < flip; asked += 10) {
      expect(asked + 1000 * at(asked).seconds - flip).toBeLessThan(1000 * check.every)
    }
  })
})
