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
  ['by and pools',                           '{a.example.com: {by: {default: [fra]}, ▸pools: [fra]}}',          ['both by and pools · keep by to tailor, pools to answer all alike']],
  ['pools mistyped',                         '{a.example.com: {▸pool: [fra]}}',                                 ['unknown key pool · did you mean pools?']],
  ['by mistyped, and a key like no other',   '{a.example.com: {▸bi: {}, ▸colour: red}}',                        ['unknown key bi · did you mean by?', 'unknown key colour · known: ttl, pick']],
  ['pools empty',                            '{a.example.com: {pools: ▸[]}}',                                   ['an empty list · give it at least 1 item']],
  ['pools a text',                           '{a.example.com: {pools: ▸fra}}',                                  ['expected a list, found "fra" · write [fra]']],
  ['a pool that is none',                    '{a.example.com: {pools: [▸fre]}}',                                ['no pool is called fre · did you mean fra?']],
  ['a pool like no other',                   '{a.example.com: {pools: [▸sydney]}}',                             ['no pool is called sydney · known: fra, iad']],
  ['a pool twice in one ranking',            '{a.example.com: {pools: [fra, iad, ▸fra]}}',                      ['fra stands here twice · name each pool once']],
  ['default missing',                        '{a.example.com: {▸by: {countries: {DE: [fra]}}}}',                ['default is missing · add default: […]']],
  ['default mistyped',                       '{a.example.com: {by: {▸defualt: [fra]}}}',                        ['unknown key defualt · did you mean default?']],
  ['a network that is none',                 '{a.example.com: {by: {networks: {▸ofice: [fra]}, default: [iad]}}}', ['no network is called ofice · did you mean office?']],
  ['a pool that is none, of a network',      '{a.example.com: {by: {networks: {office: [▸x]}, default: [iad]}}}', ['no pool is called x · known: fra, iad']],
  ['ISO 3166-1 a code there is not',         '{a.example.com: {by: {countries: {▸UK: [fra]}, default: [iad]}}}', ['UK is not an ISO 3166-1 country code · did you mean GB?']],
  ['ISO 3166-1 a code in lower case',        '{a.example.com: {by: {countries: {▸de: [fra]}, default: [iad]}}}', ['de is not an ISO 3166-1 country code · did you mean DE?']],
  ['ISO 3166-1 a code misheard',             '{a.example.com: {by: {countries: {▸JA: [fra]}, default: [iad]}}}', ['JA is not an ISO 3166-1 country code · did you mean']],
  ['ISO 3166-1 a name',                      '{a.example.com: {by: {countries: {▸Switzerland: [fra]}, default: [iad]}}}', ['Switzerland is not an ISO 3166-1 country code · write two capital letters, like DE']],
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
  ['a pick like no other',                   '{a.example.com: {pick: ▸best, pools: [fra]}}',                    ['best is no pick · known: shuffle, rotate']],
  ['no answer at all',                       '{a.example.com: {answers: ▸0, pools: [fra]}}',                    ['0 is out of range · at least 1']],
  ['answers in words',                       '{a.example.com: {answers: ▸all, pools: [fra]}}',                  ['expected a number, found "all"']],
  ['truncate neither on nor off',            '{a.example.com: {truncate: ▸maybe, pools: [fra]}}',               ['expected on or off, found "maybe"']],
] as const

describe('rules', () => {
  for (const [rule, text, problems] of WRONG) {
    test(rule, () => {
      const { piece, expected } = marked(`steer: ${text}`, problems)
      expect(cut(judge(piece).problems, expected)).toEqual(expected)
    })
  }

  test('a pool where there is none', () => {
    const { problems } = judge('pools: {}\nsteer: {a.example.com: {pools: [fra]}}')
    expect(problems).toEqual(['2:33 no pool is called fra · add it under pools'])
  })
})

const HAS = 'it has ttl, pick, answers, truncate, by, pools'
const BY = 'it has networks, countries, continents, default'

// biome-ignore format: table
const LATER = [
  // what                  the rule                                       what this version says
  ['nearest',              '{▸nearest: [fra]}',                           [`this version does not have nearest · ${HAS}`]],
  ['nearest, with a bias', '{▸nearest: [fra], ▸bias: {fra: 10}}',         [`this version does not have nearest · ${HAS}`, `this version does not have bias · ${HAS}`]],
  ['latency',              '{▸latency: {file: rtt.csv}}',                 [`this version does not have latency · ${HAS}`]],
  ['spill',                '{pools: [fra], ▸spill: 1.4}',                 [`this version does not have spill · ${HAS}`]],
  ['quorum',               '{pools: [fra], ▸quorum: 0.5}',                [`this version does not have quorum · ${HAS}`]],
  ['last_resort',          '{pools: [fra], ▸last_resort: all}',           [`this version does not have last_resort · ${HAS}`]],
  ['spread',               '{pools: [fra], ▸spread: pools}',              [`this version does not have spread · ${HAS}`]],
  ['by.asn',               '{by: {▸asn: {64500: [fra]}, default: [fra]}}', [`this version does not have asn · ${BY}`]],
  ['by.subdivisions',      '{by: {▸subdivisions: {US-CA: [fra]}, default: [fra]}}', [`this version does not have subdivisions · ${BY}`]],
  ['by.cities',            '{by: {▸cities: {}, default: [fra]}}',         [`this version does not have cities · ${BY}`]],
  ['by.fields',            '{by: {▸fields: {}, default: [fra]}}',         [`this version does not have fields · ${BY}`]],
  ...['random', 'weighted', 'smooth', 'hash', 'two', 'least', 'feedback', 'fastest'].map(pick =>
    [`pick ${pick}`, `{pools: [fra], pick: ▸${pick}}`, [`this version does not have pick ${pick} · it has shuffle, rotate`]] as const),
] as const

describe('what a version to come will have', () => {
  for (const [what, rule, said] of LATER) {
    test(what, () => {
      const { piece, expected } = marked(`steer: {a.example.com: ${rule}}`, said)
      expect(judge(piece).problems).toEqual(expected)
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
      choose: { kind: 'all', ranking: [1, 0] },
    })
  })

  test('branches are joined to pools and networks by number', () => {
    const by =
      '{networks: {home: [iad], office: [fra]}, countries: {DE: [fra, iad]}, continents: {EU: [iad]}, default: [fra]}'
    const { config } = judge(
      `steer: {"*.example.com": {pick: rotate, answers: 2, truncate: on, by: ${by}}}`,
    )
    expect(config?.policy.networks.map(({ name }) => name)).toEqual(['office', 'home'])
    expect(config?.policy.pools.map(({ name }) => name)).toEqual(['fra', 'iad'])
    expect(config?.policy.rules).toMatchObject([
      {
        owner: Uint8Array.from('\x01*\x07example\x03com\0', octet => octet.charCodeAt(0)),
        pick: 'rotate',
        answers: 2,
        truncate: true,
        choose: {
          kind: 'by',
          by: {
            networks: [
              { network: 1, ranking: [1] },
              { network: 0, ranking: [0] },
            ],
            countries: new Map([['DE', [0, 1]]]),
            continents: new Map([['EU', [1]]]),
            default: [0],
          },
        },
      },
    ])
  })
})
