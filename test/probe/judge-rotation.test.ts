/** What `dns2` says of servers that rotate, shuffle, drift or do not: one client, the same question. */
import { describe, expect, test } from 'vitest'
import { below, type Chance, chance } from '../../probe/judge/chance.ts'
import type { Judgement } from '../../probe/judge/judgement.ts'
import type { Observation } from '../../probe/judge/observation.ts'
import { judgeRotation } from '../../probe/judge/rotation.ts'
import type { RotationEvidence } from '../../probe/judge/verdict.ts'
import { type Answered, observe, pool, shuffled, some } from './judge-simulate.ts'

type Reply = (at: number, dice: Chance) => Answered

function ask(reply: Reply, count = 20, seed = 1): Observation[] {
  const dice = chance(seed)
  return Array.from({ length: count }, (_, at) =>
    observe(undefined, reply(at, dice), { sequence: at, at: 1000 * at, round: at + 1 }),
  )
}

function judge(seen: readonly Observation[], seed = 1): Judgement {
  return judgeRotation(seen, { name: 'www.example.com', type: 'A', seed })
}

function evidence(one: Judgement): RotationEvidence {
  if (one.verdict.evidence.kind !== 'rotation') throw new Error('not of dns2')
  return one.verdict.evidence
}

const EIGHT = pool(1, 8)
const turned = (list: readonly string[], by: number) => [
  ...list.slice(by % list.length),
  ...list.slice(0, by % list.length),
]

describe('codes and modifiers', () => {
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, string, string, Reply])[] = [
    // what                                      code               modifiers         the server
    ['www.google.com: eight, shuffled',           'shuffled-list',   '',               (_, dice) => ({ answers: shuffled(EIGHT, dice) })],
    ['two, shuffled',                             'shuffled-list',   '',               (_, dice) => ({ answers: shuffled(EIGHT.slice(0, 2), dice) })],
    ['eight, one of them mostly first',           'shuffled-list',   'weighted',       (_, dice) => ({ answers: below(dice, 10) ? [EIGHT[0] ?? '', ...shuffled(EIGHT.slice(1), dice)] : shuffled(EIGHT, dice) })],
    ['eight, one place further each time',        'cyclic-list',     '',               at => ({ answers: turned(EIGHT, at) })],
    ['two, one place further each time',          'cyclic-list',     '',               at => ({ answers: turned(EIGHT.slice(0, 2), at) })],
    ['BIND cyclic from a random start',           'cyclic-list',     'random-start',   (_, dice) => ({ answers: turned(EIGHT, below(dice, 8)) })],
    ['three in one order',                        'fixed-list',      '',               () => ({ answers: EIGHT.slice(0, 3) })],
    ['github.com: one of four, in turn',          'rotating-one',    'cyclic',         at => ({ answers: [EIGHT[at % 4] ?? ''] })],
    ['one of eight, in turn',                     'rotating-one',    'cyclic',         at => ({ answers: [EIGHT[at % 8] ?? ''] })],
    ['one of two, in turn',                       'rotating-one',    'cyclic',         at => ({ answers: [EIGHT[at % 2] ?? ''] })],
    ['one of eight, at random',                   'rotating-one',    'random',         (_, dice) => ({ answers: some(EIGHT, 1, dice) })],
    ['one of thirty, in turn: no repeats',        'rotating-one',    '',               at => ({ answers: [pool(1, 30)[at] ?? ''] })],
    ['one of two, nineteen to one',               'rotating-one',    'random weighted', at => ({ answers: [EIGHT[at === 11 ? 1 : 0] ?? ''] })],
    ['three of twelve, at random',                'rotating-subset', '',               (_, dice) => ({ answers: some(pool(1, 12), 3, dice) })],
    ['two of six, in turn',                       'rotating-subset', 'cyclic',         at => ({ answers: turned(EIGHT.slice(0, 6), 2 * at).slice(0, 2) })],
    ['one address',                               'single',          '',               () => ({ answers: ['192.0.2.1'] })],
    ['a CNAME and no more',                       'single',          'cname-to:edge.example.net', () => ({ chain: ['Edge.Example.net.'], soa: false })],
    ['a CNAME to three, shuffled',                'shuffled-list',   'cname-to:edge.example.net', (_, dice) => ({ chain: ['edge.example.net'], answers: shuffled(EIGHT.slice(0, 3), dice) })],
    ['a deploy in the middle',                    'drifting',        '',               at => ({ answers: [at < 9 ? '192.0.2.1' : '192.0.2.2'] })],
    ['a target of a shuffled list goes down',     'drifting',        '',               (at, dice) => ({ answers: shuffled(EIGHT.slice(at < 12 ? 0 : 1), dice) })],
    ['an address that stays for three answers',   'rotating-one',    'random',         at => ({ answers: [EIGHT['0120212'.charCodeAt(Math.floor(at / 3)) - 48] ?? ''] })],
    ['no such name',                              'empty',           '',               () => ({ rcode: 'NXDOMAIN' })],
    ['no such type',                              'empty',           '',               () => ({})],
    ['a cache',                                   'cached',          'not-authoritative', (at, dice) => ({ answers: shuffled(EIGHT, dice), ttl: 300 - at, flags: { aa: false, tc: false, ra: true } })],
    ['a resolver asked within a second',          'cached',          'not-authoritative', at => ({ answers: ['192.0.2.1'], at: 50 * at, ttl: 300, flags: { aa: false, tc: false, ra: true } })],
    ['a resolver that keeps nothing',             'single',          'not-authoritative', at => ({ answers: ['192.0.2.1'], at: 1000 * at, ttl: 300, flags: { aa: false, tc: false, ra: true } })],
    ['a server that is down',                     'unclear',         '',               () => ({ error: 'timeout', rcode: undefined })],
    ['SERVFAIL',                                  'unclear',         '',               () => ({ rcode: 'SERVFAIL' })],
    ['half NODATA, half an address',              'single',          'mixed-negative', at => ({ answers: at % 2 ? ['192.0.2.1'] : [] })],
    ['anycast: each node has its own address',    'single',          'by-instance',    (_, dice) => { const node = below(dice, 2); return { answers: [`192.0.2.${node}`], instance: `node${node}` } }],
    ['anycast: both nodes shuffle the same',      'shuffled-list',   '',               (_, dice) => ({ answers: shuffled(EIGHT, dice), instance: `node${below(dice, 2)}` })],
  ]
  for (const [what, code, modifiers, reply] of TABLE) {
    test(what, () => {
      const { verdict } = judge(ask(reply))
      expect([verdict.code, verdict.modifiers.join(' ')]).toEqual([code, modifiers])
    })
  }
})

describe('how few queries are too few', () => {
  const constant: Reply = () => ({ answers: ['192.0.2.1'] })
  // A fair choice of two looks constant with 2^−(n − 1): 0.0156 for seven, 0.0078 for eight.
  test('seven equal answers', () => expect(judge(ask(constant, 7)).verdict.code).toBe('unclear'))
  test('eight equal answers', () => expect(judge(ask(constant, 8)).verdict.code).toBe('single'))
  test('twenty: p = 1.9 · 10⁻⁶', () => {
    expect(evidence(judge(ask(constant))).constant).toBeCloseTo(1.9e-6, 7)
  })
  test('none at all', () => expect(judge([]).verdict.code).toBe('unclear'))
})

describe('a counter that A and AAAA share', () => {
  const both = (order: (at: number, dice: Chance) => readonly ('A' | 'AAAA')[], size: number) => {
    const dice = chance(4)
    let count = 0
    return Array.from({ length: 20 }, (_, at) => order(at, dice)).flatMap(types =>
      types.map(type => {
        const answers = [`${type} ${count % size}`]
        count += 1
        return observe(undefined, { answers }, { type, sequence: count - 1 })
      }),
    )
  }
  test('asked in turns, one of eight', () => {
    const { verdict } = judge(both(() => ['A', 'AAAA'], 8))
    expect([verdict.code, verdict.modifiers]).toEqual(['rotating-one', ['cyclic']])
  })
  test('asked in random order, one of eight', () => {
    const { verdict } = judge(
      both((_, dice) => (below(dice, 2) ? ['A', 'AAAA'] : ['AAAA', 'A']), 8),
    )
    expect([verdict.code, verdict.modifiers]).toEqual(['rotating-one', ['cyclic']])
  })
  test('one AAAA in between now and then, one of five', () => {
    const { verdict } = judge(both((_, dice) => (below(dice, 3) ? ['A'] : ['AAAA', 'A']), 5))
    expect([verdict.code, verdict.modifiers]).toEqual(['rotating-one', ['cyclic']])
  })
})

test('a reply lost now and then does not hide the turn', () => {
  const seen = ask(at => {
    if (at === 4 || at === 13) return { error: 'timeout', rcode: undefined }
    return { answers: turned(EIGHT, at) }
  })
  expect(judge(seen).verdict.code).toBe('cyclic-list')
})

describe('over a hundred seeds', () => {
  const RUNS = 100
  const share = (reply: Reply, holds: (one: Judgement) => boolean, count = 20) => {
    let hits = 0
    for (let seed = 1; seed <= RUNS; seed += 1) {
      if (holds(judge(ask(reply, count, seed), seed))) hits += 1
    }
    return hits / RUNS
  }
  const has = (modifier: string) => (one: Judgement) => one.verdict.modifiers.includes(modifier)
  const is = (code: string) => (one: Judgement) => one.verdict.code === code

  test('a random one of eight is never called cyclic, weighted or drifting', () => {
    const reply: Reply = (_, dice) => ({ answers: some(EIGHT, 1, dice) })
    const wrong = (one: Judgement) =>
      has('cyclic')(one) || has('weighted')(one) || is('drifting')(one)
    // Less than 0.001 each: three in a hundred would be seen once in thousands of times.
    expect(share(reply, wrong)).toBeLessThan(0.03)
    expect(share(reply, is('rotating-one'))).toBe(1)
  })
  test('a shuffled pair is never called fixed, and seldom cyclic', () => {
    const reply: Reply = (_, dice) => ({ answers: shuffled(EIGHT.slice(0, 2), dice) })
    expect(share(reply, is('shuffled-list'))).toBeGreaterThanOrEqual(0.98)
  })
  test('"at least N" is never more than there are', () => {
    const reply: Reply = (_, dice) => ({ answers: some(EIGHT, 1, dice) })
    expect(share(reply, one => evidence(one).atLeast <= 8)).toBe(1)
    // Twenty draws see all eight with 53 %.
    expect(share(reply, one => evidence(one).atLeast === 8)).toBeGreaterThan(0.35)
    expect(share(reply, one => evidence(one).atLeast === 8)).toBeLessThan(0.7)
  })
  test('ninety to ten shows in sixty queries', () => {
    const reply: Reply = (_, dice) => ({ answers: [EIGHT[below(dice, 10) === 0 ? 1 : 0] ?? ''] })
    expect(share(reply, has('weighted'), 60)).toBeGreaterThan(0.97)
  })
  test('sixty to forty is not called weighted by twenty', () => {
    const reply: Reply = (_, dice) => ({ answers: [EIGHT[below(dice, 10) < 4 ? 1 : 0] ?? ''] })
    expect(share(reply, has('weighted'))).toBeLessThan(0.05)
  })
})
