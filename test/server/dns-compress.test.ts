/**
 * Compression: what is written, octet by octet, and the laws that `dns-packet` is the judge of.
 */
import { decode } from 'dns-packet'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Compressor,
  compressor,
  noteQuestion,
  putName,
  putRecord,
  resetCompressor,
  rewindCompressor,
} from '../../server/dns/compress.ts'
import { putCounts, putHeader, readMessage } from '../../server/dns/message.ts'
import {
  nameBuffer,
  nameFromText,
  nameOf,
  nameText,
  readName,
  setName,
} from '../../server/dns/name.ts'
import { hexText, viewOf } from '../../server/dns/octets.ts'
import { rdataFromText, rdataText } from '../../server/dns/rdata.ts'
import { TYPE } from '../../server/dns/rrtype.ts'
import { isWrong } from '../../server/fault.ts'
import { tokens } from './dns-tokens.ts'

const LIMIT = 65_535

function name(text: string): Uint8Array {
  const wire = nameFromText(text, undefined)
  if (isWrong(wire)) throw new Error(wire.wrong)
  return wire
}

function data(type: number, text: string): Uint8Array {
  const rdata = rdataFromText(type, tokens(text), undefined)
  if (isWrong(rdata)) throw new Error(rdata.wrong)
  return rdata
}

/** Writes names one behind the other from offset 12 on. */
function written(names: readonly string[]): string {
  const c = compressor()
  const out = new Uint8Array(512)
  let at = 12
  for (const text of names) at = putName(c, viewOf(out), at, out.length, name(text), 0)
  return hexText(out.subarray(12, at))
}

describe('RFC 1035 §4.1.4 names', () => {
  // biome-ignore format: table
  const TABLE = [
    ['the first is written whole',         ['a.bc.'],                    '0161 026263 00'],
    ['the same again is a pointer',        ['a.bc.', 'a.bc.'],           '0161 026263 00 c00c'],
    ['a sibling shares the parent',        ['a.bc.', 'd.bc.'],           '0161 026263 00 0164 c00e'],
    ['a parent is pointed into',           ['a.bc.', 'bc.'],             '0161 026263 00 c00e'],
    ['a child of the first',               ['a.bc.', 'd.a.bc.'],         '0161 026263 00 0164 c00c'],
    ['a name that ends in a pointer',      ['bc.', 'a.bc.', 'd.a.bc.'],  '026263 00 0161 c00c 0164 c010'],
    ['the root is never pointed to',       ['.', 'a.', '.'],             '00 0161 00 00'],
    ['nothing in common',                  ['a.', 'b.'],                 '0161 00 0162 00'],
    ['the same end inside a label',        ['abc.', 'c.'],               '03616263 00 0163 00'],
    ['RFC 4343 §4.1 case-blind',           ['a.Bc.', 'D.bC.'],           '0161 024263 00 0144 c00e'],
    ['the longest match counts',           ['c.', 'b.c.', 'a.b.c.'],     '0163 00 0162 c00c 0161 c00f'],
  ] as const

  for (const [rule, names, octets] of TABLE) {
    test(rule, () => expect(written(names)).toBe(octets.replace(/ /g, '')))
  }

  test('a limit is kept, and what did not fit is not remembered', () => {
    const c = compressor()
    const out = new Uint8Array(64)
    expect(putName(c, viewOf(out), 12, 16, name('a.bc.'), 0)).toBe(-1)
    expect(putName(c, viewOf(out), 12, 18, name('a.bc.'), 0)).toBe(18)
    expect(putName(c, viewOf(out), 18, 19, name('a.bc.'), 0)).toBe(-1)
    expect(putName(c, viewOf(out), 18, 20, name('a.bc.'), 0)).toBe(20)
  })

  test('a new message knows no name of the last', () => {
    const c = compressor()
    const out = new Uint8Array(64)
    putName(c, viewOf(out), 12, 64, name('a.bc.'), 0)
    resetCompressor(c)
    expect(putName(c, viewOf(out), 20, 64, name('a.bc.'), 0)).toBe(26)
  })

  /** A message whose question has that name; what follows it starts at the offset returned. */
  function asked(c: Compressor, out: Uint8Array, text: string): number {
    const question = nameBuffer()
    setName(question, name(text), 0)
    out.set(name(text), 12)
    noteQuestion(c, question)
    return 12 + question.length
  }

  test('the question is pointed to like a name that was put there', () => {
    const c = compressor()
    const out = new Uint8Array(64)
    const at = asked(c, out, 'a.bC.')
    const next = putName(c, viewOf(out), at, 64, name('d.Bc.'), 0)
    const end = putName(c, viewOf(out), next, 64, name('a.bc.'), 0)
    expect(hexText(out.subarray(at, end))).toBe('0164c00ec00c')
  })

  test('a new message knows nothing of the last one’s question', () => {
    const c = compressor()
    const out = new Uint8Array(64)
    asked(c, out, 'a.bc.')
    resetCompressor(c)
    expect(putName(c, viewOf(out), 20, 64, name('a.bc.'), 0)).toBe(26)
  })

  test('a name may stand anywhere in a large memory', () => {
    const c = compressor()
    const out = new Uint8Array(64)
    const names = new Uint8Array(0x20000)
    names.set(name('a.bc.'), 0x1fff0)
    const at = putName(c, viewOf(out), 12, 64, names, 0x1fff0)
    const end = putName(c, viewOf(out), at, 64, names, 0x1fff0 + 2)
    expect(hexText(out.subarray(12, end))).toBe('016102626300c00e')
  })

  test('what is taken back is not pointed to', () => {
    const c = compressor()
    const out = new Uint8Array(64)
    const at = putName(c, viewOf(out), 12, 64, name('bc.'), 0)
    putName(c, viewOf(out), at, 64, name('a.bc.'), 0)
    rewindCompressor(c, at)
    const end = putName(c, viewOf(out), at, 64, name('d.a.bc.'), 0)
    expect(hexText(out.subarray(at, end))).toBe('01640161c00c')
  })
})

describe('RFC 3597 §4 names in data', () => {
  // biome-ignore format: table
  const TABLE = [
    ['NS is compressed',        TYPE.NS,    'ns.bc.',             '0005 026e73 c00c'],
    ['CNAME is compressed',     TYPE.CNAME, 'bc.',                '0002 c00c'],
    ['PTR is compressed',       TYPE.PTR,   'p.bc.',              '0004 0170 c00c'],
    ['MX is compressed',        TYPE.MX,    '10 bc.',             '0004 000a c00c'],
    ['SOA is, both names',      TYPE.SOA,   'n.bc. n.bc. 1 2 3 4 5', '001a 016e c00c c01c 00000001 00000002 00000003 00000004 00000005'],
    ['SRV is not',              TYPE.SRV,   '1 2 3 bc.',          '000a 0001 0002 0003 026263 00'],
    ['DNAME is not',            TYPE.DNAME, 'bc.',                '0004 026263 00'],
    ['RP is not',               TYPE.RP,    'bc. bc.',            '0008 026263 00 026263 00'],
    ['TXT is copied',           TYPE.TXT,   '"bc"',               '0003 026263'],
    ['A is copied',             TYPE.A,     '192.0.2.1',          '0004 c0000201'],
  ] as const

  for (const [rule, type, text, octets] of TABLE) {
    test(rule, () => {
      const c = compressor()
      const out = new Uint8Array(128)
      const at = putName(c, viewOf(out), 12, 128, name('bc.'), 0)
      const rdata = data(type, text)
      const end = putRecord(
        c,
        viewOf(out),
        at,
        128,
        name('bc.'),
        0,
        type,
        1,
        300,
        rdata,
        0,
        rdata.length,
      )
      const fixed = `c00c ${type.toString(16).padStart(4, '0')} 0001 0000012c`
      expect(hexText(out.subarray(at, end))).toBe(`${fixed} ${octets}`.replace(/ /g, ''))
    })
  }

  test('a record that does not fit leaves nothing behind, at any limit', () => {
    const rdata = data(TYPE.SOA, 'n.bc. m.bc. 1 2 3 4 5')
    const whole = putOne(compressor(), LIMIT, rdata)
    for (let limit = 12; limit < whole; limit += 1) {
      const c = compressor()
      expect(putOne(c, limit, rdata)).toBe(-1)
      expect(c.known).toBe(0)
    }
    expect(putOne(compressor(), whole, rdata)).toBe(whole)
  })

  function putOne(c: Compressor, limit: number, rdata: Uint8Array): number {
    const out = new Uint8Array(256)
    const owner = name('a.bc.')
    return putRecord(c, viewOf(out), 12, limit, owner, 0, TYPE.SOA, 1, 0, rdata, 0, rdata.length)
  }
})

describe('laws', () => {
  const label = fc.constantFrom('a', 'B', 'b', 'example', 'EXAMPLE', 'x'.repeat(40))
  const owner = fc
    .array(label, { minLength: 1, maxLength: 5 })
    .map(labels => `${labels.join('.')}.`)
  const record = fc.oneof(
    fc.record({ owner, type: fc.constant(TYPE.NS), text: owner }),
    fc.record({ owner, type: fc.constant(TYPE.MX), text: owner.map(host => `5 ${host}`) }),
    fc.record({ owner, type: fc.constant(TYPE.SRV), text: owner.map(host => `1 2 3 ${host}`) }),
    fc.record({ owner, type: fc.constant(TYPE.A), text: fc.constant('192.0.2.1') }),
    fc.record({
      owner,
      type: fc.constant(TYPE.SOA),
      text: fc.tuple(owner, owner).map(names => `${names.join(' ')} 1 2 3 4 5`),
    }),
  )
  type Line = { readonly owner: string; readonly type: number; readonly text: string }

  /** Writes records as answers; returns the message. */
  function messageOf(lines: readonly Line[]): Uint8Array {
    const c = compressor()
    const out = new Uint8Array(LIMIT)
    putHeader(viewOf(out), 1, 0x8000, 0, 0)
    putCounts(viewOf(out), 0, lines.length, 0, 0)
    let at = 12
    for (const line of lines) {
      const rdata = data(line.type, line.text)
      at = putRecord(
        c,
        viewOf(out),
        at,
        LIMIT,
        name(line.owner),
        0,
        line.type,
        1,
        0,
        rdata,
        0,
        rdata.length,
      )
    }
    return out.subarray(0, at)
  }

  test('dns-packet reads the names that were written', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 40 }), lines => {
        const { answers = [] } = decode(Buffer.from(messageOf(lines)))
        expect(answers.length).toBe(lines.length)
        answers.forEach((answer, i) => {
          expect(`${answer.name}.`.toLowerCase()).toBe(lines[i]?.owner.toLowerCase())
          const host = hostOf(answer)
          if (host !== undefined) {
            expect(lines[i]?.text.toLowerCase()).toContain(`${host}.`.toLowerCase())
          }
        })
      }),
      { numRuns: 200 },
    )
  })

  /** The one name in a record's data, as dns-packet decodes it. */
  function hostOf(answer: { readonly type: string; readonly data?: unknown }): string | undefined {
    if (typeof answer.data === 'string') return answer.type === 'NS' ? answer.data : undefined
    const fields = Object(answer.data) as { exchange?: string; target?: string; mname?: string }
    return fields.exchange ?? fields.target ?? fields.mname
  }

  test('we read the data that was written', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 40 }), lines => {
        const answers = readMessage(messageOf(lines))?.answers ?? []
        expect(answers.map(({ type, rdata }) => rdataText(type, rdata).toLowerCase())).toEqual(
          lines.map(line => line.text.toLowerCase()),
        )
      }),
      { numRuns: 100 },
    )
  })

  test('no pointer goes at or past 0x4000, and late names still come out right', () => {
    const lines = Array.from({ length: 2000 }, (_, i) => ({
      owner: `host${i % 1500}.example${i % 7}.`,
      type: TYPE.NS,
      text: `ns${i % 900}.example${i % 7}.`,
    }))
    const message = messageOf(lines)
    expect(message.length).toBeGreaterThan(0x8000)
    const answers = readMessage(message)?.answers ?? []
    expect(answers.map(({ owner }) => nameText(owner))).toEqual(lines.map(line => line.owner))
    expect(answers.map(({ type, rdata }) => rdataText(type, rdata))).toEqual(
      lines.map(line => line.text),
    )
  })

  test('a suffix first written at 0x4000 is never pointed to, one at 0x3fff is', () => {
    for (const [at, length] of [
      [0x3fff, 2],
      [0x4000, 4],
    ] as const) {
      const c = compressor()
      const out = new Uint8Array(0x5000)
      const next = putName(c, viewOf(out), at, out.length, name('ab.'), 0)
      expect(putName(c, viewOf(out), next, out.length, name('ab.'), 0) - next).toBe(length)
    }
  })

  test('a name is found again whatever was taken back between', () => {
    const steps = fc.array(fc.tuple(owner, fc.boolean()), { maxLength: 60 })
    fc.assert(
      fc.property(steps, list => {
        const c = compressor()
        const out = new Uint8Array(0x4000)
        let at = 12
        for (const [text, isKept] of list) {
          const next = putName(c, viewOf(out), at, out.length, name(text), 0)
          if (isKept) at = next
          else rewindCompressor(c, at)
        }
        const end = putName(c, viewOf(out), at, out.length, name('b.example.'), 0)
        const into = nameBuffer()
        expect(readName(out, at, end, into)).toBe(end)
        expect(nameText(nameOf(into)).toLowerCase()).toBe('b.example.')
      }),
      { numRuns: 200 },
    )
  })
})
