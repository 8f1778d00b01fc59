/**
 * Numbers, bases, spans of time, types and classes: the small parts that all others stand on.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  base16FromText,
  base32FromText,
  base32Text,
  base64FromText,
  base64Text,
} from '../../server/dns/encoding.ts'
import {
  copyOctets,
  copyWords,
  hex,
  hexText,
  putU8,
  putU16,
  putU32,
  u8,
  u16,
  u32,
  viewOf,
} from '../../server/dns/octets.ts'
import { classFromText, classText, typeFromText, typeText } from '../../server/dns/rrtype.ts'
import { secondsFromText } from '../../server/dns/seconds.ts'

describe('RFC 1035 §2.3.2 big-endian numbers', () => {
  test('are written and read, the largest too', () => {
    const out = new Uint8Array(9)
    let at = putU8(out, 1, 0xff)
    at = putU16(out, at, 0xfffe)
    at = putU32(out, at, 0xfffffffd)
    expect(at).toBe(8)
    expect(hexText(out)).toBe('00fffffefffffffd00')
    expect([u8(out, 1), u16(out, 2), u32(out, 4)]).toEqual([0xff, 0xfffe, 0xfffffffd])
  })
})

describe('copies', () => {
  const from = Uint8Array.from({ length: 40 }, (_, i) => i)

  test('any number of octets, from anywhere to anywhere, and nothing beside them', () => {
    const place = fc.tuple(fc.nat(12), fc.nat(12), fc.nat(24))
    fc.assert(
      fc.property(place, ([at, fromAt, count]) => {
        const expected = new Uint8Array(40)
        expected.set(from.slice(fromAt, fromAt + count), at)
        const byOctets = new Uint8Array(40)
        expect(copyOctets(viewOf(byOctets), at, from, fromAt, count)).toBe(at + count)
        expect(byOctets).toEqual(expected)
        const byWords = new Uint8Array(40)
        expect(copyWords(viewOf(byWords), at, viewOf(from), fromAt, count)).toBe(at + count)
        expect(byWords).toEqual(expected)
      }),
    )
  })
  test('a view is of the very octets, wherever they lie in their buffer', () => {
    const whole = new Uint8Array(8)
    viewOf(whole.subarray(3, 5)).setUint16(0, 0xbeef)
    expect(hexText(whole)).toBe('000000beef000000')
    expect(viewOf(whole.subarray(3, 5)).byteLength).toBe(2)
  })
})

describe('RFC 4648 §10', () => {
  // biome-ignore format: table
  const TABLE = [
    ['',       '',         ''],
    ['f',      'Zg==',     'co'],
    ['fo',     'Zm8=',     'cpng'],
    ['foo',    'Zm9v',     'cpnmu'],
    ['foob',   'Zm9vYg==', 'cpnmuog'],
    ['fooba',  'Zm9vYmE=', 'cpnmuoj1'],
    ['foobar', 'Zm9vYmFy', 'cpnmuoj1e8'],
  ] as const

  for (const [text, base64, base32] of TABLE) {
    test(`"${text}"`, () => {
      const octets = Uint8Array.from(Buffer.from(text))
      expect(base64Text(octets)).toBe(base64)
      expect(base64FromText(base64)).toEqual(octets)
      expect(base32Text(octets)).toBe(base32)
      expect(base32FromText(base32.toUpperCase())).toEqual(octets)
    })
  }

  test('what Buffer writes, we read, and the other way round', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), octets => {
        expect(base64FromText(Buffer.from(octets).toString('base64'))).toEqual(octets)
        expect(base64Text(octets)).toBe(Buffer.from(octets).toString('base64'))
        expect(base16FromText(Buffer.from(octets).toString('hex').toUpperCase())).toEqual(octets)
        expect(base32FromText(base32Text(octets))).toEqual(octets)
      }),
    )
  })

  for (const text of [
    'A',
    'AA',
    'AAA',
    'A===',
    'AA=A',
    'A-==',
    'AB==',
    'AAB=',
    '====',
    'AAAA====',
  ]) {
    test(`no base 64: ${text}`, () => expect(base64FromText(text)).toBeUndefined())
  }
  for (const text of ['0', '000', '000000', 'w0', '01', '=']) {
    test(`no base 32: ${text}`, () => expect(base32FromText(text)).toBeUndefined())
  }
  for (const text of ['0', 'abc', 'gg', '0x00']) {
    test(`no base 16: ${text}`, () => expect(base16FromText(text)).toBeUndefined())
  }
})

describe('RFC 1035 §5.1 spans of time', () => {
  // biome-ignore format: table
  const TABLE = [
    ['seconds',                    '3600',        3600],
    ['nothing',                    '0',           0],
    ['BC-138 every unit',          '1W2D3H4M5S',  788_645],
    ['BC-138 lower case',          '1d',          86_400],
    ['two units',                  '1h30m',       5400],
    ['the largest',                '4294967295',  4_294_967_295],
    ['one more',                   '4294967296',  undefined],
    ['BC-138 an unknown unit',     '1y',          undefined],
    ['a unit alone',               'h',           undefined],
    ['a number without its unit',  '1h30',        undefined],
    ['a blank',                    '1 h',         undefined],
    ['a sign',                     '-1',          undefined],
    ['a fraction',                 '1.5h',        undefined],
    ['no text',                    '',            undefined],
  ] as const

  for (const [rule, text, seconds] of TABLE) {
    test(rule, () => expect(secondsFromText(text)).toBe(seconds))
  }
})

describe('RFC 3597 §5 types and classes', () => {
  // biome-ignore format: table
  const TABLE = [
    ['a word',                'AAAA',      28],
    ['in lower case',         'https',     65],
    ['a number',              'TYPE65280', 65_280],
    ['the number of a word',  'type1',     1],
    ['0',                     'TYPE0',     0],
    ['past 16 bits',          'TYPE65536', undefined],
    ['no number',             'TYPE',      undefined],
    ['a blank',               'TYPE 1',    undefined],
    ['no word',               'WWW',       undefined],
    ['a word of JavaScript',  'constructor', undefined],
  ] as const

  for (const [rule, text, type] of TABLE) {
    test(`type: ${rule}`, () => expect(typeFromText(text)).toBe(type))
  }

  test('print', () => {
    expect([1, 257, 65_280].map(typeText)).toEqual(['A', 'CAA', 'TYPE65280'])
    expect([1, 3, 32].map(classText)).toEqual(['IN', 'CH', 'CLASS32'])
    expect(['in', 'CLASS3', 'CLASS65536'].map(classFromText)).toEqual([1, 3, undefined])
  })
})

test('hexadecimal of ours', () => {
  expect(hex('00 fF\n10')).toEqual(Uint8Array.of(0, 255, 16))
  expect(() => hex('0g')).toThrow('not hexadecimal')
  expect(() => hex('abc')).toThrow('not hexadecimal')
})
