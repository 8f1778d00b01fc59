/**
 * Names in messages and whole messages: the packets of the public reports, hand-made ones, random
 * and mutated ones. `dns-packet` decodes what we decode.
 */
import { decode } from 'dns-packet'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  FLAG,
  OPCODE,
  putCounts,
  putHeader,
  rcodeText,
  readMessage,
} from '../../server/dns/message.ts'
import { nameBuffer, nameOf, nameText, readName } from '../../server/dns/name.ts'
import { hex, hexText, viewOf } from '../../server/dns/octets.ts'
import { rdataText } from '../../server/dns/rdata.ts'
import { typeText } from '../../server/dns/rrtype.ts'

const HEADER_OCTETS = '00'.repeat(12)

describe('names in messages', () => {
  const long = `${'3f'}${'61'.repeat(63)}`
  // biome-ignore format: table
  const TABLE = [
    // rule                                           octets after the header     at  name, or malformed    next
    ['RFC 1035 §3.1 the root',                        '00',                       12, '.',                  13],
    ['RFC 4343 §4.1 case is kept',                    '03576f5700',               12, 'WoW.',               17],
    ['RFC 1035 §4.1.4 a pointer alone',               '036162630000 c00c',        18, 'abc.',               20],
    ['RFC 1035 §4.1.4 labels, then a pointer',        '0161 00 0162 c00c',        15, 'b.a.',               19],
    ['RFC 1035 §4.1.4 a pointer to a pointer',        '0161 00 0162 c00c 0163 c00f', 19, 'c.b.a.',          23],
    ['RFC 1035 §4.1.4 a pointer into a name',         '0161 0162 00 c00e',        17, 'b.',                 19],
    ['RFC 1035 §4.1.4 W06 to itself',                 'c00c',                     12, 'malformed',          -1],
    ['RFC 1035 §4.1.4 W07 through a label',           '0161 c00c',                12, 'malformed',          -1],
    ['RFC 1035 §4.1.4 forward',                       'c00e 0161 00',             12, 'malformed',          -1],
    ['RFC 1035 §4.1.4 past the end',                  'c0ff',                     12, 'malformed',          -1],
    ['RFC 1035 §4.1.4 two that point to each other',  'c00e c00c',                14, 'malformed',          -1],
    ['RFC 1035 §4.1.4 into the header',               '0161 c000',                12, 'malformed',          -1],
    ['RFC 1035 §4.1.4 half a pointer',                'c0',                       12, 'malformed',          -1],
    ['RFC 1035 §4.1.4 W08 label type 01',             '43616263 00',              12, 'malformed',          -1],
    ['RFC 6891 §5 label type 10',                     '83616263 00',              12, 'malformed',          -1],
    ['RFC 1035 §3.1 no end',                          '0161',                     12, 'malformed',          -1],
    ['RFC 1035 §3.1 a label past the end',            '0561',                     12, 'malformed',          -1],
    ['RFC 1035 §3.1 nothing at all',                  '',                         12, 'malformed',          -1],
    ['RFC 1035 §2.3.4 255 octets', `${long}${long}${long}3d${'62'.repeat(61)}00`,  12, `${'a'.repeat(63)}.${'a'.repeat(63)}.${'a'.repeat(63)}.${'b'.repeat(61)}.`, 267],
    ['RFC 1035 §2.3.4 256 octets', `${long}${long}${long}3e${'62'.repeat(62)}00`,  12, 'malformed',          -1],
    ['RFC 1035 §2.3.4 256 octets by a pointer', `${long}${long}${long}00 3e${'62'.repeat(62)}c00c`, 205, 'malformed', -1],
  ] as const

  for (const [rule, octets, at, expected, next] of TABLE) {
    test(rule, () => {
      const message = hex(HEADER_OCTETS + octets)
      const into = nameBuffer()
      const after = readName(message, at, message.length, into)
      expect(after).toBe(next)
      expect(after < 0 ? 'malformed' : nameText(nameOf(into))).toBe(expected)
    })
  }

  test('127 labels fit the buffer', () => {
    const message = hex(`${HEADER_OCTETS}${'0161'.repeat(127)}00`)
    const into = nameBuffer()
    expect(readName(message, 12, message.length, into)).toBe(message.length)
    expect([into.labels, into.length, into.starts[127]]).toEqual([127, 255, 254])
  })

  test('the end of the message counts, not the end of the buffer', () => {
    expect(readName(hex(`${HEADER_OCTETS}0161 00`), 12, 14, nameBuffer())).toBe(-1)
  })
})

describe('headers', () => {
  test('RFC 1035 §4.1.1 flags, opcode and counts', () => {
    const out = new Uint8Array(12)
    putHeader(viewOf(out), 0xbeef, FLAG.QR | FLAG.AA | FLAG.RD, OPCODE.NOTIFY, 0x13)
    putCounts(viewOf(out), 1, 2, 3, 0x1234)
    expect(hexText(out)).toBe('beefa503000100020003' + '1234')
  })

  test('RFC 6891 §9 words of RCODEs', () => {
    expect([0, 3, 16, 4000].map(rcodeText)).toEqual(['NOERROR', 'NXDOMAIN', 'BADVERS', 'RCODE4000'])
  })
})

// www.example.com A, as BIND answers it: CNAME to a pool, MX beside it, OPT at the end.
const REPLY = hex(`1234 8500 0001 0002 0001 0001
  03777777 076578616d706c65 03636f6d 00 0001 0001
  c00c 0005 0001 0000012c 0007 04706f6f6c c010
  c02d 0001 0001 0000001e 0004 c0000201
  c010 000f 0001 0000012c 0009 000a 046d61696c c010
  00 0029 04d0 00008000 0000`)

describe('whole messages', () => {
  test('RFC 1035 §4.1 every section, names uncompressed', () => {
    const message = readMessage(REPLY)
    const records = [...(message?.answers ?? []), ...(message?.authorities ?? [])]
    const lines = records.map(
      ({ owner, type, ttl, rdata }) =>
        `${nameText(owner)} ${ttl} ${typeText(type)} ${rdataText(type, rdata)}`,
    )
    expect(lines).toEqual([
      'www.example.com. 300 CNAME pool.example.com.',
      'pool.example.com. 30 A 192.0.2.1',
      'example.com. 300 MX 10 mail.example.com.',
    ])
    expect(message).toMatchObject({ id: 0x1234, flags: FLAG.QR | FLAG.AA | FLAG.RD, rcode: 0 })
    expect(message?.questions).toMatchObject([{ type: 1, class: 1 }])
    expect(message?.additionals).toMatchObject([{ type: 41, class: 1232, ttl: 0x8000 }])
  })

  // biome-ignore format: table
  const PACKETS = [
    ['W01 a header alone',                    '000178000000000000000000', true],
    ['W03 BC-052 two questions are read',     '00030000000200000000000003777777076578616d706c6503636f6d000001000103777777076578616d706c6503636f6d00001c0001', true],
    ['W04 BC-053 256 questions, none there',  '000424000100000000000000', false],
    ['W05 a response',                        '00058400000100000000000003777777076578616d706c6503636f6d0000010001', true],
    ['W06 BC-059 a pointer to itself',        '000600000001000000000000c00c00010001', false],
    ['W07 BC-059 a loop through a label',     '0007000000010000000000000161c00c00010001', false],
    ['W08 BC-060 a reserved label type',      '00080000000100000000000043777777076578616d706c6503636f6d0000010001', false],
    ['W09 BC-057 no header',                  '746573740a', false],
    ['W10 two OPT records are two records',   '000a0000000100000000000203777777076578616d706c6503636f6d000001000100002904d000000000000000002904d0000000000000', true],
    ['W24 an SOA in the authority section',   '001800000001000000010000076578616d706c6503636f6d0000fb0001076578616d706c6503636f6d000006000100000e10003d036e7331076578616d706c6503636f6d000a686f73746d6173746572076578616d706c6503636f6d0078a3f17500001c2000000384001275000000003c', true],
    ['BC-067 an octet too many at the end',   '00058400000100000000000003777777076578616d706c6503636f6d000001000100', false],
    ['an A record of five octets',            '000084000000000100000000 00 0001 0001 00000000 0005 c000020100', false],
    ['a name that ends before its data does', '000084000000000100000000 00 0002 0001 00000000 0002 0000', false],
    ['RFC 2136 §2.5.2 data of no octets',     '000028000000000100000000 00 0001 00ff 00000000 0000', true],
    ['RFC 3597 §3 an unknown type',           '000084000000000100000000 00 ff00 0001 00000000 0002 c00c', true],
    ['RFC 3597 §4 a compressed SRV target',   '000084000000000100000000 0161 00 0021 0001 00000000 0008 0000 0000 0000 c00c', true],
    ['data past the end',                     '000084000000000100000000 00 0001 0001 00000000 0004 c00002', false],
  ] as const

  for (const [rule, octets, whole] of PACKETS) {
    test(rule, () => expect(readMessage(hex(octets)) !== undefined).toBe(whole))
  }

  test('RFC 3597 §4 a compressed target comes out whole', () => {
    const packet = hex(
      '000084000000000100000000 0161 00 0021 0001 00000000 0008 0000 0000 0000 c00c',
    )
    expect(hexText(readMessage(packet)?.answers[0]?.rdata ?? hex(''))).toBe('000000000000016100')
  })
})

describe('laws', () => {
  /** A good reply with a few octets changed, or cut. */
  const mutated = fc
    .tuple(fc.array(fc.tuple(fc.nat(REPLY.length - 1), fc.nat(255))), fc.nat(REPLY.length))
    .map(([changes, length]) => {
      const octets = REPLY.slice()
      for (const [at, value] of changes) octets[at] = value
      return octets.subarray(0, changes.length === 0 ? length : octets.length)
    })

  test('random and mutated octets are a message or not, and never throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 80 }), mutated), octets => {
        const message = readMessage(octets)
        if (message === undefined) return
        for (const { type, rdata } of message.answers) rdataText(type, rdata)
      }),
      { numRuns: 5000 },
    )
  })

  test('a name read from random octets is short, well formed, and ends inside', () => {
    const octets = fc.uint8Array({ maxLength: 300 })
    const low = fc.array(fc.constantFrom(0, 1, 2, 12, 13, 14, 0xc0), { maxLength: 60 })
    const any = fc.oneof(
      octets,
      low.map(list => Uint8Array.from([...new Uint8Array(12), ...list])),
    )
    fc.assert(
      fc.property(any, fc.nat(60), (message, at) => {
        const into = nameBuffer()
        const next = readName(message, at, message.length, into)
        if (next < 0) return
        expect(next).toBeLessThanOrEqual(message.length)
        expect(into.length).toBeLessThanOrEqual(255)
        expect(into.octets[into.length - 1]).toBe(0)
        expect(into.starts[into.labels]).toBe(into.length - 1)
      }),
      { numRuns: 5000 },
    )
  })

  test('names that we read, dns-packet reads alike', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'B', '-', '9'), minLength: 1 })
    const labels = fc.array(letters, { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(labels, list => {
        const wire = list.flatMap(label => [label.length, ...Buffer.from(label)])
        const packet = Buffer.from([...hex('000000000001000000000000'), ...wire, 0, 0, 1, 0, 1])
        const ours = readMessage(packet)?.questions[0]?.name ?? hex('00')
        expect(nameText(ours)).toBe(`${decode(packet).questions?.[0]?.name}.`)
      }),
      { numRuns: 200 },
    )
  })
})
