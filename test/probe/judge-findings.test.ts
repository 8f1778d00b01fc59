/** Findings: each rule broken by a server that breaks just this one, and none by an honest server. */
import { describe, expect, test } from 'vitest'
import { judgeEcs } from '../../probe/judge/ecs.ts'
import { FINDING_IDS, rule } from '../../probe/judge/finding.ts'
import type { Judgement } from '../../probe/judge/judgement.ts'
import type { Observation } from '../../probe/judge/observation.ts'
import { judgeRotation } from '../../probe/judge/rotation.ts'
import { compareTwins } from '../../probe/judge/twins.ts'
import {
  type Answered,
  measure,
  network4,
  observe,
  panel,
  pool,
  regionOf,
  type Server,
} from './judge-simulate.ts'

const SITES = { US: pool(1, 2), DE: pool(11, 2), JP: pool(21, 2), BR: pool(31, 2) }
const honest: Server = ({ network }) => ({ answers: SITES[regionOf(network)], scope: 6 })
const and =
  (more: (asked: Parameters<Server>[0]) => Answered): Server =>
  asked => ({ ...honest(asked), ...more(asked) })
const isUs = ({ network }: Parameters<Server>[0]) => regionOf(network) === 'US'

// biome-ignore format: table
const TABLE: readonly (readonly [string, string, Server])[] = [
  ['nothing wrong',                                       '',                honest],
  ['ECS001 the US gets no option',                        'ECS001 ECS013?',  and(asked => isUs(asked) ? { scope: undefined } : {})],
  ['ECS002 a scope of 33',                                'ECS002',          and(() => ({ scope: 33 }))],
  ['ECS002 the option twice',                             'ECS002',          and(() => ({ oddities: ['two-subnets'] }))],
  ['ECS002 an option of three octets',                    'ECS002 ECS001',   and(() => ({ scope: undefined, oddities: ['subnet-malformed'] }))],
  ['DNS003 options past the end of the record',           'DNS003',          and(() => ({ oddities: ['options-malformed'] }))],
  ['ECS003 an option nobody sent',                        'ECS003',          and(({ network }) => network === undefined ? { echo: { family: 1, source: 0, scope: 0, address: '' } } : {})],
  ['ECS004 scope 0 and other answers',                    'ECS004',          and(() => ({ scope: 0 }))],
  ['ECS005 scope 24, the same answers',                   'ECS005',          () => ({ answers: SITES.US, scope: 24 })],
  ['ECS006 one block holds another',                      'ECS006',          and(({ network }) => (network?.octets[1] ?? 0) < 60 ? { scope: 16 } : {})],
  ['ECS007 scope past the source',                        'ECS007',          and(() => ({ scope: 32 }))],
  ['ECS008 NODATA with a scope',                          'ECS008',          () => ({ scope: 8 })],
  ['ECS009 a referral with a scope',                      'ECS009',          () => ({ scope: 8, soa: false, referral: 'example.com' })],
  ['a referral with scope 0',                             '',                () => ({ scope: 0, soa: false, referral: 'example.com' })],
  ['ECS010 past the first alias',                         'ECS010',          and(() => ({ chain: ['edge.example.net'] }))],
  ['ECS017 SERVFAIL with the option only',                'ECS017',          asked => asked.network === undefined ? honest(asked) : { rcode: 'SERVFAIL' }],
  ['ECS018 a resolver answers',                           'ECS018',          and(({ turn }) => ({ flags: { aa: false, tc: false, ra: true }, at: 5000 * turn }))],
  ['ECS019 an unknown option is echoed',                  'ECS019',          and(() => ({ oddities: ['unknown-option-echoed'] }))],
  ['BC-187 DNS001 NODATA without SOA',                    'DNS001',          () => ({ scope: 0, soa: false })],
  ['BC-185 DNS002 answers only without EDNS',             'DNS002 ECS017?',  and(() => ({ oddities: ['no-edns-retry'], edns: false }))],
  ['BC-180 DNS003 cut, without TC',                       'DNS003',          asked => isUs(asked) ? { error: 'malformed', rcode: undefined } : honest(asked)],
  ['BC-177 DNS004 another ID first',                      'DNS004',          and(() => ({ oddities: ['wrong-id'] }))],
  ['BC-178 DNS006 another owner among the answers',       'DNS006',          and(() => ({ oddities: ['other-owner'] }))],
  ['BC-188 DNS005 the alias after the address',           'DNS005',          and(() => ({ oddities: ['cname-after-address'] }))],
  ['BC-184 DNS007 OPT in the answer section',             'DNS007',          and(() => ({ oddities: ['opt-misplaced'] }))],
]

describe('a server that breaks one rule', () => {
  for (const [what, expected, server] of TABLE) {
    test(what, () => {
      const ids = [...new Set(measure(server, { permutations: 1999 }).findings.map(({ id }) => id))]
      const allowed = expected.split(' ').filter(id => id !== '')
      const must = allowed.filter(id => !id.endsWith('?'))
      expect(ids).toEqual(expect.arrayContaining(must))
      expect(ids.filter(id => !allowed.includes(id) && !allowed.includes(`${id}?`))).toEqual([])
    })
  }
})

const about = { name: 'www.example.com', type: 'A', seed: 1, permutations: 1999 }

/** Four whole rounds of an honest server, and what else was seen. */
function withMore(more: readonly Observation[]): readonly Observation[] {
  const rounds = [1, 2, 3, 4].flatMap(round =>
    panel().map((network, at) =>
      observe(network, honest({ network, round, turn: at, chance: Uint32Array.of(1, 2, 3, 4) }), {
        round,
        sequence: 20 * round + at,
      }),
    ),
  )
  return [...rounds, ...more]
}

function idsWith(more: readonly Observation[]): readonly string[] {
  return judgeEcs(withMore(more), about).findings.map(({ id }) => id)
}

const nobody = {
  text: '0.0.0.0/0',
  family: 1,
  source: 0,
  octets: new Uint8Array(0),
  region: undefined,
} as const

describe('controls', () => {
  const control = (answered: Answered, network: Parameters<typeof observe>[0]) =>
    [1, 2, 3].map(round =>
      observe(network, answered, { round, purpose: 'control', sequence: 900 + round }),
    )

  test('RFC 7871 §7.1.2 source 0, as without the option', () => {
    const same = { answers: ['192.0.2.1'], scope: 0 }
    expect(
      idsWith([...control(same, nobody), ...control({ answers: ['192.0.2.1'] }, undefined)]),
    ).toEqual([])
  })
  test('RFC 7871 §7.1.2 ECS014 source 0 is located', () => {
    const other = { answers: ['192.0.2.9'], scope: 0 }
    expect(
      idsWith([...control(other, nobody), ...control({ answers: ['192.0.2.1'] }, undefined)]),
    ).toEqual(['ECS014'])
  })
  test('RFC 7871 §7.1.2 ECS014 source 0 with a scope', () => {
    expect(idsWith(control({ answers: ['192.0.2.1'], scope: 8 }, nobody))).toContain('ECS014')
  })
  test('RFC 7871 §10 a private subnet whose scope covers the block', () => {
    expect(idsWith(control({ answers: ['192.0.2.1'], scope: 8 }, network4(10, 1, 2)))).toEqual([])
  })
  test('RFC 7871 §10 ECS012 a private subnet with its own scope', () => {
    expect(idsWith(control({ answers: ['192.0.2.1'], scope: 24 }, network4(192, 168, 1)))).toEqual([
      'ECS012',
    ])
  })
})

describe('name servers of one zone', () => {
  const at = (server: string, answered: Answered) =>
    panel()
      .slice(0, 4)
      .map((network, index) => observe(network, { ...answered, server }, { sequence: 500 + index }))

  test('Google guideline 1: a second one without the option spoils the zone', () => {
    const judgement = judgeEcs(withMore(at('192.0.2.54#53', { answers: ['192.0.2.1'] })), about)
    expect(judgement.verdict).toMatchObject({
      answer: 'unclear',
      code: 'partial-ecs',
      modifiers: ['otherwise:geo'],
    })
    expect(judgement.findings.map(({ id, where }) => [id, where])).toContainEqual([
      'ECS013',
      '192.0.2.54#53',
    ])
  })
  test('a second one with scope 0 only does so too', () => {
    const judgement = judgeEcs(
      withMore(at('192.0.2.54#53', { answers: ['192.0.2.1'], scope: 0 })),
      about,
    )
    expect(judgement.verdict.code).toBe('partial-ecs')
  })
  test('ECS013 a second one with other scopes is told, and geography stays geography', () => {
    const judgement = judgeEcs(
      withMore(at('192.0.2.54#53', { answers: ['192.0.2.1'], scope: 9 })),
      about,
    )
    expect(judgement.verdict).toMatchObject({ code: 'geo', modifiers: ['mixed-ns'] })
    expect(judgement.findings.map(({ id }) => id)).toEqual(['ECS013'])
  })
  test('a second one that never answers changes nothing', () => {
    const silent = at('192.0.2.54#53', { error: 'timeout', rcode: undefined })
    const judgement = judgeEcs(withMore(silent), about)
    expect(judgement.verdict.code).toBe('geo')
    expect(judgement.tally.silent).toEqual(['192.0.2.54#53'])
  })
})

test('BC-183 a few replies with another subnet are left out, and told', () => {
  const echo = { family: 1, source: 24, scope: 24, address: 'cb0071' }
  const wrong = panel()
    .slice(0, 2)
    .map((network, at) =>
      observe(network, { answers: ['203.0.113.1'], echo }, { round: 5, sequence: 600 + at }),
    )
  const judgement = judgeEcs(withMore(wrong), about)
  expect(judgement.verdict.code).toBe('geo')
  expect(judgement.groups.flatMap(({ answers }) => answers)).not.toContain('203.0.113.1')
  expect(judgement.findings.map(({ id }) => id)).toEqual(['ECS002'])
})

test('dns2 tells of odd replies as well', () => {
  const seen = Array.from({ length: 20 }, (_, at) =>
    observe(undefined, { soa: false }, { sequence: at }),
  )
  expect(judgeRotation(seen, about).findings.map(({ id }) => id)).toEqual(['DNS001'])
})

describe('ECS016 A and AAAA of one name', () => {
  const aaaa = (server: Server) => ({ ...measure(server, { permutations: 1999 }), type: 'AAAA' })
  const a = measure(honest, { permutations: 1999 })
  const ids = (one: Judgement) => compareTwins([a, one])[1]?.findings.map(({ id }) => id)

  test('steered alike', () => expect(ids(aaaa(honest))).toEqual([]))
  test('only A is steered', () => {
    expect(ids(aaaa(() => ({ answers: ['2001:db8::1'], scope: 0 })))).toEqual(['ECS016'])
  })
  test('AAAA comes without the option', () => {
    expect(ids(aaaa(() => ({ answers: ['2001:db8::1'] })))).toEqual(['ECS016'])
  })
  test('no AAAA is no disagreement', () => expect(ids(aaaa(() => ({ scope: 0 })))).toEqual([]))
})

test('ids are stable: three letters, three digits, a name each', () => {
  for (const id of FINDING_IDS)
    expect(`${id} ${rule(id).name}`).toMatch(/^(ECS|DNS)\d{3} [a-z0-9-]+$/)
  expect(FINDING_IDS.filter(id => id.startsWith('ECS'))).toHaveLength(19)
})

test('a scope past the end of an address is not called another subnet', () => {
  const { findings } = measure(and(() => ({ scope: 33 })))
  expect(findings.map(({ message }) => message).join()).toMatch(
    /^\d+ replies have scope 33, past the end of an address$/,
  )
})

test('one of a kind is counted as one', () => {
  const [network] = panel()
  const one = [observe(network, { answers: ['192.0.2.1'], scope: undefined }, { round: 5 })]
  const messages = judgeEcs(withMore(one), about).findings.map(({ message }) => message)
  expect(messages).toContain('1 reply lacks the option')
})
