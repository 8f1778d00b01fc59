/** The query log as `diff` reads it: what a line stands for, and that no line of others does harm. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { prefixText } from '../../server/config/prefix.ts'
import { nameText } from '../../server/dns/name.ts'
import { problemText, remarks } from '../../server/fault.ts'
import { readQuestions } from '../../server/questions.ts'

function read(...lines: readonly string[]) {
  const said = remarks()
  const questions = readQuestions(lines.join('\n'), 'query.log', said)
  return {
    questions: questions.map(({ client, name, queries }) => [
      prefixText(client),
      nameText(name),
      queries,
    ]),
    problems: said.problems.map(problemText),
  }
}

/** A line as the server writes it. */
const line = (change: object = {}) =>
  JSON.stringify({
    time: '2026-12-24T06:00:00.250Z',
    client: '203.0.113.0/24',
    from: 'ecs',
    name: 'www.example.com.',
    type: 'A',
    rcode: 'NOERROR',
    scope: 24,
    pool: 'fra',
    transport: 'udp',
    size: 71,
    sample: 0.01,
    ...change,
  })

const WWW = 'www.example.com.'

// biome-ignore format: table
const GOOD: readonly (readonly [string, readonly string[], readonly (readonly [string, string, number])[]])[] = [
  ['one of a hundred stands for a hundred',  [line()],                                       [['203.0.113.0/24', WWW, 100]]],
  ['where all are taken, for itself',        [line({ sample: 1 })],                          [['203.0.113.0/24', WWW, 1]]],
  ['alike but for time, type and size',      [line(), line({ time: 'later', type: 'AAAA', size: 99 })], [['203.0.113.0/24', WWW, 200]]],
  ['samples of two sizes',                   [line({ sample: 0.5 }), line({ sample: 0.25 })], [['203.0.113.0/24', WWW, 6]]],
  ['two clients',                            [line(), line({ client: '2001:db8::/48' })],    [['203.0.113.0/24', WWW, 100], ['2001:db8::/48', WWW, 100]]],
  ['who would not be located',               [line({ client: '0.0.0.0/0' })],                [['0.0.0.0/0', WWW, 100]]],
  ['a line of either kind',                  ['203.0.113.0/24 www.example.com', line({ sample: 0.5 })], [['203.0.113.0/24', 'www.example.com.', 1], ['203.0.113.0/24', WWW, 2]]],
  ['no question could be read',              [line({ name: undefined, type: undefined, rcode: 'FORMERR' })], []],
  ['a pool with what begins a comment',      [line({ pool: 'a #b' })],                       [['203.0.113.0/24', WWW, 100]]],
  ['a name with escapes',                    [line({ name: '\\000\\.#\\"a\\255.example.' })], [['203.0.113.0/24', '\\000\\.#\\"a\\255.example.', 100]]],
  ['keys of a later version',                [line({ later: [1] })],                         [['203.0.113.0/24', WWW, 100]]],
  ['no sample',                              [line({ sample: undefined })],                  [['203.0.113.0/24', WWW, 1]]],
]

describe('lines of a query log', () => {
  test.each(GOOD)('%s', (_, lines, expected) => {
    const { problems, questions } = read(...lines)
    expect(problems).toEqual([])
    expect(questions).toEqual(expected)
  })

  // biome-ignore format: table
  const WRONG = [
    ['cut short',            line().slice(0, 60),                   'a document without client and name'],
    ['no client',            line({ client: undefined }),           'a document without client and name'],
    ['a name of another kind', line({ name: 5 }),                   'a document without client and name'],
    ['no client there is',   line({ client: '192.0.2/24' }),        '192.0.2 is not an IP address'],
    ['bits past the prefix', line({ client: '192.0.2.1/24' }),      '192.0.2.1/24 has bits set past /24'],
    ['no name there is',     line({ name: 'a..b.' }),               'a..b. has an empty label'],
    ['of none',              line({ sample: 0 }),                   '0 is no sample'],
    ['of more than all',     line({ sample: 2 }),                   '2 is no sample'],
    ['of text',              line({ sample: '1%' }),                '"1%" is no sample'],
    ['of a list, with a control character', '{"client":"192.0.2.0/24","name":"a.","sample":["\\u0007"]}', '["\\u0007"] is no sample'],
  ] as const

  test.each(WRONG)('%s: a Problem at its line', (_, text, what) => {
    const { problems, questions } = read('# a log', line(), text, line())
    expect(questions).toEqual([['203.0.113.0/24', WWW, 200]])
    expect(problems).toEqual([expect.stringContaining(`query.log:3:1: ${what} · `)])
  })

  test('names and clients that look alike side by side are told apart', () => {
    const { problems } = read(
      line({ client: '192.0.2.0/24', name: 'a b.' }),
      line({ client: '192.0.2.0/24 a', name: 'b.' }),
    )
    expect(problems).toEqual([expect.stringContaining('query.log:2:1: ')])
  })

  test('any text: Problems or questions, and nothing thrown', () => {
    const json = fc.json({ maxDepth: 3 }).map(text => `{"client":${text},"name":${text}}`)
    const text = fc.array(fc.oneof(fc.string({ unit: 'binary' }), json), { maxLength: 8 })
    fc.assert(
      fc.property(text, lines => {
        read(...lines.map(one => `{${one}`), ...lines)
      }),
    )
    expect(read(`{"a":${'['.repeat(1e6)}`).problems).toHaveLength(1)
  })
})
