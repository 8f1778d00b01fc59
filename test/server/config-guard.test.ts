/** What keeps the server standing, as operators write it: `rrl` and `overload`. */
import { describe, expect, test } from 'vitest'
import { cut, judge, marked } from '../kit/config.ts'

const same = (rate: number) => ({
  answer: rate,
  referral: rate,
  nodata: rate,
  nxdomain: rate,
  error: rate,
  all: 0,
})
const RRL = { rates: same(20), slip: 2, window: 15, bits4: 24, bits6: 56, exempt: [], mode: 'on' }
const GUARD = { maxAgeMs: 1000, shedding: 'on', rrl: undefined }

// biome-ignore format: table
const GOOD = [
  // written                                                      what it is
  ['',                                                            GUARD],
  ['overload: {}',                                                GUARD],
  ['overload: {max_age: 3s, shed: off}',                          { ...GUARD, maxAgeMs: 3000, shedding: 'off' }],
  ['rrl: off',                                                    GUARD],
  ['rrl: {}',                                                     { ...GUARD, rrl: RRL }],
  ['rrl: 20',                                                     { ...GUARD, rrl: RRL }],
  ['rrl: {per_second: 100}',                                      { ...GUARD, rrl: { ...RRL, rates: same(100) } }],
  ['rrl: {per_second: off, all: 500}',                            { ...GUARD, rrl: { ...RRL, rates: { ...same(0), all: 500 } } }],
  ['rrl: {nodata: 1, nxdomain: 2, referrals: 3, errors: off}',    { ...GUARD, rrl: { ...RRL, rates: { answer: 20, nodata: 1, nxdomain: 2, referral: 3, error: 0, all: 0 } } }],
  ['rrl: {slip: 0, window: 1m, ipv4_prefix: 32, ipv6_prefix: 64, log_only: on}', { ...GUARD, rrl: { ...RRL, slip: 0, window: 60, bits4: 32, bits6: 64, mode: 'log-only' } }],
] as const

// biome-ignore format: table
const WRONG = [
  // rule                        text                                     problems
  ['a rate of none',             'rrl: ▸0',                               ['0 is out of range · at least 1']],
  ['too large a rate',           'rrl: {per_second: ▸10001}',             ['10001 is out of range · at most 10000']],
  ['a list',                     'rrl: ▸[20]',                            ['expected replies a second, off, or a mapping, found a list']],
  ['a key mistyped',             'rrl: {▸per_secon: 5}',                  ['unknown key per_secon · did you mean per_second?']],
  ['more slip than there is',    'rrl: {slip: ▸11}',                      ['11 is out of range · at most 10']],
  ['no window',                  'rrl: {window: ▸0s}',                    ['0 s is out of range · write 1s to 3600s']],
  ['more bits than IPv4 has',    'rrl: {ipv4_prefix: ▸33}',               ['33 is out of range · at most 32']],
  ['more bits than a /64',       'rrl: {ipv6_prefix: ▸65}',               ['65 is out of range · at most 64']],
  ['bits past the prefix',       'rrl: {exempt: [▸192.0.2.1/24]}',        ['192.0.2.1/24 has bits set past /24 · write 192.0.2.0/24']],
  ['all wrong at once',          'rrl: {slip: ▸x, window: ▸2h}\noverload: {max_age: ▸5m}', ['expected a number, found "x"', '7200 s is out of range', '300 s is out of range · write 1s to 60s']],
  ['overload: no switch',        'overload: {shed: ▸no}',                 ['expected on or off, found "no"']],
  ['overload: no age',           'overload: {max_age: ▸0}',               ['0 s is out of range · write 1s to 60s']],
] as const

describe('what keeps the server standing', () => {
  for (const [written, wanted] of GOOD) {
    test(written || 'nothing written', () => expect(judge(written).config?.guard).toEqual(wanted))
  }
  for (const [rule, text, problems] of WRONG) {
    test(rule, () => {
      const { piece, expected } = marked(text, problems)
      expect(cut(judge(piece).problems, expected)).toEqual(expected)
    })
  }

  test('exempt is read as prefixes are', () => {
    const { config } = judge('rrl: {exempt: [192.0.2.0/24, "2001:db8::/32"]}')
    expect(config?.guard.rrl?.exempt).toMatchObject([
      { family: 4, bits: 24 },
      { family: 6, bits: 32 },
    ])
  })
})
