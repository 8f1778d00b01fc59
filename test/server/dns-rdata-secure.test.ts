/**
 * Record data of keys, digests, signatures and denials: text to octets and back.
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
  ['RFC 4255 §3.1 fingerprint', 'SSHFP',
    '2 1 123456789abcdef67890123456789abcdef67890',
    '0201123456789abcdef67890123456789abcdef67890'],
  ['RFC 4255 §3.1 blanks in the fingerprint', 'SSHFP',
    '4 2 a87f1b687ac0e57d2a081a2f28267237 34d90ed316d2b818ca9580ea384d9240',
    '0402a87f1b687ac0e57d2a081a2f2826723734d90ed316d2b818ca9580ea384d9240',
    '4 2 a87f1b687ac0e57d2a081a2f2826723734d90ed316d2b818ca9580ea384d9240'],
  ['RFC 6698 §2.2 digest', 'TLSA',
    '0 0 1 d2abde240d7cd3ee6b4b28c54df034b97983a1d16e8a410e4561cb106618e971',
    '000001d2abde240d7cd3ee6b4b28c54df034b97983a1d16e8a410e4561cb106618e971'],
  ['RFC 6698 §2.2 blanks, capitals', 'TLSA',
    '3 1 1 92003BA34942DC74152E2F2C408D29EC A5A520E7F2E06BB944F4DCA346BAF63C',
    '03010192003ba34942dc74152e2f2c408d29eca5a520e7f2e06bb944f4dca346baf63c',
    '3 1 1 92003ba34942dc74152e2f2c408d29eca5a520e7f2e06bb944f4dca346baf63c'],
  ['RFC 8162 §2 as TLSA', 'SMIMEA', '3 0 0 308201', '030000308201'],
  ['RFC 7929 §2 base 64', 'OPENPGPKEY',
    'mQENBFVHm5sBCAD9EiYFxQKqZ5V2',
    '99010d0455479b9b010800fd122605c502aa679576'],
  ['RFC 7929 §2 base 64 in pieces', 'OPENPGPKEY',
    'mQENBFVHm5sB CAD9EiYF xQ==',
    '99010d0455479b9b010800fd122605c5',
    'mQENBFVHm5sBCAD9EiYFxQ=='],
  ['RFC 4034 §5.4 SHA-1', 'DS',
    '60485 5 1 ( 2BB183AF5F22588179A53B0A98631FAD1A292118 )',
    'ec4505012bb183af5f22588179a53b0a98631fad1a292118',
    '60485 5 1 2bb183af5f22588179a53b0a98631fad1a292118'],
  ['RFC 4509 §2.3 SHA-256', 'DS',
    '60485 5 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A',
    'ec450502d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    '60485 5 2 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a'],
  ['RFC 4034 §5.1 algorithm by word', 'DS',
    '60485 RSASHA1 1 2BB183AF5F22588179A53B0A98631FAD1A292118',
    'ec4505012bb183af5f22588179a53b0a98631fad1a292118',
    '60485 5 1 2bb183af5f22588179a53b0a98631fad1a292118'],
  ['RFC 7344 §3.1 as DS', 'CDS',
    '60485 13 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A',
    'ec450d02d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    '60485 13 2 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a'],
  ['RFC 8078 §4 delete', 'CDS', '0 0 0 00', '0000000000'],
  ['RFC 4034 §2.3 a key in pieces', 'DNSKEY',
    '256 3 5 AQPSKmynfzW4kyBv015MUG2DeIQ3Cbl+ BBZH4b/0PY1kxkmvHjcZc8no kfzj31Ga',
    `010003050103d22a6ca77f35b893206fd35e4c506d8378843709b97e041647e1bff43d8d64c649af1e371973c9e8
     91fce3df519a`,
    '256 3 5 AQPSKmynfzW4kyBv015MUG2DeIQ3Cbl+BBZH4b/0PY1kxkmvHjcZc8nokfzj31Ga'],
  ['RFC 8080 §6 Ed25519', 'DNSKEY',
    '257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=',
    '0101030f974d96a22d224bc01adb915091477d44ccd91c9a41a11430010117d52c59240e'],
  ['RFC 7344 §3.2 as DNSKEY', 'CDNSKEY',
    '257 3 ED25519 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=',
    '0101030f974d96a22d224bc01adb915091477d44ccd91c9a41a11430010117d52c59240e',
    '257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4='],
  ['RFC 8078 §4 delete', 'CDNSKEY', '0 3 0 AA==', '0000030000'],
  ['RFC 4034 §3.3 dates', 'RRSIG',
    'A 5 3 86400 20030322173103 20030220173103 2642 example.com. oJB1W6WNGv+ldvQ3WDG0MQkg5IEhjRip',
    `00010503000151803e7c9dd73e5510d70a52076578616d706c6503636f6d00a090755ba58d1affa576f4375831b4
     310920e481218d18a9`],
  ['RFC 4034 §3.2 seconds, a type without a word', 'RRSIG',
    'TYPE65280 13 2 3600 1440021600 1438207200 60485 example.com. AAECAw==',
    'ff000d0200000e1055d4fc6055b94ce0ec45076578616d706c6503636f6d0000010203',
    'TYPE65280 13 2 3600 20150819220000 20150729220000 60485 example.com. AAECAw=='],
  ['RFC 4034 §4.3 a high type', 'NSEC',
    'host.example.com. A MX RRSIG NSEC TYPE1234',
    `04686f7374076578616d706c6503636f6d000006400100000003041b000000000000000000000000000000000000
     000000000000000020`],
  ['RFC 4034 §4.1.2 order does not matter', 'NSEC',
    String.raw`\000.example.com. NSEC A CAA RRSIG`,
    '0100076578616d706c6503636f6d000006400000000003010140',
    String.raw`\000.example.com. A RRSIG NSEC CAA`],
  ['RFC 5155 §3.3 with salt', 'NSEC3',
    '1 1 12 aabbccdd 2vptu5timamqttgl4luu9kg21e0aor3s A RRSIG',
    '0101000c04aabbccdd1417f3df17b2b2adaef615257de4d2020b80ac6c7c0006400000000002'],
  ['RFC 5155 §3.3 no types: an empty non-terminal', 'NSEC3',
    '1 0 0 - 0p9mhaveqvm6t7vbl5lop2u3t2rp3tom',
    '010000000014065368abeed7ec6e9feba96b8c8bc3e8b791f716'],
  ['RFC 5155 §4.3 salt', 'NSEC3PARAM', '1 0 12 aabbccdd', '0100000c04aabbccdd'],
  ['RFC 9276 §3.1 no salt', 'NSEC3PARAM', '1 0 0 -', '0100000000'],
  ['RFC 7477 §2.1 types to copy', 'CSYNC', '66 3 A NS AAAA', '000000420003000460000008'],
  ['RFC 8976 §2 digest', 'ZONEMD',
    '2018031500 1 240 e2d523f654b9422a96c5a8f44607bbee',
    '7848b78c01f0e2d523f654b9422a96c5a8f44607bbee'],
  ['RFC 4701 §3.1 identifier', 'DHCID',
    'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=',
    '000201636fc0b8271c82825bb1ac5c41cf5351aa69b4febd94e8f17cdb95000da48c40'],
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
