/**
 * Record data that is wrong: what is said, which token is guilty, and which octets are refused.
 */
import { describe, expect, test } from 'vitest'
import { hex } from '../../server/dns/octets.ts'
import { rdataFromText, rdataText, sameRdata, validRdata } from '../../server/dns/rdata.ts'
import { typeFromText } from '../../server/dns/rrtype.ts'
import { isWrong } from '../../server/fault.ts'
import { tokens } from './dns-tokens.ts'

const ORIGIN = hex('076578616d706c6503636f6d00')
const OCTETS256 = 'x'.repeat(256)

describe('text', () => {
  // biome-ignore format: table
  const TABLE = [
    // rule                                         type     text                              says                          guilty token; −1: one is missing
    ['RFC 1035 §3.4.1 no address',                  'A',     '',                               'the IPv4 address is missing', -1],
    ['RFC 1035 §3.4.1 not an address',              'A',     'www',                            'www is not an IPv4 address', 0],
    ['RFC 1035 §3.4.1 one too many',                'A',     '192.0.2.1 192.0.2.2',            '192.0.2.2 is too much for A', 1],
    ['RFC 1035 §3.4.1 BC-147 a leading zero',       'A',     '192.0.2.010',                    '192.0.2.010 has a leading zero', 0],
    ['RFC 3596 §2.2 an IPv4 address',               'AAAA',  '192.0.2.1',                      'is not an IPv6 address', 0],
    ['RFC 3596 §2.2 BC-147 a leading zero',         'AAAA',  '::ffff:192.0.2.01',              'is not an IPv6 address', 0],
    ['RFC 1035 §3.3.9 no preference',               'MX',    'mail',                           'the preference cannot be mail', 0],
    ['RFC 1035 §3.3.9 past 16 bits',                'MX',    '65536 mail',                     'the preference cannot be 65536', 0],
    ['RFC 1035 §3.3.9 a sign',                      'MX',    '-1 mail',                        'the preference cannot be -1', 0],
    ['RFC 1035 §3.3.9 no exchange',                 'MX',    '10',                             'the exchange is missing', -1],
    ['RFC 1035 §3.3.9 an empty label',              'MX',    '10 a..b',                        'an empty label', 1],
    ['RFC 1035 §3.3.13 BC-138 an unknown unit',     'SOA',   'a b 1 1y 2 3 4',                 'refresh cannot be 1y', 3],
    ['RFC 1035 §3.3.13 a unit without a number',    'SOA',   'a b 1 2 h 3 4',                  'retry cannot be h', 4],
    ['RFC 1035 §3.3.13 past 32 bits',               'SOA',   'a b 4294967296 1 2 3 4',         'the serial cannot be 4294967296', 2],
    ['RFC 1035 §3.3.13 too long a span',            'SOA',   'a b 1 1 2 7102w 4',              'expire cannot be 7102w', 5],
    ['RFC 1035 §3.3.13 six fields',                 'SOA',   'a b 1 2 3 4',                    'minimum is missing', -1],
    ['RFC 1035 §3.3.14 BC-143 a string of 256',     'TXT',   `"a" "${OCTETS256}"`,             'a string of 256 octets', 1],
    ['RFC 1035 §3.3.14 nothing',                    'TXT',   '',                               'the text is missing', -1],
    ['RFC 1035 §5.1 BC-135 past 255',               'TXT',   '"a" "\\256"',                    '\\256 is not an escape', 1],
    ['RFC 1035 §5.1 BC-135 two digits',             'TXT',   '"\\03x"',                        '\\03x is not an escape', 0],
    ['RFC 1035 §5.1 BC-135 a trailing backslash',   'TXT',   'abc\\',                          'a backslash with nothing behind it', 0],
    ['RFC 1035 §3.3.2 one string',                  'HINFO', 'PC',                             'the system is missing', -1],
    ['RFC 2782 no target',                          'SRV',   '1 2 3',                          'the target is missing', -1],
    ['RFC 8659 §4.1 an empty tag',                  'CAA',   '0 "" "x"',                       'is not a tag', 1],
    ['RFC 8659 §4.1 a hyphen in a tag',             'CAA',   '0 a-b "x"',                      'a-b is not a tag', 1],
    ['RFC 8659 §4.1 flags past 8 bits',             'CAA',   '256 issue "x"',                  'the flags cannot be 256', 0],
    ['RFC 7553 §4.5 an empty target',               'URI',   '1 1 ""',                         'the target is empty', 2],
    ['RFC 4034 §5.3 half an octet',                 'DS',    '1 8 2 abc',                      'the digest is malformed', 3],
    ['RFC 4034 §5.3 no digest',                     'DS',    '1 8 2',                          'the digest is missing', -1],
    ['RFC 4509 §2.1 a digest cut short',            'DS',    '1 8 2 abcd',                     'the digest has 2 octets, and its type takes 32', 0],
    ['RFC 4034 §5.1 an unknown algorithm',          'DS',    '1 RSA 2 abcd',                   'RSA is not a DNSSEC algorithm', 1],
    ['RFC 4034 §2.2 no base 64',                    'DNSKEY', '256 3 8 AQ*=',                  'the key is malformed', 3],
    ['RFC 4648 §4 no padding',                      'DNSKEY', '256 3 8 AQ',                    'the key is malformed', 3],
    ['RFC 4648 §3.5 bits past the last octet',      'DNSKEY', '256 3 8 AR==',                  'the key is malformed', 3],
    ['RFC 4034 §3.2 no type',                       'RRSIG', 'B 8 2 1 20300101000000 20200101000000 1 . AA==', 'B is not a record type', 0],
    ['RFC 4034 §3.2 30 February',                   'RRSIG', 'A 8 2 1 20300230000000 20200101000000 1 . AA==', 'the expiration cannot be 20300230000000', 4],
    ['RFC 4034 §3.2 past 32 bits',                  'RRSIG', 'A 8 2 1 4294967296 1 1 . AA==',  'the expiration cannot be 4294967296', 4],
    ['RFC 4034 §4.2 no type',                       'NSEC',  'a. A B',                         'B is not a record type', 2],
    ['RFC 4034 §4.2 a type past 16 bits',           'NSEC',  'a. TYPE65536',                   'TYPE65536 is not a record type', 1],
    ['RFC 5155 §3.3 half an octet of salt',         'NSEC3PARAM', '1 0 0 abc',                 'the salt cannot be abc', 3],
    ['RFC 5155 §3.3 a salt of 256 octets',          'NSEC3PARAM', `1 0 0 ${'ab'.repeat(256)}`, 'the salt cannot be', 3],
    ['RFC 5155 §3.3 w is no digit',                 'NSEC3', '1 0 0 - w0 A',                   'the next hashed name cannot be w0', 4],
    ['RFC 1876 §3 no letter',                       'LOC',   '42 21 54',                       'the latitude is malformed', 0],
    ['RFC 1876 §3 east for north',                  'LOC',   '42 E 71 W 0m',                   'the latitude is malformed', 0],
    ['RFC 1876 §3 past the pole',                   'LOC',   '90 0 0.001 N 71 W 0m',           'the latitude is malformed', 0],
    ['RFC 1876 §3 past the date line',              'LOC',   '0 N 181 W 0m',                   'the longitude is malformed', 2],
    ['RFC 1876 §3 60 minutes',                      'LOC',   '0 60 N 0 W 0m',                  'the latitude is malformed', 0],
    ['RFC 1876 §3 no altitude',                     'LOC',   '0 N 0 W',                        'the altitude is malformed', -1],
    ['RFC 1876 §3 too deep',                        'LOC',   '0 N 0 W -100000.01m',            'the altitude is malformed', 4],
    ['RFC 1876 §3 too large',                       'LOC',   '0 N 0 W 0m 90000000.01m',        'the size is malformed', 5],
    ['RFC 1876 §3 a fourth size',                   'LOC',   '0 N 0 W 0m 1m 1m 1m 1m',         '1m is too much for LOC', 8],
    ['RFC 9460 §2.1 a key twice',                   'SVCB',  '1 . port=1 port=2',              'port stands twice', 3],
    ['RFC 9460 §2.1 a key twice, by its number',    'SVCB',  '1 . port=1 key3="\\000\\001"',   'port stands twice', 3],
    ['RFC 9460 §2.1 an unknown word',               'SVCB',  '1 . ports=1',                    'ports is not a parameter', 2],
    ['RFC 9460 §14.3.2 key65535 is none',           'SVCB',  '1 . key65535=1',                 'key65535 is not a parameter', 2],
    ['RFC 9460 §2.1 a number with a zero in front', 'SVCB',  '1 . key0667=1',                  'key0667 is not a parameter', 2],
    ['RFC 9460 §7.2 port without a value',          'SVCB',  '1 . port',                       'a value is missing', 2],
    ['RFC 9460 §7.2 port past 16 bits',             'SVCB',  '1 . port=65536',                 '65536 is not a port', 2],
    ['RFC 9460 §7.2 two ports',                     'SVCB',  '1 . port=1,2',                   'more than one port', 2],
    ['RFC 9460 §7.1.1 alpn without a value',        'SVCB',  '1 . alpn',                       'a value is missing', 2],
    ['RFC 9460 §7.1.1 an empty protocol',           'SVCB',  '1 . alpn=h2,,h3',                'an empty item in a list', 2],
    ['RFC 9460 §7.1.1 no-default-alpn alone',       'SVCB',  '1 . no-default-alpn',            'no-default-alpn without alpn', 2],
    ['RFC 9460 §7.1.1 no-default-alpn with a value', 'SVCB', '1 . alpn=h2 no-default-alpn=1',  'no-default-alpn takes no value', 3],
    ['RFC 9460 §7.3 a leading zero in a hint',      'SVCB',  '1 . ipv4hint=192.0.2.01',        'a leading zero', 2],
    ['RFC 9460 §7.3 IPv4 for IPv6',                 'SVCB',  '1 . ipv6hint=192.0.2.1',         'is not an IPv6 address', 2],
    ['RFC 9460 §8 D.3 mandatory, not there',        'SVCB',  '1 foo.example.com. mandatory=key123', 'mandatory names key123, which is not there', 2],
    ['RFC 9460 §8 D.3 mandatory names itself',      'SVCB',  '1 foo.example.com. mandatory=mandatory', 'mandatory names itself', 2],
    ['RFC 9460 §8 D.3 mandatory names a key twice', 'SVCB',  '1 foo.example.com. mandatory=key123,key123 key123=abc', 'mandatory', 2],
    ['RFC 9461 §5 no variable',                     'SVCB',  '1 . alpn=h2 dohpath=/dns-query', 'dohpath is no path with the variable dns', 3],
    ['RFC 9461 §5 braces that never close',         'SVCB',  `1 . dohpath=/${'{'.repeat(60_000)}`, 'dohpath is no path with the variable dns', 2],
    ['RFC 3597 §5 BC-144 fewer octets than said',   'TYPE65280', '\\# 4 abcdef',               '\\# says 4 octets and 3 follow', 1],
    ['RFC 3597 §5 more octets than said',           'TYPE65280', '\\# 2 abcdef',               '\\# says 2 octets and 3 follow', 1],
    ['RFC 3597 §5 no length',                       'TYPE65280', '\\# abcdef',                 'no length behind \\#', 1],
    ['RFC 3597 §5 nothing',                         'TYPE65280', '\\#',                        'no length behind \\#', -1],
    ['RFC 3597 §5 not hexadecimal',                 'TYPE65280', '\\# 2 abxy',                 'not hexadecimal', 2],
    ['RFC 3597 §5 a type without a form',           'TYPE65280', 'abcdef',                     'TYPE65280 has no text form here', 0],
    ['RFC 3597 §5 malformed data of a known type',  'A',     '\\# 3 c00002',                   'these octets are no A data', 0],
    ['RFC 3597 §5 a pointer in a known type',       'NS',    '\\# 2 c00c',                     'these octets are no NS data', 0],
  ] as const

  for (const [rule, word, text, reason, guilty] of TABLE) {
    test(`${rule} (${word})`, () => {
      const read = rdataFromText(typeFromText(word) ?? Number.NaN, tokens(text), ORIGIN)
      if (!isWrong(read)) throw new Error('nothing found wrong')
      expect(read.wrong).toContain(reason)
      expect(read.token ?? -1).toBe(guilty)
    })
  }

  test('RFC 1035 §3.3.14 BC-143 the fix says how to split', () => {
    const read = rdataFromText(16, tokens(`"${OCTETS256}"`), ORIGIN)
    expect(read).toMatchObject({ fix: expect.stringContaining('split it') })
  })

  test('RFC 1035 §3.3.14 BC-143 255 + 45, and 40 strings of 250', () => {
    const two = tokens(`"${'x'.repeat(255)}" "${'y'.repeat(45)}"`)
    expect(rdataFromText(16, two, undefined)).toHaveLength(302)
    const forty = tokens(`"${'z'.repeat(250)}" `.repeat(40))
    expect(rdataFromText(16, forty, undefined)).toHaveLength(40 * 251)
  })

  test('RFC 1035 §3.2.1 data of more than 65,535 octets', () => {
    const read = rdataFromText(16, tokens(`"${'z'.repeat(255)}" `.repeat(257)), undefined)
    expect(read).toMatchObject({ wrong: '65792 octets, and data takes 65535' })
  })

  test('a quoted token reads as its text where no quotes are wanted', () => {
    expect(rdataFromText(1, tokens('"192.0.2.1"'), ORIGIN)).toEqual(hex('c0000201'))
    expect(rdataFromText(15, tokens('"10" "mail."'), ORIGIN)).toEqual(hex('000a046d61696c00'))
  })

  test('RFC 3597 §5 \\# in quotes is text', () => {
    expect(rdataFromText(16, tokens('"\\#"'), ORIGIN)).toEqual(hex('0123'))
  })
})

describe('octets', () => {
  // biome-ignore format: table
  const TABLE = [
    ['RFC 1035 §3.4.1 three octets',                 'A',     'c00002'],
    ['RFC 1035 §3.4.1 five octets',                  'A',     'c000020100'],
    ['RFC 1035 §4.1.4 a pointer',                    'NS',    'c00c'],
    ['RFC 1035 §3.3.14 a string past the end',       'TXT',   '0261'],
    ['RFC 1035 §3.3.14 no string',                   'TXT',   ''],
    ['RFC 1035 §3.3.13 cut in the timers',           'SOA',   '0000 00000001 00000002 00000003 00000004 000000'],
    ['RFC 8659 §4.1 an empty tag',                   'CAA',   '00 00 78'],
    ['RFC 8659 §4.1 a tag past the end',             'CAA',   '00 05 69'],
    ['RFC 4034 §4.1.2 a window of no octets',        'NSEC',  '00 00 00'],
    ['RFC 4034 §4.1.2 a window of 33 octets',        'NSEC',  `00 00 21 ${'ff'.repeat(33)}`],
    ['RFC 4034 §4.1.2 a window past the end',        'NSEC',  '00 00 02 40'],
    ['RFC 4034 §4.1.2 a last octet of 0',            'NSEC',  '00 00 02 40 00'],
    ['RFC 4034 §4.1.2 windows that do not ascend',   'NSEC',  '00 01 01 40 00 01 40'],
    ['RFC 4034 §4.1.2 a window alone',               'NSEC',  '00 00'],
    ['RFC 5155 §3.2 a salt past the end',            'NSEC3PARAM', '01 00 0000 02 ab'],
    ['RFC 5155 §3.2 an empty hash',                  'NSEC3', '01 00 0000 00 00'],
    ['RFC 4509 §2.1 a digest cut short',             'DS',    '0001 08 02 abcd'],
    ['RFC 1876 §2 version 1',                        'LOC',   '01 12 16 13 80000000 80000000 00989680'],
    ['RFC 1876 §2 a digit of ten',                   'LOC',   '00 a2 16 13 80000000 80000000 00989680'],
    ['RFC 1876 §2 a power of ten of ten',            'LOC',   '00 1a 16 13 80000000 80000000 00989680'],
    ['RFC 1876 §2 past the pole',                    'LOC',   '00 12 16 13 934fd901 80000000 00989680'],
    ['RFC 9460 §2.2 keys that do not ascend',        'SVCB',  '0001 00 0003 0002 0035 0001 0003 026832'],
    ['RFC 9460 §2.2 a key twice',                    'SVCB',  '0001 00 0003 0002 0035 0003 0002 0035'],
    ['RFC 9460 §2.2 a value past the end',           'SVCB',  '0001 00 0003 0003 0035'],
    ['RFC 9460 §2.2 half a key',                     'SVCB',  '0001 00 0003 00'],
    ['RFC 9460 §7.1.1 an empty protocol',            'SVCB',  '0001 00 0001 0001 00'],
    ['RFC 9460 §7.1.1 a protocol past the end',      'SVCB',  '0001 00 0001 0002 0268'],
    ['RFC 9460 §7.2 a port of three octets',         'SVCB',  '0001 00 0003 0003 000035'],
    ['RFC 9460 §7.3 five octets of IPv4',            'SVCB',  '0001 00 0004 0005 c000020100'],
    ['RFC 9460 §8 mandatory keys that do not ascend', 'SVCB', '0001 00 0000 0004 00040003 0003 0002 0035 0004 0004 c0000201'],
    ['RFC 9460 §8 a mandatory key that is missing',  'SVCB',  '0001 00 0000 0002 0003'],
  ] as const

  for (const [rule, word, octets] of TABLE) {
    test(`${rule} (${word})`, () => {
      const type = typeFromText(word) ?? Number.NaN
      expect(validRdata(type, hex(octets))).toBe(false)
      const generic = `\\# ${hex(octets).length} ${octets.replace(/ /g, '')}`.trim()
      expect(rdataText(type, hex(octets))).toBe(generic)
    })
  }

  // biome-ignore format: table
  const SAME = [
    ['RFC 4343 §3 names but for case', 'MX',        '000a 0141 00',       '000a 0161 00',       true],
    ['RFC 4343 §3 not a preference',   'MX',        '0041 0161 00',       '0061 0161 00',       false],
    ['RFC 4343 §3 not a string',       'TXT',       '0141',               '0161',               false],
    ['RFC 4343 §3 not unknown data',   'TYPE65280', '0141 00',            '0161 00',            false],
    ['RFC 4343 §3 both names of SOA',  'SOA',       `0141000142 00 ${'00'.repeat(20)}`, `0161000162 00 ${'00'.repeat(20)}`, true],
    ['another length',                 'TXT',       '0141',               '014101',             false],
  ] as const

  for (const [rule, word, a, b, same] of SAME) {
    test(`same: ${rule}`, () => {
      expect(sameRdata(typeFromText(word) ?? Number.NaN, hex(a), hex(b))).toBe(same)
    })
  }
})
