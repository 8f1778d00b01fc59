/** What `ecs` says of servers that steer, pretend to, or do not: four regions of five subnets. */
import { describe, expect, test } from 'vitest'
import { below } from '../../probe/judge/chance.ts'
import type { Judgement } from '../../probe/judge/judgement.ts'
import type { EcsEvidence } from '../../probe/judge/verdict.ts'
import { sentenceOf } from '../../probe/tell/sentence.ts'
import {
  measure,
  network4,
  panel,
  pool,
  REGIONS,
  regionOf,
  type Server,
  shuffled,
  some,
} from './judge-simulate.ts'

const SITES = { US: pool(1, 8), DE: pool(11, 8), JP: pool(21, 8), BR: pool(31, 8) }
const siteOf: (asked: Parameters<Server>[0]) => readonly string[] = ({ network }) =>
  SITES[regionOf(network)]

/** The honest scope: every region owns a /6, and what lies between goes to the US as a whole. */
const HONEST = 6

/** A hash of the prefix, not of where it is. */
function hash(octets: Uint8Array | undefined, kinds: number): number {
  let mixed = 0x811c9dc5
  for (const octet of octets ?? []) mixed = Math.imul(mixed ^ octet, 0x01000193)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b)
  return ((mixed ^ (mixed >>> 13)) >>> 0) % kinds
}

const resolver = { aa: false, tc: false, ra: true }

// biome-ignore format: table
const TABLE: readonly (readonly [string, string, string, string, Server])[] = [
  // what                                         answer     code                modifiers                the server
  ['a site for each region',                      'real',    'geo',              '',                      asked => ({ answers: siteOf(asked).slice(0, 1), scope: HONEST })],
  ['the same, shuffled lists',                    'real',    'geo',              '',                      asked => ({ answers: shuffled(siteOf(asked), asked.chance), scope: HONEST })],
  ['two of four inside each region',              'real',    'geo',              'rotates-within-region', asked => ({ answers: some(siteOf(asked).slice(0, 4), 2, asked.chance), scope: HONEST })],
  ['one of eight inside each region',             'real',    'geo',              'rotates-within-region', asked => ({ answers: some(siteOf(asked), 1, asked.chance), scope: HONEST })],
  ['a fifth spills over to other regions',        'real',    'geo',              'rotates-within-region', asked => ({ answers: (below(asked.chance, 5) === 0 ? SITES[(['US', 'DE', 'JP', 'BR'] as const)[below(asked.chance, 4)] ?? 'US'] : siteOf(asked)).slice(0, 1), scope: HONEST })],
  ['US one set, the rest another',                'real',    'geo',              '',                      asked => ({ answers: regionOf(asked.network) === 'US' ? SITES.US : SITES.DE, scope: HONEST })],
  ['another CNAME for each region',               'real',    'geo',              'cname-to:br.example.net cname-to:de.example.net cname-to:jp.example.net cname-to:us.example.net', ({ network }) => ({ chain: [`${regionOf(network).toLowerCase()}.example.net`], scope: HONEST })],
  ['CloudFront: regions, but each /24 by itself', 'real',    'geo-unaggregated', '',                      asked => ({ answers: siteOf(asked).slice(0, 4), scope: 24 })],
  ['Lua: scope is the source',                    'real',    'geo-unaggregated', '',                      asked => ({ answers: siteOf(asked).slice(0, 1), scope: asked.network?.source })],
  ['everybody the same, scope 24',                'fake',    'scope-theatre',    '',                      () => ({ answers: SITES.US, scope: 24 })],
  ['one of eight at random, scope 24',            'fake',    'scope-theatre',    '',                      ({ chance }) => ({ answers: some(SITES.US, 1, chance), scope: 24 })],
  ['regions, scope 0',                            'fake',    'lying-scope',      '',                      asked => ({ answers: siteOf(asked).slice(0, 1), scope: 0 })],
  ['Knot: the default answer has scope 0',        'fake',    'lying-scope',      '',                      asked => ({ answers: siteOf(asked).slice(0, 1), scope: regionOf(asked.network) === 'US' ? 0 : HONEST })],
  ['one scope holds two regions',                 'fake',    'broken-scope',     '',                      asked => ({ answers: siteOf(asked).slice(0, 1), scope: 1 })],
  ['nested views: a /16 inside a /6',             'fake',    'broken-scope',     '',                      asked => ({ answers: siteOf(asked).slice(0, 1), scope: (asked.network?.octets[1] ?? 0) < 60 ? 16 : HONEST })],
  ['half of each block goes elsewhere',           'fake',    'broken-scope',     '',                      asked => ({ answers: asked.network?.octets[2] === 0 ? siteOf(asked).slice(0, 1) : ['198.51.100.1'], scope: 16 })],
  ['a hash of the /24 over four sites',           'fake',    'prefix-sharding',  '',                      ({ network }) => ({ answers: [`192.0.2.${hash(network?.octets, 4)}`], scope: 24 })],
  ['everybody has an own address',                'fake',    'prefix-sharding',  '',                      ({ network }) => ({ answers: [network?.text.replace('/24', '') ?? ''], scope: 24 })],
  ['regions, no option',                          'fake',    'no-echo',          '',                      asked => ({ answers: siteOf(asked).slice(0, 1) })],
  ['one address',                                 'none',    'single-answer',    '',                      () => ({ answers: ['192.0.2.1'], scope: 0 })],
  ['Bing: one set, always in order',              'none',    'static-pool',      '',                      () => ({ answers: SITES.US, scope: 0 })],
  ['one set, shuffled',                           'none',    'static-pool',      '',                      ({ chance }) => ({ answers: shuffled(SITES.US, chance), scope: 0 })],
  ['one of eight, at random',                     'none',    'rotation',         '',                      ({ chance }) => ({ answers: some(SITES.US, 1, chance), scope: 0 })],
  ['one of eight, in turn',                       'none',    'rotation',         '',                      ({ turn }) => ({ answers: [SITES.US[turn % 8] ?? ''], scope: 0 })],
  ['one of four, in turn',                        'none',    'rotation',         '',                      ({ turn }) => ({ answers: [SITES.US[turn % 4] ?? ''], scope: 0 })],
  ['nine to one',                                 'none',    'rotation',         '',                      ({ chance }) => ({ answers: [SITES.US[below(chance, 10) === 0 ? 1 : 0] ?? ''], scope: 0 })],
  ['a deploy in the middle',                      'none',    'rotation',         'drifting',              ({ round }) => ({ answers: [round < 3 ? '192.0.2.1' : '192.0.2.2'], scope: 0 })],
  ['one set, no option',                          'none',    'no-ecs',           '',                      () => ({ answers: SITES.US })],
  ['rotation, no option',                         'none',    'no-ecs',           '',                      ({ chance }) => ({ answers: some(SITES.US, 1, chance) })],
  ['no such name',                                'none',    'empty',            '',                      () => ({ rcode: 'NXDOMAIN', scope: 0 })],
  ['no AAAA',                                     'none',    'empty',            '',                      () => ({ scope: 0 })],
  ['a third of the replies lack the option',      'unclear', 'partial-ecs',      'otherwise:single-answer', ({ chance }) => ({ answers: ['192.0.2.1'], scope: below(chance, 3) ? 0 : undefined })],
  ['seven of ten replies are lost',               'unclear', 'data',             '',                      ({ chance }) => below(chance, 10) < 7 ? { error: 'timeout', rcode: undefined } : { answers: some(SITES.US, 1, chance), scope: 0 }],
  ['silence',                                     'unclear', 'data',             '',                      () => ({ error: 'timeout', rcode: undefined })],
  ['SERVFAIL, with the option and without',       'unclear', 'data',             '',                      () => ({ rcode: 'SERVFAIL' })],
  ['REFUSED with the option only',                'unclear', 'refused',          '',                      ({ network }) => network === undefined ? { answers: ['192.0.2.1'] } : { rcode: 'REFUSED' }],
  ['BC-185 FORMERR to EDNS, answers without',     'unclear', 'refused',          '',                      ({ network }) => ({ answers: ['192.0.2.1'], edns: false, oddities: network === undefined ? [] : ['no-edns-retry'] })],
  ['BC-183 another subnet comes back',            'unclear', 'path',             '',                      ({ network }) => ({ answers: ['192.0.2.1'], echo: network === undefined ? undefined : { family: 1, source: 24, scope: 24, address: 'cb0071' } })],
  ['a resolver that cuts the source to /20',      'unclear', 'path',             '',                      ({ network }) => ({ answers: ['192.0.2.1'], flags: resolver, echo: network === undefined ? undefined : { family: 1, source: 20, scope: 0, address: 'c63360' } })],
  ['a cache: TTLs fall and never rise',           'unclear', 'cached',           '',                      ({ network, turn }) => ({ answers: [`192.0.2.${hash(network?.octets, 4)}`], ttl: 300 - Math.floor(turn / 20), flags: resolver, scope: 24 })],
  ['a resolver asked too fast to see TTLs fall',  'unclear', 'cached',           '',                      asked => ({ answers: siteOf(asked).slice(0, 1), at: asked.turn, flags: resolver, scope: 24 })],
  ['regions seen through a resolver, no option',  'unclear', 'path',             '',                      asked => ({ answers: siteOf(asked).slice(0, 1), at: 5000 * asked.turn, flags: resolver })],
]

describe('verdicts', () => {
  for (const [what, answer, code, modifiers, server] of TABLE) {
    test(what, () => {
      const { verdict } = measure(server)
      expect([verdict.answer, verdict.code]).toEqual([answer, code])
      expect(verdict.modifiers.join(' ')).toBe(modifiers)
    })
  }
})

function evidence(one: Judgement): EcsEvidence {
  if (one.verdict.evidence.kind !== 'ecs') throw new Error('not of ecs')
  return one.verdict.evidence
}

describe('panels that can tell less', () => {
  const site: Server = asked => ({ answers: siteOf(asked).slice(0, 1), scope: HONEST })

  test('4 × 3: that only the US differs cannot be called geography', () => {
    const usOnly: Server = ({ network }) => {
      const us = regionOf(network) === 'US'
      return { answers: us ? SITES.US : SITES.DE, scope: HONEST }
    }
    const { verdict } = measure(usOnly, { networks: panel(3) })
    expect(verdict.code).toBe('data')
  })
  test('one subnet of twenty differs: neither geography nor a hash', () => {
    const odd = panel()[7]
    const server: Server = ({ network }) => ({
      answers: [network?.text === odd?.text ? '192.0.2.1' : '192.0.2.2'],
      scope: 24,
    })
    expect(measure(server).verdict.code).toBe('data')
  })
  test('subnets without regions: dependent, and said to be untested', () => {
    const networks = panel().map(one => ({ ...one, region: undefined }))
    const { verdict } = measure(site, { networks })
    expect([verdict.code, verdict.modifiers]).toEqual(['geo', ['region-untested']])
  })
  test('one region, answered alike with a scope: neither theatre nor geography', () => {
    const networks = panel().filter(({ region }) => region === 'US')
    const one = measure(site, { networks })
    expect([one.verdict.code, one.findings]).toEqual(['data', []])
    expect(sentenceOf(one)).toMatch(/^5 subnets of one region, answered alike/)
  })
  test('three replies in ten lost: asked until three rounds are whole', () => {
    const leaky: Server = asked =>
      below(asked.chance, 10) < 3 ? { error: 'timeout', rcode: undefined } : site(asked)
    for (const seed of [1, 2, 3, 4]) {
      const one = measure(leaky, { seed, permutations: 1999 })
      expect(one.verdict.code === 'geo' || sentenceOf(one).includes('too little')).toBe(true)
    }
  })
  test('two subnets that differ are asked twelve rounds, then believed', () => {
    const networks = [network4(REGIONS.US, 1, 0, 'US'), network4(REGIONS.DE, 1, 0, 'DE')]
    const one = measure(site, { networks })
    expect([one.verdict.code, evidence(one).rounds]).toEqual(['geo', 12])
    expect(evidence(one).subnet?.p).toBe(2 ** -11)
  })
  test('a single subnet says nothing', () => {
    expect(measure(site, { networks: panel().slice(0, 1) }).verdict.code).toBe('data')
  })
})

describe('what is told beside the verdict', () => {
  const one = measure(asked => ({ answers: siteOf(asked).slice(0, 2), scope: HONEST }))

  test('groups: four of five subnets, with their addresses and regions', () => {
    expect(one.groups.map(({ letter, subnets }) => `${letter}${subnets.length}`)).toEqual([
      'A5',
      'B5',
      'C5',
      'D5',
    ])
    expect(one.groups.find(({ regions }) => regions[0] === 'JP')?.answers).toEqual([
      '192.0.2.21',
      '192.0.2.22',
    ])
  })
  test('a row for each subnet, by region', () => {
    expect(one.scopes).toHaveLength(20)
    expect(one.scopes[0]).toMatchObject({ region: 'BR', scopes: [6], echo: 'exact', sets: 1 })
  })
  test('four rounds, five samples in each of four blocks, odds', () => {
    expect(evidence(one)).toMatchObject({ subnets: 20, rounds: 4 })
    expect(evidence(one).verified).toMatchObject({ blocks: 4 })
    // 0.95 = 1 − (1 − f)^n for the least n samples of a block; neighbours that fall inside one count.
    expect(evidence(one).verified.detectable).toBeLessThanOrEqual(0.451)
  })
  test('the same seed gives the same judgement', () => {
    const rotating: Server = ({ chance }) => ({ answers: some(SITES.US, 1, chance), scope: 0 })
    expect(measure(rotating, { seed: 9 })).toEqual(measure(rotating, { seed: 9 }))
  })
  test('a panel of twenty misses a share under 13.9 %', () => {
    expect(evidence(one).missable).toBeCloseTo(0.139, 3)
  })
})

describe('rounds', () => {
  const rounds = (server: Server) => evidence(measure(server)).rounds
  test('all the same: three', () => expect(rounds(() => ({ answers: ['a'], scope: 0 }))).toBe(3))
  test('nobody varies, subnets differ: four', () => {
    expect(rounds(({ network }) => ({ answers: [network?.text ?? ''], scope: 24 }))).toBe(4)
  })
  test('rotation is not said before the eighth', () => {
    expect(rounds(({ chance }) => ({ answers: some(SITES.US, 1, chance), scope: 0 }))).toBe(8)
  })
})
