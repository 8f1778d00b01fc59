import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { address, addressText, setAddressText } from '../../server/dns/address.ts'
import { hex } from '../../server/dns/octets.ts'
import { MOST_HEADER, NO_HEADER, readProxyHeader, WAIT } from '../../server/transport/proxy.ts'

const SIGNATURE = '0d0a0d0a000d0a515549540a'
const IPV4 = 'c0000201 c6336401 d431 0035'
const IPV6 = `20010db8000000000000000000000001 20010db8000000000000000000000002 d431 0035`
const MAPPED = `00000000000000000000ffffc0000201 00000000000000000000ffffc6336401 d431 0035`
/** PP2_TYPE_NOOP with two octets, and PP2_TYPE_UNIQUE_ID with one. */
const TLVS = '04 0002 0000 05 0001 7f'
const UNIX = '00'.repeat(216)

const BALANCER = '203.0.113.9'

/** What a header comes to: how long it is, and whose connection it is. */
function read(text: string, signature = SIGNATURE): [number, string] {
  const into = { ...address(), port: 0 }
  setAddressText(into, BALANCER)
  const size = readProxyHeader(hex(`${signature}${text}`.replaceAll(' ', '')), into)
  return [size, addressText(into.octets.subarray(0, into.family === 4 ? 4 : 16))]
}

// biome-ignore format: table
const HEADERS = [
  // §2.2                                            after the signature                 octets     whose
  ['TCP over IPv4',                                  `21 11 000c ${IPV4}`,               28,        '192.0.2.1'],
  ['UDP over IPv4',                                  `21 12 000c ${IPV4}`,               28,        '192.0.2.1'],
  ['TCP over IPv6',                                  `21 21 0024 ${IPV6}`,               52,        '2001:db8::1'],
  ['RFC 4291 §2.5.5.2 IPv4 mapped into IPv6',        `21 21 0024 ${MAPPED}`,             52,        '192.0.2.1'],
  ['octets behind it are not its own',               `21 11 000c ${IPV4} 0000`,          28,        '192.0.2.1'],
  ['TLVs are skipped',                               `21 11 0015 ${IPV4} ${TLVS}`,       37,        '192.0.2.1'],
  ['LOCAL: the balancer itself',                     '20 00 0000',                       16,        BALANCER],
  ['LOCAL: family and addresses are ignored',        `20 11 000c ${IPV4}`,               28,        BALANCER],
  ['LOCAL: a family that there is not, too',         '20 ff 0002 0000',                  18,        BALANCER],
  ['UNSPEC: the real endpoint',                      '21 00 0000',                       16,        BALANCER],
  ['UNSPEC: what it says is skipped',                `21 00 000c ${IPV4}`,               28,        BALANCER],
  ['AF_INET, protocol UNSPEC: as UNSPEC',            `21 10 000c ${IPV4}`,               28,        BALANCER],
  ['UNIX: as UNSPEC',                                `21 31 00d8 ${UNIX}`,               232,       BALANCER],
  ['version 1',                                      `11 11 000c ${IPV4}`,               NO_HEADER, BALANCER],
  ['version 3',                                      `31 11 000c ${IPV4}`,               NO_HEADER, BALANCER],
  ['a command that is not assigned',                 `22 11 000c ${IPV4}`,               NO_HEADER, BALANCER],
  ['a family that is not specified',                 `21 41 000c ${IPV4}`,               NO_HEADER, BALANCER],
  ['a protocol that is not specified',               `21 13 000c ${IPV4}`,               NO_HEADER, BALANCER],
  ['too short for IPv4',                             `21 11 000b ${IPV4}`,               NO_HEADER, BALANCER],
  ['too short for IPv6',                             `21 21 000c ${IPV4}`,               NO_HEADER, BALANCER],
  ['longer than any balancer makes it',              '21 11 ffff',                       NO_HEADER, BALANCER],
  ['addresses that have not come',                   '21 11 000c c0000201',              WAIT,      BALANCER],
  ['TLVs that have not come',                        `21 11 0015 ${IPV4}`,               WAIT,      BALANCER],
  ['the signature alone',                            '',                                 WAIT,      BALANCER],
] as const

describe('headers', () => {
  for (const [rule, text, size, whose] of HEADERS) {
    test(`§2.2 ${rule}`, () => {
      expect(read(text)).toEqual([size, whose])
    })
  }
})

// biome-ignore format: table
const BEGINNINGS = [
  ['nothing yet',                       '',                         WAIT],
  ['the first octet of a header',       '0d',                       WAIT],
  ['a DNS message behind its length',   '001d 1234 0100',           NO_HEADER],
  ['TLS',                               '16 0301',                  NO_HEADER],
  ['version 1, as text',                '50524f585920544350342031', NO_HEADER],
  ['a signature with its last octet changed', '0d0a0d0a000d0a5155495400', NO_HEADER],
] as const

describe('what else may come', () => {
  for (const [rule, text, size] of BEGINNINGS) {
    test(rule, () => {
      expect(read(text, '')).toEqual([size, BALANCER])
    })
  }
})

test('a header in pieces waits until it is whole, whatever it says', () => {
  const whole = hex(`${SIGNATURE}21210024${IPV6}`.replaceAll(' ', ''))
  for (let length = 0; length < whole.length; length += 1) {
    expect(readProxyHeader(whole.subarray(0, length), { ...address(), port: 0 })).toBe(WAIT)
  }
})

test('any octets: no throw, and never longer than what came', () => {
  const tail = fc.uint8Array({ maxLength: 300 })
  const octets = fc.oneof(
    tail,
    tail.map(rest => Uint8Array.from([...hex(SIGNATURE), ...rest])),
    tail.map(rest => Uint8Array.from([...hex(`${SIGNATURE}21`), ...rest])),
  )
  fc.assert(
    fc.property(octets, some => {
      const size = readProxyHeader(some, { ...address(), port: 0 })
      expect(size).toBeGreaterThanOrEqual(NO_HEADER)
      expect(size).toBeLessThanOrEqual(Math.min(some.length, MOST_HEADER))
    }),
    { numRuns: 5000 },
  )
})
