/** The panel and its rounds: complete, in random order, repeatable, with controls in each. */
import { describe, expect, test } from 'vitest'
import { chanceFrom } from '../../probe/plan/chance.ts'
import { distinct, drawRows, panelOf, readTable } from '../../probe/plan/panel.ts'
import type { Subnet } from '../../probe/plan/question.ts'
import { inARow, roundOf } from '../../probe/plan/rounds.ts'
import { scopeQuestions } from '../../probe/plan/scope.ts'
import { isWrong } from '../../probe/plan/wrong.ts'

const TEXT = `# made by hand
country,prefix,holder
US,192.0.2.0/24,one
DE,198.51.100.0/24,two
US,203.0.113.0/24,three
US,198.18.0.0/24,four
`
const TABLE = readTable(TEXT)
const SUBJECT = { name: 'www.example.com', type: 'A' }

function panel(countries: readonly string[], each: number): readonly Subnet[] {
  const made = panelOf(TABLE, countries, each)
  if (isWrong(made)) throw new Error(made.wrong)
  return made
}

describe('panel', () => {
  test('takes the first few of each country, in the order asked', () => {
    const texts = panel(['de', 'US'], 2).map(({ text, region }) => `${region} ${text}`)
    expect(texts).toEqual(['DE 198.51.100.0/24', 'US 192.0.2.0/24', 'US 203.0.113.0/24'])
  })

  test('an unknown country is refused with those there are', () => {
    expect(panelOf(TABLE, ['FR'], 2)).toEqual({
      wrong: '--country FR: no subnets known there',
      fix: 'known: DE US',
    })
  })

  test('one network written twice is one subnet', () => {
    expect(distinct([...panel(['US'], 2), ...panel(['US'], 3)])).toHaveLength(3)
  })
})

describe('a panel drawn', () => {
  const rows = readTable(
    `country,prefix\n${['US 5', 'DE 3', 'JP 2', 'FR 1']
      .flatMap((text, at) => {
        const [country, count] = text.split(' ')
        return Array.from({ length: Number(count) }, (_, n) => `${country},10.${at}.${n}.0/24\n`)
      })
      .join('')}`,
  )
  const drawn = (most: number, seed: number): readonly string[] =>
    drawRows(rows, most, chanceFrom(seed)).map(({ country }) => country)
  const counts = (list: readonly string[]): readonly number[] =>
    ['US', 'DE', 'JP', 'FR'].map(code => list.filter(one => one === code).length)

  // biome-ignore format: table
  const DRAWS = [
    // two of each region there is room for, then a third, and so on; FR has only one
    ['six places: two in each of three',  6, [[2, 2, 2, 0]]],
    ['seven: a third in one',             7, [[3, 2, 2, 0], [2, 3, 2, 0]]],
    ['nine',                              9, [[4, 3, 2, 0]]],
    ['all that are not alone',           50, [[5, 3, 2, 0]]],
    ['four: two regions only',            4, [[2, 2, 0, 0], [2, 0, 2, 0], [0, 2, 2, 0]]],
  ] as const
  for (const [rule, most, allowed] of DRAWS) {
    test(rule, () => {
      for (let seed = 0; seed < 50; seed += 1) {
        expect(allowed).toContainEqual(counts(drawn(most, seed)))
      }
    })
  }

  test('the same seed draws the same, other seeds others', () => {
    const texts = (seed: number): string =>
      drawRows(rows, 4, chanceFrom(seed))
        .map(({ prefix }) => prefix)
        .join(' ')
    expect(texts(3)).toBe(texts(3))
    expect(new Set([1, 2, 3, 4, 5, 6, 7, 8].map(texts)).size).toBeGreaterThan(3)
  })
})

describe('rounds', () => {
  const round = roundOf(SUBJECT, panel(['US', 'DE'], 5), 2, chanceFrom(7))

  test('every subnet once, and three controls: no option, 0.0.0.0/0, ::/0', () => {
    const asked = round.map(({ purpose, subnet }) => `${purpose} ${subnet?.text ?? 'no option'}`)
    expect(asked.toSorted()).toEqual([
      'control 0.0.0.0/0',
      'control ::/0',
      'control no option',
      'sample 192.0.2.0/24',
      'sample 198.18.0.0/24',
      'sample 198.51.100.0/24',
      'sample 203.0.113.0/24',
    ])
    expect(new Set(round.map(question => question.round))).toEqual(new Set([2]))
  })

  test('the same seed gives the same order, another seed another', () => {
    const order = (seed: number): string =>
      roundOf(SUBJECT, panel(['US', 'DE'], 5), 1, chanceFrom(seed))
        .map(({ subnet }) => subnet?.text)
        .join(' ')
    expect(order(1)).toBe(order(1))
    expect(new Set([1, 2, 3, 4, 5, 6].map(order)).size).toBeGreaterThan(3)
  })

  test('dns2 asks twenty times without the option', () => {
    const questions = inARow(SUBJECT, 20, undefined)
    expect(questions).toHaveLength(20)
    expect(questions.every(({ subnet }) => subnet === undefined)).toBe(true)
  })
})

describe('scope checks', () => {
  const blocks = [{ samples: panel(['US'], 3) }, { samples: panel(['DE', 'US'], 3) }]

  test('ask every place when the budget holds', () => {
    expect(scopeQuestions(SUBJECT, blocks, 100, 4)).toHaveLength(7)
  })

  test('give each block the same when it does not', () => {
    const questions = scopeQuestions(SUBJECT, blocks, 5, 4)
    expect(questions).toHaveLength(4)
    expect(questions.every(({ purpose, round }) => purpose === 'scope' && round === 4)).toBe(true)
  })
})
