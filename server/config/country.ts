/**
 * Country codes as operators write them, checked against the ISO 3166-1 codes that the geo data has.
 */
import { type Wrong, wrong } from '../fault.ts'
import type { Country } from '../geo/countries.ts'
import { nearestWord } from './nearest.ts'

/** Codes people use that ISO 3166-1 gives to nobody, or keeps reserved. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ['UK', 'GB'],
  ['EL', 'GR'],
  ['EN', 'GB'],
])

/** Says what is wrong with a country code, or nothing. */
export function countryFlaw(
  code: string,
  countries: ReadonlyMap<string, Country>,
): Wrong | undefined {
  if (countries.has(code)) return undefined
  const upper = code.toUpperCase()
  const meant = countries.has(upper)
    ? upper
    : (MEANT.get(upper) ?? nearestWord(upper, [...countries.keys()]))
  const fix = meant === undefined ? 'write two capital letters, like DE' : `did you mean ${meant}?`
  return wrong(`${code} is not an ISO 3166-1 country code`, fix)
}
