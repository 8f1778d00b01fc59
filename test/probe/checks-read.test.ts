/** Assertion files: the schema that editors get, and what is said of files that are wrong. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { checksSchemaText } from '../../probe/checks/shape.ts'
import { lbprobe } from './checks-kit.ts'

const FILE = new URL('../../data/schema/lbprobe.checks.schema.json', import.meta.url)

test('the published schema is made from its source', () => {
  if (process.env.UPDATE_SCHEMA === '1') writeFileSync(FILE, checksSchemaText())
  expect(readFileSync(FILE, 'utf8')).toBe(checksSchemaText())
})

// biome-ignore format: table
const DOCUMENTS = [
  ['the sketch of the specification', { version: 1, defaults: { servers: ['auth'] }, checks: [{ name: 'www.example.com', type: 'A', rotation: 'shuffled-list', min_addresses: 4, addresses: { contains: ['192.0.2.1'] }, ecs: { verdict: 'geo', scope: { min: 16, max: 24 }, forbid: ['ECS002', 'ECS004'] }, by_country: { DE: { within: ['203.0.113.0/24'] } }, ttl: { min: 30 }, all_ns: 'consistent' }] }, true],
  ['no check',              { version: 1, checks: [] },                                          false],
  ['a key that is not there', { version: 1, checks: [{ name: 'a.example', rotatoin: 'single' }] }, false],
  ['a code that is not there', { version: 1, checks: [{ name: 'a.example', rotation: 'spinning' }] }, false],
] as const

for (const [rule, document, expected] of DOCUMENTS) {
  test(`an editor judges ${rule}`, () => {
    const schema = z.fromJSONSchema(JSON.parse(readFileSync(FILE, 'utf8')))
    expect(schema.safeParse(document).success).toBe(expected)
  })
}

/** What is said of a file, line by line, without the file's name. */
async function said(text: string): Promise<{ exit: number; lines: readonly string[] }> {
  const { exit, err } = await lbprobe(['check', 'x.yaml'], { 'x.yaml': text })
  return { exit, lines: err.trimEnd().split('\n') }
}

const HEAD = 'version: 1\nchecks:\n'

describe('a mistake has its place and what to do', () => {
  // § stands where the mistake is said to be
  // biome-ignore format: table
  const MISTAKES = [
    ['no version',             '§checks:\n  - {name: a.example, rotation: single}\n', 'version is missing · add version: 1'],
    ['another version',        'version: §2\nchecks:\n  - {name: a.example, rotation: single}\n', '2 cannot stand here · one of 1'],
    ['an unknown key',         `${HEAD}  - name: a.example\n    rotation: single\n    §rotations: single\n`, 'rotations is not known here · take it out, or see the schema for its name'],
    ['not a name',             `${HEAD}  - {name: §"a b", rotation: single}\n`,      '"a b" is not a domain name · labels of 1 to 63 octets with dots between, 255 in all; no escapes'],
    ['no such type',           `${HEAD}  - {name: a.example, type: §FOO, rotation: single}\n`, 'FOO is no record type · write A, AAAA or another'],
    ['a server of no kind',    `${HEAD}  - {name: a.example, servers: [§192.0.2.1#x], rotation: single}\n`, '@192.0.2.1#x: "x" is not a port · write 1 to 65535'],
    ['not a prefix',           `${HEAD}  - {name: a.example, addresses: {within: [§192.0.2.0/33]}}\n`, '192.0.2.0/33 is no prefix · write one such as 192.0.2.0/24, or an address'],
    ['not an address',         `${HEAD}  - {name: a.example, addresses: {exactly: [§300.0.2.0]}}\n`, '300.0.2.0 is no address · write four numbers from 0 to 255'],
    ['a subnet too long',      `${HEAD}  - {name: a.example, rotation: single, subnets: [§192.0.2.0/25, 192.0.3.0/24]}\n`, '192.0.2.0/25: longer than /24 says too much about one client · shorten it to /24'],
    ['text for a number',      `${HEAD}  - {name: a.example, min_addresses: §two}\n`, 'expected a number, found "two" · write it in digits'],
    ['a scope past IPv6',      `${HEAD}  - {name: a.example, ecs: {scope: {max: §129}}}\n`, '129 is too big · 128 at most'],
    ['min above max',          `${HEAD}  - {name: a.example, ttl: {min: §60, max: 30}}\n`, 'min 60 is above max 30 · turn them round'],
    ['no assertion',           `${HEAD}  - §name: a.example\n`,                      'a.example asserts nothing · add rotation, addresses, ecs, ttl, all_ns or forbid'],
    ['an empty set',           `${HEAD}  - {name: a.example, addresses: §{}}\n`,     'addresses asserts nothing · write exactly, contains or within'],
    ['a country not asked for', `${HEAD}  - {name: a.example, countries: [DE], by_country: {§JP: {within: [192.0.2.1]}}}\n`, 'JP is judged, but not asked for · add JP to countries'],
    ['prefixes of a TXT',      `${HEAD}  - {name: a.example, type: TXT, addresses: {§within: [192.0.2.1]}}\n`, 'TXT has no addresses · write exactly or contains'],
    ['two kinds of clients',   `${HEAD}  - {name: a.example, rotation: single, §countries: [DE], subnets: [192.0.2.0/24, 192.0.3.0/24]}\n`, 'subnets and countries exclude each other · take one of them'],
    ['nothing at all',         '§',                                                  'the file is empty · write version: 1 and checks:, or let snapshot do it'],
    ['a key twice',            `${HEAD}  - {name: a.example, §name: b.example, rotation: single}\n`, 'YAML: map keys must be unique · keep one of the two'],
  ] as const
  for (const [rule, marked, expected] of MISTAKES) {
    test(rule, async () => {
      const before = marked.slice(0, marked.indexOf('§')).split('\n')
      const place = `x.yaml:${before.length}:${(before.at(-1) ?? '').length + 1}`
      const { exit, lines } = await said(marked.replace('§', ''))
      expect(exit).toBe(2)
      expect(lines).toEqual([`${place}: ${expected}`])
    })
  }

  test('all of them at once, as one reads, of all files', async () => {
    const files = {
      'a.yaml': `${HEAD}  - {name: a.example, rotation: spinning, ttl: fast}\n  - {nam: b.example}\n`,
      'b.yaml': 'version: 1\nchecks: none\n',
    }
    const { exit, err } = await lbprobe(['check', 'a.yaml', 'b.yaml', 'c.yaml'], files)
    expect(exit).toBe(2)
    expect(err.split('\n').map(line => line.split(': ')[0])).toEqual([
      'a.yaml:3:33',
      'a.yaml:3:48',
      'a.yaml:4:5',
      'a.yaml:4:6',
      'b.yaml:2:9',
      'c.yaml:1:1',
      '',
    ])
  })
})

describe('hostile files end in a sentence', () => {
  // biome-ignore format: table
  const HOSTILE = [
    ['brackets without end',     '['.repeat(20_000)],
    ['references that multiply', `a: &a [x]\n${Array.from({ length: 9 }, (_, at) => `b${at}: &b${at} [${'*a,'.repeat(40)}]\n`).join('')}`],
    ['a reference to nothing',   'version: *x\n'],
    ['control characters',       'version: 1\nchecks: "\u001b[31m\u0000"\n'],
    ['a second document',        'version: 1\n---\nversion: 1\n'],
    ['a prototype',              'version: 1\n__proto__: {checks: []}\nchecks: [{name: a.example, constructor: x}]\n'],
  ] as const
  for (const [rule, text] of HOSTILE) {
    test(rule, async () => {
      const { exit, lines } = await said(text)
      expect(exit).toBe(2)
      expect(lines[0]).toMatch(/^x\.yaml:\d+:\d+: \S/)
      expect(lines.join('')).not.toMatch(/\p{Cc}/u)
    })
  }
})
