// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is the syntax of $GENERATE
/** Laws of the zone room: reading ends whatever the text, and finding agrees with the RFC read naively. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameBuffer, ROOT, setName } from '../../server/dns/name.ts'
import { joined } from '../../server/dns/octets.ts'
import { TYPE } from '../../server/dns/rrtype.ts'
import { find } from '../../server/zone/find.ts'
import { type FindingKind, finding } from '../../server/zone/finding.ts'
import { RRSET, rrsetWord } from '../../server/zone/zones.ts'
import { findText, loadText } from '../kit/zone-text.ts'

/** Pieces that mean something to the scanner, and octets that do not. */
const PIECES = fc.oneof(
  fc.constantFrom(
    ...['$ORIGIN', '$TTL', '$INCLUDE', '$GENERATE', '@', '.', 'a', 'example.com.', '*', 'IN', 'CH'],
    ...[
      'A',
      'NS',
      'SOA',
      'TXT',
      'MX',
      'CNAME',
      'DNAME',
      'TYPE999',
      '\\#',
      '300',
      '1w',
      '1-3',
      '192.0.2.1',
    ],
    ...[
      'n h 1 2 3 4 5',
      '"',
      '(',
      ')',
      ';',
      '\\',
      '\\065',
      '\\9',
      '$',
      '${0,3,d}',
      ' ',
      '\t',
      '\n',
      '\r\n',
    ],
  ),
  fc.string({ unit: fc.nat(255).map(octet => String.fromCharCode(octet)), maxLength: 6 }),
)

test('any text: reading ends, throws nothing, and places every problem', () => {
  fc.assert(
    fc.property(fc.array(PIECES, { maxLength: 60 }), pieces => {
      const text = pieces.join(' ')
      const lines = text.split('\n').length
      for (const problem of loadText(text, { a: text }).problems) {
        const [, line] = /^[az](?::([0-9]+):[0-9]+)?: ./s.exec(problem) ?? [problem, '-1']
        expect(Number(line ?? 0)).toBeGreaterThanOrEqual(0)
        expect(Number(line ?? 0)).toBeLessThanOrEqual(lines)
      }
    }),
    { numRuns: 2000 },
  )
})

/** Data of one record of each type that the naive reading knows. */
const DATA = {
  A: '192.0.2.1',
  TXT: '"t"',
  NS: 'ns.example.net.',
  DS: `1 8 2 ${'00'.repeat(32)}`,
  DNAME: 'd.example.net.',
  CNAME: 'c.example.net.',
} as const

type Model = ReadonlyMap<string, ReadonlySet<string>>

const LABEL = fc.constantFrom('a', 'b', '*')
const BELOW = fc.array(LABEL, { maxLength: 4 })
const RECORD = fc.tuple(BELOW, fc.constantFrom('A', 'TXT', 'NS', 'DS', 'DNAME', 'CNAME'))

/** Leaves out what would make the zone wrong: CNAME only where nothing else is. */
function modelOf(records: readonly (readonly [string[], string])[]): Model {
  const model = new Map<string, Set<string>>([['', new Set(['SOA', 'NS'])]])
  for (const [labels, type] of records) {
    const owner = labels.join('.')
    const types = model.get(owner) ?? new Set()
    if (types.has('CNAME') || (type === 'CNAME' && types.size > 0)) continue
    model.set(owner, types.add(type))
  }
  return model
}

function zoneText(model: Model): string {
  const lines = [
    '$ORIGIN example.com.',
    '$TTL 60',
    '@ SOA ns h 1 20 3 40 5',
    '@ NS ns.example.net.',
  ]
  for (const [owner, types] of model) {
    for (const type of types) {
      const isApex = owner === '' && (type === 'SOA' || type === 'NS')
      const data = DATA[type as keyof typeof DATA]
      if (!isApex) lines.push(`${owner || '@'} ${type} ${data}`)
    }
  }
  return `${lines.join('\n')}\n`
}

/** RFC 1034 §4.3.2, walking down from the apex one label at a time. */
function naive(model: Model, labels: readonly string[], type: string): FindingKind {
  const exists = (owner: string) =>
    [...model.keys()].some(name => name === owner || name.endsWith(`.${owner}`) || owner === '')
  let encloser = ''
  for (let count = 0; count <= labels.length; count += 1) {
    const owner = labels.slice(labels.length - count).join('.')
    const types = model.get(owner) ?? new Set()
    if (!exists(owner)) {
      const wildcard = encloser === '' ? '*' : `*.${encloser}`
      return exists(wildcard) ? decide(model.get(wildcard) ?? new Set(), type) : 'no-name'
    }
    const isWhole = count === labels.length
    if (count > 0 && types.has('NS') && !(isWhole && type === 'DS')) return 'referral'
    if (!isWhole && types.has('DNAME')) return 'rename'
    encloser = owner
  }
  return decide(model.get(labels.join('.')) ?? new Set(), type)
}

function decide(types: ReadonlySet<string>, type: string): FindingKind {
  if (types.has('CNAME') && type !== 'CNAME') return 'alias'
  return types.has(type) ? 'answer' : 'no-data'
}

test('finding agrees with RFC 1034 §4.3.2 and RFC 4592 read naively', () => {
  const question = fc.tuple(
    fc.array(LABEL, { maxLength: 5 }),
    fc.constantFrom('A', 'DS', 'DNAME', 'CNAME', 'NS'),
  )
  fc.assert(
    fc.property(
      fc.array(RECORD, { maxLength: 8 }),
      fc.array(question, { minLength: 1, maxLength: 12 }),
      (records, questions) => {
        const model = modelOf(records)
        const { zones, problems } = loadText(zoneText(model))
        expect(problems).toEqual([])
        for (const [labels, type] of questions) {
          const name = [...labels, 'example.com.'].join('.')
          const found = `${name} ${type} ${findText(zones, name, type).kind}`
          expect(found).toBe(`${name} ${type} ${naive(model, labels, type)}`)
        }
      },
    ),
    { numRuns: 1000 },
  )
})

test('any name in a buffer: finding throws nothing', () => {
  const { zones } = loadText(
    '$ORIGIN a.\n$TTL 60\n@ SOA ns h 1 20 3 40 5\n@ NS ns.b.\n* A 192.0.2.1\n',
  )
  const into = finding()
  const label = fc.uint8Array({ minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(fc.array(label, { maxLength: 12 }), fc.nat(65535), (labels, type) => {
      const whole = [...labels, Uint8Array.of(0x61)]
      const name = nameBuffer()
      setName(name, joined([...whole.flatMap(one => [Uint8Array.of(one.length), one]), ROOT]), 0)
      find(zones, name, type, into)
      expect(into.kind).not.toBe('no-zone')
    }),
  )
})

test('compiled zones can be handed to another thread: shared memory and plain values', () => {
  const { zones } = loadText(
    '$ORIGIN a.\n$TTL 60\n@ SOA ns h 1 20 3 40 5\n@ NS ns.b.\n* A 192.0.2.1\n',
  )
  const copy = structuredClone(zones)
  for (const [column, value] of Object.entries(zones)) {
    if (!ArrayBuffer.isView(value)) continue
    expect(`${column} ${value.buffer instanceof SharedArrayBuffer}`).toBe(`${column} true`)
  }
  expect(findText(copy, 'x.a.', 'A').kind).toBe('answer')
  expect(rrsetWord(copy, findText(copy, 'x.a.', 'A').rrset, RRSET.TYPE)).toBe(TYPE.A)
})
