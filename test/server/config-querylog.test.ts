/** The query log's options: which sizes and shares can be written, and what each is by itself. */
import { describe, expect, test } from 'vitest'
import { cut, judge, marked } from '../kit/config.ts'

const DEFAULTS = { path: 'query.log', sample: 0.01, maxSize: 100e6, keep: 5 }

// biome-ignore format: table
const GOOD = [
  // written                                                        what it is
  ['query.log',                                                     DEFAULTS],
  ['{file: query.log}',                                             DEFAULTS],
  ['{file: /var/log/q.log, sample: 1, max_size: 1GiB, keep: 1}',    { path: '/var/log/q.log', sample: 1, maxSize: 2 ** 30, keep: 1 }],
  ['off',                                                           undefined],
  ['./off',                                                         { ...DEFAULTS, path: './off' }],
] as const

// biome-ignore format: table
const SIZES = [
  // IEC 80000-13: k, M, G are powers of 1000; Ki, Mi, Gi of 1024
  ['1000',     1_000],
  ['"65536"',  65_536],
  ['64kB',     64_000],
  ['64KiB',    65_536],
  ['100MB',    100_000_000],
  ['100MiB',   104_857_600],
  ['2GB',      2_000_000_000],
  ['2GiB',     2_147_483_648],
  ['1TB',      1_000_000_000_000],
  ['1TiB',     1_099_511_627_776],
] as const

// biome-ignore format: table
const WRONG = [
  // rule                          text                                            problems
  ['no place',                     '▸querylog: {sample: 1}',                        ['file is missing · add file: …']],
  ['on alone',                     'querylog: ▸on',                                 ['on does not say where · name a file: querylog: query.log']],
  ['true',                         'querylog: ▸true',                               ['expected a path, or a mapping with file, found boolean true']],
  ['a list',                       'querylog: ▸[query.log]',                        ['expected a path, or a mapping with file, found a list']],
  ['an empty path',                'querylog: ▸""',                                 ['not a path · write the path of a file']],
  ['a key mistyped',               'querylog: {file: q, ▸samples: 1}',              ['unknown key samples · did you mean sample?']],
  ['of none',                      'querylog: {file: q, sample: ▸0}',               ['0 is out of range · at least 0.000001']],
  ['of more than all',             'querylog: {file: q, sample: ▸1.5}',             ['1.5 is out of range · at most 1']],
  ['a share as a text',            'querylog: {file: q, sample: ▸1%}',              ['expected a number, found "1%"']],
  ['others read M in two ways',    'querylog: {file: q, max_size: ▸100M}',          ['100M is no size · write it like 100MB, which is 100,000,000 octets, or 100MiB']],
  ['so they do KB',                'querylog: {file: q, max_size: ▸100KB}',         ['100KB is no size']],
  ['a blank in it',                'querylog: {file: q, max_size: ▸100 MB}',        ['100 MB is no size']],
  ['a fraction',                   'querylog: {file: q, max_size: ▸1.5GB}',         ['1.5GB is no size']],
  ['less than nothing',            'querylog: {file: q, max_size: ▸-5}',            ['-5 is no size']],
  ['no digits',                    'querylog: {file: q, max_size: ▸MB}',            ['MB is no size']],
  ['too small',                    'querylog: {file: q, max_size: ▸999}',           ['999 octets is too small · at least 1kB']],
  ['too large',                    'querylog: {file: q, max_size: ▸9999999TB}',     ['9999999TB is too large']],
  ['none kept',                    'querylog: {file: q, keep: ▸0}',                 ['0 is out of range · at least 1']],
  ['all wrong at once',            'querylog: {file: ▸"", sample: ▸2, max_size: ▸x, keep: ▸0}', ['not a path', '2 is out of range', 'x is no size', '0 is out of range']],
] as const

describe('querylog', () => {
  test.each(GOOD)('%s', (written, expected) => {
    const { config, problems } = judge(`querylog: ${written}`)
    expect(problems).toEqual([])
    expect(config?.querylog).toEqual(expected)
  })

  test.each(SIZES)('max_size: %s', (written, octets) => {
    const { config, problems } = judge(`querylog: {file: q, max_size: ${written}}`)
    expect(problems).toEqual([])
    expect(config?.querylog?.maxSize).toBe(octets)
  })

  for (const [rule, text, problems] of WRONG) {
    test(rule, () => {
      const { piece, expected } = marked(text, problems)
      expect(cut(judge(piece).problems, expected)).toEqual(expected)
    })
  }
})
