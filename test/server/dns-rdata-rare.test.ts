/** Types that few zones have, with the examples of their RFCs. */
import { expect, test } from 'vitest'
import { hex } from '../../server/dns/octets.ts'
import { rdataFromText, validRdata } from '../../server/dns/rdata.ts'
import { typeFromText } from '../../server/dns/rrtype.ts'
import { isWrong } from '../../server/fault.ts'
import { type Row, testRows, tokens } from './dns-tokens.ts'

// biome-ignore format: table
const TABLE: readonly Row[] = [
  ['RFC 1183 §3.1 an address', 'X25', '311061700956', '0c333131303631373030393536', '"311061700956"'],
  ['RFC 1183 §3.2 an address alone', 'ISDN', '"150862028003217"', '0f313530383632303238303033323137'],
  ['RFC 1183 §3.2 with its subaddress', 'ISDN', '"150862028003217" "004"', '0f313530383632303238303033323137 03303034'],
  ['RFC 1706 §7 dots mean nothing', 'NSAP', '0x47.0005.80.005a00.0000.0001.e133.ffffff000161.00',
    '47000580005a0000000001e133ffffff00016100', '0x47000580005a0000000001e133ffffff00016100'],
  ['RFC 2163 §4 two names', 'PX', '10 ab.net. o-ab.', '000a 026162036e657400 046f2d616200'],
  ['RFC 4398 §2.2 a type by word', 'CERT', 'PGP 0 0 AQID', '0003 0000 00 010203', '3 0 0 AQID'],
  ['RFC 4398 §2.2 a type by number', 'CERT', '65535 1 8 AQID', 'ffff 0001 08 010203'],
  ['RFC 3123 §4 zeros at the end are left out', 'APL', '1:192.168.32.0/21 !1:192.168.38.0/28',
    '0001 15 03 c0a820 0001 1c 83 c0a826'],
  ['RFC 3123 §4.2 both families', 'APL', '1:224.0.0.0/4 2:ff00::/8', '0001 04 01 e0 0002 08 01 ff'],
  ['RFC 3123 §4.1 all addresses', 'APL', '1:0.0.0.0/0', '0001 00 00'],
  ['RFC 3123 §4 no items', 'APL', '', ''],
  ['RFC 4025 §3.2 an IPv4 gateway', 'IPSECKEY', '10 1 2 192.0.2.38 AQNRU3mG', '0a 01 02 c0000226 010351537986'],
  ['RFC 4025 §3.2 no gateway', 'IPSECKEY', '10 0 2 . AQNRU3mG', '0a 00 02 010351537986'],
  ['RFC 4025 §3.2 a name', 'IPSECKEY', '10 3 2 gw.example.net. AQNRU3mG',
    '0a 03 02 026777076578616d706c65036e657400 010351537986'],
  ['RFC 4025 §3.2 an IPv6 gateway', 'IPSECKEY', '10 2 2 2001:db8::1 AQNRU3mG',
    '0a 02 02 20010db8000000000000000000000001 010351537986'],
  ['RFC 4025 §2.6 no key', 'IPSECKEY', '10 1 0 192.0.2.38', '0a 01 00 c0000226'],
  ['RFC 6742 §2.1 a node', 'NID', '10 0014:4fff:ff20:ee64', '000a 00144fffff20ee64'],
  ['RFC 6742 §2.1 without zeros in front', 'NID', '10 14:4fff:0:1', '000a 00144fff00000001', '10 0014:4fff:0000:0001'],
  ['RFC 6742 §2.2 a locator of 32 bits', 'L32', '10 10.1.2.0', '000a 0a010200'],
  ['RFC 6742 §2.3 a locator of 64 bits', 'L64', '10 2001:0db8:1140:1000', '000a 20010db811401000'],
  ['RFC 6742 §2.4 a name of locators', 'LP', '10 l64-subnet1.example.com.', '000a 0b6c36342d7375626e657431076578616d706c6503636f6d00'],
  ['RFC 7043 §3.2 six octets', 'EUI48', '00-00-5e-00-53-2a', '00005e00532a'],
  ['RFC 7043 §4.2 eight octets', 'EUI64', '00-00-5E-ef-10-00-00-2a', '00005eef1000002a', '00-00-5e-ef-10-00-00-2a'],
  ['IANA AVC, as TXT', 'AVC', '"app-name:WOLFGANG"', '116170702d6e616d653a574f4c4647414e47'],
]
testRows(TABLE)

// biome-ignore format: table
const WRONG = [
  ['RFC 1183 §3.2 a third string',           'ISDN',     '1 2 3',                    '3 is too much for ISDN'],
  ['RFC 1706 §7 without 0x',                 'NSAP',     '4700',                     'is no NSAP address'],
  ['RFC 4398 §2.2 an unknown word',          'CERT',     'X509 0 0 AQID',            'X509 is not a certificate type'],
  ['RFC 3123 §5 another family',             'APL',      '3:00/8',                   '3:00/8 is no prefix'],
  ['RFC 3123 §4.1 past 32 bits',             'APL',      '1:10.0.0.0/33',            '1:10.0.0.0/33 is no prefix'],
  ['RFC 3123 §5 IPv6 as IPv4',               'APL',      '1:2001:db8::/32',          'is no prefix'],
  ['RFC 4025 §2.3 an unknown gateway type',  'IPSECKEY', '10 4 2 x. AQID',           'x. is no gateway of type 4'],
  ['RFC 4025 §2.3 an address for none',      'IPSECKEY', '10 0 2 192.0.2.1 AQID',    '192.0.2.1 is no gateway of type 0'],
  ['RFC 4025 §2.3 no gateway at all',        'IPSECKEY', '10 1 2',                   'the gateway is missing'],
  ['RFC 6742 §2.1 zeros may not be folded',  'NID',      '10 14::64',                'the node cannot be 14::64'],
  ['RFC 6742 §2.3 five groups',              'L64',      '10 1:2:3:4:5',             'the locator cannot be 1:2:3:4:5'],
  ['RFC 7043 §3.2 colons',                   'EUI48',    '00:00:5e:00:53:2a',        'the address cannot be'],
  ['RFC 7043 §3.2 one digit',                'EUI48',    '0-0-5e-00-53-2a',          'the address cannot be'],
] as const

test.each(WRONG)('%s (%s)', (_, word, text, reason) => {
  const read = rdataFromText(typeFromText(word) ?? Number.NaN, tokens(text), undefined)
  expect(isWrong(read) ? read.wrong : read).toContain(reason)
})

// biome-ignore format: table
const MALFORMED = [
  ['RFC 1183 §3.2 a third string',        'ISDN',     '0131 0132 0133'],
  ['RFC 3123 §4.1 a zero at the end',     'APL',      '0001 18 04 c0000200'],
  ['RFC 3123 §4 cut short',               'APL',      '0001 18 03 c000'],
  ['RFC 3123 §4 a longer address',        'APL',      '0001 18 05 c000020101'],
  ['RFC 4025 §2.3 an unknown type',       'IPSECKEY', '0a 04 02'],
  ['RFC 4025 §2.5 an address cut short',  'IPSECKEY', '0a 01 02 c00002'],
  ['RFC 4025 §2.5 a pointer',             'IPSECKEY', '0a 03 02 c00c'],
  ['RFC 7043 §3.1 seven octets',          'EUI48',    '00005e00532a00'],
] as const

test.each(MALFORMED)('%s (%s)', (_, word, octets) => {
  expect(validRdata(typeFromText(word) ?? Number.NaN, hex(octets))).toBe(false)
})
