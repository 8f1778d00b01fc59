import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readContinents } from '../../server/geo/continents.ts'

const CONTINENTS = readContinents(readFileSync('data/geo/countries.csv', 'utf8'))

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
    expect([...CONTINENTS.keys()]).toEqual(assigned)
    expect(CONTINENTS.size).toBe(249 + 1)
  })
  test('knows seven continents', () => {
    expect([...new Set(CONTINENTS.values())].sort()).toEqual([
      'AF',
      'AN',
      'AS',
      'EU',
      'NA',
      'OC',
      'SA',
    ])
  })
  test('agrees with the names of time zones, but for three countries', () => {
    const strangers: Record<string, string> = {}
    for (const [country, continent] of CONTINENTS) {
      const zones = zonesOf(country).filter(zone => areaOf(zone) in CONTINENT_OF_ZONE)
      const agrees = zones.some(zone => CONTINENT_OF_ZONE[areaOf(zone)]?.includes(continent))
      if (zones[0] !== undefined && !agrees) strangers[country] = areaOf(zones[0])
    }
    expect(strangers).toEqual(ELSEWHERE)
  })
})
