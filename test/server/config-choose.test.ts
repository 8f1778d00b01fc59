/** How a rule, or a branch of one, comes to its pools: each way by itself, and nested. */
import { describe, expect, test } from 'vitest'
import type { Choose } from '../../server/steer/rule.ts'
import { cut, judge, marked } from '../kit/config.ts'

// biome-ignore format: table
const WRONG = [
  // rule                                    a way to choose                                          problems
  ['no way at all',                          '{▸default: {}}',                                        ['nothing to choose from · add pools: [POOL], or by: with a default']],
  ['pools and by',                           '{default: {pools: [fra], ▸by: {default: [fra]}}}',      ['both pools and by · keep the one that is to choose']],
  ['by and nearest',                         '{default: {by: {default: [fra]}, ▸nearest: [fra]}}',    ['both by and nearest']],
  ['nearest and rule',                       '{default: {nearest: [fra], ▸rule: b.example.com}}',     ['both nearest and rule']],
  ['pools and latency',                      '{default: {pools: [fra], ▸latency: {file: rtt.csv}}}',  ['both pools and latency']],
  ['latency, nearest and rule',              '{default: {latency: {file: rtt.csv}, nearest: [fra], ▸rule: b.example.com}}', ['both latency and rule']],
  ['a text',                                 '{default: ▸fra}',                                       ['expected a list of pools, or a mapping that chooses, found "fra" · write [fra]']],
  ['a number',                               '{default: ▸3}',                                         ['expected a list of pools, or a mapping that chooses, found number 3']],
  ['nothing',                                '{▸default: }',                                          ['expected a list of pools, or a mapping that chooses, found nothing']],
  ['an empty list',                          '{default: ▸[]}',                                        ['an empty list · give it at least 1 item']],
  ['a way mistyped',                         '{default: {▸nearst: [fra]}}',                           ['unknown key nearst · did you mean nearest?']],
  ['a way mistyped, and what goes with it',  '{default: {▸nearst: [fra], bias: {fra: 1}}}',           ['unknown key nearst · did you mean nearest?']],
  ['a rule’s own key in a branch',           '{default: {pools: [fra], ▸pick: hash}}',                ['unknown key pick · known: pools, by, nearest, latency, rule, bias, limit']],
  ['nearest empty',                          '{default: {nearest: ▸[]}}',                             ['an empty list']],
  ['nearest a text',                         '{default: {nearest: ▸fra}}',                            ['expected a list, found "fra" · write [fra]']],
  ['nearest of a pool that is none',         '{default: {nearest: [fra, ▸iat]}}',                     ['no pool is called iat · did you mean iad?']],
  ['nearest of a pool twice',                '{default: {nearest: [fra, ▸fra]}}',                     ['fra stands here twice']],
  ['nearest of a pool that is nowhere',      '{default: {nearest: [▸gru, fra]}}',                     ['pool gru does not say where it stands · give gru at: {country: …}']],
  ['the same beside a latency file',         '{default: {latency: {file: rtt.csv}, nearest: [▸gru]}}', ['pool gru does not say where it stands']],
  ['bias without nearest',                   '{default: {pools: [fra], ▸bias: {fra: 10}}}',           ['bias without nearest · add nearest: [POOL], or take bias out']],
  ['limit without nearest',                  '{default: {by: {default: [fra]}, ▸limit: 1}}',          ['limit without nearest']],
  ['bias out of range',                      '{default: {nearest: [fra, iad], bias: {fra: ▸100, iad: ▸-100}}}', ['100 is out of range · at most 99', '-100 is out of range · at least -99']],
  ['bias for all pools',                     '{default: {nearest: [fra], bias: ▸10}}',                ['expected a mapping, found number 10']],
  ['bias of a pool that is none',            '{default: {nearest: [fra], bias: {▸frra: 10}}}',        ['no pool is called frra · did you mean fra?']],
  ['bias of a pool that is not among them',  '{default: {nearest: [fra], bias: {▸iad: 10}}}',         ['iad is not in nearest · add it there, or take its bias out']],
  ['a limit of none',                        '{default: {nearest: [fra], limit: ▸0}}',                ['0 is out of range · at least 1']],
  ['a limit below 0',                        '{default: {nearest: [fra], limit: ▸-2}}',               ['-2 is out of range']],
  ['a limit in parts',                       '{default: {nearest: [fra], limit: ▸1.5}}',              ['expected a whole number, found number 1.5']],
  ['a latency file without a name',          '{default: {latency: {file: ▸""}}}',                     ['not a path']],
  ['a latency file by its path alone',       '{default: {latency: ▸rtt.csv}}',                        ['expected a mapping, found "rtt.csv"']],
  ['latency without a file',                 '{default: {▸latency: {}}}',                             ['file is missing']],
  ['latency with another key',               '{default: {latency: {file: rtt.csv, ▸max_age: 1h}}}',   ['unknown key max_age · known: file']],
  ['a rule that is none',                    '{default: {rule: ▸c.example.com}}',                     ['no name c.example.com is steered · did you mean']],
  ['a rule that is no name',                 '{default: {rule: ▸b..example.com}}',                    ['b..example.com']],
  ['a rule that is a list',                  '{default: {rule: ▸[b.example.com]}}',                   ['expected text, found a list']],
  ['mistakes at every depth, at once',       '{default: {by: {countries: {DE: [▸x], ▸UK: {nearest: [▸y]}}, ▸cty: {}, default: {▸limit: 1, pools: [▸z]}}}}',
    ['no pool is called x', 'UK is not an ISO 3166-1', 'no pool is called y', 'unknown key cty', 'limit without nearest', 'no pool is called z']],
  ['no default inside',                      '{default: {▸by: {countries: {DE: [fra]}}}}',            ['default is missing · add default: […]']],
] as const

const POOLS = `pools:
  fra: {at: {lat: 50, lon: 9}, targets: [192.0.2.1]}
  iad: {at: {country: US}, bias: -20, targets: [192.0.2.2]}
  gru: {targets: [192.0.2.3]}
`
const FILES = { 'rtt.csv': '192.0.2.0/24,iad,10\n192.0.2.0/24,fra,20\n' }

describe('ways to choose', () => {
  for (const [rule, text, problems] of WRONG) {
    test(rule, () => {
      const { piece, expected } = marked(
        `steer: {b.example.com: {pools: [fra]}, a.example.com: {by: ${text}}}`,
        problems,
      )
      expect(cut(judge(`${piece}\n${POOLS}`, FILES).problems, expected)).toEqual(expected)
    })
  }

  test('ways are checked at the top of a rule as in a branch', () => {
    const { piece, expected } = marked(
      'steer: {a.example.com: {nearest: [fra], ▸rule: b.example.com, bias: {▸iad: 1}}, b.example.com: {pools: [fra]}}',
      ['both nearest and rule', 'iad is not in nearest'],
    )
    expect(cut(judge(piece).problems, expected)).toEqual(expected)
  })
})

const all = (...pools: number[]): Choose => ({ kind: 'all', pools })
const near = (...pools: [number, number][]): Choose => ({
  kind: 'nearest',
  pools: pools.map(([pool, bias]) => ({ pool, bias })),
  limit: undefined,
})

// biome-ignore format: table
const CHOICES = [
  // written                                                       what it becomes
  ['pools: [gru, fra]',                                            all(2, 0)],
  ['nearest: [fra]',                                               near([0, 0])],
  ['nearest: [iad, fra]',                                          near([1, -20], [0, 0])],
  ['nearest: [iad, fra], bias: {iad: 99, fra: -99}',               near([1, 99], [0, -99])],
  ['nearest: [iad, fra], bias: {iad: 0}',                          near([1, 0], [0, 0])],
  ['nearest: [iad, fra], limit: 1',                                { ...near([1, -20], [0, 0]), limit: 1 }],
  ['latency: {file: rtt.csv}, nearest: [iad, fra]',                { kind: 'latency', latency: 0, nearest: near([1, -20], [0, 0]) }],
  ['latency: {file: rtt.csv}, nearest: [iad], limit: 3, bias: {iad: 5}', { kind: 'latency', latency: 0, nearest: { ...near([1, 5]), limit: 3 } }],
  ['latency: {file: rtt.csv}',                                     { kind: 'latency', latency: 0, nearest: near([0, 0], [1, -20]) }],
  ['latency: {file: rtt.csv}, bias: {fra: 7}',                     { kind: 'latency', latency: 0, nearest: near([0, 7], [1, -20]) }],
  ['rule: b.example.com',                                          { kind: 'rule', rule: 0 }],
  ['rule: B.Example.COM.',                                         { kind: 'rule', rule: 0 }],
] as const

describe('what ways to choose become', () => {
  for (const [written, expected] of CHOICES) {
    test(written, () => {
      const text = `steer: {b.example.com: {pools: [fra]}, a.example.com: {${written}}}\n${POOLS}`
      const { config, problems } = judge(text, FILES)
      expect(problems).toEqual([])
      expect(config?.policy.rules[1]?.choose).toEqual(expected)
    })

    test(`default: {${written}}`, () => {
      const text = `steer: {b.example.com: {pools: [fra]}, a.example.com: {by: {default: {${written}}}}}\n${POOLS}`
      const choose = judge(text, FILES).config?.policy.rules[1]?.choose
      expect(choose?.kind === 'by' && choose.by.default).toEqual(expected)
    })
  }

  test('a branch that is a list is its pools', () => {
    const text = `steer: {a.example.com: {by: {countries: {DE: [gru]}, default: {pools: [gru]}}}}\n${POOLS}`
    const choose = judge(text).config?.policy.rules[0]?.choose
    if (choose?.kind !== 'by') throw new Error('not by')
    expect([choose.by.countries.get('DE')?.to, choose.by.default]).toEqual([all(2), all(2)])
  })

  test('branches inside branches have their places', () => {
    const text =
      'steer:\n  a.example.com:\n    by:\n      continents:\n        EU:\n          by:\n            countries: {DE: [fra]}\n            default: [iad]\n      default: [iad]\n'
    const outer = judge(text).config?.policy.rules[0]?.choose
    const inner = outer?.kind === 'by' ? outer.by.continents.get('EU') : undefined
    expect(inner?.at).toEqual({ file: 'lbdns.yaml', line: 5, column: 9 })
    const country = inner?.to.kind === 'by' ? inner.to.by.countries.get('DE') : undefined
    expect(country).toEqual({ to: all(0), at: { file: 'lbdns.yaml', line: 7, column: 25 } })
  })
})
