/**
 * Country codes as operators write them, checked against the ISO 3166-1 codes that the geo data has.
 */
import { type Wrong, wrong } from '../fault.ts'
import type { Country } from '../geo/countries.ts'
import { nearestWord } from './nearest.ts'

/** By ISO 3166-1 alpha-2 code. */
export type Countries = ReadonlyMap<string, Country>

/** Codes people use that ISO 3166-1 gives to nobody, or keeps reserved. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ['UK', 'GB'],
  ['EL', 'GR'],
  ['EN', 'GB'],
  ['USA', 'US'],
])

/** Says what is wrong with a country code, or nothing. */
export function countryFlaw(code: string, countries: Countries): Wrong | undefined {
  if (countries.has(code)) return undefined
  const meant = countryMeant(code, countries)
  const fix = meant === undefined ? 'write two capital letters, like DE' : `did you mean ${meant}?`
  return wrong(`${code || '""'} is not an ISO 3166-1 country code`, fix)
}

/** The code that was meant by another one, or by a name. */
export function countryMeant(text: string, countries: Countries): string | undefined {
  const upper = text.toUpperCase()
  if (countries.has(upper)) return upper
  const named = [...countries].find(([, { name }]) => name.toUpperCase() === upper)
  return MEANT.get(upper) ?? named?.[0] ?? nearestWord(upper, [...countries.keys()])
}
