/**
 * Laws of record data, for every type we know: any octets and any text are read without a throw, and
 * what is valid prints to text that reads back octet by octet.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hex } from '../../server/dns/octets.ts'
import { rdataFromText, rdataText, SHAPE, sameRdata, validRdata } from '../../server/dns/rdata.ts'
import { TYPE, typeFromText } from '../../server/dns/rrtype.ts'
import { isWrong } from '../../server/fault.ts'
import { tokens } from './dns-tokens.ts'

const KNOWN = Object.keys(SHAPE).map(Number)
const NAME = '0141 076578616d706c65 00'

/** Valid data to start from, a few of each kind of field. */
// biome-ignore format: table
const SEEDS: readonly (readonly [type: number, octets: string])[] = [
  [TYPE.A, 'c0000201'],
  [TYPE.AAAA, '20010db8000000000000000000000001'],
  [TYPE.SOA, `${NAME} 00 00000001 00000002 00000003 00000004 00000005`],
  [TYPE.MX, `000a ${NAME}`],
  [TYPE.TXT, '0561625c2263 00'],
  [TYPE.CAA, '80 056973737565 3b22'],
  [TYPE.NAPTR, `0001 0002 0175 00 022e2a ${NAME}`],
  [TYPE.URI, '0001 0002 612f62'],
  [TYPE.LOC, '00 12 16 13 8917d05e 70be15f0 00988d20'],
  [TYPE.RRSIG, `0001 08 02 00000e10 70000000 60000000 1234 ${NAME} 00ff10`],
  [TYPE.NSEC, `${NAME} 00 06 400100000003 01 01 40`],
  [TYPE.NSEC3, '01 01 000c 02aabb 05 0011223344 00 01 40'],
  [TYPE.DNSKEY, '0101 03 0d 010203'],
  [TYPE.ISDN, '0131 0132'],
  [TYPE.NSAP, '4700'],
  [TYPE.CERT, '0003 0000 08 010203'],
  [TYPE.APL, '0001 15 03 c0a820 0002 20 84 20010db8'],
  [TYPE.IPSECKEY, `0a 03 02 ${NAME} 0103`],
  [TYPE.NID, '000a 00144fffff20ee64'],
  [TYPE.EUI48, '00005e00532a'],
  [TYPE.TLSA, '03 01 01 0011'],
  [TYPE.SVCB, `0010 ${NAME} 0000 0002 0003 0001 0006 026832 022c5c 0003 0002 01bb 0004 0004 c0000201`],
  [TYPE.HTTPS, '0001 00 0001 0003 026833 0002 0000 0005 0001 ff 0007 0007 2f7b3f646e737d ff00 0003 22205c'],
]

const mutated = fc
  .tuple(
    fc.constantFrom(...SEEDS),
    fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
    fc.uint8Array({ maxLength: 3 }),
  )
  .map(([[type, seed], changes, more]) => {
    const octets = Uint8Array.from([...hex(seed), ...more])
    for (const [at, value] of changes) octets[at % octets.length] = value
    return [type, octets] as const
  })

describe('laws', () => {
  for (const [type, octets] of SEEDS) {
    test(`the seed of type ${type} is valid`, () => {
      expect(validRdata(type, hex(octets))).toBe(true)
    })
  }

  test('what is valid prints to text that reads back', () => {
    fc.assert(
      fc.property(mutated, ([type, octets]) => {
        const text = rdataText(type, octets)
        if (!validRdata(type, octets)) expect(text).toMatch(/^\\# /)
        else expect(rdataFromText(type, tokens(text), undefined)).toEqual(octets)
      }),
      { numRuns: 8000 },
    )
  })

  test('any octets are data of a type or not, and never throw', () => {
    const octets = fc.uint8Array({ maxLength: 64 })
    fc.assert(
      fc.property(fc.constantFrom(...KNOWN), octets, octets, (type, a, b) => {
        rdataText(type, a)
        sameRdata(type, a, b)
      }),
      { numRuns: 5000 },
    )
  })

  test('any text is data of a type or wrong, and never throws', () => {
    const words = [
      '1',
      '0',
      'a.',
      '\\',
      '\\#',
      '-',
      'N',
      'E',
      'alpn=',
      'h2',
      '=',
      ',',
      '"',
      'ff',
      '',
    ]
    const word = fc.oneof(fc.constantFrom(...words), fc.string(), fc.constant('192.0.2.1'))
    const token = fc.record({ text: word, quoted: fc.boolean() })
    fc.assert(
      fc.property(fc.constantFrom(...KNOWN), fc.array(token, { maxLength: 9 }), (type, list) => {
        const read = rdataFromText(type, list, undefined)
        if (isWrong(read)) expect(read.token ?? 0).toBeLessThanOrEqual(list.length)
        else expect(validRdata(type, read)).toBe(true)
      }),
      { numRuns: 5000 },
    )
  })

  test('every type of the main table has a shape, and a word', () => {
    const words = `A AAAA NS CNAME DNAME SOA PTR MX TXT SPF SRV CAA NAPTR HINFO RP AFSDB SSHFP TLSA
      SMIMEA OPENPGPKEY URI LOC DS CDS DNSKEY CDNSKEY RRSIG NSEC NSEC3 NSEC3PARAM SVCB HTTPS
      X25 ISDN NSAP PX CERT APL IPSECKEY NID L32 L64 LP EUI48 EUI64 AVC`
    for (const word of words.split(/\s+/)) {
      expect(KNOWN).toContain(typeFromText(word.toLowerCase()))
    }
  })
})
