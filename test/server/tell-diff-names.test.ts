/**
 * Two configurations beside each other, name by name: which rules serve one name, what a log of
 * questions adds, what changes beside the map, and when it is too much.
 */
import { describe, expect, test } from 'vitest'
import { type Compared, compared, type DiffOptions } from '../../server/diff.ts'
import { isWrong, problemText, remarks, wrongText } from '../../server/fault.ts'
import { readQuestions } from '../../server/questions.ts'
import type { Policy, Rule } from '../../server/steer/rule.ts'
import { type Diff, excesses, moveOf, type NameDiff } from '../../server/tell/diff/diff.ts'
import { diffJson, diffText, excessText } from '../../server/tell/diff/text.ts'
import type { Value } from '../kit/mmdb.ts'
import { servingOf } from '../kit/serving.ts'
import { network, octetsOf, placesFor, policyOf, pool, rule, wire } from '../kit/steering.ts'

const country = (code: string): Value => ({ country: { iso_code: code } })
const ANNOUNCED = [
  ['16.0.0.0/7', country('DE')],
  ['18.0.0.0/8', country('US')],
  ['20.0.0.0/8', country('FR')],
  ['2a00::/16', country('DE')],
  ['2600::/15', country('US')],
] as const
const POOLS = ['fra', 'iad', 'nrt'].map((name, i) => pool(name, `192.0.2.${i}`, `2001:db8::${i}`))

function version(file: string, rules: readonly Rule[], more: Partial<Policy> = {}): Compared {
  const policy = policyOf({ pools: POOLS, ...more, rules })
  const serving = servingOf(policy, placesFor(policy, { networks: ANNOUNCED }))
  const { config, geo, sites, world } = serving
  return {
    file,
    serving: { world, sites, config, geo: { names: geo.names, built: '2026-06-17' } },
  }
}

const WWW = rule({ countries: { DE: [0, 1], US: [1, 0] }, default: [2] })
const MOVED = rule({ countries: { DE: [1, 0], US: [1, 0] }, default: [2] })
const named = (owner: string, of: Rule = WWW): Rule => ({ ...of, ...pickOwner(owner) })
const pickOwner = (owner: string) => ({ owner: rule({ owner, all: [0] }).owner })

function diffOf(
  old: readonly Rule[],
  now: readonly Rule[],
  options: DiffOptions = {},
  more: Partial<Policy> = {},
): Diff {
  const diff = compared(version('old.yaml', old), version('new.yaml', now, more), options)
  if (isWrong(diff)) throw new Error(wrongText(diff))
  return diff
}

function nameIn({ names }: Diff, name: string): NameDiff {
  const found = names.find(one => one.name === name)
  if (found === undefined) throw new Error(`no ${name}`)
  return found
}

/** A log, with lines that cannot be read failing the test. */
function log(...lines: readonly string[]): DiffOptions {
  const said = remarks()
  const questions = readQuestions(lines.join('\n'), 'queries.log', said)
  if (said.problems.length > 0) throw new Error(said.problems.map(problemText).join('\n'))
  return { log: { file: 'queries.log', questions } }
}

describe('names', () => {
  test('of both, of the new one alone, of the old one alone', () => {
    const diff = diffOf([WWW, named('old.example.com.')], [WWW, named('new.example.com.')])
    expect(diff.names.map(({ name, kind }) => [name, kind])).toEqual([
      ['www.example.com.', 'both'],
      ['new.example.com.', 'added'],
      ['old.example.com.', 'removed'],
    ])
  })

  test('a name that a wildcard serves from now on is compared with that', () => {
    const diff = diffOf([named('a.x.example.com.')], [named('*.x.example.com.', MOVED)])
    expect(nameIn(diff, '*.x.example.com.').kind).toBe('added')
    expect(moveOf(nameIn(diff, 'a.x.example.com.'))).toMatchObject({ share: 0.5, of: 'ipv4' })
  })

  test('only the name that is asked for; also one that a wildcard serves', () => {
    const rules = [WWW, named('*.x.example.com.')]
    const name = wire('b.x.example.com.')
    const diff = diffOf(rules, [WWW, named('*.x.example.com.', MOVED)], { name })
    expect(diff.names.map(one => one.name)).toEqual(['b.x.example.com.'])
    expect(moveOf(nameIn(diff, 'b.x.example.com.')).share).toBe(0.5)
  })

  test('a name that neither steers is no name to ask for', () => {
    const name = wire('none.example.com.')
    const diff = compared(version('a', [WWW]), version('b', [WWW]), { name })
    expect(isWrong(diff) && wrongText(diff)).toMatch(
      /^none\.example\.com\. is steered in neither · /,
    )
  })
})

describe('a log', () => {
  const LINES = [
    '# client and name',
    '',
    '16.1.0.0/16 www.example.com   # moves',
    '17.2.3.0/24 WWW.example.com.',
    '16.1.0.0/16 www.example.com',
    '18.0.0.0/8\twww.example.com',
    '2a00:1::/32 www.example.com',
    '10.0.0.0/8 www.example.com',
    '18.0.0.1 ns1.example.com',
  ]

  test('is counted by what its clients get, before and after', () => {
    const diff = diffOf([WWW], [MOVED], log(...LINES))
    const one = nameIn(diff, 'www.example.com.')
    if (one.kind !== 'both') throw new Error(one.kind)
    expect(one.moves.all.queries).toBe(6)
    expect(one.moves.flows.map(({ from, to, extent }) => [from, to, extent.queries])).toEqual([
      [['fra'], ['iad'], 4],
    ])
    expect(diff.log).toEqual({ file: 'queries.log', queries: 7, moved: 4, unsteered: 1 })
    expect(moveOf(one)).toEqual({ name: 'www.example.com.', share: 4 / 6, of: 'log' })
  })

  test('counts whom a name had that is gone, and whom a new one will have', () => {
    const lines = [
      '16.0.0.0/8 old.example.com',
      '16.0.0.0/8 new.example.com',
      '16.0.0.0/8 new.example.com',
    ]
    const diff = diffOf([named('old.example.com.')], [named('new.example.com.')], log(...lines))
    expect(diff.names.map(one => one.kind !== 'both' && [one.name, one.queries])).toEqual([
      ['new.example.com.', 2],
      ['old.example.com.', 1],
    ])
    expect(diff.log).toMatchObject({ queries: 3, moved: 1, unsteered: 0 })
  })

  test('sends what a wildcard served to the name that is its own now', () => {
    const old = [named('*.x.example.com.')]
    const now = [named('*.x.example.com.'), named('a.x.example.com.', MOVED)]
    const diff = diffOf(old, now, log('16.0.0.0/24 a.x.example.com', '16.0.0.0/24 b.x.example.com'))
    expect(moveOf(nameIn(diff, 'a.x.example.com.'))).toMatchObject({ share: 1, of: 'log' })
    expect(moveOf(nameIn(diff, '*.x.example.com.'))).toMatchObject({ share: 0, of: 'log' })
  })

  test('a subnet wider than its leaf is at its first address, as for the server', () => {
    const networks = [network('n', '16.0.1.0/24')]
    const after = rule({
      networks: [[0, [2]]],
      countries: { DE: [0, 1], US: [1, 0] },
      default: [2],
    })
    const moves = (line: string) =>
      moveOf(nameIn(diffOf([WWW], [after], log(line), { networks }), 'www.example.com.')).share
    expect(moves('16.0.0.0/16 www.example.com')).toBe(0)
    expect(moves('16.0.1.128/25 www.example.com')).toBe(1)
  })

  const ROWS = [
    ['192.0.2.0/24', '4:1: one word in a line'],
    ['192.0.2.0/24 a.example.com A', '4:1: 3 words in a line'],
    ['192.0.2.1/24 a.example.com', '4:1: 192.0.2.1/24 has bits set past /24'],
    ['192.0.2/24 a.example.com', '4:1: 192.0.2 is not an IP address'],
    ['192.0.2.0/24 a..example.com', '4:1: a..example.com. has an empty label'],
  ] as const
  test.each(ROWS)('%s: a Problem at its line', (line, expected) => {
    const said = remarks()
    const questions = readQuestions(
      `# a log\n16.0.0.0/8 a.\n\n${line}\n17.0.0.0/8 a.`,
      'q.log',
      said,
    )
    expect(questions.map(({ queries }) => queries)).toEqual([1, 1])
    expect(said.problems.map(problemText)).toEqual([
      expect.stringContaining(`q.log:${expected} · `),
    ])
  })

  test('of many lines that cannot be read, twenty are shown and the rest counted', () => {
    const said = remarks()
    readQuestions(Array.from({ length: 50 }, (_, i) => `nonsense${i}`).join('\n'), 'q.log', said)
    expect(said.problems).toHaveLength(21)
    expect(said.problems.map(problemText).at(-1)).toMatch(/^q\.log: 30 more lines cannot be read/)
  })

  test('lines that are alike are one question, asked so often', () => {
    const text = `${'16.0.0.0/24 a.example.com\n'.repeat(1000)}16.0.0.0/24   a.example.com`
    const questions = readQuestions(text, 'q.log', remarks())
    expect(questions.map(({ queries }) => queries).reduce((sum, one) => sum + one, 0)).toBe(1001)
    expect(questions[0]?.client).toEqual({ family: 4, octets: octetsOf('16.0.0.0'), bits: 24 })
  })
})

describe('what changes beside the map', () => {
  test('how a name answers: its TTL, its pick, and whatever else it is told', () => {
    const after = {
      ...WWW,
      ttl: { max: 60, min: 60 },
      pick: 'hash' as const,
      quantum: { ipv4: 22, ipv6: 44 },
      quorum: { kind: 'share' as const, share: 0.5 },
      lastResort: { kind: 'pool' as const, pool: 2 },
    }
    const one = nameIn(diffOf([WWW], [after]), 'www.example.com.')
    expect(one.kind === 'both' && one.changes).toEqual([
      { what: 'ttl', from: '10s to 30s', to: '60s' },
      { what: 'pick', from: 'shuffle', to: 'hash' },
      { what: 'quantum', from: undefined, to: '/22 and /44' },
      { what: 'quorum', from: undefined, to: '50%' },
      { what: 'last_resort', from: 'all', to: 'nrt' },
    ])
  })

  test('what a pool hands out, and pools that are new or gone', () => {
    const pools = [
      pool('fra', '192.0.2.9', '192.0.2.0=3', '2001:db8::0'),
      POOLS[1] ?? pool('iad'),
      POOLS[2] ?? pool('nrt'),
      pool('new', '192.0.2.77', '2001:db8::77'),
    ]
    expect(diffOf([WWW], [WWW], {}, { pools }).pools).toEqual([
      {
        ...{ name: 'fra', kind: 'changed', added: ['192.0.2.9'], removed: [] },
        changes: [{ what: '192.0.2.0 weight', from: '1', to: '3' }],
      },
      {
        name: 'new',
        kind: 'added',
        added: ['192.0.2.77', '2001:db8::77'],
        removed: [],
        changes: [],
      },
    ])
  })
})

describe('too much', () => {
  const IPV6_MOVED = rule({
    networks: [[0, [2]]],
    countries: { DE: [0, 1], US: [1, 0] },
    default: [2],
  })
  const networks = [network('n', '2a00::/16')]
  // biome-ignore format: table
  const ROWS = [
    ['half of IPv4, a third of IPv6: more than 49 %', [WWW], [MOVED], 0.49, 'www.example.com. moves 50.0 % of its IPv4 clients, and at most 49.0 % may move'],
    ['half is not more than half',                    [WWW], [MOVED], 0.5,  undefined],
    ['IPv6 counts where nobody of IPv4 moves',        [WWW], [IPV6_MOVED], 0.3,  'www.example.com. moves 33.3 % of its IPv6 clients, and at most 30.0 % may move'],
    ['only the pools behind the first',               [WWW], [rule({ countries: { DE: [0, 2], US: [1, 2] }, default: [2] })], 0, undefined],
    ['nothing at all',                                [WWW], [WWW], 0, undefined],
    ['a name that is gone moves whole',               [WWW, named('a.example.com.')], [WWW], 0.99, 'a.example.com. moves 100 % of its clients: it is steered no more, and at most 99.0 % may move'],
    ['a name that is new moves nobody',               [WWW], [WWW, named('a.example.com.')], 0, undefined],
  ] as const
  test.each(ROWS)('%s', (_, old, now, most, expected) => {
    const found = excesses(diffOf(old, now, {}, { networks }), most).map(excess =>
      excessText(excess, most),
    )
    expect(found).toEqual(expected === undefined ? [] : [expected])
  })

  test('is measured in the log where that asks for the name', () => {
    const most = 0.4
    const diff = diffOf(
      [WWW],
      [MOVED],
      log('18.0.0.0/24 www.example.com', '16.0.0.0/24 www.example.com'),
    )
    expect(excesses(diff, most).map(excess => excessText(excess, most))).toEqual([
      'www.example.com. moves 50.0 % of its queries in the log, and at most 40.0 % may move',
    ])
    expect(excesses(diffOf([WWW], [MOVED], log('18.0.0.0/24 www.example.com')), 0)).toEqual([])
  })
})

describe('said', () => {
  test('to a person, with what did not change said plainly', () => {
    const after = { ...MOVED, ttl: { max: 60, min: 60 } }
    const pools = [pool('fra', '192.0.2.9', '2001:db8::0'), ...POOLS.slice(1)]
    const rules = [after, named('flat.example.com.', rule({ all: [0] })), named('b.example.com.')]
    const old = [WWW, named('flat.example.com.', rule({ all: [0] })), named('a.example.com.')]
    expect(
      diffText(diffOf(old, rules, {}, { pools })),
    ).toBe(`old  old.yaml: digest , test0.mmdb, made 2026-06-17
new  new.yaml: digest , test0.mmdb, made 2026-06-17

www.example.com.:
  moves      announced IPv4  all IPv4  announced IPv6  all IPv6
  fra → iad          50.0 %   0.781 %          33.3 %   0.002 %
  ttl 10s to 30s → 60s
flat.example.com.: unchanged
b.example.com.: added
a.example.com.: removed
pool fra: +192.0.2.9 −192.0.2.0

3 of 4 names change
`)
  })

  test('with a log, its queries come first', () => {
    const text = diffText(
      diffOf(
        [WWW],
        [MOVED],
        log(
          '16.0.0.0/24 www.example.com',
          '18.0.0.0/24 www.example.com',
          '18.0.0.0/24 mail.example.com',
        ),
      ),
    )
    expect(text).toMatch(/\n {2}moves +log +announced IPv4 .*\n {2}fra → iad +50\.0 % +50\.0 % /)
    expect(text).toContain(
      'queries.log: 3 queries, 1 of them for names that are not steered; 50.0 % (1) of the others move\n',
    )
  })

  test('to a program', () => {
    const document = JSON.parse(diffJson(diffOf([WWW], [MOVED])))
    expect(document).toMatchObject({
      schema: 'lbdns.diff/1',
      old: { file: 'old.yaml' },
      new: { file: 'new.yaml', geo: { built: '2026-06-17' } },
      basis: 'announced',
      pools: [],
    })
    expect(document.names[0]).toMatchObject({
      name: 'www.example.com.',
      kind: 'both',
      moves: { flows: [{ from: ['fra'], to: ['iad'], extent: { ipv4: { clients: 0.5 } } }] },
    })
  })
})
