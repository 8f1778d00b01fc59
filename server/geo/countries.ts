/**
 * What is known of each country, from the text of `data/geo/countries.csv`: a head line, then code,
 * continent, name, number and point. Whoever calls has read the file.
 */
import type { Point } from './record.ts'

export type Country = {
  /** AF AN AS EU NA OC SA. */
  readonly continent: string
  /** The usual English name. */
  readonly name: string
  /** ISO 3166-1 numeric, three digits; the ids of `world-atlas` (which has none for XK). */
  readonly numeric: string
  /** Where its people are on average; see `data/geo/README.md`. */
  readonly point: Point
}

/** Countries by ISO 3166-1 alpha-2 code, upper case, in order. A row that is cut short is left out. */
export function readCountries(text: string): ReadonlyMap<string, Country> {
  const countries = new Map<string, Country>()
  for (const row of text.split('\n').slice(1)) {
    const [code, continent, name, numeric, lat, lon] = row.split(',')
    if (!code || !continent || !name || !numeric || !lat || !lon) continue
    countries.set(code, { continent, name, numeric, point: { lat: Number(lat), lon: Number(lon) } })
  }
  return countries
}
