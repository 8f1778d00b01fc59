/**
 * Record data of services and places (SVCB, HTTPS, LOC): text to octets and back.
 * The octets are dnspython's, or counted by hand from the RFC where it has no such type.
 */
import { expect, test } from 'vitest'
import { nameFromText } from '../../server/dns/name.ts'
import { hex, hexText } from '../../server/dns/octets.ts'
import { rdataFromText, rdataText, validRdata } from '../../server/dns/rdata.ts'
import { typeFromText } from '../../server/dns/rrtype.ts'
import { isWrong } from '../../server/fault.ts'
import { tokens } from './dns-tokens.ts'

type Row = readonly [rule: string, type: string, text: string, octets: string, printed?: string]

// biome-ignore format: table
const TABLE: readonly Row[] = [
  ['RFC 1876 §3 all given', 'LOC',
    '42 21 54 N 71 06 18 W -24m 30m',
    '0033161389172dd070be15f000988d20',
    '42 21 54.000 N 71 6 18.000 W -24.00m 30m 10000m 10m'],
  ['RFC 1876 §3 milliseconds', 'LOC',
    '42 21 43.952 N 71 5 6.344 W -24m 1m 200m 10m',
    '001224138917069070bf2dd800988d20',
    '42 21 43.952 N 71 5 6.344 W -24.00m 1m 200m 10m'],
  ['RFC 1876 §3 south and east', 'LOC',
    '52 14 05 S 00 08 50 E 10m',
    '0012161374caa9388008165000989a68',
    '52 14 5.000 S 0 8 50.000 E 10.00m 1m 10000m 10m'],
  ['RFC 1876 §3 degrees alone', 'LOC',
    '60 N 24 E 0m',
    '001216138cdfe60085265c0000989680',
    '60 0 0.000 N 24 0 0.000 E 0.00m 1m 10000m 10m'],
  ['RFC 1876 §3 degrees and minutes', 'LOC',
    '32 7 S 116 2 E 10',
    '00121613791bc76098e5e6c000989a68',
    '32 7 0.000 S 116 2 0.000 E 10.00m 1m 10000m 10m'],
  ['RFC 1876 §2 the poles and the date line', 'LOC',
    '90 S 180 W -100000.00m 0m 90000000m 0.05m',
    '000099506cb0270059604e0000000000',
    '90 0 0.000 S 180 0 0.000 W -100000.00m 0m 90000000m 0.05m'],
  ['RFC 1876 §2 the highest altitude', 'LOC',
    '0 N 0 E 42849672.95m',
    '001216138000000080000000ffffffff',
    '0 0 0.000 N 0 0 0.000 E 42849672.95m 1m 10000m 10m'],
  ['RFC 9460 D.1 alias', 'HTTPS', '0 foo.example.com.', '000003666f6f076578616d706c6503636f6d00'],
  ['RFC 9460 D.2 service, no parameters', 'SVCB', '1 .', '000100'],
  ['RFC 9460 D.2 port', 'SVCB',
    '16 foo.example.com. port=53',
    '001003666f6f076578616d706c6503636f6d00000300020035'],
  ['RFC 9460 D.2 a key without a word', 'SVCB',
    '1 foo.example.com. key667=hello',
    '000103666f6f076578616d706c6503636f6d00029b000568656c6c6f',
    '1 foo.example.com. key667="hello"'],
  ['RFC 9460 D.2 an escaped value', 'SVCB',
    String.raw`1 foo.example.com. key667="hello\210qoo"`,
    '000103666f6f076578616d706c6503636f6d00029b000968656c6c6fd2716f6f'],
  ['RFC 9460 D.2 two IPv6 hints', 'SVCB',
    '1 foo.example.com. ipv6hint="2001:db8::1,2001:db8::53:1"',
    `000103666f6f076578616d706c6503636f6d000006002020010db800000000000000000000000120010db8000000
     000000000000530001`,
    '1 foo.example.com. ipv6hint=2001:db8::1,2001:db8::53:1'],
  ['RFC 9460 D.2 an IPv4-mapped hint', 'SVCB',
    '1 example.com. ipv6hint="2001:db8:122:344::192.0.2.33"',
    '0001076578616d706c6503636f6d000006001020010db80122034400000000c0000221',
    '1 example.com. ipv6hint=2001:db8:122:344::c000:221'],
  ['RFC 9460 D.2 keys are sorted', 'SVCB',
    '16 foo.example.org. alpn=h2,h3-19 mandatory=ipv4hint,alpn ipv4hint=192.0.2.1',
    `001003666f6f076578616d706c65036f7267000000000400010004000100090268320568332d313900040004c000
     0201`,
    '16 foo.example.org. mandatory=alpn,ipv4hint alpn="h2,h3-19" ipv4hint=192.0.2.1'],
  ['RFC 9460 D.2 escaped comma, quoted', 'SVCB',
    String.raw`16 foo.example.org. alpn="f\\\\oo\\,bar,h2"`,
    '001003666f6f076578616d706c65036f7267000001000c08665c6f6f2c626172026832'],
  ['RFC 9460 D.2 escaped comma, bare', 'SVCB',
    String.raw`16 foo.example.org. alpn=f\\\092oo\092,bar,h2`,
    '001003666f6f076578616d706c65036f7267000001000c08665c6f6f2c626172026832',
    String.raw`16 foo.example.org. alpn="f\\\\oo\\,bar,h2"`],
  ['RFC 9460 §7.1 no default', 'HTTPS',
    '1 . alpn=h3 no-default-alpn',
    '0001000001000302683300020000',
    '1 . alpn="h3" no-default-alpn'],
  ['RFC 9460 §7.4 ECH', 'HTTPS',
    '1 . ech=AEj+DQBEAQAgACAdd+scUi0IYFsXnUIU7ko2',
    '0001000005001b0048fe0d004401002000201d77eb1c522d08605b179d4214ee4a36'],
  ['RFC 9460 §7.3 hints of both families', 'HTTPS',
    '1 . alpn="h2,h3" ipv4hint=192.0.2.1,192.0.2.2 ipv6hint=2001:db8::1',
    '0001000001000602683202683300040008c0000201c00002020006001020010db8000000000000000000000001'],
  ['RFC 9461 §5 dohpath', 'SVCB',
    '1 doh.example.com. alpn=h2 dohpath=/dns-query{?dns}',
    `0001 03646f68076578616d706c6503636f6d00 0001 0003 026832 0007 0010
     2f646e732d71756572797b3f646e737d`,
    '1 doh.example.com. alpn="h2" dohpath="/dns-query{?dns}"'],
  ['RFC 9460 §2.4.2 an alias with parameters: whoever reads it ignores them', 'HTTPS',
    '0 foo.example.com. port=53',
    '000003666f6f076578616d706c6503636f6d000003 0002 0035'],
  ['RFC 9540 §4 ohttp', 'SVCB',
    '1 . alpn=h2 ohttp',
    '0001 00 0001 0003 026832 0008 0000',
    '1 . alpn="h2" ohttp'],
]

const ORIGIN = nameFromText('example.com.', undefined)

for (const [rule, word, text, octets, printed] of TABLE) {
  test(`${rule} (${word})`, () => {
    const type = typeFromText(word) ?? Number.NaN
    const read = rdataFromText(type, tokens(text), isWrong(ORIGIN) ? undefined : ORIGIN)
    expect(isWrong(read) ? read.wrong : hexText(read)).toBe(hexText(hex(octets)))
    expect(validRdata(type, hex(octets))).toBe(true)
    expect(rdataText(type, hex(octets))).toBe((printed ?? text).replace(/\s+/g, ' '))
  })
}
