/** Expectations and conditions: which exit code, and which sentences. */
import { describe, expect, test } from 'vitest'
import { type Condition, failsOn, readCondition } from '../../probe/judge/condition.ts'
import { isWish, settle, type Wishes } from '../../probe/judge/expect.ts'
import { finding } from '../../probe/judge/finding.ts'
import type { Judgement, Tally } from '../../probe/judge/judgement.ts'
import { judgeRotation } from '../../probe/judge/rotation.ts'
import { ECS_ANSWER, type EcsCode } from '../../probe/judge/verdict.ts'

const tally: Tally = {
  queries: 20,
  replies: 20,
  timeouts: 0,
  rcodes: { NOERROR: 20 },
  servers: ['192.0.2.53#53'],
  silent: [],
}

function judged(code: EcsCode, more: Partial<Judgement> = {}): Judgement {
  const { evidence } = judgeRotation([], { name: 'x', type: 'A', seed: 1 }).verdict
  return {
    name: 'www.example.com',
    type: 'A',
    server: '192.0.2.53#53',
    verdict: { answer: ECS_ANSWER[code], code, modifiers: [], evidence },
    groups: [],
    scopes: [],
    findings: [],
    tally,
    ...more,
  }
}

const silent = { tally: { ...tally, replies: 0, rcodes: {}, silent: ['192.0.2.53#53'] } }
const half = { tally: { ...tally, silent: ['192.0.2.54#53'] } }
const warned = { findings: [finding('DNS001', 'negative answers carry no SOA')] }

describe('exit codes', () => {
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, readonly Judgement[], Wishes, number])[] = [
    ['measured, nothing expected',                    [judged('data')],                               {},                                              0],
    ['the code is there',                             [judged('geo')],                                { expect: 'geo' },                               0],
    ['the answer is there',                           [judged('geo-unaggregated')],                   { expect: 'real' },                              0],
    ['another code',                                  [judged('static-pool')],                        { expect: 'geo' },                               1],
    ['another code of the same answer',               [judged('geo-unaggregated')],                   { expect: 'geo' },                               1],
    ['AAAA is empty, A as expected',                  [judged('geo'), judged('empty')],               { expect: 'geo' },                               0],
    ['all is empty',                                  [judged('empty')],                              { expect: 'geo' },                               1],
    ['all is empty, as expected',                     [judged('empty')],                              { expect: 'empty' },                             0],
    ['one of two is not as expected',                 [judged('geo'), judged('rotation')],            { expect: 'geo' },                               1],
    ['unclear',                                       [judged('data')],                               { expect: 'geo' },                               3],
    ['unclear, strict',                               [judged('data')],                               { expect: 'geo', inconclusive: 'strict' },       1],
    ['unclear, lenient',                              [judged('data')],                               { expect: 'geo', inconclusive: 'lenient' },      0],
    ['unclear, as expected',                          [judged('partial-ecs')],                        { expect: 'partial-ecs' },                       0],
    ['1 beats 3',                                     [judged('data'), judged('rotation')],           { expect: 'geo' },                               1],
    ['no reply from any server',                      [judged('data', silent)],                       { expect: 'geo' },                               9],
    ['nothing was judged',                            [],                                             {},                                              9],
    ['one name silent, one not',                      [judged('data', silent), judged('geo')],        {},                                              0],
    ['a server silent, nobody minds',                 [judged('geo', half)],                          {},                                              0],
    ['a server silent',                               [judged('geo', half)],                          { failOn: [{ kind: 'partial' }] },               4],
    ['1 beats 4',                                     [judged('rotation', half)],                     { expect: 'geo', failOn: [{ kind: 'partial' }] }, 1],
    ['3 beats 4',                                     [judged('data', half)],                         { expect: 'geo', failOn: [{ kind: 'partial' }] }, 3],
    ['BC-187 NODATA without SOA',                     [judged('empty', warned)],                      {},                                              0],
    ['BC-187 NODATA without SOA, strict',             [judged('empty', warned)],                      { inconclusive: 'strict' },                      1],
  ]
  for (const [what, judgements, wishes, exit] of TABLE) {
    test(`${what}: ${exit}`, () => {
      const outcome = settle(judgements, wishes)
      expect(outcome.exit).toBe(exit)
      expect(outcome.failed.length > 0).toBe(exit !== 0)
    })
  }
})

test('what failed is said', () => {
  expect(settle([judged('static-pool')], { expect: 'geo' }).failed).toEqual([
    'expected geo, but www.example.com A is none/static-pool',
  ])
})

describe('conditions', () => {
  const timeouts = { tally: { ...tally, timeouts: 2 } }
  const refused = { tally: { ...tally, rcodes: { NOERROR: 19, REFUSED: 1 } } }
  const nothing = { tally: { ...tally, rcodes: { NXDOMAIN: 20 } } }
  const differ = { findings: [finding('ECS013', 'name servers differ')] }
  const overlap = { findings: [finding('ECS006', 'overlaps 192.0.2.0/25')] }
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, Judgement, boolean])[] = [
    ['timeout',          judged('geo', timeouts),        true],
    ['timeout',          judged('geo'),                  false],
    ['rcode',            judged('geo', refused),         true],
    ['rcode',            judged('empty', nothing),       false],
    ['no-ecs',           judged('no-ecs'),               true],
    ['no-ecs',           judged('no-echo'),              true],
    ['no-ecs',           judged('geo'),                  false],
    ['fake-geo',         judged('scope-theatre'),        true],
    ['fake-geo',         judged('prefix-sharding'),      true],
    ['fake-geo',         judged('rotation'),             false],
    ['mis-scoped',       judged('lying-scope'),          true],
    ['mis-scoped',       judged('broken-scope'),         true],
    ['mis-scoped',       judged('data', overlap),        true],
    ['mis-scoped',       judged('geo-unaggregated'),     false],
    ['ns-inconsistent',  judged('partial-ecs'),          true],
    ['ns-inconsistent',  judged('geo', differ),          true],
    ['ns-inconsistent',  judged('geo'),                  false],
    ['inconclusive',     judged('cached'),               true],
    ['inconclusive',     judged('empty'),                false],
    ['verdict!=geo',     judged('static-pool'),          true],
    ['verdict!=geo',     judged('geo'),                  false],
    ['verdict!=none',    judged('static-pool'),          false],
  ]
  for (const [text, judgement, met] of TABLE) {
    test(`${text} and ${judgement.verdict.code}: ${met ? 'met' : 'not met'}`, () => {
      const condition = readCondition(text) as Condition
      expect(failsOn(judgement, condition) !== undefined).toBe(met)
      expect(settle([judgement], { failOn: [condition] }).exit).toBe(met ? 1 : 0)
    })
  }
  for (const text of ['', 'Timeout', 'verdict=geo', 'verdict!=', 'verdict!=Geo', 'geo']) {
    test(`no condition: "${text}"`, () => expect(readCondition(text)).toBeUndefined())
  }
})

test('a wish is an answer or a code', () => {
  for (const word of ['real', 'fake', 'none', 'unclear', 'geo', 'shuffled-list', 'empty']) {
    expect(isWish(word)).toBe(true)
  }
  for (const word of ['', 'GEO', 'toString', 'constructor', 'geo '])
    expect(isWish(word)).toBe(false)
})
