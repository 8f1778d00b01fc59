/** Law P5: whatever the board says, who a client is and how far its answer holds stay as they are. */
import { describe, expect, test } from 'vitest'
import { openBoard } from '../../server/steer/board.ts'
import { below, chance } from '../../server/steer/chance.ts'
import { pairKey } from '../../server/steer/draws.ts'
import type { LastResort, Pick } from '../../server/steer/rule.ts'
import { poolsOf } from '../../server/steer/steering.ts'
import { addresses } from '../kit/draws.ts'
import { compiled, decide, network, pool, rule } from '../kit/steering.ts'

describe('scope, ranking and client never move with the board', () => {
  const PICKS: readonly Pick[] = ['shuffle', 'smooth', 'hash', 'two', 'fastest']
  const RESORTS: readonly LastResort[] = [
    { kind: 'all' },
    { kind: 'healthiest' },
    { kind: 'pool', pool: 2 },
  ]
  const drawn = chance(6)
  const oneOf = <Item>(of: readonly Item[]): Item => of[below(drawn, of.length)] as Item
  const both = (i: number) => [...addresses(3, `192.0.${i}.`), ...addresses(3, `2001:db8:${i}::`)]
  const rules = Array.from({ length: 40 }, (_, i) =>
    rule({
      owner: `r${i}.`,
      pick: oneOf(PICKS),
      lastResort: oneOf(RESORTS),
      ...oneOf([{}, { spill: 1.4 }]),
      ...oneOf([{}, { quorum: { kind: 'share', share: 0.5 } } as const]),
      ...oneOf([{}, { spread: 'pools' } as const]),
      networks: [[0, oneOf([[0, 1], [1, 0], [2]])]],
      default: oneOf([
        [0, 1],
        [1, 2],
      ]),
    }),
  )
  const { steering } = compiled({
    pools: ['P', 'Q', 'R'].map((name, i) => pool(name, ...both(i))),
    networks: [network('n', '198.51.100.0/23', '2001:db8:7::/47')],
    rules,
  })
  const SUBNETS = ['198.51.100.0/24', '203.0.113.0/24', '2001:db8:7:100::/56', '10.1.2.0/24', '']

  test('forty rules, twenty boards, five clients', () => {
    for (let round = 0; round < 20; round += 1) {
      const board = openBoard(steering)
      board.up.forEach((_, target) => {
        board.up[target] = below(drawn, 2)
        board.load[target] = below(drawn, 100)
        board.latency[target] = below(drawn, 100)
      })
      for (let slot = 0; slot < rules.length; slot += 1) {
        const subnet = oneOf(SUBNETS)
        const family = oneOf([4, 6] as const)
        const told = { slot, family, seed: round }
        const before = decide(steering, subnet, told)
        const { scope, ranking, located, special } = before
        const now = decide(steering, subnet, { ...told, board })
        expect(now).toMatchObject({ scope, ranking, located, special })
        expect(pairKey(now)).toBe(pairKey(before))
        expect(now.count).toBeGreaterThan(0)
        expect([...poolsOf(steering, ranking), 2]).toContain(now.pool)
      }
    }
  })
})
