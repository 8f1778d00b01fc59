/**
 * Which clients an ailing pool gives away, and which of equally good pools a client gets: drawn by
 * client and source, so that the same ones move and come back, and all types of a name go together.
 */
import { describe, expect, test } from 'vitest'
import { type Board, openBoard } from '../../server/steer/board.ts'
import { below, chance } from '../../server/steer/chance.ts'
import { decision } from '../../server/steer/decision.ts'
import { sourceKey } from '../../server/steer/draws.ts'
import type { Pool } from '../../server/steer/rule.ts'
import { steer } from '../../server/steer/steer.ts'
import { KINDS, type Steering } from '../../server/steer/steering.ts'
import { startTurns } from '../../server/steer/turns.ts'
import { addresses, chiSquare, counts, steeredBy } from '../kit/draws.ts'
import { latency, nearest, peerOf, pool, type RuleText, subnetOf } from '../kit/steering.ts'

const SOURCES = 5000
/** Each in a /24 of its own, all in one leaf. */
const source = (i: number): string => `11.${i >> 8}.${i & 255}.53`

const dual = (name: string, size: number, net: number): Pool =>
  pool(name, ...addresses(size, `192.0.${net}.`), ...addresses(size, `2001:db8:${net}::`))

/** A board on which so many hosts of each pool are up, in both families, the first ones. */
function hostsUp(steering: Steering, ...up: readonly number[]): Board {
  const board = openBoard(steering)
  for (const [pool, hosts] of up.entries()) {
    for (const kind of [0, 1]) {
      const start = steering.listStart[KINDS * pool + kind] ?? 0
      board.up.fill(0, start + hosts, steering.listStart[KINDS * pool + kind + 1])
    }
  }
  return board
}

/** The pool of each source, by name. */
function poolsOf(steering: Steering, board: Board, family: 4 | 6 = 4, subnet = ''): string[] {
  const made = decision()
  const [told, drawn] = [subnetOf(subnet), chance(1)]
  const turns = startTurns(steering, drawn)
  return Array.from({ length: SOURCES }, (_, i) => {
    steer(steering, board, 0, family, told, peerOf(source(i)), turns, drawn, made)
    return steering.poolNames[made.pool] ?? ''
  })
}

/** Three standard deviations of a share of the sources. */
const sigmas = (share: number): number => 3 * Math.sqrt(SOURCES * share * (1 - share))

describe('spill 1.4: a pool keeps its clients down to 71.4 %, then a share of them', () => {
  // biome-ignore format: table
  const TABLE = [
    // up, of,  share kept: the table of overprovisioning
    [7,  7,  1],
    [6,  7,  1],
    [5,  7,  1],
    [4,  7,  0.8],
    [2,  4,  0.7],
    [1,  4,  0.35],
    [0,  4,  0],
  ] as const
  for (const [up, of, share] of TABLE) {
    test(`${up} of ${of} up keeps ${share}`, () => {
      const steering = steeredBy({ spill: 1.4 }, [dual('P', of, 1), dual('Q', 2, 2)])
      const kept = counts(poolsOf(steering, hostsUp(steering, up, 2))).get('P') ?? 0
      expect(Math.abs(kept - SOURCES * share)).toBeLessThanOrEqual(sigmas(share))
    })
  }
  test('the factor of the rule wins over that of the pool', () => {
    const generous = { ...dual('P', 4, 1), spill: 4 }
    const told = [{}, { spill: 1 }].map(text => {
      const steering = steeredBy(text, [generous, dual('Q', 2, 2)])
      return counts(poolsOf(steering, hostsUp(steering, 2, 2))).get('P') ?? 0
    })
    expect(told[0]).toBe(SOURCES)
    expect(Math.abs((told[1] ?? 0) - SOURCES / 2)).toBeLessThan(sigmas(0.5))
  })
  test('no factor: all or nothing', () => {
    const steering = steeredBy({}, [dual('P', 4, 1), dual('Q', 2, 2)])
    expect(new Set(poolsOf(steering, hostsUp(steering, 1, 2)))).toEqual(new Set(['P']))
  })
})

describe('who moves', () => {
  const steering = steeredBy({ spill: 1.4 }, [dual('P', 8, 1), dual('Q', 8, 2), dual('R', 8, 3)])
  const at = (...up: number[]) => poolsOf(steering, hostsUp(steering, ...up))

  test('monotone: who has left at 6 of 8 is away at 5, 4, … 0, and comes back in reverse', () => {
    const away = [8, 7, 6, 5, 4, 3, 2, 1, 0].map(up => at(up, 8, 8).map(name => name !== 'P'))
    for (const [step, before] of away.slice(0, -1).entries()) {
      expect(before.every((left, i) => !left || away[step + 1]?.[i])).toBe(true)
    }
    expect(counts(away[4] ?? []).get(true)).toBeGreaterThan(0)
    expect(at(4, 8, 8).map(name => name !== 'P')).toEqual(away[4])
  })
  test('the next pool gives away others than the first did', () => {
    // P keeps 0.7; of the other 0.3, Q keeps 0.35.
    const shares = counts(at(4, 2, 8))
    const expected = { P: 0.7, Q: 0.3 * 0.35, R: 0.3 * 0.65 }
    expect(chiSquare(shares, expected)).toBeLessThan(13.9)
  })
  test('whom all give away is served by the first usable one', () => {
    const shares = counts(at(0, 2, 2))
    expect(chiSquare(shares, { Q: 0.35 + 0.65 * 0.65, R: 0.65 * 0.35 })).toBeLessThan(10.9)
  })
  test('A and AAAA go together', () => {
    const board = hostsUp(steering, 4, 2, 8)
    expect(poolsOf(steering, board, 6)).toEqual(poolsOf(steering, board, 4))
  })
  test('the share counts both families', () => {
    const board = openBoard(steering)
    board.up.fill(0, 8, 16) // the IPv6 of P: half of all its targets
    const kept = counts(poolsOf(steering, board)).get('P') ?? 0
    expect(Math.abs(kept - 0.7 * SOURCES)).toBeLessThan(sigmas(0.7))
  })
  test('one source, one leaf: one pool, whatever its bits of a client', () => {
    const board = hostsUp(steering, 4, 8, 8)
    const subnets = ['198.51.100.0/24', '198.51.100.7/32', '203.0.113.0/24', '2a00::/56']
    const [none, ...told] = ['', ...subnets].map(subnet => poolsOf(steering, board, 4, subnet))
    for (const pools of told) expect(pools).toEqual(none)
  })
  test('one source, clients told apart by hashing: a share of those', () => {
    const sticky = steeredBy({ pick: 'hash', spill: 1.4 }, [dual('P', 4, 1), dual('Q', 2, 2)])
    const board = hostsUp(sticky, 2, 2)
    const [made, drawn, turns] = [decision(), chance(1), startTurns(sticky, chance(1))]
    const pools = Array.from({ length: SOURCES }, (_, i) => {
      const told = subnetOf(`11.${i >> 8}.${i & 255}.0/24`)
      steer(sticky, board, 0, 4, told, peerOf('192.0.2.53'), turns, drawn, made)
      return made.pool
    })
    expect(Math.abs((counts(pools).get(0) ?? 0) - 0.7 * SOURCES)).toBeLessThan(sigmas(0.7))
  })
  test('sources are told apart at /24 and /48', () => {
    const board = hostsUp(steering, 4, 8, 8)
    const [made, drawn, turns] = [decision(), chance(1), startTurns(steering, chance(1))]
    const keyOf = (peer: string) => {
      steer(steering, board, 0, 4, subnetOf(''), peerOf(peer), turns, drawn, made)
      return sourceKey(made)
    }
    expect(keyOf('203.0.113.1')).toBe(keyOf('203.0.113.254'))
    expect(keyOf('2a00:1:2:3::1')).toBe(keyOf('2a00:1:2:ffff::9'))
    const all = ['203.0.113.1', '203.0.112.1', '2a00:1:2::1', '2a00:1:3::1'].map(keyOf)
    expect(new Set(all).size).toBe(4)
  })
})

/** Pools equally fast for the clients of 11.0.0.0/8. */
function tied(text: RuleText, all: readonly Pool[]): Steering {
  const times = Object.fromEntries(all.map((_, i) => [i, 10]))
  const choose = { kind: 'latency', latency: 0, nearest: nearest(all.map((_, i) => i)) } as const
  const placed = all.map(one => ({ ...one, point: { lat: 50, lon: 8 } }))
  return steeredBy({ ...text, choose }, placed, {
    latencies: [latency('rtt', ['11.0.0.0/8', times])],
  })
}

describe('equally good pools share the clients', () => {
  const steering = tied({}, [dual('P', 2, 1), dual('Q', 2, 2), dual('R', 2, 3)])
  const before = poolsOf(steering, openBoard(steering))

  test('a third each (χ², 2 degrees, 99.9 %)', () => {
    expect(chiSquare(counts(before), { P: 1, Q: 1, R: 1 })).toBeLessThan(13.9)
  })
  test('A and AAAA go together', () => {
    expect(poolsOf(steering, openBoard(steering), 6)).toEqual(before)
  })
  test('one goes down: its own move, half and half, and nobody else', () => {
    const after = poolsOf(steering, hostsUp(steering, 2, 0, 2))
    const moved = after.filter((_, i) => before[i] === 'Q')
    expect(after.filter((name, i) => before[i] !== 'Q' && name !== before[i])).toEqual([])
    expect(chiSquare(counts(moved), { P: 1, R: 1 })).toBeLessThan(10.9)
  })
  test('the order in the file does not matter', () => {
    const turned = tied({}, [dual('R', 2, 3), dual('P', 2, 1), dual('Q', 2, 2)])
    expect(poolsOf(turned, openBoard(turned))).toEqual(before)
  })
  test('all down: the last resort is the one that served', () => {
    expect(poolsOf(steering, hostsUp(steering, 0, 0, 0))).toEqual(before)
  })
  test('an ailing one gives away no more than its share', () => {
    const spilling = tied({ spill: 1.4 }, [dual('P', 2, 1), dual('Q', 2, 2), dual('R', 2, 3)])
    const after = poolsOf(spilling, hostsUp(spilling, 2, 1, 2))
    const kept = after.filter((name, i) => before[i] === 'Q' && name === 'Q').length
    const had = counts(before).get('Q') ?? 0
    expect(Math.abs(kept - 0.7 * had)).toBeLessThan(3 * Math.sqrt(had * 0.7 * 0.3))
    expect(after.filter((name, i) => before[i] !== 'Q' && name !== before[i])).toEqual([])
  })
})

describe('pairing: A and AAAA of one client go to one pool, on any board of hosts with both', () => {
  test('2,000 random boards and sources', () => {
    const text = { spill: 1.4, quorum: { kind: 'share', share: 0.3 } } as const
    const steering = tied(text, [dual('P', 3, 1), dual('Q', 3, 2), dual('R', 3, 3)])
    const [made, drawn, turns] = [decision(), chance(5), startTurns(steering, chance(1))]
    for (let round = 0; round < 2000; round += 1) {
      const board = openBoard(steering)
      for (let host = 0; host < 9; host += 1) {
        const up = below(drawn, 2)
        const first = 6 * Math.floor(host / 3) + (host % 3)
        board.up[first] = up
        board.up[first + 3] = up
      }
      const [nobody, peer] = [subnetOf(''), peerOf(source(round))]
      const [ipv4, ipv6] = ([4, 6] as const).map(family => {
        steer(steering, board, 0, family, nobody, peer, turns, drawn, made)
        return made.pool
      })
      expect(ipv6).toBe(ipv4)
    }
  })
})
