import { expect, test } from 'vitest'
import { complaint } from '../../server/transport/complaint.ts'
import { handClock } from '../kit/transport.ts'

test('bugs are told of at once, then every ten seconds at most, and none is left out', () => {
  const clock = handClock()
  const told: unknown[] = []
  const complain = complaint((cause, times) => told.push([cause, times]), clock)

  // biome-ignore format: table
  const moves = [
    // passes  cause  told
    [0,        'a',   [['a', 1]]],
    [9999,     'b',   []],
    [0,        'c',   []],
    [1,        'd',   [['d', 3]]],
    [10_000,   'e',   [['e', 1]]],
  ] as const
  for (const [ms, cause, expected] of moves) {
    clock.pass(ms)
    complain(cause)
    expect(told.splice(0)).toEqual(expected)
  }
})
