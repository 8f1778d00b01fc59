/** Rules: owners, ways to choose and to pick, TTLs; what a later version will have. */
import { describe, expect, test } from 'vitest'
import { nameText } from '../../server/dns/name.ts'
import { cut, judge, marked } from '../kit/config.ts'

// biome-ignore format: table
const WRONG = [
  // rule                                    the rules                                                          problems
  ['RFC 4592 §2.1.1 * not first',            '{▸a.*.example.com: {pools: [fra]}}',                              ['a.*.example.com has * where no wildcard can be · only the first label may be *']],
  ['RFC 4592 §2.1.1 * twice',                '{▸"*.*.example.com": {pools: [fra]}}',                            ['*.*.example.com has * where no wildcard can be']],
  ['RFC 1035 §2.3.4 a name too long',        `{▸${'a.'.repeat(130)}com: {pools: [fra]}}`,                       [`${'a.'.repeat(130)}com takes 265 octets`]],
  ['an empty label',                         '{▸a..example.com: {pools: [fra]}}',                               ['a..example.com']],
  ['an empty owner',                         '{▸"": {pools: [fra]}}',                                           ['"" does not name anything · write the whole name, like www.example.com']],
  ['the root',                               '{▸".": {pools: [fra]}}',                                          ['"." does not name anything']],
  ['an origin of zone files',                '{▸"@": {pools: [fra]}}',                                          ['"@" does not name anything']],
  ['an IDN',                                 '{▸zürich.example.com: {pools: [fra]}}',                           ['zürich.example.com has characters that names cannot hold · write IDNs in their xn-- form']],
  ['an owner twice but for case',            '{a.example.com: {pools: [fra]}, ▸A.example.COM: {pools: [fra]}}', ['A.example.COM is the same name as a.example.com · keep one of them']],
  ['an owner twice but for the dot',         '{a.example.com.: {pools: [fra]}, ▸a.example.com: {pools: [fra]}}', ['a.example.com is the same name as a.example.com. · keep one of them']],
  ['a rule that is a list',                  '{a.example.com: ▸[fra]}',                                         ['expected a mapping, found a list']],
  ['a rule that is empty',                   '{▸a.example.com: {}}',                                            ['nothing to choose from · add pools: [POOL], or by: with a default']],
  ['by and pools',                           '{a.example.com: {pools: [fra], ▸by: {default: [fra]}}}',          ['both pools and by · keep the one that is to choose']],
  ['pools mistyped',                         '{a.example.com: {▸pool: [fra]}}',                                 ['unknown key pool · did you mean pools?']],
  ['by mistyped, and a key like no other',   '{a.example.com: {▸bi: {}, ▸colour: red}}',                        ['unknown key bi · did you mean by?', 'unknown key colour · known: ttl, pick']],
  ['pools empty',                            '{a.example.com: {pools: ▸[]}}',                                   ['an empty list · give it at least 1 item']],
  ['pools a text',                           '{a.example.com: {pools: ▸fra}}',                                  ['expected a list, found "fra" · write [fra]']],
  ['a pool that is none',                    '{a.example.com: {pools: [▸fre]}}',                                ['no pool is called fre · did you mean fra?']],
  ['pools that are no names',                '{a.example.com: {pools: [▸{toString: 0}, ▸1]}}',                  ['expected text, found a mapping', 'expected text, found number 1 · write "1"']],
  ['a pool like no other',                   '{a.example.com: {pools: [▸sydney]}}',                             ['no pool is called sydney · known: fra, iad']],
  ['a pool twice in one ranking',            '{a.example.com: {pools: [fra, iad, ▸fra]}}',                      ['fra stands here twice · name each pool once']],
  ['default missing',                        '{a.example.com: {▸by: {countries: {DE: [fra]}}}}',                ['default is missing · add default: […]']],
  ['default mistyped',                       '{a.example.com: {by: {▸defualt: [fra]}}}',                        ['unknown key defualt · did you mean default?']],
  ['a network that is none',                 '{a.example.com: {by: {networks: {▸ofice: [fra]}, default: [iad]}}}', ['no network is called ofice · did you mean office?']],
  ['a pool that is none, of a network',      '{a.example.com: {by: {networks: {office: [▸x]}, default: [iad]}}}', ['no pool is called x · known: fra, iad']],
  ['ISO 3166-1 a code there is not',         '{a.example.com: {by: {countries: {▸UK: [fra]}, default: [iad]}}}', ['UK is not an ISO 3166-1 country code · did you mean GB?']],
  ['ISO 3166-1 a code in lower case',        '{a.example.com: {by: {countries: {▸de: [fra]}, default: [iad]}}}', ['de is not an ISO 3166-1 country code · did you mean DE?']],
  ['ISO 3166-1 a code misheard',             '{a.example.com: {by: {countries: {▸JA: [fra]}, default: [iad]}}}', ['JA is not an ISO 3166-1 country code · did you mean']],
  ['ISO 3166-1 a name',                      '{a.example.com: {by: {countries: {▸Switzerland: [fra]}, default: [iad]}}}', ['Switzerland is not an ISO 3166-1 country code · did you mean CH?']],
  ['a wrong code does not hide its pools',   '{a.example.com: {by: {countries: {▸UK: [▸x]}, default: [iad]}}}', ['UK is not', 'no pool is called x']],
  ['a continent there is not',               '{a.example.com: {by: {continents: {▸EV: [fra]}, default: [iad]}}}', ['unknown key EV · did you mean EU?']],
  ['a continent by its name',                '{a.example.com: {by: {continents: {▸Europe: [fra]}, default: [iad]}}}', ['unknown key Europe · known: AF, AN, AS, EU, NA, OC, SA']],
  ['RFC 2181 §8 a TTL too long',             '{a.example.com: {ttl: ▸2147483648, pools: [fra]}}',               ['2147483648 is too long · at most 2147483647 seconds']],
  ['a TTL below 0',                          '{a.example.com: {ttl: ▸-1, pools: [fra]}}',                       ['-1 is less than nothing']],
  ['a TTL in parts of a second',             '{a.example.com: {ttl: ▸1.5, pools: [fra]}}',                      ['1.5 is not a span of time']],
  ['a unit there is not',                    '{a.example.com: {ttl: ▸30sec, pools: [fra]}}',                    ['30sec is not a span of time · write whole seconds, or a span such as 30s, 5m or 1h30m']],
  ['units out of order',                     '{a.example.com: {ttl: ▸30m1h, pools: [fra]}}',                    ['30m1h is not a span of time']],
  ['a TTL that is a list',                   '{a.example.com: {ttl: ▸[30], pools: [fra]}}',                     ['expected a span of time, like 30s, or a mapping with max and min, found a list']],
  ['a TTL without a value',                  '{a.example.com: {▸ttl: , pools: [fra]}}',                         ['expected a span of time, like 30s, or a mapping with max and min, found nothing · give it a value, or take the key out']],
  ['min over max',                           '{a.example.com: {ttl: {max: 30s, min: ▸1m}, pools: [fra]}}',      ['min 60 s is more than max 30 s · make min at most max']],
  ['min over the default max',               '{a.example.com: {ttl: {min: ▸40s}, pools: [fra]}}',               ['min 40 s is more than max 30 s']],
  ['a key of a TTL mistyped',                '{a.example.com: {ttl: {▸maxx: 30s}, pools: [fra]}}',              ['unknown key maxx · did you mean max?']],
  ['a pick mistyped',                        '{a.example.com: {pick: ▸shufle, pools: [fra]}}',                  ['shufle is no pick · did you mean shuffle?']],
  ['a pick like no other',                   '{a.example.com: {pick: ▸best, pools: [fra]}}',                    ['best is no pick · ']],
  ['no answer at all',                       '{a.example.com: {answers: ▸0, pools: [fra]}}',                    ['0 is out of range · at least 1']],
  ['answers in words',                       '{a.example.com: {answers: ▸all, pools: [fra]}}',                  ['expected a number, found "all"']],
  ['truncate neither on nor off',            '{a.example.com: {truncate: ▸maybe, pools: [fra]}}',               ['expected on or off, found "maybe"']],
  ['spread over something else',             '{a.example.com: {spread: ▸pool, pools: [fra]}}',                  ['pool is no spread · did you mean pools?']],
  ['RFC 7871 §6 a quantum over 32',          '{a.example.com: {pick: hash, quantum: {ipv4: ▸33, ipv6: ▸129}, pools: [fra]}}', ['33 is out of range · at most 32', '129 is out of range · at most 128']],
  ['a quantum of no bit',                    '{a.example.com: {pick: hash, quantum: {ipv4: ▸0, ipv6: ▸0.5}, pools: [fra]}}', ['0 is out of range · at least 1', 'expected a whole number, found number 0.5']],
  ['a quantum for one family of none',       '{a.example.com: {pick: hash, quantum: {▸v4: 24}, pools: [fra]}}', ['unknown key v4 · ']],
  ['a quantum that is a number',             '{a.example.com: {pick: hash, quantum: ▸24, pools: [fra]}}',       ['expected a mapping, found number 24']],
  ['a quantum that nothing reads',           '{a.example.com: {▸quantum: {ipv4: 20}, pools: [fra]}}',           ['quantum without pick: hash · add pick: hash, or take quantum out']],
  ['a quantum beside another pick',          '{a.example.com: {pick: two, ▸quantum: {}, pools: [fra]}}',        ['quantum without pick: hash']],
  ['a quantum beside a pick mistyped',       '{a.example.com: {pick: ▸hsh, quantum: {}, pools: [fra]}}',        ['hsh is no pick · did you mean hash?']],
  ['a quorum of nothing',                    '{a.example.com: {quorum: ▸0%, pools: [fra]}}',                    ['0% is no quorum']],
  ['a quorum that a pool never has',         '{a.example.com: {quorum: ▸2, pools: [fra]}}',                     ['pool fra never has a quorum of 2: it has 1 target · at most 1, or a share like 50%']],
  ['a quorum that a branch’s pool never has', '{a.example.com: {quorum: ▸2, by: {countries: {DE: [iad]}, default: [fra]}}}', ['pool iad never has a quorum of 2']],
  ['a quorum that a followed rule’s pool never has', '{a.example.com: {quorum: ▸3, rule: b.example.com}, b.example.com: {pools: [fra]}}', ['pool fra never has a quorum of 3']],
  ['a spill below 1',                        '{a.example.com: {spill: ▸0.99, pools: [fra]}}',                   ['0.99 is out of range · at least 1']],
  ['a last resort there is not',             '{a.example.com: {last_resort: ▸al, pools: [fra]}}',               ['al is no last resort · did you mean all?']],
  ['a last resort that is a pool mistyped',  '{a.example.com: {last_resort: ▸fre, pools: [fra]}}',              ['fre is no last resort · did you mean fra?']],
  ['an empty last resort',                   '{a.example.com: {last_resort: ▸"", pools: [fra]}}',               ['"" is no last resort · known: all, none-healthy-pool, fra, iad']],
] as const

describe('rules', () => {
  for (const [rule, text, problems] of WRONG) {
    test(rule, () => {
      const { piece, expected } = marked(`steer: ${text}`, problems)
      expect(cut(judge(piece).problems, expected)).toEqual(expected)
    })
  }

  test('a last resort that may be a word and a pool', () => {
    const pools = 'pools: {all: {targets: [192.0.2.1]}}'
    const { problems } = judge(`${pools}\nsteer: {a.example.com: {last_resort: all, pools: [all]}}`)
    expect(problems).toEqual([
      '2:38 all is a word here and a pool of yours · give the pool another name',
    ])
    expect(judge(`${pools}\nsteer: {a.example.com: {pools: [all]}}`).problems).toEqual([])
  })

  test('a pool where there is none', () => {
    const { problems } = judge('pools: {}\nsteer: {a.example.com: {pools: [fra]}}')
    expect(problems).toEqual(['2:33 no pool is called fra · add it under pools'])
  })
})

// biome-ignore format: table
const ELSEWHERE = [
  // what                       the rule                                     what is said
  ['slow_start',                '{pools: [fra], ▸slow_start: 60s}',          ['slow_start is not written here · give it to a pool']],
  ['drain and down',            '{pools: [fra], ▸drain: on, ▸down: on}',     ['drain is not written here', 'down is not written here']],
  ['a key of the whole file',   '{pools: [fra], ▸activate_at: x}',           ['activate_at is not of a rule · put it at the top of the file']],
  ['keys of a pool',            '{pools: [fra], ▸check: web, ▸loads: {}}',   ['check is not of a rule · put it into each pool, under pools', 'loads is not of a rule']],
] as const

describe('keys that a rule does not have', () => {
  for (const [what, rule, said] of ELSEWHERE) {
    test(what, () => {
      const { piece, expected } = marked(`steer: {a.example.com: ${rule}}`, said)
      expect(cut(judge(piece).problems, expected)).toEqual(expected)
    })
  }
})

// biome-ignore format: table
const TTL = [
  // written                   max            min
  ['30s',                      30,            30],
  ['60',                       60,            60],
  ['"60"',                     60,            60],
  ['0',                        0,             0],
  ['1m',                       60,            60],
  ['1h30m',                    5_400,         5_400],
  ['1w2d3h4m5s',               788_645,       788_645],
  ['2147483647',               2_147_483_647, 2_147_483_647],
  ['{max: 30s, min: 10s}',     30,            10],
  ['{max: 1m, min: 1m}',       60,            60],
  ['{max: 2m}',                120,           10],
  ['{max: 5s}',                5,             5],
  ['{min: 20s}',               30,            20],
  ['{}',                       30,            10],
] as const

const PICKS = [
  ...['shuffle', 'rotate', 'random', 'weighted', 'smooth'],
  ...['hash', 'two', 'least', 'feedback', 'fastest', 'multi'],
]

// biome-ignore format: table
const SETTINGS = [
  // written                                        what it becomes
  ['spread: pools',                                 { spread: 'pools' }],
  ['pick: hash, quantum: {ipv4: 20, ipv6: 40}',     { quantum: { ipv4: 20, ipv6: 40 } }],
  ['pick: hash, quantum: {ipv4: 32, ipv6: 128}',    { quantum: { ipv4: 32, ipv6: 128 } }],
  ['pick: hash, quantum: {ipv6: 1}',                { quantum: { ipv4: 24, ipv6: 1 } }],
  ['pick: hash, quantum: {}',                       { quantum: { ipv4: 24, ipv6: 48 } }],
  ['quorum: 1',                                     { quorum: { kind: 'count', count: 1 } }],
  ['quorum: 100%',                                  { quorum: { kind: 'share', share: 1 } }],
  ['spill: 1.4',                                    { spill: 1.4 }],
  ['last_resort: all',                              { lastResort: { kind: 'all' } }],
  ['last_resort: none-healthy-pool',                { lastResort: { kind: 'healthiest' } }],
  ['last_resort: iad',                              { lastResort: { kind: 'pool', pool: 1 } }],
  ['truncate: on',                                  { truncate: true }],
] as const

describe('what a rule becomes', () => {
  for (const [written, max, min] of TTL) {
    test(`ttl: ${written}`, () => {
      const { config } = judge(`steer: {a.example.com: {ttl: ${written}, pools: [fra]}}`)
      expect(config?.policy.rules[0]?.ttl).toEqual({ max, min })
    })
  }

  test('what is left out has its default', () => {
    const { config } = judge('steer:\n  A.example.COM: {pools: [iad, fra]}\n')
    const [rule] = config?.policy.rules ?? []
    expect(nameText(rule?.owner ?? new Uint8Array(1))).toBe('a.example.com.')
    expect(rule).toMatchObject({
      at: { file: 'lbdns.yaml', line: 2, column: 3 },
      ttl: { max: 30, min: 10 },
      pick: 'shuffle',
      answers: undefined,
      truncate: false,
      spread: undefined,
      quantum: undefined,
      quorum: undefined,
      spill: undefined,
      lastResort: undefined,
      services: undefined,
      choose: { kind: 'all', pools: [1, 0] },
    })
  })

  for (const pick of PICKS) {
    test(`pick: ${pick}`, () => {
      const { config, problems } = judge(
        `steer: {a.example.com: {pick: ${pick}, answers: 2, pools: [fra]}}`,
      )
      expect(problems).toEqual([])
      expect(config?.policy.rules[0]).toMatchObject({ pick, answers: 2 })
    })
  }

  for (const [written, expected] of SETTINGS) {
    test(written, () => {
      const { config, problems } = judge(`steer: {a.example.com: {${written}, pools: [fra]}}`)
      expect(problems).toEqual([])
      expect(config?.policy.rules[0]).toMatchObject(expected)
    })
  }
})
