import { describe, expect, test } from 'vitest'
import { problemText } from '../../server/fault.ts'
import type { DatabaseText } from '../kit/mmdb.ts'
import { by, compiled, nearest, placesFor, pool, type RuleText, rule } from '../kit/steering.ts'

const POOL = { ...pool('p', '192.0.2.1'), point: { lat: 50, lon: 8 } }

describe('what no database holds', () => {
  const lands = { networks: [['198.51.100.0/24', { country_code: 'DE' }]] } as const
  const held = (text: RuleText, ...databases: DatabaseText[]): readonly string[] => {
    const policy = { pools: [POOL], rules: [rule(text)] }
    return compiled(policy, placesFor(policy, ...databases)).said.problems.map(problemText)
  }
  const none = (line: number, what: string, fix: string): string[] => [
    `rules:${line}:1: www.example.com. ${what} · add a database ${fix} to geo`,
  ]
  const field = { 'traits/user_type': { business: [0] } }
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['countries, no database', held({ countries: { DE: [0] } }),
      none(7, 'reads countries, and there is no geo database', 'of countries')],
    ['continents stand for countries', held({ continents: { EU: [0] } }),
      none(8, 'reads countries, and there is no geo database', 'of countries')],
    ['countries that are held', held({ countries: { DE: [0], FR: [0] } }, lands), []],
    ['AS numbers', held({ asns: { 64500: [0] } }, lands),
      none(3, 'reads AS numbers, which are not in test0.mmdb', 'of AS numbers')],
    ['a field', held({ fields: field }, lands, lands),
      none(4, 'reads traits/user_type, which is not in test0.mmdb, test1.mmdb', 'with traits/user_type')],
    ['cities', held({ cities: { Berlin: [0] } }, lands),
      none(5, 'reads cities, which are not in test0.mmdb', 'of cities')],
    ['subdivisions', held({ subdivisions: { 'US-CA': [0] } }, lands),
      none(6, 'reads subdivisions, which are not in test0.mmdb', 'of cities')],
    ['distance by countries', held({ choose: nearest([0]) }, lands), []],
    ['distance by nothing', held({ choose: nearest([0]) }),
      none(1, 'chooses by distance, and there is no geo database', 'of countries or coordinates')],
    ['in a branch', held({ networks: [], default: by({ asns: { 64500: [0] } }) }, lands),
      none(3, 'reads AS numbers, which are not in test0.mmdb', 'of AS numbers')],
  ]
  for (const [what, said, expected] of TABLE) {
    test(what, () => expect(said).toEqual(expected))
  }
})
