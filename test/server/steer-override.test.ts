/**
 * What operators impose, as clients get it: a share of pairs of client and source moves, each once,
 * and comes back; scopes and turns of other pools know nothing of it.
 */
import { describe, expect, test } from 'vitest'
import { Sheet } from '../../server/health/sheet.ts'
import { type Board, openBoard } from '../../server/steer/board.ts'
import { chance } from '../../server/steer/chance.ts'
import { decision } from '../../server/steer/decision.ts'
import { impose } from '../../server/steer/impose.ts'
import { placed } from '../../server/steer/named.ts'
import type { Does, Override } from '../../server/steer/override.ts'
import type { Pool } from '../../server/steer/rule.ts'
import { steer } from '../../server/steer/steer.ts'
import { type Steering, targetOctets } from '../../server/steer/steering.ts'
import { startTurns } from '../../server/steer/turns.ts'
import { HandClock } from '../kit/clock.ts'
import { addresses, chiSquare, counts, steeredBy } from '../kit/draws.ts'
import { peerOf, pool, subnetOf } from '../kit/steering.ts'

const SOURCES = 5000
/** Each in a /24 of its own. */
const source = (i: number): string => `127.${i >> 8}.${i & 255}.53`
const sigmas = (share: number): number => 3 * Math.sqrt(SOURCES * share * (1 - share))

const dual = (name: string, size: number, net: number): Pool =>
  pool(name, ...addresses(size, `192.0.${net}.`), ...addresses(size, `2001:db8:${net}::`))

const NOW = 1.8e12

function override(does: Does, from = NOW): Override {
  return { id: 1, author: 'alice', reason: '', made: NOW, from, does }
}

/** The board under overrides, at a moment. */
function boardUnder(steering: Steering, all: readonly Does[], now = NOW): Board {
  const board = openBoard(steering)
  const sheet = new Sheet(steering, board, new Map(), new HandClock().clock)
  const known = all.map(does => placed(steering, override(does)))
  sheet.impose(impose(steering, known, now), 'before')
  return board
}

type Got = { readonly pool: string; readonly scope: number; readonly targets: readonly string[] }

/** What each source gets. */
function got(steering: Steering, board: Board, family: 4 | 6 = 4, subnet = ''): Got[] {
  const made = decision()
  const [told, drawn] = [subnetOf(subnet), chance(1)]
  const turns = startTurns(steering, drawn)
  return Array.from({ length: SOURCES }, (_, i) => {
    steer(steering, board, 0, family, told, peerOf(source(i)), turns, drawn, made)
    const targets = [...made.targets.subarray(0, made.count)]
    return {
      pool: steering.poolNames[made.pool] ?? '',
      scope: made.scope,
      targets: targets.map(target => targetOctets(steering, target).join('.')).sort(),
    }
  })
}

const pools = (all: readonly Got[]): string[] => all.map(one => one.pool)
const drain = (what: string, share = 1): Does => ({ kind: 'drain', what, share })

describe('drain of a pool', () => {
  const steering = steeredBy({}, [dual('fra', 2, 1), dual('iad', 2, 2)])
  const at = (...all: Does[]) => pools(got(steering, boardUnder(steering, all)))

  test.each([0.01, 0.3, 0.5, 0.99])('a share of %f goes to the next one, within 3 σ', share => {
    const moved = counts(at(drain('fra', share))).get('iad') ?? 0
    expect(Math.abs(moved - SOURCES * share)).toBeLessThanOrEqual(sigmas(share))
  })
  test('all of it', () => {
    expect(new Set(at(drain('fra')))).toEqual(new Set(['iad']))
  })
  test('each pair moves once: who left at 10 % is away at 20 %, … 100 %, and comes back in reverse', () => {
    const shares = [0.1, 0.2, 0.3, 0.5, 0.8, 1]
    const away = shares.map(share => at(drain('fra', share)).map(name => name === 'iad'))
    for (const [step, before] of away.slice(0, -1).entries()) {
      expect(before.every((left, i) => !left || away[step + 1]?.[i])).toBe(true)
    }
    expect(at(drain('fra', 0.3)).map(name => name === 'iad')).toEqual(away[2])
  })
  test('A and AAAA go together', () => {
    const board = boardUnder(steering, [drain('fra', 0.3)])
    expect(pools(got(steering, board, 6))).toEqual(pools(got(steering, board)))
  })
  test('the greatest of several counts', () => {
    expect(at(drain('fra', 0.3), drain('fra', 0.1))).toEqual(at(drain('fra', 0.3)))
  })
  test('both drained: the last resort, all of the first', () => {
    const all = got(steering, boardUnder(steering, [drain('fra'), drain('iad')]))
    expect(new Set(pools(all))).toEqual(new Set(['fra']))
    expect(all[0]?.targets).toHaveLength(2)
  })
  test('a drained half of an ailing pool: half of what it keeps', () => {
    const spilling = steeredBy({ spill: 1.4 }, [dual('fra', 4, 1), dual('iad', 2, 2)])
    const board = boardUnder(spilling, [drain('fra', 0.5)])
    board.up.fill(0, 2, 4)
    board.up.fill(0, 6, 8) // half of both families: keeps 0.7
    const kept = counts(pools(got(spilling, board))).get('fra') ?? 0
    expect(Math.abs(kept - 0.35 * SOURCES)).toBeLessThan(sigmas(0.35))
  })
  test('scopes stay', () => {
    const sticky = steeredBy({ pick: 'hash' }, [dual('fra', 2, 1), dual('iad', 2, 2)])
    const scopes = [[], [drain('fra', 0.3)], [drain('fra')]].map(all =>
      got(sticky, boardUnder(sticky, all), 4, '198.51.100.0/24').map(({ scope }) => scope),
    )
    expect(new Set(scopes.flat())).toEqual(new Set([24]))
  })
})

describe('drain of a target', () => {
  const steering = steeredBy({}, [dual('fra', 4, 1), dual('iad', 2, 2)])
  const holds = (all: readonly Got[]) => all.map(({ targets }) => targets.includes('192.0.1.1'))

  test('30 % of pairs do not get it, and nobody changes pools', () => {
    const all = got(steering, boardUnder(steering, [drain('192.0.1.1', 0.3)]))
    const without = counts(holds(all)).get(false) ?? 0
    expect(Math.abs(without - 0.3 * SOURCES)).toBeLessThan(sigmas(0.3))
    expect(new Set(pools(all))).toEqual(new Set(['fra']))
  })
  test('all of it: nobody gets it', () => {
    const all = got(steering, boardUnder(steering, [drain('fra/192.0.1.1')]))
    expect(new Set(holds(all))).toEqual(new Set([false]))
  })
  test('of the only one of its pool: whoever does not get it goes to the next pool', () => {
    const lone = steeredBy({}, [pool('fra', '192.0.1.1'), dual('iad', 2, 2)])
    const moved = counts(pools(got(lone, boardUnder(lone, [drain('192.0.1.1', 0.3)])))).get('iad')
    expect(Math.abs((moved ?? 0) - 0.3 * SOURCES)).toBeLessThan(sigmas(0.3))
  })
  test('in one pool of two', () => {
    const shared = steeredBy({}, [pool('fra', '192.0.1.1', '192.0.1.2'), pool('iad', '192.0.1.1')])
    const board = boardUnder(shared, [drain('fra/192.0.1.1')])
    expect([...board.up]).toEqual([0, 1, 1])
    expect([...boardUnder(shared, [drain('192.0.1.1')]).up]).toEqual([0, 1, 0])
  })
})

describe('force', () => {
  const steering = steeredBy({}, [dual('fra', 2, 1), dual('iad', 2, 2)])
  const force = (what: string, to: 'up' | 'down'): Does => ({ kind: 'force', what, to })

  // biome-ignore format: table
  const TABLE = [
    ['a pool down',                      [force('fra', 'down')],                            [0, 0, 0, 0, 1, 1, 1, 1]],
    ['a target down',                    [force('192.0.1.1', 'down')],                      [0, 1, 1, 1, 1, 1, 1, 1]],
    ['the latest counts',                [force('fra', 'down'), force('192.0.1.1', 'up')],  [1, 0, 0, 0, 1, 1, 1, 1]],
    ['what is drained is not forced up', [drain('fra'), force('fra', 'up')],                [0, 0, 0, 0, 1, 1, 1, 1]],
    ['what is not there is nothing',     [force('lhr', 'down')],                            [1, 1, 1, 1, 1, 1, 1, 1]],
  ] as const
  test.each(TABLE)('%s', (_, all, up) => {
    expect([...boardUnder(steering, all).up]).toEqual([...up])
  })
})

describe('ramp', () => {
  const steering = steeredBy({}, [dual('fra', 2, 1), dual('iad', 2, 2), dual('sin', 2, 3)])
  const ramp = (to: string): Does => {
    return { kind: 'ramp', name: 'www.example.com.', from: 'fra', to, seconds: 3600 }
  }
  const after = (seconds: number, to = 'sin') =>
    pools(got(steering, boardUnder(steering, [ramp(to)], NOW + 1000 * seconds)))

  test.each([
    [0, 0],
    [900, 0.25],
    [1800, 0.5],
    [3600, 1],
    [9999, 1],
  ])('after %i s a share of %f', (seconds, share) => {
    const moved = counts(after(seconds)).get('sin') ?? 0
    expect(Math.abs(moved - SOURCES * share)).toBeLessThanOrEqual(sigmas(share))
  })
  test('each pair moves once', () => {
    const away = [600, 1200, 2400].map(seconds => after(seconds).map(name => name === 'sin'))
    expect(away[0]?.every((left, i) => !left || away[1]?.[i])).toBe(true)
    expect(away[1]?.every((left, i) => !left || away[2]?.[i])).toBe(true)
  })
  test('to a pool that is down: nobody moves', () => {
    const board = boardUnder(steering, [ramp('sin')], NOW + 1_800_000)
    board.up.fill(0, 8, 12)
    expect(new Set(pools(got(steering, board)))).toEqual(new Set(['fra']))
  })
  test('from a pool that is down: the ranking goes on as it would', () => {
    const board = boardUnder(steering, [ramp('sin')], NOW + 1_800_000)
    board.up.fill(0, 0, 4)
    expect(new Set(pools(got(steering, board)))).toEqual(new Set(['iad']))
  })
})

describe('a target that starts slowly at half of its weight', () => {
  /** How often it comes first, of all answers; it is the first of two. */
  const first = (pick: 'weighted' | 'random' | 'rotate' | 'two' | 'smooth', warm: number) => {
    const steering = steeredBy({ pick }, [pool('fra', '192.0.1.1', '192.0.1.2')])
    const board = openBoard(steering)
    board.warm[0] = warm
    board.partial[0] = 1
    return counts(got(steering, board).map(({ targets }) => targets[0] ?? ''))
  }
  // By weight: ½ ÷ (½ + 1). Where there are no weights: half of the answers are between both.
  test.each([
    ['weighted', 0.5, 1 / 3],
    ['random', 0.5, 1 / 4],
    ['two', 0.5, 1 / 4],
    ['weighted', 0.01, 0.01 / 1.01],
    ['random', 0.01, 0.01 / 2],
  ] as const)('%s at %f: %f', (pick, warm, share) => {
    const told = first(pick, warm)
    const shares = { '192.0.1.1': share, '192.0.1.2': 1 - share }
    expect(chiSquare(told, shares)).toBeLessThan(10.9)
  })
  test('hash: only its own clients come back, and each once', () => {
    const steering = steeredBy({ pick: 'hash' }, [pool('fra', ...addresses(4, '192.0.1.'))])
    const board = openBoard(steering)
    board.partial[0] = 1
    const at = (warm: number) => {
      board.warm[0] = warm
      return got(steering, board).map(({ targets }) => targets[0])
    }
    const [cold, half, whole] = [at(0.01), at(0.5), at(1)]
    expect(half.every((target, i) => target === cold[i] || target === '192.0.1.1')).toBe(true)
    expect(whole.every((target, i) => target === half[i] || target === '192.0.1.1')).toBe(true)
    expect(counts(half).get('192.0.1.1')).toBeLessThan(counts(whole).get('192.0.1.1') ?? 0)
  })
})
