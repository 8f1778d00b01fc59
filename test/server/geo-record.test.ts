import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readCountries } from '../../server/geo/countries.ts'
import { NO_WANTED, NOWHERE, type Place, placeOf, type Wanted } from '../../server/geo/record.ts'

const COUNTRIES = readCountries(readFileSync('data/geo/countries.csv', 'utf8'))

/** A place that is known by nothing but this. */
function place(known: Partial<Place>): Place {
  return { ...NOWHERE, ...known }
}

function told(record: unknown, wanted: Partial<Wanted>): Place {
  return placeOf(record, { ...NO_WANTED, ...wanted }, COUNTRIES)
}

const MAXMIND = {
  city: { geoname_id: 2643743, names: { de: 'London', en: 'London', 'zh-CN': '伦敦' } },
  continent: { code: 'EU', names: { en: 'Europe' } },
  country: { iso_code: 'GB', is_in_european_union: false },
  location: { accuracy_radius: 10, latitude: 51.5142, longitude: -0.0931 },
  registered_country: { iso_code: 'US' },
  subdivisions: [{ iso_code: 'ENG' }, { iso_code: 'WSM' }],
  traits: { is_anycast: true, connection_type: 'Cable/DSL', user_count: 3, static_ip_score: 0.25 },
}
const DBIP = {
  city: { names: { en: 'Sydney (Barangaroo)' } },
  continent: { code: 'OC' },
  country: { iso_code: 'AU' },
  location: { latitude: -33.8612, longitude: 151.199 },
  subdivisions: [{ names: { en: 'New South Wales' } }],
}
const FLAT = {
  city: 'Sydney',
  country_code: 'AU',
  latitude: '-33.8688',
  longitude: '151.209',
  postcode: '2000',
  state1: 'New South Wales',
  state2: '',
}
const IPINFO = {
  city: 'Melbourne',
  region: 'Victoria',
  region_code: 'VIC',
  country: 'Australia',
  country_code: 'AU',
  continent: 'Oceania',
  continent_code: 'OC',
  latitude: -37.814,
  longitude: 144.96332,
}

describe('country and continent, by maker', () => {
  // biome-ignore format: table
  const TABLE = [
    ['MaxMind',                          MAXMIND,                                      'GB',      'EU'],
    ['DB-IP lite, continent before our table', { country: { iso_code: 'CY' }, continent: { code: 'AS' } }, 'CY', 'AS'],
    ['registered only',                  { registered_country: { iso_code: 'FR' } },   'FR',      'EU'],
    ['ip-location-db',                   { country_code: 'JP' },                       'JP',      'AS'],
    ['flat, with continent',             { country_code: 'BR', continent_code: 'SA' }, 'BR',      'SA'],
    ['IPinfo, code and name',            IPINFO,                                       'AU',      'OC'],
    ['IPinfo of old, codes as names',    { country: 'KR', continent: 'AS' },           'KR',      'AS'],
    ['a name alone is no code',          { country: 'Australia', continent: 'Oceania' }, undefined, undefined],
    ['lower case',                       { country_code: 'jp', continent_code: 'as' }, 'JP',      'AS'],
    ['continent alone',                  { continent: { code: 'AF' } },                undefined, 'AF'],
    ['an empty code',                    { country_code: '' },                         undefined, undefined],
    ['a dash for unknown',               { country_code: '-' },                        undefined, undefined],
    ['a code of no country',             { country_code: 'AP' },                       'AP',      undefined],
    ['ASN',                              { autonomous_system_number: 64500 },          undefined, undefined],
    ['a code that is a number',          { country_code: 276 },                        undefined, undefined],
    ['a name of Object',                 { country: { constructor: 'x' } },            undefined, undefined],
    ['text',                             'DE',                                         undefined, undefined],
    ['nothing',                          undefined,                                    undefined, undefined],
  ] as const
  for (const [name, record, country, continent] of TABLE) {
    test(name, () => {
      expect(told(record, { country: true })).toEqual(place({ country, continent }))
    })
  }
})

describe('subdivision: ISO 3166-2, the first level', () => {
  const subdivisions = new Set([
    'GB-ENG',
    'GB-WSM',
    'AU-VIC',
    'US-CA',
    'JP-13',
    'AU-New South Wales',
  ])
  // biome-ignore format: table
  const TABLE = [
    ['MaxMind: the first of two levels',   MAXMIND,                                                          'GB-ENG'],
    ['MaxMind: a code in lower case',      { country: { iso_code: 'us' }, subdivisions: [{ iso_code: 'ca' }] }, 'US-CA'],
    ['the country before it already',      { country_code: 'US', region_code: 'US-CA' },                     'US-CA'],
    ['digits',                             { country_code: 'JP', region_code: '13' },                        'JP-13'],
    ['IPinfo',                             IPINFO,                                                           'AU-VIC'],
    ['DB-IP lite has names: none',         DBIP,                                                             undefined],
    ['ip-location-db has names: none',     FLAT,                                                             undefined],
    ['a name where the code is due: none', { country_code: 'AU', region_code: 'New South Wales' },           undefined],
    ['no country to put before it: none',  { subdivisions: [{ iso_code: 'CA' }] },                           undefined],
    ['of the country of registration',     { registered_country: { iso_code: 'US' }, subdivisions: [{ iso_code: 'CA' }] }, 'US-CA'],
    ['an empty list',                      { country_code: 'US', subdivisions: [] },                         undefined],
    ['not wanted',                         { country_code: 'US', region_code: 'NY' },                        undefined],
  ] as const
  for (const [name, record, subdivision] of TABLE) {
    test(name, () => expect(told(record, { subdivisions })).toEqual(place({ subdivision })))
  }
})

describe('city, by its English name', () => {
  const cities = new Set(['London', 'Sydney', 'Sydney (Barangaroo)', 'Melbourne'])
  // biome-ignore format: table
  const TABLE = [
    ['MaxMind',         MAXMIND,                          'London'],
    ['DB-IP lite',      DBIP,                             'Sydney (Barangaroo)'],
    ['ip-location-db',  FLAT,                             'Sydney'],
    ['IPinfo',          IPINFO,                           'Melbourne'],
    ['no English name', { city: { names: { de: 'London' } } }, undefined],
    ['another case',    { city: 'london' },               undefined],
    ['not wanted',      { city: 'Berlin' },               undefined],
    ['an empty name',   { city: '' },                     undefined],
  ] as const
  for (const [name, record, city] of TABLE) {
    test(name, () => expect(told(record, { cities })).toEqual(place({ city })))
  }
})

describe('autonomous system', () => {
  const asns = new Set([0, 13335, 64500, 4200000000])
  // biome-ignore format: table
  const TABLE = [
    ['MaxMind, DB-IP, ip-location-db', { autonomous_system_number: 13335 },             13335],
    ['MaxMind Enterprise',         { traits: { autonomous_system_number: 64500 } },     64500],
    ['IPinfo',                     { asn: 'AS13335' },                                  13335],
    ['a number by the short name', { asn: 64500 },                                      64500],
    ['digits as text',             { asn: '64500' },                                    64500],
    ['lower case',                 { asn: 'as64500' },                                  64500],
    ['four octets',                { asn: 'AS4200000000' },                             4200000000],
    ['not wanted',                 { asn: 64501 },                                      undefined],
    ['0 is nobody\'s (RFC 7607)',  { asn: 0 },                                          undefined],
    ['a fraction',                 { asn: 64500.5 },                                    undefined],
    ['a name behind it',           { asn: 'AS64500 Example' },                          undefined],
    ['empty',                      { asn: '' },                                         undefined],
    ['a map',                      { asn: { asn: 64500 } },                             undefined],
  ] as const
  for (const [name, record, asn] of TABLE) {
    test(name, () => expect(told(record, { asns })).toEqual(place({ asn })))
  }
})

describe("point: the own to a hundredth of a degree, else the country's", () => {
  const germany = COUNTRIES.get('DE')?.point
  // biome-ignore format: table
  const TABLE = [
    ['MaxMind',                    MAXMIND,                                                 { lat: 51.51, lon: -0.09 }],
    ['ip-location-db, texts',      FLAT,                                                    { lat: -33.87, lon: 151.21 }],
    ['IPinfo',                     IPINFO,                                                  { lat: -37.81, lon: 144.96 }],
    ['IPinfo of old',              { lat: '35.34199', lng: '129.03358', country: 'KR' },    { lat: 35.34, lon: 129.03 }],
    ['the edges of the world',     { latitude: -90, longitude: 180 },                       { lat: -90, lon: 180 }],
    ['no −0',                      { latitude: -0.001, longitude: 7 },                      { lat: 0, lon: 7 }],
    ['half of it alone',           { country_code: 'DE', latitude: 50 },                    germany],
    ['north of the pole',          { country_code: 'DE', latitude: 90.01, longitude: 8 },   germany],
    ['east of the date line',      { country_code: 'DE', latitude: 50, longitude: 180.5 },  germany],
    ['no number',                  { country_code: 'DE', latitude: Number.NaN, longitude: 8 }, germany],
    ['no numeric text',            { country_code: 'DE', latitude: '50N', longitude: '8E' }, germany],
    ['empty texts',                { country_code: 'DE', latitude: '', longitude: '' },     germany],
    ['0, 0 stands for unknown',    { country_code: 'DE', latitude: 0, longitude: '0.0000' }, germany],
    ['the country of registration', { registered_country: { iso_code: 'DE' } },             germany],
    ['a code of no country',       { country_code: 'AP' },                                  undefined],
    ['a continent alone',          { continent_code: 'EU' },                                undefined],
  ] as const
  for (const [name, record, point] of TABLE) {
    test(name, () => expect(told(record, { point: true })).toEqual(place({ point })))
  }
  test('Germany has one', () => expect(germany).toBeDefined())
})

describe('any field by its path, as text', () => {
  // biome-ignore format: table
  const TABLE = [
    ['text',                      'traits/connection_type',   'Cable/DSL'],
    ['true',                      'traits/is_anycast',        'true'],
    ['false',                     'country/is_in_european_union', 'false'],
    ['an integer',                'traits/user_count',        '3'],
    ['a fraction',                'traits/static_ip_score',   '0.25'],
    ['a place in an array',       'subdivisions/1/iso_code',  'WSM'],
    ['the top',                   'isp',                      'Example'],
    ['a map has no text',         'traits',                   undefined],
    ['an array has no text',      'subdivisions',             undefined],
    ['past the end',              'subdivisions/2/iso_code',  undefined],
    ['below a text',              'isp/0',                    undefined],
    ['a name of Object',          'traits/constructor',       undefined],
    ['nothing there',             'traits/domain',            undefined],
    ['the empty path',            '',                         undefined],
  ] as const
  const ALL = ['Cable/DSL', 'true', 'false', '3', '0.25', 'WSM', 'Example']
  for (const [name, path, value] of TABLE) {
    test(`${name}: ${path}`, () => {
      const fields = new Map([[path, new Set(ALL)]])
      const expected = value === undefined ? [] : [value]
      const record = { ...MAXMIND, isp: 'Example' }
      expect(told(record, { fields })).toEqual(place({ fields: expected }))
    })
  }
  test('each in its turn, and only values that are wanted', () => {
    const fields = new Map([
      ['traits/user_count', new Set(['4'])],
      ['traits/is_anycast', new Set(['true'])],
      ['traits/domain', new Set(['example.org'])],
    ])
    const expected = place({ fields: [undefined, 'true', undefined] })
    expect(told(MAXMIND, { fields })).toEqual(expected)
  })
})

test('of a full record, what is not wanted is absent', () => {
  expect(told(MAXMIND, {})).toEqual(NOWHERE)
})

test('of a full record, all that is wanted is there', () => {
  const wanted = {
    country: true,
    point: true,
    subdivisions: new Set(['GB-ENG']),
    cities: new Set(['London']),
    asns: new Set([64500]),
    fields: new Map([['traits/user_count', new Set(['3'])]]),
  }
  expect(told({ ...MAXMIND, autonomous_system_number: 64500 }, wanted)).toEqual({
    country: 'GB',
    continent: 'EU',
    subdivision: 'GB-ENG',
    city: 'London',
    asn: 64500,
    point: { lat: 51.51, lon: -0.09 },
    fields: ['3'],
  })
})
