/** What zones that reflect say: the texts as their owners document them, and any other text. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readReflection, sharesBits } from '../../probe/judge/mirror.ts'

describe('reads a reflection', () => {
  // biome-ignore format: table
  const ROWS = [
    ['lab, told',             ['"ecs=198.51.100.0/24 source=24 scope=16 transport=udp from=192.0.2.53"'], 'lab',    '198.51.100.0/24', 16,        '192.0.2.53'],
    ['lab, not told',         ['"ecs=none transport=tcp from=2001:db8::53"'],                             'lab',    undefined,         undefined, '2001:db8::53'],
    ['lab, stray bits kept',  ['"ecs=198.51.103.255/20 source=20 scope=20 transport=udp from=unknown"'],  'lab',    '198.51.103.255/20', 20,      undefined],
    ['Google, told',          ['"192.0.2.53"', '"edns0-client-subnet 198.51.100.0/24"'],                  'google', '198.51.100.0/24', undefined, '192.0.2.53'],
    ['Google, other order',   ['"edns0-client-subnet 2001:db8::/56"', '"2001:db8::53"'],                  'google', '2001:db8::/56',   undefined, '2001:db8::53'],
    ['Google, not told',      ['"192.0.2.53"'],                                                           'google', undefined,         undefined, '192.0.2.53'],
    ['Akamai, told',          ['"ns" "192.0.2.53"', '"ecs" "198.51.100.0/24/20"', '"ip" "198.51.100.7"'], 'akamai', '198.51.100.0/24', 20,        '192.0.2.53'],
    ['Akamai, no scope',      ['"ecs" "198.51.100.0/24"', '"ns" "192.0.2.53"'],                           'akamai', '198.51.100.0/24', undefined, '192.0.2.53'],
    ['Akamai, not told',      ['"ns" "192.0.2.53"'],                                                      'akamai', undefined,         undefined, '192.0.2.53'],
  ] as const
  test.each(ROWS)('%s', (_, answers, format, told, scope, egress) => {
    const found = readReflection(answers)
    expect([found?.format, found?.told?.text, found?.scope, found?.egress]).toEqual([
      format,
      told,
      scope,
      egress,
    ])
  })
})

describe('is no reflection', () => {
  // biome-ignore format: table
  const ROWS = [
    ['nothing',               []],
    ['SPF',                   ['"v=spf1 -all"']],
    ['a length past the end', ['"edns0-client-subnet 198.51.100.0/33"']],
    ['no length',             ['"edns0-client-subnet 198.51.100.0"']],
    ['an octet past 255',     ['"192.0.2.256"']],
    ['leading zeros',         ['"ecs=198.051.100.0/24 source=24"']],
    ['a zone identifier',     ['"fe80::1%eth0"']],
    ['unquoted',              ['192.0.2.53']],
  ] as const
  test.each(ROWS)('%s', (_, answers) => {
    expect(readReflection(answers)).toBeUndefined()
  })
})

test('any text gives a value', () => {
  const word = fc.constantFrom(
    '"',
    '\\',
    'ecs',
    '=',
    '/',
    '24',
    ' ',
    'ns',
    '::',
    '1.2.3.4',
    'from',
    'edns0-client-subnet ',
  )
  const text = fc.oneof(
    fc.string(),
    fc.array(word).map(words => words.join('')),
  )
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), answers => {
      const told = readReflection(answers)?.told
      if (told === undefined) return
      expect(told.octets.length).toBe(told.family === 1 ? 4 : 16)
      expect(told.source).toBeLessThanOrEqual(8 * told.octets.length)
    }),
    { numRuns: 5000 },
  )
})

// biome-ignore format: table
const SHARED = [
  [[192, 0, 2, 0], [192, 0, 2, 255], 24, true],
  [[192, 0, 2, 0], [192, 0, 3, 0],   24, false],
  [[192, 0, 2, 0], [192, 0, 3, 0],   23, true],
  [[192, 0, 2, 0], [10, 0, 0, 0],    0,  true],
  [[192, 0, 2, 0], [192, 0, 2],      8,  false],
] as const
test.each(SHARED)('%j and %j share %i bits: %s', (one, other, bits, expected) => {
  expect(sharesBits(one, other, bits)).toBe(expected)
})
