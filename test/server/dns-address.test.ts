/**
 * Addresses as text: what is read, what is not, and how they print. Octets by arithmetic.
 */
import { isIPv4, isIPv6 } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  address,
  addressText,
  ipv4FromText,
  ipv6FromText,
  setAddressText,
} from '../../server/dns/address.ts'
import { hex, hexText } from '../../server/dns/octets.ts'

const MALFORMED = 'malformed'

function shown(octets: Uint8Array | undefined): string {
  return octets === undefined ? MALFORMED : hexText(octets)
}

describe('IPv4', () => {
  // biome-ignore format: table
  const TABLE = [
    ['RFC 1035 §3.4.1 four numbers',              '192.0.2.1',       'c0000201'],
    ['RFC 1035 §3.4.1 zeros',                     '0.0.0.0',         '00000000'],
    ['RFC 1035 §3.4.1 at most 255',               '192.0.2.256',     MALFORMED],
    ['RFC 1035 §3.4.1 three numbers',             '192.0.2',         MALFORMED],
    ['RFC 1035 §3.4.1 five numbers',              '192.0.2.1.1',     MALFORMED],
    ['RFC 1035 §3.4.1 a dot at the end',          '192.0.2.1.',      MALFORMED],
    ['RFC 1035 §3.4.1 a blank',                   '192.0.2.1 ',      MALFORMED],
    ['RFC 1035 §3.4.1 nothing',                   '',                MALFORMED],
    ['RFC 1035 §3.4.1 a sign',                    '+192.0.2.1',      MALFORMED],
    ['BC-147 a leading zero',                     '192.0.2.010',     MALFORMED],
    ['BC-147 a leading zero in front',            '010.0.2.1',       MALFORMED],
    ['BC-147 two zeros',                          '192.00.2.0',      MALFORMED],
    ['BC-147 hexadecimal',                        '0xc0.0.2.1',      MALFORMED],
  ] as const

  for (const [rule, text, octets] of TABLE) {
    test(rule, () => expect(shown(ipv4FromText(text))).toBe(octets))
  }
})

describe('IPv6', () => {
  // biome-ignore format: table
  const TABLE = [
    ['RFC 4291 §2.2 eight groups',    '2001:db8:0:0:8:800:200c:417a', '20010db80000000000080800200c417a'],
    ['RFC 4291 §2.2 capitals',        '2001:DB8::417A',               '20010db800000000000000000000417a'],
    ['RFC 4291 §2.2 a gap in front',  '::1',                          '00000000000000000000000000000001'],
    ['RFC 4291 §2.2 a gap at the end', '2001:db8::',                  '20010db8000000000000000000000000'],
    ['RFC 4291 §2.2 a gap alone',     '::',                           '00000000000000000000000000000000'],
    ['RFC 4291 §2.2 IPv4 at the end', '::ffff:129.144.52.38',         '00000000000000000000ffff81903426'],
    ['RFC 4291 §2.2 no gap, IPv4',    '1:2:3:4:5:6:192.0.2.1',        '000100020003000400050006c0000201'],
    ['RFC 4291 §2.2 a gap of one',    '1:2:3::5:6:7:8',               '00010002000300000005000600070008'],
    ['RFC 4291 §2.2 seven groups',    '1:2:3:4:5:6:7',                MALFORMED],
    ['RFC 4291 §2.2 nine groups',     '1:2:3:4:5:6:7:8:9',            MALFORMED],
    ['RFC 4291 §2.2 a gap of none',   '1:2:3:4::5:6:7:8',             MALFORMED],
    ['RFC 4291 §2.2 two gaps',        '1::2::3',                      MALFORMED],
    ['RFC 4291 §2.2 three colons',    '1:::2',                        MALFORMED],
    ['RFC 4291 §2.2 a colon in front', ':1:2:3:4:5:6:7:8',            MALFORMED],
    ['RFC 4291 §2.2 a colon at the end', '1:2:3:4:5:6:7:',            MALFORMED],
    ['RFC 4291 §2.2 five digits',     '2001:db8::12345',              MALFORMED],
    ['RFC 4291 §2.2 no digit',        '2001:db8::g',                  MALFORMED],
    ['RFC 4291 §2.2 IPv4 in the middle', '::192.0.2.1:1',             MALFORMED],
    ['RFC 4291 §2.2 IPv4 and nothing left', '1:2:3:4:5:6:7:192.0.2.1', MALFORMED],
    ['RFC 4291 §2.2 nothing',         '',                             MALFORMED],
    ['RFC 4007 §11 a zone',           'fe80::1%eth0',                 MALFORMED],
    ['BC-147 a leading zero in IPv4', '::ffff:192.0.2.01',            MALFORMED],
  ] as const

  for (const [rule, text, octets] of TABLE) {
    test(rule, () => expect(shown(ipv6FromText(text))).toBe(octets))
  }
})

describe('RFC 5952 printing', () => {
  // biome-ignore format: table
  const TABLE = [
    ['§4.1   no leading zeros',             '20010db80000000100020003000400ab', '2001:db8:0:1:2:3:4:ab'],
    ['§4.2.2 one zero group stays',         '20010db8000000010001000100010001', '2001:db8:0:1:1:1:1:1'],
    ['§4.2.3 the longest run',              '20010000000000010000000000000001', '2001:0:0:1::1'],
    ['§4.2.3 the first of equal ones',      '20010db8000000000001000000000001', '2001:db8::1:0:0:1'],
    ['§4.3   lower case',                   '20010db8000000000000000000000abc', '2001:db8::abc'],
    ['§4.2.1 zeros to the end',             '20010db8000000000000000000000000', '2001:db8::'],
    ['§4.2.1 nothing but zeros',            '00000000000000000000000000000000', '::'],
    ['§5     IPv4 mapped',                  '00000000000000000000ffffc0000201', '::ffff:192.0.2.1'],
  ] as const

  for (const [rule, octets, text] of TABLE) {
    test(rule, () => expect(addressText(hex(octets))).toBe(text))
  }

  test('an IPv4 address', () => expect(addressText(hex('cb007107'))).toBe('203.0.113.7'))
})

describe('addresses of sockets', () => {
  // biome-ignore format: table
  const TABLE = [
    ['IPv4',                                '203.0.113.7',        4, 'cb007107000000000000000000000000'],
    ['IPv6',                                '2001:db8::7',        6, '20010db8000000000000000000000007'],
    ['RFC 4007 §11 the zone is dropped',    'fe80::1%eth0',       6, 'fe800000000000000000000000000001'],
    ['RFC 4291 §2.5.5.2 mapped is IPv4',    '::ffff:203.0.113.7', 4, 'cb007107000000000000000000000000'],
    ['RFC 4291 §2.5.5.2 mapped, in groups', '::ffff:cb00:7107',   4, 'cb007107000000000000000000000000'],
    ['the loopback address',                '::1',                6, '00000000000000000000000000000001'],
  ] as const

  for (const [rule, text, family, octets] of TABLE) {
    test(rule, () => {
      const into = address()
      into.octets.fill(0xff)
      expect(setAddressText(into, text)).toBe(true)
      expect([into.family, hexText(into.octets)]).toEqual([family, octets])
    })
  }

  for (const text of ['', 'localhost', '203.0.113', '203.0.113.7%eth0', 'fe80::1%eth0%1:']) {
    test(`no address: ${text}`, () => {
      const isAddress = isIPv6(text.replace(/%.*/, ''))
      expect(setAddressText(address(), text)).toBe(isAddress)
    })
  }
})

describe('laws', () => {
  const near = fc.string({ unit: fc.constantFrom(...'0123456789af:.'), maxLength: 24 })

  test('what node:net takes for IPv4, and nothing else, is IPv4', () => {
    fc.assert(
      fc.property(near, text => {
        expect(ipv4FromText(text) !== undefined).toBe(isIPv4(text))
      }),
    )
  })

  test('what node:net takes for IPv6, and nothing else, is IPv6', () => {
    fc.assert(
      fc.property(fc.oneof(near, fc.ipV6()), text => {
        expect(ipv6FromText(text) !== undefined).toBe(isIPv6(text))
      }),
      { numRuns: 2000 },
    )
  })

  test('what is printed reads back', () => {
    const octets = fc.uint8Array({ minLength: 16, maxLength: 16, max: 2 })
    fc.assert(
      fc.property(octets, sixteen => {
        expect(ipv6FromText(addressText(sixteen))).toEqual(sixteen)
        expect(isIPv6(addressText(sixteen))).toBe(true)
      }),
    )
  })
})
