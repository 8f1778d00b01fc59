/** What is read straight from octets is what `dns/` reads from text, or is left to it. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ipv4FromText, ipv6FromText } from '../../server/dns/address.ts'
import { nameFromText } from '../../server/dns/name.ts'
import { hexText } from '../../server/dns/octets.ts'
import { putPlainIpv4, putPlainIpv6, putPlainName } from '../../server/zone/plain.ts'
import { octetsOfText } from '../../server/zone/stream.ts'

type Put = (text: Uint8Array, start: number, end: number, out: Uint8Array, at: number) => number

const ORIGIN = octetsOfText('\x07Example\x03com\x00')
const putName: Put = (text, start, end, out, at) => putPlainName(text, start, end, ORIGIN, out, at)

/** What is written of a text that stands among others, as hexadecimal; `undefined` where it is left. */
function written(put: Put, text: string): string | undefined {
  const out = new Uint8Array(600).fill(0xee)
  const end = put(octetsOfText(`9${text}9`), 1, 1 + text.length, out, 3)
  return end < 0 ? undefined : hexText(out.subarray(3, end))
}

function expected(read: unknown): string {
  return read instanceof Uint8Array ? hexText(read) : 'no such thing'
}

const LABEL = `${'x'.repeat(63)}.`

// clause, text, octets; undefined where it is left to dns/
const ROWS = [
  ['RFC 1035 §5.1 relative', putName, 'wWw', '03775777074578616d706c6503636f6d00'],
  ['RFC 1035 §5.1 absolute', putName, 'a.b.', '0161016200'],
  ['RFC 1035 §5.1 the origin', putName, '@', undefined],
  ['RFC 1035 §5.1 the root', putName, '.', undefined],
  ['RFC 1035 §5.1 an escape', putName, 'a\\.b', undefined],
  ['RFC 1035 §2.3.4 an empty label', putName, 'a..b', undefined],
  ['RFC 1035 §2.3.4 63 octets', putName, LABEL, `3f${'78'.repeat(63)}00`],
  ['RFC 1035 §2.3.4 64 octets', putName, `x${LABEL}`, undefined],
  [
    'RFC 1035 §2.3.4 255 octets',
    putName,
    `${LABEL.repeat(3)}${'y'.repeat(61)}.`,
    `${`3f${'78'.repeat(63)}`.repeat(3)}3d${'79'.repeat(61)}00`,
  ],
  ['RFC 1035 §2.3.4 256 octets', putName, `${LABEL.repeat(3)}${'y'.repeat(62)}.`, undefined],
  [
    'RFC 1035 §2.3.4 too long with the origin',
    putName,
    `${LABEL.repeat(3)}${'y'.repeat(50)}`,
    undefined,
  ],
  ['RFC 1035 §3.4.1', putPlainIpv4, '192.0.2.255', 'c00002ff'],
  ['a leading zero', putPlainIpv4, '192.0.2.01', undefined],
  ['RFC 1035 §3.4.1 256', putPlainIpv4, '192.0.2.256', undefined],
  ['three numbers', putPlainIpv4, '192.0.2', undefined],
  ['five numbers', putPlainIpv4, '192.0.2.1.1', undefined],
  [
    'RFC 4291 §2.2 eight groups',
    putPlainIpv6,
    '1:2:3:4:5:6:7:ABCD',
    '0001000200030004000500060007abcd',
  ],
  ['RFC 4291 §2.2 a gap', putPlainIpv6, '2001:db8::1', '20010db8000000000000000000000001'],
  ['RFC 4291 §2.2 all zeros', putPlainIpv6, '::', '00'.repeat(16)],
  [
    'RFC 4291 §2.2 a gap at the end',
    putPlainIpv6,
    '1:2:3:4:5:6:7::',
    '00010002000300040005000600070000',
  ],
  ['RFC 4291 §2.2 a gap of nothing', putPlainIpv6, '1:2:3:4::5:6:7:8', undefined],
  ['RFC 4291 §2.2 two gaps', putPlainIpv6, '1::2::3', undefined],
  ['RFC 4291 §2.2 IPv4 inside', putPlainIpv6, '::192.0.2.1', undefined],
  ['RFC 4291 §2.2 five digits', putPlainIpv6, '::00001', undefined],
  ['RFC 4291 §2.2 one colon before', putPlainIpv6, ':1:2:3:4:5:6:7', undefined],
  ['RFC 4291 §2.2 one colon behind', putPlainIpv6, '1:2:3:4:5:6:7:', undefined],
] as const

test.each(ROWS)('%s', (_, put, text, octets) => {
  expect(written(put, text)).toBe(octets)
})

const PARTS = fc.array(
  fc.constantFrom(
    ...[
      '0',
      '1',
      '25',
      '255',
      '256',
      '00',
      'a',
      'F',
      'ffff',
      '.',
      '..',
      ':',
      '::',
      '-',
      'x'.repeat(60),
      '@',
      '\\.',
    ],
  ),
  { minLength: 1, maxLength: 18 },
)

// what, how octets are read, how text is
const LAWS: readonly (readonly [string, Put, (text: string) => unknown])[] = [
  ['names', putName, text => nameFromText(text, ORIGIN)],
  ['IPv4 addresses', putPlainIpv4, ipv4FromText],
  ['IPv6 addresses', putPlainIpv6, ipv6FromText],
]

test.each(LAWS)('any text: %s as dns/ reads them, or not at all', (_, put, read) => {
  fc.assert(
    fc.property(PARTS, parts => {
      const text = parts.join('')
      const octets = written(put, text)
      if (octets !== undefined) expect(octets).toBe(expected(read(text)))
    }),
    { numRuns: 5000 },
  )
})
