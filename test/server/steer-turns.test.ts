/**
 * Picking in turn: rotate and smooth, hints that take no turn, threads that share a rotation, and
 * turns that outlive a reload.
 */
import { describe, expect, test, vi } from 'vitest'
import { chance } from '../../server/steer/chance.ts'
import type { Pool } from '../../server/steer/rule.ts'
import { hint } from '../../server/steer/steer.ts'
import { carryTurns, startTurns, type Turns, takeTurn } from '../../server/steer/turns.ts'
import { addresses, asked, boardWith, counts, firstTurns, steered, words } from '../kit/draws.ts'
import { chosen, compiled, decide, pool, rule } from '../kit/steering.ts'

describe('rotate: one, the next in turn', () => {
  test('BC-104 twelve thousand answers of twelve: each exactly 1000', () => {
    const answers = asked(steered({ pick: 'rotate' }, ...addresses(12)), 12_000)
    expect(answers.every(answer => answer.length === 1)).toBe(true)
    expect([...counts(answers.flat()).values()]).toEqual(Array(12).fill(1000))
  })
  test('counts differ by at most 1 over any run, and neighbours follow each other', () => {
    const answers = words(asked(steered({ pick: 'rotate' }, ...addresses(5)), 103)).join('')
    expect('abcde'.repeat(22)).toContain(answers)
    const counted = [...counts(answers).values()]
    expect(Math.max(...counted) - Math.min(...counted)).toBe(1)
  })
  test('A and AAAA asked in pairs both rotate', () => {
    const targets = [...addresses(4), ...addresses(4, '2001:db8::')]
    const steering = steered({ pick: 'rotate' }, ...targets)
    const answers = asked(steering, 80, { family: i => (i % 2 === 0 ? 4 : 6) }).flat()
    expect([...counts(answers).values()]).toEqual(Array(8).fill(10))
  })
  test('three at a time, from the one whose turn it is', () => {
    const steering = steered({ pick: 'rotate', answers: 3 }, ...addresses(4))
    const answers = words(asked(steering, 5, { turns: firstTurns(steering) }))
    expect(answers).toEqual(['abc', 'bcd', 'cda', 'dab', 'abc'])
  })
  test('who is down is passed over', () => {
    const steering = steered({ pick: 'rotate' }, ...addresses(4))
    const told = { turns: firstTurns(steering), board: boardWith(steering, 'c0000202') }
    expect(words(asked(steering, 7, told)).join('')).toBe('acdacda')
  })
  test('servers start anywhere', () => {
    const steering = steered({ pick: 'rotate' }, ...addresses(8))
    const starts = Array.from({ length: 60 }, (_, seed) =>
      chosen(steering, decide(steering, '', { seed })).join(),
    )
    expect(new Set(starts).size).toBe(8)
  })
  test('a host name in turn', () => {
    const answers = asked(steered({ pick: 'rotate' }, 'a.example.', 'b.example.'), 10).flat()
    expect([...counts(answers).values()]).toEqual([5, 5])
  })
})

describe('smooth: weighted, spread evenly', () => {
  const weights = ['192.0.2.1=5', '192.0.2.2=1', '192.0.2.3=1']
  const steering = steered({ pick: 'smooth' }, ...weights)

  test('5, 1, 1 is a a b a c a a, again and again', () => {
    const answers = words(asked(steering, 21, { turns: firstTurns(steering) }))
    expect(answers.join('')).toBe('aabacaa'.repeat(3))
  })
  test('servers start anywhere in it', () => {
    const starts = Array.from({ length: 40 }, (_, seed) =>
      words(asked(steering, 7, { seed })).join(''),
    )
    const [whole] = ['aabacaa'.repeat(2)]
    expect(starts.every(start => whole?.includes(start))).toBe(true)
    expect(new Set(starts).size).toBe(7)
  })
  test('equal weights are a rotation', () => {
    const plain = steered({ pick: 'smooth' }, ...addresses(4))
    const answers = words(asked(plain, 9, { turns: firstTurns(plain) }))
    expect(answers.join('')).toBe('abcdabcda')
  })
  test('BC-108 over any whole number of cycles each has exactly its weight', () => {
    const heavy = steered({ pick: 'smooth' }, '192.0.2.1=900', '192.0.2.2=100')
    expect(counts(words(asked(heavy, 2000)))).toEqual(
      new Map([
        ['a', 1800],
        ['b', 200],
      ]),
    )
  })
  test('two at a time: the next two distinct of the sequence, from each place of it', () => {
    const pairs = steered({ pick: 'smooth', answers: 2 }, ...weights)
    const answers = words(asked(pairs, 7, { turns: firstTurns(pairs) }))
    // Of a a b a c a a | a a b …: from the first place a then b, from the fourth a then c.
    expect(answers).toEqual(['ab', 'ab', 'ba', 'ac', 'ca', 'ab', 'ab'])
  })
  test('of equal ones the first in the list, at every place of an answer', () => {
    const three = steered({ pick: 'smooth', answers: 3 }, '192.0.2.1', '192.0.2.2', '192.0.2.3=2')
    // 1, 1, 2 is c a b c.
    expect(words(asked(three, 1, { turns: firstTurns(three) }))).toEqual(['cab'])
  })
  test('who is down gains nothing meanwhile', () => {
    const turns = firstTurns(steering)
    const board = boardWith(steering, 'c0000201')
    expect(words(asked(steering, 6, { turns, board })).join('')).toBe('bcbcbc')
    expect(words(asked(steering, 7, { turns })).join('')).toBe('aabacaa')
  })
  test('families take turns of their own', () => {
    const both = steered({ pick: 'smooth' }, ...addresses(2), ...addresses(2, '2001:db8::'))
    const family = (i: number) => (i % 2 === 0 ? 4 : 6)
    const answers = words(asked(both, 8, { turns: firstTurns(both), family }))
    expect(answers.join('')).toBe('aabbaabb')
  })
  test('the greatest weights of a large list stay whole numbers', () => {
    const many = Array.from({ length: 700 }, (_, i) => `10.0.${i >> 8}.${i & 255}=65535`)
    const large = steered({ pick: 'smooth' }, ...many)
    const turns = firstTurns(large)
    expect(new Set(asked(large, 700, { turns }).flat()).size).toBe(700)
    expect(turns.gains.every(gain => gain === 0)).toBe(true)
  })
})

describe('hints are drawn alike, but take no turn', () => {
  for (const pick of ['rotate', 'smooth'] as const) {
    test(`${pick}: the target whose turn it is, as often as asked`, () => {
      const steering = steered({ pick }, ...addresses(5))
      const turns = startTurns(steering, chance(4))
      const before = [[...turns.next], [...turns.gains]]
      const hints = words(asked(steering, 6, { turns, by: hint }))
      expect([[...turns.next], [...turns.gains]]).toEqual(before)
      expect(words(asked(steering, 1, { turns }))).toEqual([hints[0]])
      expect(new Set(hints).size).toBe(1)
    })
  }
  test('shuffle: other draws, other orders', () => {
    const hints = asked(steered({}, ...addresses(8)), 20, { by: hint })
    expect(new Set(hints.map(one => one.join())).size).toBeGreaterThan(15)
  })
})

describe('threads with one map take turns in one rotation', () => {
  const steering = steered({ pick: 'rotate' }, ...addresses(5))
  const pair = () => {
    const first = firstTurns(steering)
    return [first, startTurns(steering, chance(2), first.next)] as const
  }
  const take = (turns: readonly Turns[]) =>
    words(turns.flatMap(one => asked(steering, 1, { turns: one }))).join('')

  test('one after the other, whoever is asked', () => {
    const [a, b] = pair()
    expect(take([a, b, b, a, a, b, a])).toBe('abcdeab')
  })
  test('memory that threads can share', () => {
    const [a, b] = pair()
    expect(b.next).toBe(a.next)
    expect(a.next.buffer).toBeInstanceOf(SharedArrayBuffer)
  })
  test('what smooth has gained is each one’s own', () => {
    const smooth = steered({ pick: 'smooth' }, '192.0.2.1=5', '192.0.2.2=1', '192.0.2.3=1')
    const a = firstTurns(smooth)
    const b = startTurns(smooth, chance(2), a.next)
    b.gains.fill(0)
    expect(words(asked(smooth, 3, { turns: a })).join('')).toBe('aab')
    expect(words(asked(smooth, 3, { turns: b })).join('')).toBe('aab')
  })
  test('a turn that another thread takes meanwhile is not given twice', () => {
    const [a] = pair()
    const exchange = Atomics.compareExchange
    const quicker = vi.spyOn(Atomics, 'compareExchange').mockImplementationOnce((...told) => {
      takeTurn(a, 0, 5, 1)
      return exchange(...told)
    })
    expect([takeTurn(a, 0, 5, 1), takeTurn(a, 0, 5, 1)]).toEqual([1, 2])
    quicker.mockRestore()
  })
  test('a thread that changes later takes the turns of one that has changed', () => {
    const [a, b] = pair()
    const now = steered({ pick: 'rotate' }, ...addresses(4))
    expect(take([a])).toBe('a')
    const first = carryTurns(steering, a, now, chance(3))
    const carriedAsk = (turns: typeof first) => words(asked(now, 1, { turns })).join('')
    expect(carriedAsk(first)).toBe('b')
    const second = carryTurns(steering, b, now, chance(4), first.next)
    expect([second, first, second].map(carriedAsk).join('')).toBe('cda')
  })
})

describe('turns outlive a reload', () => {
  const pools = [pool('x', ...addresses(7)), pool('y', '2001:db8::1', '2001:db8::2')]
  const steeredAs = (pick: 'rotate' | 'smooth', owners: string, of: readonly Pool[]) => {
    const rules = [...owners].map(owner =>
      rule({ owner: `${owner}.`, pick, all: of.map((_, i) => i) }),
    )
    return compiled({ pools: of, rules }).steering
  }
  const moved = [pool('y', '2001:db8::1'), pool('x', ...addresses(7))]

  for (const pick of ['rotate', 'smooth'] as const) {
    test(`${pick}: where owner and pool keep their names`, () => {
      const old = steeredAs(pick, 'ab', pools)
      const turns = startTurns(old, chance(1))
      asked(old, 3, { turns, slot: 1 })
      const now = steeredAs(pick, 'cba', moved)
      const carried = carryTurns(old, turns, now, chance(2))
      const next = asked(old, 5, { turns, slot: 1 })
      expect(asked(now, 5, { turns: carried, slot: 1 })).toEqual(next)
    })
  }
  test('rotate: a smaller pool goes on within it', () => {
    const old = steeredAs('rotate', 'ab', pools)
    const now = steeredAs('rotate', 'b', [pool('x', '192.0.2.1')])
    const carried = carryTurns(old, startTurns(old, chance(1)), now, chance(2))
    expect(asked(now, 2, { turns: carried })).toEqual([['c0000201'], ['c0000201']])
  })
  test('smooth: gains follow their target, wherever it stands', () => {
    const old = steeredAs('smooth', 'a', [pool('x', '192.0.2.1=5', '192.0.2.2', '192.0.2.3')])
    const turns = firstTurns(old)
    expect(words(asked(old, 3, { turns })).join('')).toBe('aab')
    const now = steeredAs('smooth', 'a', [pool('x', '192.0.2.3', '192.0.2.2', '192.0.2.1=5')])
    const carried = carryTurns(old, turns, now, chance(2))
    expect(words(asked(now, 4, { turns: carried })).join('')).toBe('acaa')
  })
})
