/** Who of a ranking serves and why the others do not, what is picked from it, and what is supposed. */
import { describe, expect, test } from 'vitest'
import { downFrom } from '../../server/asked.ts'
import { isWrong, wrongText } from '../../server/fault.ts'
import { openBoard } from '../../server/steer/board.ts'
import type { Pool } from '../../server/steer/rule.ts'
import type { Explanation, Steered } from '../../server/tell/explain/explanation.ts'
import { explainText } from '../../server/tell/explain/text.ts'
import { explained, type Question, servingOf } from '../kit/serving.ts'
import {
  nearest,
  network,
  placesFor,
  policyOf,
  pool,
  type RuleText,
  rule,
} from '../kit/steering.ts'

/** So many addresses of a pool: `a1`, `a2` … are 192.0.2.1, .2 …, those of the second from .17 on. */
function sized(name: string, first: number, count: number, more: Partial<Pool> = {}): Pool {
  const addresses = Array.from({ length: count }, (_, i) => `192.0.2.${first + i}`)
  return { ...pool(name, ...addresses), ...more }
}

const PAIR = [sized('a', 1, 4), sized('b', 17, 2)]

/** All clients get pools a, b, … in order. */
function told(
  text: RuleText,
  pools: readonly Pool[],
  down: readonly string[],
  question: Question = {},
): Explanation {
  const all = pools.map((_, index) => index)
  const policy = policyOf({ pools, rules: [rule({ all, ...text })] })
  const serving = servingOf(policy)
  const found = downFrom(down, serving)
  if (isWrong(found)) throw new Error(wrongText(found))
  return explained(serving, { ...question, ...(down.length > 0 && { down: found }) })
}

function steeredBy(explanation: Explanation): Steered {
  if (explanation.steer === undefined) throw new Error('not steered')
  return explanation.steer
}

/** `a serves 4/4 need 1`, and what the pool keeps where that is not all. */
function states(explanation: Explanation): string[] {
  return steeredBy(explanation).pools.map(({ pool, why, up, total, need, keeps }) => {
    return `${pool} ${why} ${up}/${total} need ${need}${keeps < 1 ? ` keeps ${keeps}` : ''}`
  })
}

const HALF = { kind: 'share', share: 0.5 } as const
const A = (...of: readonly number[]) => of.map(last => `192.0.2.${last}`)

describe('each pool of the ranking', () => {
  // biome-ignore format: table
  const STATES: readonly (readonly [string, RuleText, readonly Pool[], readonly string[], readonly string[]])[] = [
    ['steering.md §1 the first usable one serves',    {},                PAIR, [],          ['a serves 4/4 need 1', 'b not needed 2/2 need 1']],
    ['steering.md §1 one target is enough',           {},                PAIR, A(1, 2, 3),  ['a serves 1/4 need 1', 'b not needed 2/2 need 1']],
    ['steering.md §1 none up: the next one',          {},                PAIR, ['a'],       ['a none up 0/4 need 1', 'b serves 2/2 need 1']],
    ['steering.md §2 up_thresh 0.5: 4 need 2',        { quorum: HALF },  PAIR, A(1, 2),     ['a serves 2/4 need 2', 'b not needed 2/2 need 1']],
    ['steering.md §2 up_thresh 0.5: 1 of 4 is less',  { quorum: HALF },  PAIR, A(1, 2, 3),  ['a below quorum 1/4 need 2', 'b serves 2/2 need 1']],
    ['steering.md §2 up_thresh 0.5: 3 need 2',        { quorum: HALF },  [sized('a', 1, 3), sized('b', 17, 5)], A(1, 2), ['a below quorum 1/3 need 2', 'b serves 5/5 need 3']],
    ['steering.md §1 everything down: last resort',   {},                PAIR, ['a', 'b'],  ['a last resort 0/4 need 1', 'b none up 0/2 need 1']],
    ['steering.md §1 spread: one of the next pool',   { spread: 'pools', answers: 2 }, PAIR, [], ['a serves 4/4 need 1', 'b gives the last target 2/2 need 1']],
  ]

  test.each(STATES)('%s', (_, text, pools, down, expected) => {
    const explanation = told(text, pools, down)
    expect(states(explanation)).toEqual(expected)
    expect(steeredBy(explanation).scope.bits).toBe(0)
  })

  test('a pool without such targets is passed over', () => {
    const pools = [sized('a', 1, 2), pool('b', '2001:db8::1', '192.0.2.17')]
    const explanation = told({}, pools, [], { type: 'AAAA' })
    expect(states(explanation)).toEqual([
      'a no targets of that family 2/2 need 1',
      'b serves 2/2 need 1',
    ])
    expect(explainText(explanation)).toContain('a  skipped, as it has no IPv6 targets\n')
    expect(steeredBy(explanation).scope.bits).toBe(0)
  })

  // The table of spec/steering.md §1: 100 % … 71.4 % healthy keep all, 50 %: 0.70, 25 %: 0.35, 0: 0.
  // biome-ignore format: table
  const SPILL = [
    [0, 1], [1, 1], [2, 0.7], [3, 0.35],
  ] as const

  test.each(SPILL)('steering.md §1 spill 1.4 with %i of 4 down keeps %f', (count, keeps) => {
    const serving = servingOf(policyOf({ pools: PAIR, rules: [rule({ all: [0, 1], spill: 1.4 })] }))
    const down = { named: [], targets: Array.from({ length: count }, (_, target) => target) }
    const kept = Array.from({ length: 300 }, (_, i) => {
      // Who is given away goes by the resolver's network, here as clients are not read.
      const source = `20.${i >> 4}.${i & 15}.1`
      const { pools, scope } = steeredBy(explained(serving, { down, source }))
      expect([pools[0]?.keeps, scope.bits]).toEqual([keeps, 0])
      expect(['serves', 'gave this client away']).toContain(pools[0]?.why)
      return pools[0]?.why === 'serves'
    })
    const share = kept.filter(Boolean).length / kept.length
    const sigma = Math.sqrt((keeps * (1 - keeps)) / kept.length)
    expect(Math.abs(share - keeps)).toBeLessThanOrEqual(4 * sigma)
  })
})

describe('in words', () => {
  // biome-ignore format: table
  const WORDS: readonly (readonly [string, RuleText, readonly string[], string])[] = [
    ['serves',              {},                                A(1),       'a  serves: 3 of 4 targets up, 1 needed'],
    ['stands by',           {},                                [],         'b  stands by: 2 of 2 targets up, 1 needed'],
    ['none up',             {},                                ['a'],      'a  skipped, as no IPv4 target is up'],
    ['below quorum',        { quorum: HALF },                  A(1, 2, 3), 'a  skipped, with 1 of 4 targets up, 2 needed'],
    ['gives the last',      { spread: 'pools', answers: 2 },   [],         'b  gives the last target: 2 of 2 targets up, 1 needed'],
    ['last resort',         {},                                ['a', 'b'], 'a  serves as last resort: 0 of 4 targets up, 1 needed'],
  ]

  test.each(WORDS)('%s', (_, text, down, line) => {
    const explanation = told(text, PAIR, down)
    expect(explainText(explanation)).toContain(`${line}\n`)
    expect(steeredBy(explanation).scope.bits).toBe(0)
  })

  test('of two that are as good, the one that was not drawn', () => {
    const point = { lat: 50, lon: 8 }
    const pools = PAIR.map(pool => ({ ...pool, point }))
    const database = {
      networks: [['20.0.0.0/8', { location: { latitude: 1, longitude: 8 } }]],
    } as const
    const policy = policyOf({ pools, rules: [rule({ choose: nearest([0, 1]) })] })
    const explanation = explained(servingOf(policy, placesFor(policy, database)), {
      client: '20.1.2.0/24',
    })
    expect(explanation.steer?.scope.bits).toBe(8)
    expect(explainText(explanation)).toMatch(/ranking {3}a = b\n/)
    expect(explainText(explanation)).toMatch(
      / {2}is as good, but was not drawn: \d of \d targets up/,
    )
  })
})

describe('the last resort', () => {
  // biome-ignore format: table
  const RESORTS = [
    ['all of the first pool',           { kind: 'all' },             ['a', 'b'],             { rule: 'all', pool: 'a' },        4],
    ['the pool that is named',          { kind: 'pool', pool: 1 },   ['a', 'b'],             { rule: 'pool', pool: 'b' },       2],
    ['what is up where most is',        { kind: 'healthiest' },      A(1, 2, 3, 17),         { rule: 'healthiest', pool: 'b' }, 1],
    ['all of the first, if nothing is', { kind: 'healthiest' },      ['a', 'b'],             { rule: 'all', pool: 'a' },        4],
  ] as const

  test.each(RESORTS)('steering.md §1 %s', (_, lastResort, down, resort, answers) => {
    const quorum = { kind: 'count', count: 3 } as const // 1 of 4 and 1 of 2 are too few
    const explanation = told({ lastResort, quorum }, PAIR, down)
    const { resort: found, picks, scope } = steeredBy(explanation)
    expect([found, picks[0]?.targets.length, scope.bits]).toEqual([resort, answers, 0])
    expect(explanation.reply).toMatchObject({ rcode: 'NOERROR', authoritative: true })
  })
})

describe('the pick', () => {
  const FOUR = [sized('a', 1, 4)]

  // biome-ignore format: table
  const AMOUNTS = [
    ['shuffle: all',        { pick: 'shuffle' },              [],     'shuffle: all 4 IPv4 targets, in random order'],
    ['shuffle: some',       { pick: 'shuffle', answers: 2 },  [],     'shuffle: 2 of 4 IPv4 targets, in random order'],
    ['shuffle: one down',   { pick: 'shuffle' },              A(2),   'shuffle: 3 of 4 IPv4 targets, 1 down, in random order'],
    ['shuffle: all down',   { pick: 'shuffle' },              ['a'],  'shuffle: all 4 IPv4 targets, all down, in random order'],
    ['rotate',              { pick: 'rotate' },               [],     'rotate: 1 of 4 IPv4 targets, the next in turn'],
    ['random',              { pick: 'random' },               [],     'random: 1 of 4 IPv4 targets, drawn at random'],
    ['weighted',            { pick: 'weighted', answers: 3 }, [],     'weighted: 3 of 4 IPv4 targets, drawn by weight'],
    ['smooth',              { pick: 'smooth' },               [],     'smooth: 1 of 4 IPv4 targets, the next in turn by weight'],
    ['hash',                { pick: 'hash' },                 [],     'hash: 1 of 4 IPv4 targets, always the same for one client, by weight'],
    ['two',                 { pick: 'two' },                  [],     'two: 1 of 4 IPv4 targets, the less loaded of two drawn at random'],
    ['least',               { pick: 'least' },                [],     'least: 1 of 4 IPv4 targets, the least loaded'],
    ['feedback',            { pick: 'feedback' },             [],     'feedback: 1 of 4 IPv4 targets, drawn by capacity'],
    ['fastest',             { pick: 'fastest' },              [],     'fastest: 1 of 4 IPv4 targets, drawn by speed'],
  ] as const

  test.each(AMOUNTS)('%s', (_, text, down, expected) => {
    const explanation = told(text, FOUR, down)
    expect(explainText(explanation)).toContain(`pick      ${expected}\n`)
    const { picks, scope } = steeredBy(explanation)
    const answered = explanation.reply.answer.map(record => record.split(' ')[4])
    expect(picks[0]?.targets.map(({ target }) => target)).toEqual(answered)
    expect(scope.bits).toBe(0)
  })

  test('the only target is said to be that', () => {
    expect(explainText(told({}, [sized('a', 1, 1)], []))).toContain(
      'shuffle: the only IPv4 target\n',
    )
  })

  test('the numbers that a policy reads stand beside each target', () => {
    const pools = [pool('a', '192.0.2.1=3', '192.0.2.2=1')]
    const serving = servingOf(policyOf({ pools, rules: [rule({ all: [0], pick: 'least' })] }))
    const board = openBoard(serving.world.steering)
    board.load[0] = 6
    board.load[1] = 5
    const explanation = explained(serving, { board })
    expect(explanation.steer?.scope.bits).toBe(0)
    expect(explainText(explanation)).toContain(
      'targets   192.0.2.1  load 6, weight 3\n       others    192.0.2.2  load 5, weight 1\n',
    )
  })

  test('hashing says what it takes for one client', () => {
    const explanation = told({ pick: 'hash' }, FOUR, [], { client: '20.1.2.3' })
    const { locate, scope } = steeredBy(explanation)
    expect([locate.leaf, scope.bits]).toEqual([{ prefix: '20.1.2.0/24', quantum: 24 }, 24])
    expect(explainText(explanation)).toContain(
      'block     20.1.2.0/24: hashing takes its addresses for one client\n',
    )
  })

  test('a service record has a pick for the hints of each family', () => {
    const services = [{ type: 65, priority: 1, target: Uint8Array.of(0), params: [] }]
    const pools = [pool('a', '192.0.2.1', '2001:db8::1', '2001:db8::2')]
    const explanation = told({ services }, pools, [], { type: 'HTTPS', client: '20.1.2.0/24' })
    const { picks, scope } = steeredBy(explanation)
    expect(picks.map(({ kind, targets }) => [kind, targets.length])).toEqual([
      ['IPv4', 1],
      ['IPv6', 2],
    ])
    expect(scope.bits).toBe(0)
    expect(explainText(explanation)).toContain('pick      IPv6 hints, shuffle: all 2 IPv6 targets')
  })
})

test('an outage moves no scope and no reason', () => {
  const networks = [network('office', '203.0.113.0/24')]
  const rules = [rule({ networks: [[0, [0, 1]]], default: [1] })]
  const serving = servingOf(policyOf({ pools: PAIR, networks, rules }))
  const down = downFrom(['a'], serving)
  if (isWrong(down)) throw new Error(wrongText(down))
  const client = '203.0.113.0/24'
  const well = explained(serving, { client })
  const ill = explained(serving, { client, down })
  expect([ill.supposed?.down, well.supposed]).toEqual([['a'], undefined])
  expect(ill.steer?.picks[0]?.targets[0]?.pool).toBe('b')
  expect(ill.steer?.locate).toEqual(well.steer?.locate)
  expect([ill.steer?.scope, ill.reply.scope]).toEqual([{ bits: 24, source: 24 }, 24])
})

describe('what may be held to be down', () => {
  const pools = [sized('fra', 1, 2), sized('iad', 17, 2), pool('far', 'eu.example.net.')]
  const rules = [rule({ all: [0, 1] }), rule({ owner: 'go.example.com.', all: [2] })]
  const serving = servingOf(policyOf({ pools, rules }))

  // biome-ignore format: table
  const NAMED = [
    ['a pool: all its targets',     ['fra'],              [0, 1]],
    ['an address',                  ['192.0.2.17'],       [2]],
    ['a host name, in any case',    ['EU.example.net'],   [4]],
    ['several',                     ['iad', '192.0.2.1'], [2, 3, 0]],
    ['a word that is near',         ['frb'],              'frb is no pool and no target · did you mean fra?'],
    ['an address that is nowhere',  ['192.0.2.99'],       '192.0.2.99 is no pool and no target · known: fra, iad, far'],
  ] as const

  test.each(NAMED)('%s', (_, texts, expected) => {
    const found = downFrom(texts, serving)
    expect(isWrong(found) ? wrongText(found) : found.targets).toEqual(expected)
  })
})
