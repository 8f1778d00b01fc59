import { describe, expect, test } from 'vitest'
import { NO_WANTED, type Wanted } from '../../server/geo/record.ts'
import type { Choose } from '../../server/steer/rule.ts'
import { latenciesRead, networksRead, wantedOf } from '../../server/steer/wanted.ts'
import { by, nearest, network, policyOf, type RuleText, rule } from '../kit/steering.ts'

const near = nearest([0])
const latency: Choose = { kind: 'latency', latency: 1, nearest: near }
const speed = 'traits/connection_type'

describe('what rules read of places: that and no more', () => {
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, RuleText, Partial<Wanted>])[] = [
    ['the same for all',         { all: [0] },                             {}],
    ['networks alone',           { networks: [[0, [0]]] },                 {}],
    ['countries',                { countries: { DE: [0] } },               { country: true }],
    ['continents',               { continents: { EU: [0] } },              { country: true }],
    ['AS numbers',               { asns: { 64500: [0] } },                 { asns: new Set([64500]) }],
    ['subdivisions',             { subdivisions: { 'US-CA': [0] } },       { subdivisions: new Set(['US-CA']) }],
    ['a city',                   { cities: { Berlin: [0] } },              { cities: new Set(['Berlin']) }],
    ['a city of a country',      { cities: { 'DE/Berlin': [0] } },         { cities: new Set(['Berlin']), country: true }],
    ['a city of a subdivision',  { cities: { 'US-CA/Ojai': [0] } },
      { cities: new Set(['Ojai']), country: true, subdivisions: new Set(['US-CA']) }],
    ['a stroke in its name',     { cities: { 'Biel/Bienne': [0] } },       { cities: new Set(['Biel/Bienne']) }],
    ['values of a field',        { fields: { [speed]: { Cellular: [0], Cable: [0] } } },
      { fields: new Map([[speed, new Set(['Cellular', 'Cable'])]]) }],
    ['distance',                 { choose: near },                         { country: true, point: true }],
    ['latency, else distance',   { choose: latency },                      { country: true, point: true }],
    ['what a branch reads',      { networks: [[0, by({ countries: { DE: near } })]] }, { country: true, point: true }],
    ['what default reads',       { default: by({ asns: { 1: [0] } }) },    { asns: new Set([1]) }],
  ]
  for (const [what, text, expected] of TABLE) {
    test(what, () => {
      expect(wantedOf(policyOf({ rules: [rule(text)] }))).toEqual({ ...NO_WANTED, ...expected })
    })
  }
  test('of all rules together', () => {
    const rules = [
      rule({ fields: { a: { 1: [0] } } }),
      rule({ fields: { b: { 2: [0] }, a: { 3: [0] } } }),
    ]
    const fields = new Map([
      ['a', new Set(['1', '3'])],
      ['b', new Set(['2'])],
    ])
    expect(wantedOf(policyOf({ rules }))).toEqual({ ...NO_WANTED, fields })
  })
})

test('networks and latencies that some rule reads, each once', () => {
  const networks = ['a', 'b', 'c'].map(name => network(name, '9.0.0.0/8'))
  const branches = by({ networks: [[2, [0]]], default: latency })
  const rules = [
    rule({ networks: [[2, [0]]], countries: { DE: branches } }),
    rule({ networks: [[0, [0]]] }),
  ]
  const policy = policyOf({ networks, rules })
  expect(networksRead(policy)).toEqual([0, 2])
  expect(latenciesRead(policy)).toEqual([1])
})
