/** Client subnets: exactly the octets that RFC 7871 §6 asks for, out of what people write. */
import { describe, expect, test } from 'vitest'
import { readSubnet } from '../../probe/plan/subnet.ts'
import { isWrong } from '../../probe/plan/wrong.ts'

const hex = (octets: Uint8Array): string => Buffer.from(octets).toString('hex')

// biome-ignore format: table
const READ = [
  // rule                                             text                    shown               family source octets
  ['BC-186 bits past SOURCE are cleared',              '198.51.101.255/23',    '198.51.100.0/23',  1, 23, 'c63364'],
  ['BC-186 /0 has no octets',                          '198.51.100.7/0',       '0.0.0.0/0',        1, 0,  ''],
  ['BC-186 /0 of IPv6 too',                            '::/0',                 '::/0',             2, 0,  ''],
  ['BC-186 33 bits take five octets',                  '2001:db8::1/33',       '2001:db8::/33',    2, 33, '20010db800'],
  ['RFC 7871 §6 /24 takes three octets',               '203.0.113.0/24',       '203.0.113.0/24',   1, 24, 'cb0071'],
  ['RFC 7871 §6 /17 takes three octets',               '203.0.255.1/17',       '203.0.128.0/17',   1, 17, 'cb0080'],
  ['RFC 7871 §11.1 a bare IPv4 address is its /24',    '203.0.113.77',         '203.0.113.0/24',   1, 24, 'cb0071'],
  ['RFC 7871 §11.1 a bare IPv6 address is its /56',    '2001:db8:1:ff23::1',   '2001:db8:1:ff00::/56', 2, 56, '20010db80001ff'],
  ['RFC 7871 §7.1.2 as dig writes it: 0',              '0',                    '0.0.0.0/0',        1, 0,  ''],
] as const

describe('reads', () => {
  for (const [rule, text, shown, family, source, octets] of READ) {
    test(`${rule}: ${text}`, () => {
      const subnet = readSubnet(text, 'usual')
      if (isWrong(subnet)) throw new Error(subnet.wrong)
      expect(subnet).toMatchObject({ text: shown, family, source })
      expect(hex(subnet.octets)).toBe(octets)
    })
  }
})

const REFUSED = [
  ['leading zeros may mean octal', '010.0.0.0/8'],
  ['three numbers are no address', '192.0.2/24'],
  ['no address at all', 'example.com'],
  ['nothing', ''],
  ['a length of no digits', '192.0.2.0/'],
  ['a length past 32', '192.0.2.0/33'],
  ['a length past 128', '2001:db8::/129'],
  ['a length with a leading zero', '192.0.2.0/024'],
  ['a negative length', '192.0.2.0/-1'],
  ['a zone', 'fe80::1%eth0/64'],
  ['two lengths', '192.0.2.0/24/24'],
  ['a space', ' 192.0.2.0/24'],
] as const

describe('refuses', () => {
  for (const [rule, text] of REFUSED) {
    test(`${rule}: "${text}"`, () => {
      expect(isWrong(readSubnet(text, 'any'))).toBe(true)
    })
  }

  for (const text of ['192.0.2.0/25', '192.0.2.1/32', '2001:db8::/57']) {
    test(`RFC 7871 §11.1 ${text}, unless long prefixes are allowed`, () => {
      expect(isWrong(readSubnet(text, 'usual'))).toBe(true)
      expect(isWrong(readSubnet(text, 'any'))).toBe(false)
    })
  }
})
