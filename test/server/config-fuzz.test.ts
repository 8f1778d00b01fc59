/** Whatever an operator's file holds, reading it ends, and never in an exception. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeWhole } from '../kit/config.ts'

const DEMO = readFileSync(new URL('../../data/demo/lbdns.yaml', import.meta.url), 'utf8')

/** Pieces that mean something to YAML or to us. */
const PIECES = [
  ...['\t', '\n', ' ', ': ', '- ', '[', ']', '{', '}', '"', "'", '*a', '&a ', '!!set ', '? ', '| '],
  ...[
    '<<: ',
    '---\n',
    '...\n',
    '%YAML 1.1\n',
    '#',
    '\u0000',
    '\uFEFF',
    '\r\n',
    '~',
    'null',
    '.nan',
  ],
  ...[
    '-1',
    '1e99',
    '0x10',
    '__proto__',
    'constructor',
    '::1',
    '10.0.0.0/8',
    '[[]]: 1',
    '{a: b}: c',
  ],
]

type Cut = { readonly at: number; readonly length: number; readonly piece: string }

const cuts = fc.array(
  fc.record({
    at: fc.nat(DEMO.length),
    length: fc.nat(12),
    piece: fc.oneof(fc.constantFrom(...PIECES, ''), fc.string({ maxLength: 4 })),
  }),
  { minLength: 1, maxLength: 4 },
)

function mutate(text: string, changes: readonly Cut[]): string {
  return changes.reduce(
    (held, { at, length, piece }) => held.slice(0, at) + piece + held.slice(at + length),
    text,
  )
}

/** A result and Problems exclude each other, and every Problem stands inside the file. */
function holds(text: string): void {
  const { config, problems } = judgeWhole(text)
  expect(config === undefined).toBe(problems.length > 0)
  const lines = text.split(/\n/).length
  for (const problem of problems) {
    const [line = ''] = problem.split(':')
    expect(Number(line)).toBeLessThanOrEqual(lines)
  }
}

test('the demo with random cuts', () => {
  fc.assert(
    fc.property(cuts, changes => holds(mutate(DEMO, changes))),
    { numRuns: 60 },
  )
})

test('random lines of the demo', () => {
  const lines = DEMO.split('\n')
  fc.assert(
    fc.property(fc.shuffledSubarray(lines, { minLength: 1 }), some => holds(some.join('\n'))),
    { numRuns: 60 },
  )
})

test('any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...PIECES, 'listen', 'a', '1') }), holds),
    { numRuns: 200 },
  )
})

test('any value under any key', () => {
  const keys = ['listen', 'zones', 'ecs', 'geo', 'networks', 'checks', 'pools', 'steer', 'workers']
  const file = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue({ maxDepth: 4 }))
  fc.assert(
    fc.property(file, value => holds(JSON.stringify(value))),
    { numRuns: 60 },
  )
})
