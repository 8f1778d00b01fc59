/** What a person is told: a sentence for every code, and nothing that harms a terminal. */
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { chance } from '../../probe/judge/chance.ts'
import type { Judgement } from '../../probe/judge/judgement.ts'
import { judgeRotation } from '../../probe/judge/rotation.ts'
import { ECS_ANSWER, ROTATION_ANSWER } from '../../probe/judge/verdict.ts'
import { personText } from '../../probe/tell/person.ts'
import { sentenceOf } from '../../probe/tell/sentence.ts'
import { shortText } from '../../probe/tell/short.ts'
import { COLOR, PLAIN } from '../../probe/tell/style.ts'
import { NEXT } from '../../probe/tell/words.ts'
import {
  type Answered,
  measure,
  observe,
  pool,
  REGIONS,
  regionOf,
  type Server,
  shuffled,
} from './judge-simulate.ts'

const about = { name: 'www.example.com', type: 'A', seed: 1 }

function rotation(reply: (at: number) => Answered, count = 20): Judgement {
  const seen = Array.from({ length: count }, (_, at) =>
    observe(undefined, reply(at), { sequence: at, at: 1000 * at }),
  )
  return judgeRotation(seen, about)
}

/** One address for all but the US, which gets the fault. */
function onlyElsewhere(fault: Answered): Server {
  return ({ network }) =>
    network !== undefined && regionOf(network) === 'US'
      ? fault
      : { answers: ['192.0.2.1'], scope: 0 }
}

const EIGHT = pool(1, 8)
const dice = chance(1)
const shuffling = rotation(() => ({ answers: shuffled(EIGHT, dice) }))
const turning = rotation(at => ({ answers: [EIGHT[at % 4] ?? ''] }))

describe('sentences', () => {
  // biome-ignore format: table
  const TABLE: readonly (readonly [Judgement, string])[] = [
    [shuffling,                                                    'gives the whole list of 8 and shuffles it: the client chooses'],
    [turning,                                                      'gives one address at a time, 4 in turn: the server chooses'],
    [rotation(() => ({ answers: ['192.0.2.1'] })),                 'gives one address, always the same'],
    [rotation(() => ({ rcode: 'NXDOMAIN' })),                      'answers NXDOMAIN: there is no such name'],
    [rotation(() => ({})),                                         'answers NODATA: the name has no A record'],
    [rotation(() => ({ rcode: 'REFUSED' })),                       'answers REFUSED, nothing else'],
    [rotation(() => ({ error: 'timeout', rcode: undefined })),     'no usable reply to 20 queries'],
    [rotation(() => ({ answers: ['192.0.2.1'] }), 5),              'gave the same 1 address in 5 replies: too few to tell constant from rotating'],
    [rotation(at => ({ answers: ['192.0.2.1'], ttl: 300 - at })),  "comes out of a cache (the TTL counts down from 300): order and choice are the cache's"],
    [measure(() => ({ answers: EIGHT, scope: 0 })),                'the same 8 addresses for everybody: DNS does not steer (a share under 13.9 % of networks could be missed)'],
    [measure(() => ({ answers: EIGHT, scope: 24 })),               'scopes above 0 claim tailoring, but all 20 subnets are answered alike (a share under 13.9 % of networks could be missed)'],
    [measure(({ network }) => ({ answers: [regionOf(network)], scope: 6 })),  'answers go with the region, and the scopes say so truthfully'],
    [measure(({ network }) => ({ answers: [regionOf(network)], scope: 0 })),  'answers depend on the subnet, while scope 0 says that an answer is for everybody: caches mix them up'],
    [measure(({ network }) => ({ answers: [regionOf(network)], scope: 24 })), 'answers go with the region; the scopes are true, but at least 8 times finer than the answers need'],
    [measure(() => ({ error: 'timeout', rcode: undefined })),      'no reply to 21 queries'],
    [measure(onlyElsewhere({ rcode: 'SERVFAIL' })),                'one address for everybody: DNS does not steer, anycast may (a share under 18.1 % of networks could be missed); 5 subnets got no usable answer'],
    [measure(onlyElsewhere({ error: 'timeout', rcode: undefined })), 'one address for everybody: DNS does not steer, anycast may (a share under 18.1 % of networks could be missed); 5 subnets got no usable answer'],
    [measure(() => ({ scope: 0 })),                                'answers NODATA for every subnet: the name has no A record'],
    [measure(() => ({ scope: 0, soa: false })),                    'answers every subnet without A record and without SOA: NODATA done wrong, or a referral'],
    [measure(() => ({ scope: 0, rcode: 'NXDOMAIN' })),             'answers NXDOMAIN for every subnet: there is no such name'],
    [measure(({ network }) => ({ scope: 0, rcode: regionOf(network) === 'US' ? 'NXDOMAIN' : 'NOERROR' })), 'answers NXDOMAIN to some queries and NODATA to others: no subnet gets a record'],
    [measure(() => ({ rcode: 'REFUSED' })),                        'queries are answered REFUSED, with a client subnet and without'],
    [measure(({ network }) => network === undefined ? { answers: EIGHT } : { rcode: 'REFUSED' }), 'queries with a client subnet are answered REFUSED'],
    [rotation(() => ({ answers: ['192.0.2.1'] }), 1),              'gave the same 1 address in 1 reply: too few to tell constant from rotating'],
  ]
  for (const [one, sentence] of TABLE) {
    test(sentence, () => expect(sentenceOf(one)).toBe(sentence))
  }

  test.each([1, 1.9])('scopes %s times as fine are not called finer than needed', fragmentation => {
    const one = measure(({ network }) => ({ answers: [regionOf(network)], scope: 24 }))
    const { verdict } = one
    if (verdict.evidence.kind !== 'ecs') throw new Error('not of ecs')
    const told = {
      ...one,
      verdict: { ...verdict, evidence: { ...verdict.evidence, fragmentation } },
    }
    expect(sentenceOf(told)).toBe(
      'answers go with the region; the scopes are true, but copies of the source',
    )
  })

  test('every code says something, and what to do next', () => {
    const ecs = measure(() => ({ answers: EIGHT, scope: 0 }))
    for (const code of Object.keys(ECS_ANSWER) as (keyof typeof ECS_ANSWER)[]) {
      const one = { ...ecs, verdict: { ...ecs.verdict, code } }
      expect(sentenceOf(one)).toMatch(/^.{20,}[^.]$/)
      expect(NEXT[code].length).toBeGreaterThan(20)
    }
    for (const code of Object.keys(ROTATION_ANSWER) as (keyof typeof ROTATION_ANSWER)[]) {
      const one = { ...shuffling, verdict: { ...shuffling.verdict, code } }
      expect(sentenceOf(one)).not.toMatch(/undefined|NaN/)
      expect(NEXT[code].length).toBeGreaterThan(20)
    }
  })
})

describe('the page for a person', () => {
  const geo: Server = ({ network }) => ({
    answers: [pool(1, 250)[REGIONS[regionOf(network)]] ?? ''],
    scope: 6,
  })
  const page = { style: PLAIN, width: 80 }

  test('ecs: the answer first, then a row for each subnet', () => {
    const lines = personText([measure(geo)], page).split('\n')
    expect(lines.slice(0, 3)).toEqual([
      'real  geo  www.example.com A',
      '  answers go with the region, and the scopes say so truthfully',
      '  subnet          region  scope  set  addresses',
    ])
    expect(lines[3]).toMatch(/^ {2}180\.16\.0\.0\/24 {3}BR {6}\/6 {5}[A-D] {4}192\.0\.2\.181$/)
  })
  test('dns2: name, code, sentence, figures', () => {
    const lines = personText([turning], page).split('\n')
    expect(lines.slice(0, 4)).toEqual([
      'www.example.com A  rotating-one cyclic',
      '  gives one address at a time, 4 in turn: the server chooses',
      '  20 queries, 20 replies from 192.0.2.53#53',
      '  seen 4 addresses · 1 per answer · order changed 19 of 19 times · TTL 60 s',
    ])
  })
  test('plain is plain: no escape, no trailing blanks', () => {
    const text = personText([shuffling, measure(geo)], page)
    expect(text).not.toContain('\u001b')
    expect(text).not.toMatch(/ $/m)
  })
  test('colour only adds to plain', () => {
    const text = personText([shuffling, measure(geo)], { style: COLOR, width: 80 })
    expect(text).toContain('\u001b[32mreal\u001b[39m')
    expect(stripVTControlCharacters(text)).toBe(personText([shuffling, measure(geo)], page))
  })
  test('rows are cut to the width, sentences are not', () => {
    const wide = measure(() => ({ answers: pool(1, 60), scope: 0 }))
    const rows = personText([wide], page)
      .split('\n')
      .filter(line => line.includes('/24'))
    expect(rows).toHaveLength(20)
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(80)
  })
  test('what a server says cannot move the cursor', () => {
    const text = personText(
      [rotation(() => ({ answers: ['\u001b[2Jevil\u202e'], chain: ['a\u0007b'] }))],
      page,
    )
    for (const char of ['\u0007', '\u001b', '\u202e']) expect(text).not.toContain(char)
    expect(text).toContain('\\x1b[2Jevil')
  })
})

test('short: one line a name and type', () => {
  expect(shortText([turning, measure(() => ({ answers: EIGHT, scope: 0 }))])).toBe(
    'www.example.com A none rotating-one cyclic\nwww.example.com A none static-pool\n',
  )
})
