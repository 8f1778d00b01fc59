/** Whatever an operator's file holds, reading it ends, and never in an exception. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeWhole } from '../kit/config.ts'

const DEMO = readFileSync(new URL('../../data/demo/lbdns.yaml', import.meta.url), 'utf8')

/** Every key of steering, once at least. */
const FULL = `listen: [127.0.0.1]
zones: [a.zone]
activate_at: 2026-12-24T06:00:00Z
networks: {office: [203.0.113.0/24]}
checks: {web: {type: http}}
pools:
  fra:
    at: {country: DE, lat: 50.11, lon: 8.68}
    bias: -10
    quorum: 50%
    spill: 1.4
    check: web
    loads: {file: l.csv, max_age: 60s}
    targets: [192.0.2.1, {address: 192.0.2.2, weight: 0, load: 1, capacity: 2}]
  iad: {at: {country: US}, targets: [192.0.2.3, "2001:db8::1"]}
steer:
  a.example.com:
    pick: hash
    quantum: {ipv4: 20, ipv6: 40}
    spread: pools
    quorum: 1
    last_resort: iad
    https: {alpn: [h2, h3], port: 443, ech: AEX+DQ==, priority: 1, target: ., no_default_alpn: on}
    by:
      networks: {office: {rule: b.example.com}}
      asns: {AS64500: [fra], 64501: {nearest: [fra, iad], bias: {fra: 10}, limit: 1}}
      fields: {traits/isp: {x: [fra]}}
      cities: {DE/Berlin: &x [fra]}
      subdivisions: {US-CA: *x}
      countries: {DE: {by: {continents: {EU: [fra]}, default: [iad]}}}
      default: {latency: {file: rtt.csv}, nearest: [fra]}
  b.example.com: {latency: {file: rtt.csv}}
`
const FILES = { 'rtt.csv': 'prefix,pool,ms\n192.0.2.0/24,fra,10\n' }

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
    at: fc.nat(Math.max(DEMO.length, FULL.length)),
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
  const { config, problems } = judgeWhole(text, FILES)
  expect(config === undefined).toBe(problems.length > 0)
  const lines = text.split(/\n/).length
  for (const problem of problems) {
    const [line = ''] = problem.replace(/^rtt\.csv:/, '').split(':')
    expect(Number(line)).toBeLessThanOrEqual(lines)
  }
}

test('the demo with random cuts', () => {
  fc.assert(
    fc.property(cuts, changes => holds(mutate(DEMO, changes))),
    { numRuns: 60 },
  )
})

test('every key with random cuts', () => {
  expect(judgeWhole(FULL, FILES).problems).toEqual([])
  fc.assert(
    fc.property(cuts, changes => holds(mutate(FULL, changes))),
    { numRuns: 150 },
  )
})

test('any rows of a latency file', () => {
  const words = [
    '192.0.2.0/24',
    'fra',
    'iad',
    '1',
    '::/0',
    ',',
    '\n',
    '#',
    'prefix,pool,ms',
    '-1',
    'x',
  ]
  const text = fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 3 })))
  fc.assert(
    fc.property(text, parts => {
      const { config, problems } = judgeWhole(FULL, { 'rtt.csv': parts.join('') })
      expect(config === undefined).toBe(problems.length > 0)
    }),
    { numRuns: 100 },
  )
})

test('random lines of the demo', () => {
  const lines = [...DEMO.split('\n'), ...FULL.split('\n')]
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
  const choosing = ['pools', 'by', 'nearest', 'latency', 'rule', 'bias', 'limit', 'https', 'quorum']
  const rule = fc.dictionary(fc.constantFrom(...choosing), fc.jsonValue({ maxDepth: 4 }))
  fc.assert(
    fc.property(file, rule, (value, one) => {
      holds(JSON.stringify(value))
      holds(JSON.stringify({ steer: { 'a.example.com': one, 'b.example.com': { by: one } } }))
    }),
    { numRuns: 60 },
  )
})
