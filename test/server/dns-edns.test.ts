/**
 * EDNS and Client Subnet: the vectors of RFC 6891 and RFC 7871, and random octets.
 * The header of each OPT record is 1232 octets of payload size, version 0, no flags.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressText } from '../../server/dns/address.ts'
import { edns, endOpt, FLAG_DO, OPTION, putOpt, readOpt } from '../../server/dns/edns.ts'
import { hex, hexText, u16, viewOf } from '../../server/dns/octets.ts'
import {
  type ClientSubnet,
  clientSubnet,
  clientSubnetLength,
  putClientSubnet,
  readClientSubnet,
} from '../../server/dns/subnet.ts'

/** An OPT record from its TYPE on, with these options. */
function optRecord(options: string, version = '00'): Uint8Array {
  const octets = hex(options)
  const length = octets.length.toString(16).padStart(4, '0')
  return hex(`0029 04d0 00 ${version} 0000 ${length} ${options}`)
}

/** The Client Subnet options of a record as `address/source`, or FORMERR as a server would find it. */
function subnetsOf(record: Uint8Array): string {
  const seen = edns()
  if (readOpt(record, 0, record.length, seen) < 0) return 'FORMERR'
  if (seen.version !== 0) return 'BADVERS'
  const subnets: string[] = []
  const into = clientSubnet()
  for (let at = seen.optionsAt; at < seen.optionsEnd; at += 4 + u16(record, at + 2)) {
    if (u16(record, at) !== OPTION.ECS) continue
    if (!readClientSubnet(record, at + 4, u16(record, at + 2), into)) return 'FORMERR'
    subnets.push(subnetText(into))
  }
  return subnets.join(' ')
}

function subnetText({ family, address, source }: ClientSubnet): string {
  return `${addressText(address.subarray(0, family === 4 ? 4 : 16))}/${source}`
}

// biome-ignore format: table
const TABLE = [
  ['§6     WT1 /24 takes three octets',              '0008 0007 0001 18 00 C63364',           '198.51.100.0/24'],
  ['§6     WT2 /20',                                 '0008 0007 0001 14 00 C63360',           '198.51.96.0/20'],
  ['§6     WT3 /32',                                 '0008 0008 0001 20 00 C6336407',         '198.51.100.7/32'],
  ['§7.5   WT4 IPv4 /0 is valid',                    '0008 0004 0001 00 00',                  '0.0.0.0/0'],
  ['§7.5   WT5 IPv6 /0 is valid',                    '0008 0004 0002 00 00',                  '::/0'],
  ['§6     WT6 IPv6 /56',                            '0008 000B 0002 38 00 20010DB8123456',   '2001:db8:1234:5600::/56'],
  ['§6     WT7 /1 takes one octet',                  '0008 0005 0001 01 00 80',               '128.0.0.0/1'],
  ['§6     WT8 /25',                                 '0008 0008 0001 19 00 C6336480',         '198.51.100.128/25'],
  ['§6     /128',                                    `0008 0014 0002 80 00 20010db8${'00'.repeat(11)}01`, '2001:db8::1/128'],
  ['§7.2.1 WM1 FAMILY 0',                            '0008 0004 0000 00 00',                  'FORMERR'],
  ['§7.2.1 FAMILY 0 with an address',                '0008 0007 0000 18 00 C63364',           'FORMERR'],
  ['§7.2.1 WM2 FAMILY 3',                            '0008 0007 0003 18 00 C63364',           'FORMERR'],
  ['§7.2.1 FAMILY 257 is not 1',                     '0008 0007 0101 18 00 C63364',           'FORMERR'],
  ['§6     WM3 IPv4 /33',                            '0008 0009 0001 21 00 C633640700',       'FORMERR'],
  ['§6     WM4 IPv6 /129',                           `0008 0015 0002 81 00 ${'00'.repeat(17)}`, 'FORMERR'],
  ['§6     WM5 /24 with four octets',                '0008 0008 0001 18 00 C6336400',         'FORMERR'],
  ['§6     WM6 /24 with two octets',                 '0008 0006 0001 18 00 C633',             'FORMERR'],
  ['§6     WM7 bits set past /20',                   '0008 0007 0001 14 00 C63364',           'FORMERR'],
  ['§6     WM8 bit 26 set in /25',                   '0008 0008 0001 19 00 C6336440',         'FORMERR'],
  ['§6     WM9 SCOPE is 0 in a query',               '0008 0007 0001 18 18 C63364',           'FORMERR'],
  ['§6     WM10 three octets',                       '0008 0003 0001 18',                     'FORMERR'],
  ['§6     WM11 no octets',                          '0008 0000',                             'FORMERR'],
  ['§6     WM12 /0 and an octet',                    '0008 0005 0001 00 00 C6',               'FORMERR'],
  ['§6     WM13 past RDLENGTH',                      '0008 00FF 0001 18 00 C63364',           'FORMERR'],
  ['§6     WM14 the second is malformed',            '0008 0007 0001 18 00 C63364 0008 0007 0001 14 00 C63364', 'FORMERR'],
  ['§6     WM15 two, both valid',                    '0008 0007 0001 18 00 C63364 0008 0007 0001 18 00 CB0071', '198.51.100.0/24 203.0.113.0/24'],
  ['§6     WT17 after a COOKIE and an unknown one',  '000a 0008 0102030405060708 fde9 0001 ff 0008 0007 0001 18 00 C63364', '198.51.100.0/24'],
  ['§6     none',                                    '0003 0000',                             ''],
] as const

describe('RFC 7871', () => {
  for (const [rule, options, expected] of TABLE) {
    test(rule, () => expect(subnetsOf(optRecord(options))).toBe(expected))
  }

  test('RFC 6891 §6.1.3 WM16 an unknown version comes before its options', () => {
    expect(subnetsOf(optRecord('0008 0007 0003 18 00 C63364', '01'))).toBe('BADVERS')
    expect(subnetsOf(optRecord('0008 00FF', '01'))).toBe('BADVERS')
  })

  test('§7.2.1 the echo is the query with another SCOPE', () => {
    for (const [, options, expected] of TABLE) {
      if (expected === 'FORMERR' || !options.startsWith('0008') || expected.includes(' ')) continue
      const option = hex(options)
      const into = clientSubnet()
      expect(readClientSubnet(option, 4, option.length - 4, into)).toBe(true)
      const out = new Uint8Array(option.length + 1)
      expect(putClientSubnet(viewOf(out), 0, into, 21)).toBe(option.length)
      expect(clientSubnetLength(into)).toBe(option.length - 4)
      option[7] = 21
      expect(hexText(out)).toBe(`${hexText(option)}00`)
    }
  })

  test('an address read before leaves nothing behind', () => {
    const into = clientSubnet()
    readClientSubnet(hex(`0002 80 00 ${'ff'.repeat(16)}`), 0, 20, into)
    readClientSubnet(hex('0001 08 00 c6'), 0, 5, into)
    expect(hexText(into.address)).toBe(`c6${'00'.repeat(15)}`)
  })

  test('a malformed option leaves no family', () => {
    const into = clientSubnet()
    readClientSubnet(hex('0001 08 00 c6'), 0, 5, into)
    readClientSubnet(hex('0001 08 00 c6'), 0, 4, into)
    expect(into.family).toBe(0)
  })
})

describe('RFC 6891', () => {
  test('§6.1.2 the fixed part', () => {
    const seen = edns()
    const record = hex('0029 04d0 ab 00 8001 0000')
    expect(readOpt(record, 0, record.length, seen)).toBe(10)
    expect(seen).toEqual({
      ...{ present: true, size: 1232, version: 0, flagDo: true, extendedRcode: 0xab },
      ...{ optionsAt: 10, optionsEnd: 10 },
    })
  })

  // biome-ignore format: table
  const MALFORMED = [
    ['§6.1.2 cut in the fixed part',        '0029 04d0 00 00 0000 00',            false],
    ['§6.1.2 RDLENGTH past the message',    '0029 04d0 00 00 0000 0004 000300',   true],
    ['§6.1.2 an option without a length',   '0029 04d0 00 00 0000 0003 000300',   true],
    ['§6.1.2 BC-044 an option past the end', '0029 04d0 00 00 0000 0006 0003 0003 0000', true],
    ['§6.1.2 the same, version 1: cut off', '0029 04d0 00 01 0000 0004 000300',   true],
  ] as const

  for (const [rule, octets, present] of MALFORMED) {
    test(rule, () => {
      const seen = edns()
      expect(readOpt(hex(octets), 0, hex(octets).length, seen)).toBe(-1)
      expect(seen.present).toBe(present)
    })
  }

  test('§6.1.2 an option may end the record, and octets behind it are not its own', () => {
    const record = hex('0029 04d0 00 00 0000 0006 0003 0002 beef ff')
    expect(readOpt(record, 0, record.length, edns())).toBe(16)
  })

  test('§6.1.2 writing, with an option', () => {
    const out = new Uint8Array(32)
    let at = putOpt(viewOf(out), 2, 1232, 1, FLAG_DO)
    expect(at).toBe(13)
    out.set(hex('0003 0001 41'), at)
    at += 5
    endOpt(viewOf(out), 2, at)
    expect(hexText(out.subarray(0, at))).toBe(
      '0000000029 04d0 01 00 8000 0005 0003000141'.replace(/ /g, ''),
    )
  })
})

describe('laws', () => {
  test('reading random octets never throws and stays inside', () => {
    const cases = fc.tuple(fc.uint8Array({ maxLength: 48 }), fc.nat(50), fc.nat(50))
    fc.assert(
      fc.property(cases, ([octets, at, end]) => {
        const next = readOpt(octets, at, Math.min(end, octets.length), edns())
        expect(next).toBeLessThanOrEqual(octets.length)
        readClientSubnet(octets, at, end, clientSubnet())
      }),
      { numRuns: 2000 },
    )
  })

  test('whatever subnet is read is written back octet by octet', () => {
    const option = fc
      .tuple(fc.constantFrom(1, 2), fc.nat(130), fc.uint8Array({ maxLength: 17 }))
      .map(([family, source, address]) => Uint8Array.of(0, family, source, 0, ...address))
    fc.assert(
      fc.property(option, data => {
        const into = clientSubnet()
        if (!readClientSubnet(data, 0, data.length, into)) return
        const out = new Uint8Array(64)
        const end = putClientSubnet(viewOf(out), 0, into, 0)
        expect(hexText(out.subarray(4, end))).toBe(hexText(data))
      }),
      { numRuns: 5000 },
    )
  })
})
