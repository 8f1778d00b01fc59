import { describe, expect, test } from 'vitest'
import { address, setAddressText } from '../../server/dns/address.ts'
import {
  crowd,
  join,
  leave,
  patienceMs,
  sourceOf,
  touch,
  UNKNOWN,
  whoLeaves,
} from '../../server/transport/crowd.ts'
import { affordableConnections } from '../../server/transport/limit.ts'

type Named = { readonly name: string; readonly source: string; usedAt: number }

/**
 * Plays what happens, in order, at limits of 5 in all and 3 a source: `a1` comes for the first time
 * or is used, `-a1` leaves.
 */
function played(moves: string) {
  const made = crowd<Named>({ all: 5, perSource: 3 })
  const known = new Map<string, Named>()
  for (const [now, move] of moves.split(' ').filter(Boolean).entries()) {
    const name = move.replace('-', '')
    const guest = known.get(name)
    if (guest === undefined) {
      const newcomer = { name, source: name.slice(0, 1), usedAt: now }
      known.set(name, newcomer)
      join(made, newcomer)
    } else if (move.startsWith('-')) leave(made, guest)
    else touch(made, guest, now)
  }
  return made
}

// biome-ignore format: table
const TABLE = [
  // rule                                                         moves              newcomer  leaves
  ['nobody leaves an empty room',                                 '',                   'a',  undefined],
  ['nobody leaves below the limits',                              'a1 a2 b1',           'a',  undefined],
  ['at the limit of the source: its own, idle longest',           'b1 a1 a2 a3',        'a',  'a1'],
  ['at the limit of another source: nobody',                      'a1 a2 a3',           'b',  undefined],
  ['use counts, not age',                                         'a1 a2 a3 a1',        'a',  'a2'],
  ['at the limit of all: of the same source first',               'a1 a2 b1 b2 c1',     'c',  'c1'],
  ['at the limit of all, a new source: of those that have most',  'a1 a2 b1 b2 c1',     'd',  'a1'],
  ['of those that have most, of the one used least lately',       'a1 a2 b1 b2 c1 a1',  'd',  'b1'],
  ['who has one keeps it, idle or not',                           'c1 a1 a2 b1 b2',     'd',  'a1'],
  ['who has most makes room, used or not',                        'b1 c1 a1 a2 a3 a1',  'd',  'a2'],
  ['the newcomer counts where it is from',                        'b1 b2 c1 a1 a2',     'a',  'a1'],
  ['all have one: idle longest of all',                           'a1 b1 c1 d1 e1',     'f',  'a1'],
  ['all have one: use counts',                                    'a1 b1 c1 d1 e1 a1',  'f',  'b1'],
  ['one who left is no longer counted',                           'a1 a2 a3 b1 b2 -a1 -a2 c1 d1', 'e', 'b1'],
  ['whoever left takes no place',                                 'a1 a2 a3 -a1',       'a',  undefined],
  ['leaving twice is leaving once',                               'a1 a2 a3 -a1 -a1',   'b',  undefined],
] as const

describe('who makes room', () => {
  for (const [rule, moves, source, leaver] of TABLE) {
    test(rule, () => {
      expect(whoLeaves(played(moves), source)?.name).toBe(leaver)
    })
  }

  test('of a source that is not known yet any number may come, up to the limit of all', () => {
    const made = crowd<Named>({ all: 5, perSource: 3 })
    for (const name of ['1', '2', '3', '4']) join(made, { name, source: UNKNOWN, usedAt: 0 })
    expect(whoLeaves(made, UNKNOWN)).toBeUndefined()
    join(made, { name: '5', source: UNKNOWN, usedAt: 0 })
    expect(whoLeaves(made, UNKNOWN)?.name).toBe('1')
  })

  test('one who has left is not brought back by a late use', () => {
    const made = played('a1 -a1')
    touch(made, { name: 'a1', source: 'a', usedAt: 0 }, 9)
    expect([made.guests.size, made.bySource.size]).toEqual([0, 0])
  })
})

// biome-ignore format: table
const PATIENCE = [
  // guests of 10  ms of 10,000
  [0,              10_000],
  [5,              10_000],
  [6,              8_000],
  [9,              2_000],
  [10,             1_000],
] as const

describe('RFC 7766 §6.2.3 the fuller it is, the sooner idle ones leave', () => {
  for (const [guests, expected] of PATIENCE) {
    test(`${guests} of 10: ${expected} ms`, () => {
      const made = crowd<Named>({ all: 10, perSource: 10 })
      for (let name = 0; name < guests; name += 1) {
        join(made, { name: `${name}`, source: 'a', usedAt: 0 })
      }
      expect(patienceMs(made, 10_000)).toBe(expected)
    })
  }
})

// biome-ignore format: table
const SOURCES = [
  ['192.0.2.1',           '192.0.2.2',           'other'],
  ['192.0.2.1',           '::ffff:192.0.2.1',    'same'],
  ['2001:db8:1:2::1',     '2001:db8:1:2:3::9',   'same'],
  ['2001:db8:1:2::1',     '2001:db8:1:3::1',     'other'],
] as const

describe('a source is an IPv4 address or an IPv6 /64', () => {
  for (const [one, other, verdict] of SOURCES) {
    test(`${one} and ${other}: ${verdict}`, () => {
      expect(sourceText(one) === sourceText(other) ? 'same' : 'other').toBe(verdict)
    })
  }
})

function sourceText(text: string): string {
  const into = address()
  setAddressText(into, text)
  return sourceOf(into)
}

// biome-ignore format: table
const FILES = [
  [1_048_576, 1000],
  [1200,      1000],
  [1024,      824],
  [256,       56],
  [64,        50],
  [Number.POSITIVE_INFINITY, 1000],
] as const

describe('connections are fewer than files', () => {
  for (const [files, connections] of FILES) {
    test(`${files} files: ${connections} connections`, () => {
      expect(affordableConnections(files)).toBe(connections)
    })
  }

  test('on this machine: some', () => {
    expect(affordableConnections()).toBeGreaterThanOrEqual(50)
  })
})
