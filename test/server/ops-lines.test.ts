/** Lines out of octets: whatever the chunks, the same lines; and never more memory than the bound. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addOctets, lines, takeLine } from '../../server/ops/lines.ts'

const octets = (text: string) => new TextEncoder().encode(text)

function taken(chunks: readonly Uint8Array[], longest: number): string[] {
  const from = lines(longest)
  const out: string[] = []
  for (const chunk of chunks) {
    addOctets(from, chunk)
    for (let line = takeLine(from); line !== 'wait'; line = takeLine(from)) {
      if (line === 'long') return [...out, 'long']
      out.push(new TextDecoder('latin1').decode(line))
    }
  }
  return out
}

// biome-ignore format: table
const TABLE: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['a line in one chunk',              ['one\n'],                ['one']],
  ['two in one',                       ['one\ntwo\n'],           ['one', 'two']],
  ['one in two',                       ['on', 'e\n'],            ['one']],
  ['one in three, and the next begun', ['o', 'n', 'e\ntw'],      ['one']],
  ['the end alone in a chunk',         ['one', '\n', 'two\n'],   ['one', 'two']],
  ['nothing between two ends',         ['\n\none\n'],            ['', '', 'one']],
  ['as long as may be',                ['1234', '5678\n'],       ['12345678']],
  ['longer by one',                    ['one\n123456789\n'],     ['one', 'long']],
  ['longer before its end has come',   ['12345', '6789'],        ['long']],
  ['no end at all',                    ['one'],                  []],
]

describe('lines', () => {
  test.each(TABLE)('%s', (_, chunks, expected) => {
    expect(taken(chunks.map(octets), 8)).toEqual(expected)
  })

  test('however octets are cut, the lines are those between the ends', () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 })
    fc.assert(
      fc.property(chunks, pieces => {
        const whole = Buffer.concat(pieces).toString('latin1')
        expect(taken(pieces, 1000)).toEqual(whole.split('\n').slice(0, -1))
      }),
    )
  })
})
