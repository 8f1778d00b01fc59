/** Rules that follow rules, and branches inside branches: all of them come to an end. */
import { describe, expect, test } from 'vitest'
import { cut, judge, marked } from '../kit/config.ts'

// biome-ignore format: table
const WRONG = [
  // rule                                       rules                                                problems
  ['itself',                                    '{a.example.com: {rule: ▸a.example.com}}',           ['a.example.com follows itself · name its pools here']],
  ['itself, in other letters',                  '{a.example.com: {rule: ▸A.example.com.}}',          ['a.example.com follows itself']],
  ['itself, in a branch',                       '{a.example.com: {by: {countries: {DE: {rule: ▸a.example.com}}, default: [fra]}}}', ['a.example.com follows itself']],
  ['two, once',                                 '{a.example.com: {rule: ▸b.example.com}, b.example.com: {rule: a.example.com}}', ['a circle of rules: a.example.com → b.example.com → a.example.com · let one of them name its pools itself']],
  ['three, from where it begins',               '{x.example.com: {rule: a.example.com}, a.example.com: {rule: ▸b.example.com}, b.example.com: {rule: c.example.com}, c.example.com: {rule: a.example.com}}',
    ['a circle of rules: a.example.com → b.example.com → c.example.com → a.example.com']],
  ['two circles, each once',                    '{a.example.com: {rule: ▸b.example.com}, b.example.com: {rule: a.example.com}, c.example.com: {by: {continents: {EU: {rule: ▸c.example.com}}, default: [fra]}}}',
    ['a circle of rules: a.example.com → b.example.com', 'c.example.com follows itself']],
  ['two circles with one rule in both',         '{a.example.com: {by: {continents: {EU: {rule: ▸b.example.com}, AS: {rule: ▸c.example.com}}, default: [fra]}}, b.example.com: {rule: a.example.com}, c.example.com: {rule: a.example.com}}',
    ['a circle of rules: a.example.com → b.example.com → a.example.com', 'a circle of rules: a.example.com → c.example.com → a.example.com']],
  ['one link in two circles',                   '{a.example.com: {rule: ▸b.example.com}, b.example.com: {by: {continents: {EU: {rule: a.example.com}, AS: {rule: ▸c.example.com}}, default: [fra]}}, c.example.com: {rule: a.example.com}}',
    ['a circle of rules: a.example.com → b.example.com → a.example.com', 'a circle of rules: b.example.com → c.example.com → a.example.com → b.example.com']],
  ['a rule that is none beside a circle',       '{a.example.com: {rule: ▸a.example.com}, b.example.com: {rule: ▸d.example.com}}', ['a.example.com follows itself', 'no name d.example.com is steered · did you mean']],
  ['a circle beside other mistakes',            '{a.example.com: {rule: ▸b.example.com, ▸colour: red}, b.example.com: {rule: a.example.com, ttl: ▸x}}', ['a circle of rules', 'unknown key colour', 'x is not a span']],
] as const

describe('rules that follow rules', () => {
  for (const [rule, text, problems] of WRONG) {
    test(rule, () => {
      const { piece, expected } = marked(`steer: ${text}`, problems)
      expect(cut(judge(piece).problems, expected)).toEqual(expected)
    })
  }

  test('in any order and from many sides, without a circle', () => {
    const { problems, config } = judge(`steer:
  a.example.com: {by: {countries: {DE: {rule: c.example.com}, FR: {rule: c.example.com}}, default: {rule: b.example.com}}}
  b.example.com: {rule: c.example.com}
  c.example.com: {pools: [fra]}`)
    expect(problems).toEqual([])
    expect(config?.policy.rules[1]?.choose).toEqual({ kind: 'rule', rule: 2 })
  })
})

/** Rules in a row, the last of which has pools. */
function row(length: number, last = '{pools: [fra]}'): string {
  const rules = Array.from({ length }, (_, n) => {
    const is = n === length - 1 ? last : `{rule: n${n + 1}.example.com}`
    return `  n${n}.example.com: ${is}\n`
  })
  return `steer:\n${rules.join('')}`
}

/** Branches inside branches. */
function nest(depth: number): string {
  return `steer: {a.example.com: ${'{by: {default: '.repeat(depth)}[fra]${'}}'.repeat(depth)}}`
}

describe('how deep it goes', () => {
  test('16 rules in a row', () => {
    expect(judge(row(16)).problems).toEqual([])
  })

  test('17 rules in a row', () => {
    expect(judge(row(17)).problems).toEqual([
      '2:26 more than 16 rules follow each other from here · name the pools here',
    ])
  })

  test('ten thousand in a row are told once', () => {
    const { problems } = judge(row(10_000))
    expect(problems).toEqual([
      '9985:29 more than 16 rules follow each other from here · name the pools here',
    ])
  }, 30_000)

  test('ten thousand in a circle are told once', () => {
    const { problems } = judge(row(10_000, '{rule: n0.example.com}'))
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain('n19.example.com → … 9980 more → n0.example.com')
  }, 30_000)

  test('16 branches inside each other', () => {
    expect(judge(nest(16)).problems).toEqual([])
  })

  test('17 branches inside each other', () => {
    const at = 'steer: {a.example.com: '.length + '{by: {default: '.length * 16 + '{'.length + 1
    expect(judge(nest(17)).problems).toEqual([
      `1:${at} more than 16 branches stand in each other · give this part a rule of its own, and follow it with rule:`,
    ])
  })

  test('as many as the file may have levels', () => {
    expect(judge(nest(48)).problems).toHaveLength(1)
  })

  test('more than that', () => {
    expect(judge(nest(60)).problems).toEqual([
      '0:0 more than 100 levels inside each other · flatten it',
    ])
  })

  test('levels of lines', () => {
    const lines = (length: number, dashes: string) => {
      const step = Math.max(1, dashes.length)
      return Array.from({ length }, (_, n) => `${' '.repeat(n * step)}${dashes}by:\n`).join('')
    }
    const flat = '0:0 more than 100 levels inside each other · flatten it'
    const endless = '0:0 brackets or lines nested without end · close every [ and {'
    expect(judge(lines(150, '')).problems).toEqual([flat])
    expect(judge(lines(3_000, '')).problems).toEqual([endless])
    expect(judge(lines(50, '- '.repeat(50))).problems).toEqual([endless])
  })
})
