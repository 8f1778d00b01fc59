/** Walking a ranking: usable pools, quorum, ties, spill, the last resort, spreading, and the TTL. */
import { describe, expect, test } from 'vitest'
import { NO_CAP, openBoard } from '../../server/steer/board.ts'
import type { LastResort, Pool, Quorum } from '../../server/steer/rule.ts'
import { KIND, type Steering } from '../../server/steer/steering.ts'
import { poolState } from '../../server/steer/walk.ts'
import { addresses, asked, boardWith, counts, steeredBy, words } from '../kit/draws.ts'
import { chosen, decide, pool } from '../kit/steering.ts'

/** Hex of 192.0.2.n. */
const hex = (n: number): string => `c00002${n.toString(16).padStart(2, '0')}`

const pools = (...all: readonly (readonly string[])[]): Pool[] =>
  all.map((targets, i) => pool('PQRS'.charAt(i), ...targets))

/** A board on which so many targets of each pool are up, the first ones. */
function upTo(steering: Steering, ...up: readonly number[]) {
  const board = openBoard(steering)
  for (const [pool, count] of up.entries()) {
    const [start, end] = [steering.listStart[3 * pool] ?? 0, steering.listStart[3 * pool + 3]]
    board.up.fill(0, start + count, end)
  }
  return board
}

function poolName(steering: Steering, pool: number): string {
  return steering.poolNames[pool] ?? 'none'
}

describe('the first pool that has an up target of the asked family', () => {
  // biome-ignore format: table
  const TABLE = [
    // rule                                              pools                                                 family down              pool
    ['BC-124 A from the first pool',                     [['192.0.2.1'], ['192.0.2.2', '2001:db8::2']],        4, [],                   'P'],
    ['AAAA from the second',                             [['192.0.2.1'], ['192.0.2.2', '2001:db8::2']],        6, [],                   'Q'],
    ['none has it',                                      [['192.0.2.1'], ['192.0.2.2']],                       6, [],                   'none'],
    ['BC-112 both of the first while one is up',         [['192.0.2.1', '192.0.2.2'], ['192.0.2.9']],          4, [hex(1)],             'P'],
    ['BC-112 the second only when both are down',        [['192.0.2.1', '192.0.2.2'], ['192.0.2.9']],          4, [hex(1), hex(2)],     'Q'],
    ['its IPv4 is down, its IPv6 is not',                [['192.0.2.1', '2001:db8::1'], ['192.0.2.9']],        4, [hex(1)],             'Q'],
    ['a backup of the backup',                           [['192.0.2.1'], ['192.0.2.2'], ['192.0.2.3']],        4, [hex(1), hex(2)],     'R'],
    ['BC-116 five of twelve are up: these serve',        [addresses(12), ['192.0.2.99']],                      4, [1, 2, 3, 4, 5, 6, 7].map(hex), 'P'],
  ] as const
  for (const [name, text, family, down, expected] of TABLE) {
    test(name, () => {
      const steering = steeredBy({}, pools(...text))
      const board = boardWith(steering, ...down)
      const made = decide(steering, '', { family, board })
      expect(poolName(steering, made.pool)).toBe(expected)
      expect(made).toMatchObject({ scope: 0, resort: expected === 'none' })
      for (const target of chosen(steering, made)) expect(down).not.toContain(target)
      expect(made.count > 0).toBe(expected !== 'none')
    })
  }
  test('BC-112 both .10 and .11 in every answer while healthy', () => {
    const steering = steeredBy({}, pools(['192.0.2.10', '192.0.2.11'], ['192.0.2.20']))
    for (const answer of asked(steering, 20)) expect([...answer].sort()).toEqual([hex(10), hex(11)])
  })
})

describe('quorum: so many of all targets of a pool, in both families', () => {
  const share = (of: number): Quorum => ({ kind: 'share', share: of })
  const count = (of: number): Quorum => ({ kind: 'count', count: of })
  // The table of gdnsd's up_thresh: 0.5 of 1 … 16 rounded up.
  // biome-ignore format: table
  const HALF = [[1, 1], [2, 1], [3, 2], [4, 2], [5, 3], [6, 3], [7, 4], [8, 4], [9, 5], [10, 5],
                [11, 6], [12, 6], [13, 7], [14, 7], [15, 8], [16, 8]] as const
  // biome-ignore format: table
  const TABLE = [
    ...HALF.map(([total, need]) => [`gdnsd: 0.5 of ${total} is ${need}`, share(0.5), total, need] as const),
    ['100 % is all',                           share(1),    7,  7],
    ['a tenth of 30 is 3, not 4',              share(0.1),  30, 3],
    ['seven hundredths of 100 is 7',           share(0.07), 100, 7],
    ['a sliver is one',                        share(0.01), 5,  1],
    ['a count of 2',                           count(2),    5,  2],
  ] as const
  for (const [name, quorum, total, need] of TABLE) {
    test(name, () => {
      const [first, second] = pools(addresses(total), addresses(total, '203.0.113.'))
      for (const [where, steering] of [
        ['of the pool', steeredBy({}, [{ ...first!, quorum }, second!])],
        ['of the rule', steeredBy({ quorum }, [{ ...first!, quorum: count(1000) }, second!])],
      ] as const) {
        const serves = (up: number) =>
          poolName(steering, decide(steering, '', { board: upTo(steering, up, total) }).pool)
        expect([serves(need), serves(need - 1)], where).toEqual(['P', 'Q'])
      }
    })
  }
  test('both families count together, and A and AAAA go to one pool', () => {
    const both = [...addresses(2), ...addresses(2, '2001:db8::')]
    const steering = steeredBy(
      { quorum: count(3) },
      pools(both, ['192.0.2.8', '192.0.2.9', '2001:db8::9']),
    )
    for (const [down, expected] of [
      [[hex(1)], 'P'],
      [[hex(1), `${'20010db8'.padEnd(31, '0')}1`], 'Q'],
    ] as const) {
      const board = boardWith(steering, ...down)
      for (const family of [4, 6] as const) {
        expect(poolName(steering, decide(steering, '', { family, board }).pool)).toBe(expected)
      }
    }
  })
})

describe('the last resort: always an answer', () => {
  const quorum: Quorum = { kind: 'share', share: 0.75 }
  const POOLS = pools(addresses(4), ['192.0.2.11', '192.0.2.12'], ['192.0.2.21'])
  const all: LastResort = { kind: 'all' }
  const healthiest: LastResort = { kind: 'healthiest' }
  const third: LastResort = { kind: 'pool', pool: 2 }
  // biome-ignore format: table
  const TABLE = [
    // rule                                                resort      up of P, Q, R  answer
    ['BC-115 all down: all of the first',                  all,        [0, 0, 0],     '1 2 3 4'],
    ['BC-115 all down, healthiest: all of the first',      healthiest, [0, 0, 0],     '1 2 3 4'],
    ['BC-115 all down: all of the pool named',             third,      [0, 0, 0],     '21'],
    ['gdnsd: below quorum is all, the down ones too',      all,        [2, 1, 0],     '1 2 3 4'],
    ['healthiest: 2/4 and 1/2 are alike, the first',       healthiest, [2, 1, 0],     '1 2'],
    ['healthiest: 1/4 and 1/2, the second',                healthiest, [1, 1, 0],     '11'],
    ['the pool named is not asked for its health',         third,      [2, 1, 0],     '21'],
    ['there is a usable pool: no last resort',             third,      [2, 2, 0],     '11 12'],
  ] as const
  for (const [name, lastResort, up, expected] of TABLE) {
    test(name, () => {
      const steering = steeredBy(
        { lastResort, quorum, choose: { kind: 'all', pools: [0, 1] } },
        POOLS,
      )
      const made = decide(steering, '', { board: upTo(steering, ...up) })
      expect(chosen(steering, made).sort()).toEqual(expected.split(' ').map(n => hex(Number(n))))
      expect(made).toMatchObject({ resort: up[1] < 2, scope: 0 })
    })
  }
  test('all down, AAAA: the first pool that has any', () => {
    const steering = steeredBy({}, pools(['192.0.2.1'], ['192.0.2.2', '2001:db8::2']))
    const made = decide(steering, '', { family: 6, board: upTo(steering, 0, 0) })
    expect([poolName(steering, made.pool), made.count]).toEqual(['Q', 1])
  })
})

describe('spread: the last target from the next usable pool', () => {
  const [P, Q, R] = [addresses(4), ['192.0.2.11', '192.0.2.12'], ['192.0.2.21']]
  // biome-ignore format: table
  const TABLE = [
    // rule                                             answers  pools                        up         from P, Q, R
    ['two and one',                                     3,       [P, Q, R],                   [4, 2, 1], [2, 1, 0]],
    ['one and one',                                     2,       [P, Q, R],                   [4, 2, 1], [1, 1, 0]],
    ['one alone is no spread',                          1,       [P, Q, R],                   [4, 2, 1], [1, 0, 0]],
    ['more than there are: all, and one more',          9,       [P, Q, R],                   [4, 2, 1], [4, 1, 0]],
    ['no number: all, and one more',                    undefined, [P, Q, R],                 [4, 2, 1], [4, 1, 0]],
    ['the next is down: the one after',                 3,       [P, Q, R],                   [4, 0, 1], [2, 0, 1]],
    ['the first is down: the next two',                 3,       [P, Q, R],                   [0, 2, 1], [0, 2, 1]],
    ['all others are down: all from the one',           3,       [P, Q, R],                   [4, 0, 0], [3, 0, 0]],
    ['the last one is usable: nothing follows it',      3,       [P, Q, R],                   [0, 0, 1], [0, 0, 1]],
    ['the last resort does not spread',                 3,       [P, Q, R],                   [0, 0, 0], [3, 0, 0]],
    ['no address twice: the other one of the next',     5,       [P, ['192.0.2.1', '192.0.2.11'], R], [4, 2, 1], [4, 1, 0]],
    ['no address twice: none where it has no other',    5,       [P, ['192.0.2.1'], R],       [4, 1, 1], [4, 0, 0]],
  ] as const
  for (const [name, answers, text, up, expected] of TABLE) {
    test(name, () => {
      const steering = steeredBy({ spread: 'pools', answers }, pools(...text))
      const board = upTo(steering, ...up)
      for (let seed = 0; seed < 10; seed += 1) {
        const made = decide(steering, '', { board, seed })
        const from = [0, 0, 0]
        for (const target of made.targets.subarray(0, made.count)) {
          from[(steering.listStart.findLastIndex(start => start <= target) / 3) | 0]! += 1
        }
        expect(from).toEqual(expected)
        expect(new Set(chosen(steering, made)).size).toBe(made.count)
      }
    })
  }
  test('the next pool may be as large as it likes', () => {
    const steering = steeredBy({ spread: 'pools' }, pools(P, addresses(200, '203.0.113.')))
    for (let seed = 0; seed < 5; seed += 1) {
      const answer = chosen(steering, decide(steering, '', { seed }))
      expect(answer.slice(0, 4).sort()).toEqual([1, 2, 3, 4].map(hex))
      expect(answer.slice(4)).toEqual([expect.stringMatching(/^cb0071/)])
    }
  })
  test('both pools take turns', () => {
    const steering = steeredBy({ spread: 'pools', answers: 2, pick: 'rotate' }, pools(P, Q))
    const answers = words(asked(steering, 8))
    expect([...counts(answers.map(answer => answer[0])).values()]).toEqual([2, 2, 2, 2])
    expect([...counts(answers.map(answer => answer[1])).values()]).toEqual([4, 4])
  })
})

describe('TTL: what the board allows, within what the rule says', () => {
  // biome-ignore format: table
  const TABLE = [
    ['no cap: the most',              NO_CAP, 30],
    ['a cap between',                 17,     17],
    ['a cap above the most',          31,     30],
    ['a cap below the least',         3,      10],
    ['a cap of 0: the least',         0,      10],
  ] as const
  for (const [name, cap, expected] of TABLE) {
    test(`${name}: ${expected}`, () => {
      const steering = steeredBy({ ttl: { max: 30, min: 10 } }, pools(['192.0.2.1']))
      const board = openBoard(steering)
      board.cap[0] = cap
      expect(decide(steering, '', { board }).ttl).toBe(expected)
    })
  }
})

describe('the state of each pool, in words', () => {
  const quorum: Quorum = { kind: 'count', count: 2 }
  const POOLS = pools(
    addresses(4),
    ['192.0.2.11', '192.0.2.12'],
    ['192.0.2.21', '192.0.2.22', '2001:db8::21'],
  )
  // biome-ignore format: table
  const TABLE = [
    // rule                     text                           up         family  P, Q, R
    ['the first serves',        { quorum },                    [3, 1, 2], 4,      'serves · below quorum · not needed'],
    ['the third serves',        { quorum },                    [1, 0, 2], 4,      'below quorum · none up · serves'],
    ['the other family',        { quorum },                    [3, 1, 3], 6,      'no targets of that family · no targets of that family · serves'],
    ['the last resort',         { quorum },                    [1, 1, 1], 4,      'last resort · below quorum · below quorum'],
    ['spread',                  { spread: 'pools' },           [4, 0, 2], 4,      'serves · none up · gives the last target'],
  ] as const
  for (const [name, text, up, family, expected] of TABLE) {
    test(name, () => {
      const steering = steeredBy(text, POOLS)
      const board = upTo(steering, ...up)
      const made = decide(steering, '', { board, family })
      const kind = family === 4 ? KIND.ipv4 : KIND.ipv6
      const states = [0, 1, 2].map(pool => poolState(steering, board, 0, pool, kind, made))
      expect(states.map(({ why }) => why).join(' · ')).toBe(expected)
      expect(states.map(state => state.up)).toEqual(up)
      expect(states.map(({ total }) => total)).toEqual([4, 2, 3])
    })
  }
  test('need, the share kept, and whether it is usable', () => {
    const steering = steeredBy({ quorum, spill: 1.4 }, POOLS)
    const board = upTo(steering, 2, 1, 3)
    const made = decide(steering, '', { board })
    const states = [0, 1, 2].map(pool => poolState(steering, board, 0, pool, KIND.ipv4, made))
    expect(states.map(({ need, keeps, usable }) => [need, keeps, usable])).toEqual([
      [2, 0.7, true],
      [2, 0.7, false],
      [2, 1, true],
    ])
  })
})
