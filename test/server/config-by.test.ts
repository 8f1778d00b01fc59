/** How clients are told apart: the keys of every kind of branch. */
import { describe, expect, test } from 'vitest'
import type { Branches, Choose } from '../../server/steer/rule.ts'
import { cut, judge, marked } from '../kit/config.ts'

// biome-ignore format: table
const WRONG = [
  // rule                                  branches                                            problems
  ['RFC 7607 AS 0',                        'asns: {▸0: [fra]}',                                ['0 is no AS number · write a number, 1 to 4294967295, like 64500 or AS64500']],
  ['RFC 7607 AS 0 in words',               'asns: {▸AS0: [fra]}',                              ['AS0 is no AS number']],
  ['RFC 6793 §3 more than 32 bits',        'asns: {▸4294967296: [fra]}',                       ['4294967296 is no AS number']],
  ['an AS number below 0',                 'asns: {▸-1: [fra]}',                               ['-1 is no AS number']],
  ['no number at all',                     'asns: {▸AS: [fra], ▸ASx: [fra], ▸"": [fra]}',      ['AS is no AS number', 'ASx is no AS number', '"" is no AS number']],
  ['RFC 5396 asdot',                       'asns: {▸AS1.10: [fra]}',                           ['AS1.10 is no AS number']],
  ['an AS number with a blank',            'asns: {▸AS 64500: [fra]}',                         ['AS 64500 is no AS number']],
  ['an AS number with a leading zero',     'asns: {▸"064500": [fra]}',                         ['064500 is no AS number']],
  ['an AS number in two ways',             'asns: {64500: [fra], ▸AS64500: [iad]}',            ['AS64500 is the same as 64500 · keep one of them']],
  ['an AS number in two cases',            'asns: {AS64500: [fra], ▸as64500: [iad]}',          ['as64500 is the same as AS64500']],
  ['asn mistyped',                         '▸asn: {64500: [fra]}',                             ['unknown key asn · did you mean asns?']],
  ['the pools of an AS number',            'asns: {64500: [▸fre]}',                            ['no pool is called fre · did you mean fra?']],
  ['ISO 3166-2 in small letters',          'subdivisions: {▸us-ca: [fra]}',                    ['us-ca is not an ISO 3166-2 code · did you mean US-CA?']],
  ['ISO 3166-2 after an alpha-3 code',     'subdivisions: {▸USA-CA: [fra]}',                   ['USA-CA is not an ISO 3166-2 code · did you mean US-CA?']],
  ['ISO 3166-2 with an underscore',        'subdivisions: {▸US_CA: [fra]}',                    ['US_CA is not an ISO 3166-2 code · did you mean US-CA?']],
  ['ISO 3166-2 a country alone',           'subdivisions: {▸US: [fra]}',                       ['US is a country · put it under countries, or write it like US-CA']],
  ['ISO 3166-2 of a reserved code',        'subdivisions: {▸UK-ENG: [fra]}',                   ['UK-ENG is not an ISO 3166-2 code · did you mean GB-ENG?']],
  ['ISO 3166-2 a country there is not',    'subdivisions: {▸QX-1: [fra]}',                     ['QX-1 is not an ISO 3166-2 code · did you mean']],
  ['ISO 3166-2 a part too long',           'subdivisions: {▸US-CALI: [fra]}',                  ['US-CALI is not an ISO 3166-2 code · write it like US-CA']],
  ['ISO 3166-2 no part',                   'subdivisions: {▸US-: [fra], ▸"": [fra]}',          ['US- is not an ISO 3166-2 code', '"" is not an ISO 3166-2 code']],
  ['ISO 3166-2 a name',                    'subdivisions: {▸California: [fra]}',               ['California is not an ISO 3166-2 code · write it like US-CA']],
  ['a city of a country there is not',     'cities: {▸UK/London: [fra]}',                      ['UK is not an ISO 3166-1 country code · did you mean GB?']],
  ['a city of a country in small letters', 'cities: {▸de/Berlin: [fra]}',                      ['de is not an ISO 3166-1 country code · did you mean DE?']],
  ['a city of a country by its name',      'cities: {▸Germany/Berlin: [fra]}',                 ['Germany is not an ISO 3166-1 country code · did you mean DE?']],
  ['a city of a subdivision in small letters', 'cities: {▸us-ca/Los Angeles: [fra]}',          ['us-ca is not an ISO 3166-2 code · did you mean US-CA?']],
  ['a city without a name',                'cities: {▸DE/: [fra], ▸"": [fra], ▸" ": [fra], ▸/Berlin: [fra]}', ['DE/ names no city · write it like Berlin, DE/Berlin or US-CA/Los Angeles', '"" names no city', '  names no city', '/Berlin names no city']],
  ['a city with blanks around it',         'cities: {▸"Berlin ": [fra]}',                      ['"Berlin " has blanks around the name · take them out']],
  ['an empty country',                     'countries: {▸"": [fra]}',                          ['"" is not an ISO 3166-1 country code']],
  ['an empty country, written as nothing', 'countries: {▸~: [fra]}',                           ['"" is not an ISO 3166-1 country code']],
  ['a field without a name',               'fields: {▸"": {a: [fra]}}',                        ['"" is no path of a field · write it like traits/connection_type']],
  ['a field with an empty step',           'fields: {▸/traits: {a: [fra]}, ▸traits/: {a: [fra]}, ▸a//b: {a: [fra]}}', ['/traits is no path of a field', 'traits/ is no path of a field', 'a//b is no path of a field']],
  ['a field with blanks',                  'fields: {▸traits / isp: {a: [fra]}}',              ['traits / isp is no path of a field']],
  ['a field without values',               'fields: {▸traits/isp: {}}',                        ['a field without a value · add VALUE: [POOL], or take the field out']],
  ['a field with an empty value',          'fields: {traits/isp: {▸"": [fra]}}',               ['an empty value · write it as the database has it']],
  ['a field that is a list',               'fields: {traits/isp: ▸[fra]}',                     ['expected a mapping, found a list']],
  ['a kind of branch there is not',        '▸regions: {US-CA: [fra]}',                         ['unknown key regions · known: networks, asns, fields, cities, subdivisions, countries, continents, default']],
] as const

describe('branches', () => {
  for (const [rule, text, problems] of WRONG) {
    test(rule, () => {
      const { piece, expected } = marked(
        `steer: {a.example.com: {by: {${text}, default: [iad]}}}`,
        problems,
      )
      expect(cut(judge(piece).problems, expected)).toEqual(expected)
    })
  }
})

function branchesOf(text: string): Branches {
  const { config, problems } = judge(`steer: {a.example.com: {by: {${text}, default: [iad]}}}`)
  expect(problems).toEqual([])
  const choose: Choose | undefined = config?.policy.rules[0]?.choose
  if (choose?.kind !== 'by') throw new Error('not by')
  return choose.by
}

// biome-ignore format: table
const KEYS = [
  // rule                                   written                                                  kind            keys
  ['AS numbers, both ways',                 'asns: {AS64500: [fra], 64501: [fra], as64502: [fra]}',  'asns',         [64501, 64500, 64502]],
  ['RFC 6793 §3 the least and the greatest', 'asns: {AS1: [fra], AS4294967295: [fra]}',              'asns',         [1, 4_294_967_295]],
  ['ISO 3166-2 letters and digits',         'subdivisions: {US-CA: [fra], FR-75: [fra], GB-ENG: [fra], AT-9: [fra]}', 'subdivisions', ['US-CA', 'FR-75', 'GB-ENG', 'AT-9']],
  ['YAML 1.2 subdivisions of Norway',       'subdivisions: {NO-03: [fra]}',                          'subdivisions', ['NO-03']],
  ['cities in every form',                  'cities: {Berlin: [fra], DE/Berlin: [fra], US-CA/Los Angeles: [fra], São Paulo: [fra]}', 'cities', ['Berlin', 'DE/Berlin', 'US-CA/Los Angeles', 'São Paulo']],
  ['YAML 1.2 NO is Norway',                 'countries: {NO: [fra], DE: [fra]}',                     'countries',    ['NO', 'DE']],
  ['continents',                            'continents: {NA: [fra], EU: [fra]}',                    'continents',   ['NA', 'EU']],
] as const

describe('what branches become', () => {
  for (const [rule, written, kind, keys] of KEYS) {
    test(rule, () => {
      expect([...branchesOf(written)[kind].keys()].sort()).toEqual([...keys].sort())
    })
  }

  test('fields as listed, and their values as text', () => {
    const { fields } = branchesOf(
      'fields: {traits/is_anycast: {true: [fra]}, traits/connection_type: {Cable/DSL: [fra], 5: [fra], 1.50: [iad]}}',
    )
    expect(fields.map(({ path, values }) => [path, [...values.keys()].sort()])).toEqual([
      ['traits/is_anycast', ['true']],
      ['traits/connection_type', ['1.5', '5', 'Cable/DSL']],
    ])
    expect(fields[1]?.at).toEqual({ file: 'lbdns.yaml', line: 1, column: 73 })
    expect(fields[1]?.values.get('5')?.at.column).toBe(116)
  })

  test('all kinds are there, empty where nothing is written', () => {
    expect(branchesOf('countries: {}')).toEqual({
      networks: [],
      asns: new Map(),
      fields: [],
      cities: new Map(),
      subdivisions: new Map(),
      countries: new Map(),
      continents: new Map(),
      default: { kind: 'all', pools: [1] },
    })
  })

  test('branches are joined to pools and networks by number', () => {
    const text = 'networks: {home: [iad], office: [fra]}, countries: {DE: [fra, iad]}'
    const { networks, countries } = branchesOf(text)
    const column = (key: string) => 'steer: {a.example.com: {by: {'.length + text.indexOf(key) + 1
    const at = (key: string) => ({ file: 'lbdns.yaml', line: 1, column: column(key) })
    expect(networks).toEqual([
      { network: 1, to: { kind: 'all', pools: [1] }, at: at('home') },
      { network: 0, to: { kind: 'all', pools: [0] }, at: at('office') },
    ])
    expect([...countries]).toEqual([['DE', { to: { kind: 'all', pools: [0, 1] }, at: at('DE') }]])
  })
})
