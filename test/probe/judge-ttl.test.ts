/** TTLs that count down, and those that do not. Times in seconds. */
import { describe, expect, test } from 'vitest'
import { countsDown, falls, resets } from '../../probe/judge/ttl.ts'

const row = (...pairs: readonly (readonly [number, number])[]) =>
  pairs.map(([at, ttl]) => ({ at, ttl, aa: false }))
const every = (count: number, ttl: (at: number) => number) =>
  Array.from({ length: count }, (_, at) => ({ at, ttl: ttl(at), aa: false }))

describe('a cache or not', () => {
  // biome-ignore format: table
  const TABLE = [
    // what                                                        series                                        down   falls  resets
    ['an authority: the same each time',                           every(20, () => 300),                         false, false, true],
    ['a cache: one less each second',                              every(20, at => 300 - at),                    true,  true,  false],
    ['a cache asked fast: it has only begun to fall',              row([0, 300], [0.4, 300], [1.1, 299]),        true,  true,  false],
    ['an authority asked fast',                                    row([0, 300], [0.1, 300], [0.2, 300]),        false, false, false],
    ['a cache of five seconds, fetched anew three times',          every(20, at => 5 - (at % 6)),                true,  false, true],
    ['two caches behind one address',                              every(20, at => (at % 2 ? 300 : 120) - at),   true,  false, true],
    ['an authority with another TTL each time',                    every(20, at => 20 + ((at * 7) % 13)),        false, false, true],
    ['a TTL that stepped down once, long after',                   row([0, 300], [60, 300], [120, 60]),          false, false, true],
    ['nothing',                                                    [],                                           false, false, false],
    ['one reply',                                                  row([0, 7]),                                  false, false, false],
  ] as const
  test('an authority whose health checks fail, one after the other', () => {
    const steps = row([0, 30], [5, 20], [10, 10]).map(moment => ({ ...moment, aa: true }))
    expect([countsDown(steps), falls(steps), resets(steps)]).toEqual([false, false, false])
  })
  for (const [what, series, down, fall, reset] of TABLE) {
    test(what, () => {
      expect([countsDown(series), falls(series), resets(series)]).toEqual([down, fall, reset])
    })
  }
})
