import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readCountries } from '../../server/geo/countries.ts'

const TEXT = readFileSync('data/geo/countries.csv', 'utf8')
const COUNTRIES = readCountries(TEXT)

/** Codes that Intl names and ISO 3166-1 does not assign: reserved, withdrawn, or groups. */
const NOT_ISO =
  'AC AN BU CP CQ CS CT DD DG DY EA EU EZ FQ FX HV IC JT MI NH NQ NT PC PU PZ QO RH SU TA TP UK ' +
  'UN VD WK XA XB YD YU ZR ZZ'

/** Where the table follows the databases' own continent codes, and time zones are called otherwise. */
const ELSEWHERE = { CY: 'Asia', TL: 'Asia', TR: 'Europe' }

const CONTINENT_OF_ZONE: Readonly<Record<string, readonly string[]>> = {
  Africa: ['AF'],
  America: ['NA', 'SA'],
  Antarctica: ['AN'],
  Asia: ['AS'],
  Australia: ['OC'],
  Europe: ['EU'],
  Pacific: ['OC'],
}

function zonesOf(country: string): readonly string[] {
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & {
    getTimeZones?: () => string[]
    timeZones?: string[]
  }
  return locale.getTimeZones?.() ?? locale.timeZones ?? []
}

function areaOf(zone: string): string {
  return zone.split('/')[0] ?? ''
}

describe('data/geo/countries.csv', () => {
  test('has every code of ISO 3166-1, and XK', () => {
    const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
    const codes = letters.flatMap(a => letters.map(b => a + b))
    const assigned = codes.filter(code => names.of(code) && !NOT_ISO.split(' ').includes(code))
    expect([...COUNTRIES.keys()]).toEqual(assigned)
    expect(COUNTRIES.size).toBe(249 + 1)
  })
  test('knows seven continents', () => {
    const continents = [...COUNTRIES.values()].map(({ continent }) => continent)
    expect([...new Set(continents)].sort().join(' ')).toBe('AF AN AS EU NA OC SA')
  })
  test('agrees with the names of time zones, but for three countries', () => {
    const strangers: Record<string, string> = {}
    for (const [country, { continent }] of COUNTRIES) {
      const zones = zonesOf(country).filter(zone => areaOf(zone) in CONTINENT_OF_ZONE)
      const agrees = zones.some(zone => CONTINENT_OF_ZONE[areaOf(zone)]?.includes(continent))
      if (zones[0] !== undefined && !agrees) strangers[country] = areaOf(zones[0])
    }
    expect(strangers).toEqual(ELSEWHERE)
  })
  test('has a row of six fields for each: nothing is left out while reading', () => {
    const [head, ...rows] = TEXT.trimEnd().split('\n')
    expect(head).toBe('country,continent,name,numeric,lat,lon')
    expect(rows.length).toBe(COUNTRIES.size)
    for (const row of rows) {
      expect(row).toMatch(/^[A-Z]{2},[A-Z]{2},[^,]+,\d{3},-?\d{1,2}\.\d\d,-?\d{1,3}\.\d\d$/)
    }
  })
  test('has a number of its own for each', () => {
    const numbers = [...COUNTRIES.values()].map(({ numeric }) => numeric)
    expect(new Set(numbers).size).toBe(numbers.length)
  })
})

describe('reading', () => {
  const HEAD = 'country,continent,name,numeric,lat,lon\n'
  const GERMANY = {
    continent: 'EU',
    name: 'Germany',
    numeric: '276',
    point: { lat: 50.85, lon: -9.66 },
  }
  // biome-ignore format: table
  const TABLE = [
    ['a row',               'DE,EU,Germany,276,50.85,-9.66\n', [['DE', GERMANY]]],
    ['no newline at the end', 'DE,EU,Germany,276,50.85,-9.66',  [['DE', GERMANY]]],
    ['a row cut short',     'DE,EU,Germany,276\n',             []],
    ['nothing',             '',                                []],
  ] as const
  for (const [name, rows, expected] of TABLE) {
    test(name, () => expect([...readCountries(HEAD + rows)]).toEqual(expected))
  }
})
