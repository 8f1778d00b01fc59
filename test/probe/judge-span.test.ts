/** Blocks by number, and a sweep's cursor over them: arithmetic by hand. */
import { describe, expect, test } from 'vitest'
import { covers, ordinaryIn, pastSpecial, rangeOf, spanText } from '../../probe/judge/span.ts'
import { anyIn, halvesOf, nextAt, piecesOf, placesIn, stretchOf } from '../../probe/judge/sweep.ts'
import { at, sighting, span } from './spans.ts'

describe('blocks', () => {
  // biome-ignore format: table
  test.each([
    ['itself',             '10.0.0.0/8',    '10.0.0.0/8',     true],
    ['a half',             '10.0.0.0/8',    '10.128.0.0/9',   true],
    ['its parent',         '10.128.0.0/9',  '10.0.0.0/8',     false],
    ['its sibling',        '10.0.0.0/9',    '10.128.0.0/9',   false],
    ['everything',         '0.0.0.0/0',     '255.0.0.0/8',    true],
    ['the other family',   '0.0.0.0/0',     '::/0',           false],
    ['IPv6',               '2001:db8::/32', '2001:db8:5::/48', true],
  ])('holds %s', (_, outer, inner, expected) => {
    expect(covers(span(outer), span(inner))).toBe(expected)
  })

  test.each(['128.32.0.0/24', '0.0.0.0/0', '255.255.255.255/32', '2001:db8:5::/48', '::/0'])(
    '%s is written as it was read',
    text => {
      expect(spanText(span(text))).toBe(text)
    },
  )
})

describe('RFC 6890 special blocks', () => {
  test('are left out of all of IPv4', () => {
    const large = 3 * 2 ** 24 + 2 ** 22 + 2 ** 20 + 2 ** 17 + 2 * 2 ** 16 + 2 ** 29
    expect(ordinaryIn(rangeOf(span('0.0.0.0/0')))).toBe(BigInt(2 ** 32 - large - 5 * 256))
  })

  // biome-ignore format: table
  test.each([
    ['nothing before',           '9.9.9.0',       '9.9.9.0'],
    ['10.0.0.0/8',               '10.5.0.0',      '11.0.0.0'],
    ['100.64.0.0/10',            '100.64.0.0',    '100.128.0.0'],
    ['192.0.0.0/24, not more',   '192.0.0.0',     '192.0.1.0'],
    ['224.0.0.0/3, to the end',  '239.1.1.1',     undefined],
  ])('the cursor goes past %s', (_, from, to) => {
    const end = to === undefined ? 1n << 32n : at(to)
    expect(pastSpecial(1, at(from))).toBe(end)
  })
})

describe('a sweep', () => {
  test('cuts IPv4 into /8s, and nothing smaller', () => {
    expect(piecesOf([span('0.0.0.0/0')])).toHaveLength(256)
    expect(piecesOf([span('0.0.0.0/6')]).map(({ from }) => from)).toEqual(
      ['0.0.0.0', '1.0.0.0', '2.0.0.0', '3.0.0.0'].map(at),
    )
    expect(piecesOf([span('10.0.0.0/12'), span('2001:db8::/32')])).toEqual(
      [span('10.0.0.0/12'), span('2001:db8::/32')].map(rangeOf),
    )
  })

  test('skips special blocks where it is told to', () => {
    const piece = rangeOf(span('100.0.0.0/8'))
    expect(nextAt(piece, at('100.64.0.0'), 'skipped')).toBe(at('100.128.0.0'))
    expect(nextAt(piece, at('100.64.0.0'), 'asked')).toBe(at('100.64.0.0'))
    expect(nextAt(rangeOf(span('10.0.0.0/8')), at('10.0.0.0'), 'skipped')).toBeUndefined()
  })

  // biome-ignore format: table
  test.each([
    ['to the end of the block',           '20.0.0.0/8',  '20.0.0.0',   16, '20.1.0.0'],
    ['from the middle of a block',        '20.0.0.0/8',  '20.64.0.0',  8,  '21.0.0.0'],
    ['no further than the piece: scope 0', '20.0.0.0/8', '20.0.0.0',   0,  '21.0.0.0'],
    ['no finer than what was asked for',  '20.0.0.0/8',  '20.0.0.0',   30, '20.0.1.0'],
  ])('goes on %s', (_, piece, cursor, scope, end) => {
    const seen = sighting(`${cursor}/24`, scope, '192.0.2.1')
    const stretch = stretchOf(rangeOf(span(piece)), at(cursor), seen)
    expect([stretch.from, stretch.to]).toEqual([at(cursor), at(end)])
  })

  test('cuts a stretch between two networks, and one network not at all', () => {
    const [left, right] = halvesOf({ family: 1, from: at('20.0.0.0'), to: at('20.0.3.0') }, 24)
    expect([left?.to, right?.from]).toEqual([at('20.0.1.0'), at('20.0.1.0')])
    expect(halvesOf(rangeOf(span('20.0.0.0/24')), 24)).toEqual([])
  })

  test('tries the last network, then others, each once, never the first', () => {
    const stretch = rangeOf(span('20.0.0.0/20'))
    const options = { count: 15, seed: 1, special: 'skipped' } as const
    const places = placesIn(stretch, 24, options).map(spanText)
    expect(places[0]).toBe('20.0.15.0/24')
    expect(new Set(places).size).toBe(places.length)
    expect(places).not.toContain('20.0.0.0/24')
    expect(places.length).toBeGreaterThan(10)
    expect(placesIn(stretch, 24, options).map(spanText)).toEqual(places)
  })

  test('draws no special network', () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const drawn = anyIn(rangeOf(span('100.0.0.0/8')), 24, seed, 'skipped')
      expect(drawn && pastSpecial(1, drawn.at)).toBe(drawn?.at)
      expect(drawn).toBeDefined()
    }
  })
})
