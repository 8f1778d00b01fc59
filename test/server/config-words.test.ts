/** Spans of time and mistyped words, by themselves. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { secondsFrom } from '../../server/config/duration.ts'
import { nearestWord } from '../../server/config/nearest.ts'
import { isWrong } from '../../server/fault.ts'

// biome-ignore format: table
const NEAREST = [
  // rule                        word        known                        meant
  ['a letter left out',          'shufle',   ['shuffle', 'rotate'],       'shuffle'],
  ['a letter added',             'listten',  ['listen', 'zones'],         'listen'],
  ['a letter changed',           'rotato',   ['shuffle', 'rotate'],       'rotate'],
  ['two letters swapped',        'wbe',      ['api', 'web'],              'web'],
  ['another case',               'Listen',   ['listen', 'zones'],         'listen'],
  ['the nearer of two',          'fra3',     ['fra1', 'fra33'],           'fra1'],
  ['nothing like it',            'colour',   ['listen', 'zones'],         undefined],
  ['one letter is like no other', 'x',       ['a', 'b'],                  undefined],
  ['nothing known',              'x',        [],                          undefined],
] as const

describe('the word that was meant', () => {
  for (const [rule, word, known, meant] of NEAREST) {
    test(rule, () => {
      expect(nearestWord(word, known)).toBe(meant)
    })
  }

  test('a word is nearest to itself', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 2 }), { minLength: 1 }), known => {
        const [word = ''] = known.map(text => text.toLowerCase())
        expect(nearestWord(word, [...known, word])?.toLowerCase()).toBe(word)
      }),
      { numRuns: 200 },
    )
  })
})

describe('spans of time', () => {
  test('any hours, minutes and seconds', () => {
    const small = fc.nat(99)
    fc.assert(
      fc.property(small, small, small, (h, m, s) => {
        expect(secondsFrom(`${h}h${m}m${s}s`)).toBe(h * 3600 + m * 60 + s)
      }),
    )
  })

  test('any text is a number of seconds or a sentence', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double()), written => {
        const read = secondsFrom(written)
        expect(isWrong(read) || (Number.isInteger(read) && read >= 0 && read < 2 ** 31)).toBe(true)
      }),
    )
  })
})
