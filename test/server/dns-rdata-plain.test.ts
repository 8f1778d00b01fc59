/**
 * Record data without signatures and services: text to octets and back.
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
  ['RFC 1035 §3.4.1 four octets', 'A', '192.0.2.1', 'c0000201'],
  ['RFC 1035 §3.4.1 all ones', 'A', '255.255.255.255', 'ffffffff'],
  ['RFC 3596 §2.2 all groups', 'AAAA', '2001:db8:1:2:3:4:5:6', '20010db8000100020003000400050006'],
  ['RFC 3596 §2.2 BC-067 no zero lost', 'AAAA', '::', '00000000000000000000000000000000'],
  ['RFC 3596 §2.2 BC-067 zeros at the end', 'AAAA',
    '2001:db8::',
    '20010db8000000000000000000000000'],
  ['RFC 3596 §2.2 BC-067 zeros in the middle', 'AAAA',
    '2001:db8::c000:201',
    '20010db80000000000000000c0000201'],
  ['RFC 3596 §2.2 BC-067 mapped', 'AAAA', '::ffff:192.0.2.1', '00000000000000000000ffffc0000201'],
  ['RFC 3596 §2.2 IPv4 behind groups', 'AAAA',
    '64:ff9b::192.0.2.33',
    '0064ff9b0000000000000000c0000221',
    '64:ff9b::c000:221'],
  ['RFC 1035 §3.3.11 absolute', 'NS', 'ns1.example.net.', '036e7331076578616d706c65036e657400'],
  ['RFC 1035 §3.3.11 relative', 'NS',
    'ns1',
    '036e7331076578616d706c6503636f6d00',
    'ns1.example.com.'],
  ['RFC 1035 §3.3.1 the origin', 'CNAME', '@', '076578616d706c6503636f6d00', 'example.com.'],
  ['RFC 1035 §3.3.1 case is kept', 'CNAME',
    'WWW.Example.ORG.',
    '03575757074578616d706c65034f524700'],
  ['RFC 1035 §3.3.12 the root', 'PTR', '.', '00'],
  ['RFC 1035 §5.1 a dot in a label', 'PTR',
    String.raw`a\.b.example.net.`,
    '03612e62076578616d706c65036e657400'],
  ['RFC 1035 §5.1 octets by number', 'PTR',
    String.raw`\000\255\032x.example.net.`,
    '0400ff2078076578616d706c65036e657400'],
  ['RFC 1035 §3.3.13 plain timers', 'SOA',
    'ns1 hostmaster 2024010101 7200 900 1209600 60',
    `036e7331076578616d706c6503636f6d000a686f73746d6173746572076578616d706c6503636f6d0078a3f17500
     001c2000000384001275000000003c`,
    'ns1.example.com. hostmaster.example.com. 2024010101 7200 900 1209600 60'],
  ['RFC 1035 §3.3.13 BC-138 timers with units', 'SOA',
    'ns1 hostmaster 1 3H 15 1w 3h',
    `036e7331076578616d706c6503636f6d000a686f73746d6173746572076578616d706c6503636f6d000000000100
     002a300000000f00093a8000002a30`,
    'ns1.example.com. hostmaster.example.com. 1 10800 15 604800 10800'],
  ['RFC 1035 §3.3.13 several units', 'SOA',
    'ns1 hostmaster 4294967295 1h30m 1W2D3H4M5S 0 1d',
    `036e7331076578616d706c6503636f6d000a686f73746d6173746572076578616d706c6503636f6d00ffffffff00
     001518000c08a50000000000015180`,
    'ns1.example.com. hostmaster.example.com. 4294967295 5400 788645 0 86400'],
  ['RFC 1035 §3.3.13 BC-145 a dot in the mailbox', 'SOA',
    String.raw`ns1 john\.doe 1 2 3 4 5`,
    `036e7331076578616d706c6503636f6d00086a6f686e2e646f65076578616d706c6503636f6d0000000001000000
     02000000030000000400000005`,
    String.raw`ns1.example.com. john\.doe.example.com. 1 2 3 4 5`],
  ['RFC 1035 §3.3.9 preference and exchange', 'MX',
    '10 mail',
    '000a046d61696c076578616d706c6503636f6d00',
    '10 mail.example.com.'],
  ['RFC 7505 §3 null MX', 'MX', '0 .', '000000'],
  ['RFC 1035 §3.3.14 one string', 'TXT', '"hello world"', '0b68656c6c6f20776f726c64'],
  ['RFC 1035 §3.3.14 two strings', 'TXT', '"abcdef" "ghijk"', '06616263646566056768696a6b'],
  ['RFC 1035 §3.3.14 without quotes', 'TXT',
    'v=spf1 -all',
    '06763d73706631042d616c6c',
    '"v=spf1" "-all"'],
  ['RFC 1035 §3.3.14 an empty string', 'TXT', '""', '00'],
  ['RFC 1035 §5.1 BC-135 an escaped semicolon', 'TXT',
    String.raw`"v=DKIM1\; k"`,
    '0a763d444b494d313b206b',
    '"v=DKIM1; k"'],
  ['RFC 1035 §5.1 BC-135 an escaped quote', 'TXT', String.raw`"a\"b"`, '03612262'],
  ['RFC 1035 §5.1 BC-135 an octet by number', 'TXT', String.raw`"\065"`, '0141', '"A"'],
  ['RFC 1035 §5.1 a backslash', 'TXT', String.raw`"a\\b"`, '03615c62'],
  ['RFC 1035 §5.1 octets that are no text', 'TXT', String.raw`"\000\127\255"`, '03007fff'],
  ['RFC 4408 §3.1.1 as TXT', 'SPF', '"v=spf1 mx -all"', '0e763d73706631206d78202d616c6c'],
  ['RFC 2782 all four', 'SRV',
    '10 60 5060 sip.example.net.',
    '000a003c13c403736970076578616d706c65036e657400'],
  ['RFC 2782 no service', 'SRV', '0 0 0 .', '00000000000000'],
  ['RFC 8659 §4.1 issue', 'CAA',
    '0 issue "ca.example.net; account=230123"',
    '0005697373756563612e6578616d706c652e6e65743b206163636f756e743d323330313233'],
  ['RFC 8659 §4.1 critical', 'CAA', '128 tbs "Unknown"', '8003746273556e6b6e6f776e'],
  ['RFC 8659 §4.2 nobody', 'CAA', '0 issue ";"', '000569737375653b'],
  ['RFC 8659 §4.1 an empty value', 'CAA', '0 issuewild ""', '0009697373756577696c64'],
  ['RFC 8659 §4.4 without quotes', 'CAA',
    '0 iodef mailto:security@example.com',
    '0005696f6465666d61696c746f3a7365637572697479406578616d706c652e636f6d',
    '0 iodef "mailto:security@example.com"'],
  ['RFC 3403 §4.1 an expression', 'NAPTR',
    '100 50 "a" "z3950+N2L+N2C" "" cidserver.example.com.',
    '0064003201610d7a333935302b4e324c2b4e32430009636964736572766572076578616d706c6503636f6d00'],
  ['RFC 3403 §4.1 backslashes', 'NAPTR',
    String.raw`100 10 "u" "E2U+sip" "!^.*$!sip:info\\1@example.com!i" .`,
    '0064000a0175074532552b7369701e215e2e2a24217369703a696e666f5c31406578616d706c652e636f6d216900'],
  ['RFC 1035 §3.3.2 quoted', 'HINFO',
    '"PC-Intel-700mhz" "Redhat Linux 7.1"',
    '0f50432d496e74656c2d3730306d687a10526564686174204c696e757820372e31'],
  ['RFC 1035 §3.3.2 bare', 'HINFO',
    'VAX-11/780 UNIX',
    '0a5641582d31312f37383004554e4958',
    '"VAX-11/780" "UNIX"'],
  ['RFC 8482 §6 minimal answer to ANY', 'HINFO', '"RFC8482" ""', '075246433834383200'],
  ['RFC 1183 §2.2 two names', 'RP',
    'louie.trantor people',
    `056c6f756965077472616e746f72076578616d706c6503636f6d000670656f706c65076578616d706c6503636f6d
     00`,
    'louie.trantor.example.com. people.example.com.'],
  ['RFC 1183 §2.2 neither', 'RP', '. .', '0000'],
  ['RFC 1183 §1 subtype and host', 'AFSDB',
    '1 afsdb.example.net.',
    '0001056166736462076578616d706c65036e657400'],
  ['RFC 7553 §4 a target', 'URI',
    '10 1 "ftp://ftp1.example.com/public"',
    '000a00016674703a2f2f667470312e6578616d706c652e636f6d2f7075626c6963'],
  ['RFC 7553 §4 without quotes', 'URI',
    '10 1 http://www.example.com/path',
    '000a0001687474703a2f2f7777772e6578616d706c652e636f6d2f70617468',
    '10 1 "http://www.example.com/path"'],
  ['RFC 6672 §2.1 target', 'DNAME',
    'frobozz-division.acme.example.',
    '1066726f626f7a7a2d6469766973696f6e0461636d65076578616d706c6500'],
  ['RFC 3597 §5 an unknown type', 'TYPE65280', String.raw`\# 3 abcdef`, 'abcdef'],
  ['RFC 3597 §5 no octets', 'TYPE65280', String.raw`\# 0`, ''],
  ['RFC 3597 §5 BC-144 a known type', 'A', String.raw`\# 4 c0000201`, 'c0000201', '192.0.2.1'],
  ['RFC 3597 §5 hexadecimal in pieces', 'TYPE62347',
    String.raw`\# 6 ab cd ef 01 2345`,
    'abcdef012345',
    String.raw`\# 6 abcdef012345`],
  ['RFC 1035 §3.3.7 two names', 'MINFO',
    'req err.example.net.',
    '03726571076578616d706c6503636f6d00 03657272076578616d706c65036e657400',
    'req.example.com. err.example.net.'],
  ['RFC 2230 §3.1 exchanger', 'KX',
    '10 kx-host',
    '000a076b782d686f7374076578616d706c6503636f6d00',
    '10 kx-host.example.com.'],
  ['RFC 1183 §3.3 host', 'RT', '2 relay.prime.com.', '00020572656c6179057072696d6503636f6d00'],
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
