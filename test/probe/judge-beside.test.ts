/** Findings from what is asked beside the measurement, and that no verdict is read from it. */
import { describe, expect, test } from 'vitest'
import { judgeEcs } from '../../probe/judge/ecs.ts'
import type { Observation } from '../../probe/judge/observation.ts'
import { type Answered, network4, observe, panel, pool, regionOf } from './judge-simulate.ts'

const about = { name: 'www.example.com', type: 'A', seed: 1, permutations: 1999 }
const SITES = { US: pool(1, 2), DE: pool(11, 2), JP: pool(21, 2), BR: pool(31, 2) }
const [US] = panel()

/** Four whole rounds of an honest server with controls, and what was asked beside. */
function judged(beside: readonly Observation[]) {
  const rounds = [1, 2, 3, 4].flatMap(round =>
    [...panel(), undefined].map((network, at) => {
      const answered = { answers: SITES[regionOf(network)], scope: 6 }
      const purpose = network === undefined ? 'control' : 'sample'
      return observe(network, answered, { round, sequence: 21 * round + at, purpose })
    }),
  )
  const { verdict, findings } = judgeEcs([...rounds, ...beside], about)
  return { code: verdict.code, ids: findings.map(({ id }) => id), findings }
}

/** @param times how often it was asked */
function asked(
  purpose: 'private' | 'signing' | 'hostile',
  answered: Answered,
  network = US,
  times = 3,
): readonly Observation[] {
  return Array.from({ length: times }, (_, at) =>
    observe(network, answered, { purpose, round: 4, sequence: 200 + at }),
  )
}

const PRIVATE = network4(10, 53, 0)
const US_SITE = { answers: SITES.US }
const OTHER = { answers: ['192.0.2.99'] }

describe('RFC 7871 §10 a private subnet', () => {
  // biome-ignore format: table
  const TABLE: readonly (readonly [rule: string, Answered, ids: readonly string[], times?: number])[] = [
    ['as without the option, scope 0',              { ...US_SITE, scope: 0 },         []],
    ['as without the option, scope of the block',   { ...US_SITE, scope: 8 },         []],
    ['a scope that does not cover the block',       { ...US_SITE, scope: 24 },        ['ECS012']],
    ['an answer of its own',                        { ...OTHER, scope: 8 },           ['ECS012']],
    ['two replies are too few to say so',           { ...OTHER, scope: 8 },           [], 2],
    ['REFUSED is its right',                        { rcode: 'REFUSED' },             []],
    ['without the option it is not tailored by it', { ...OTHER },                     []],
  ]
  for (const [rule, answered, ids, times] of TABLE) {
    test(rule, () => {
      const { code, ids: found } = judged(asked('private', answered, PRIVATE, times))
      expect([code, found]).toEqual(['geo', ids])
    })
  }
})

describe('RFC 7871 §7.3.1 types of DNSSEC', () => {
  test('scope 0', () => {
    expect(judged(asked('signing', { type: 'DNSKEY', scope: 0 })).ids).toEqual([])
  })
  test('a scope', () => {
    const { code, findings } = judged(asked('signing', { type: 'DNSKEY', scope: 6 }))
    expect(code).toBe('geo')
    expect(findings).toMatchObject([{ id: 'ECS015', where: 'DNSKEY' }])
  })
})

describe('RFC 7871 §6 a malformed option', () => {
  const sent = { text: '20.16.0.0/24', family: 1, source: 20, address: '141001' } as const
  const hostile = (answered: Answered, malformed: string) =>
    asked('hostile', { ...answered, sent: { ...sent, region: 'US', malformed } }, US, 1)

  test('FORMERR', () => {
    expect(judged(hostile({ rcode: 'FORMERR' }, 'host-bits'))).toMatchObject({
      code: 'geo',
      ids: [],
    })
  })
  test('silence', () => {
    expect(judged(hostile({ error: 'timeout', rcode: undefined }, 'host-bits')).ids).toEqual([])
  })
  test('an answer', () => {
    const { code, findings } = judged([
      ...hostile({ ...US_SITE, scope: 6 }, 'host-bits'),
      ...hostile({ ...US_SITE, scope: 6 }, 'too-few-octets'),
    ])
    expect(code).toBe('geo')
    expect(findings).toMatchObject([
      { id: 'ECS011', message: expect.stringMatching(/bits set past SOURCE, too few octets/) },
    ])
  })
})
