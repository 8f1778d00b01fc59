/** Blocks of addresses: bits, places, text. */
import fc from 'fast-check'
import { Address4, Address6 } from 'ip-address'
import { describe, expect, test } from 'vitest'
import { blockOf, blockText, contains, flip, isSpecial, memberOf } from '../../probe/judge/block.ts'

const bits4 = fc.integer({ min: 0, max: 32 })
const hex4 = fc
  .uint8Array({ minLength: 4, maxLength: 4 })
  .map(octets => Buffer.from(octets).toString('hex'))
const hex16 = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map(octets => Buffer.from(octets).toString('hex'))

describe('text', () => {
  // biome-ignore format: table
  const TABLE = [
    [1, 'c6336400', 24,  '198.51.100.0/24'],
    [1, 'c633',     16,  '198.51.0.0/16'],
    [1, 'c63364ff', 23,  '198.51.100.0/23'],
    [1, '',         0,   '0.0.0.0/0'],
    [2, '20010db8', 32,  '2001:db8::/32'],
    [2, '',         0,   '::/0'],
    [2, '20010db8000000010000000000000001', 128, '2001:db8:0:1::1/128'],
    [2, '00010000000000000000000000000001', 128, '1::1/128'],
  ] as const
  for (const [family, hex, bits, text] of TABLE) {
    test(text, () => expect(blockText(blockOf(family, hex, bits))).toBe(text))
  }

  test('RFC 5952 as ip-address writes it', () => {
    fc.assert(
      fc.property(hex16, hex => {
        const groups = hex.match(/.{4}/g)?.join(':') ?? ''
        const text = blockText(blockOf(2, hex, 128))
        expect(text).toBe(`${new Address6(groups).correctForm()}/128`)
      }),
    )
  })
})

test('containment as ip-address sees it', () => {
  fc.assert(
    fc.property(hex4, bits4, hex4, bits4, (a, m, b, n) => {
      const outer = blockOf(1, a, m)
      const inner = blockOf(1, b, n)
      const expected = new Address4(blockText(inner)).isInSubnet(new Address4(blockText(outer)))
      expect(contains(outer, inner)).toBe(expected && n >= m)
    }),
  )
})

test('every member lies inside, and the sibling is disjoint', () => {
  fc.assert(
    fc.property(hex4, fc.integer({ min: 1, max: 24 }), fc.nat(255), (hex, bits, octet) => {
      const block = blockOf(1, hex, bits)
      expect(
        contains(
          block,
          memberOf(block, 24, () => octet),
        ),
      ).toBe(true)
      const sibling = flip(block, bits - 1)
      expect(contains(block, sibling)).toBe(false)
      expect(contains(blockOf(1, hex, bits - 1), sibling)).toBe(true)
    }),
  )
})

describe('RFC 6890 nobody lives in', () => {
  for (const [hex, bits, special] of [
    ['0a0000', 24, true],
    ['c0a801', 24, true],
    ['644000', 24, true],
    ['e00000', 24, true],
    ['080808', 24, false],
    ['802000', 24, false],
    ['80000000', 1, true],
  ] as const) {
    test(`${hex}/${bits}`, () => expect(isSpecial(blockOf(1, hex, bits))).toBe(special))
  }
})
