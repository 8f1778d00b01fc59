/**
 * What a database's record says of where its addresses are. Each maker names the fields otherwise;
 * the paths known here are those of MaxMind, DB-IP and ip-location-db.
 */

/** A point on earth, in degrees: −90 … 90 north, −180 … 180 east. */
export type Point = { readonly lat: number; readonly lon: number }

/** Where an address is, and what else rules read of it: only what is wanted, the rest is absent. */
export type Place = {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string | undefined
  /** AF AN AS EU NA OC SA. */
  readonly continent: string | undefined
  /** ISO 3166-2, like `US-CA`. */
  readonly subdivision: string | undefined
  /** Its English name. */
  readonly city: string | undefined
  readonly asn: number | undefined
  /** The database's own, else its country's. */
  readonly point: Point | undefined
  /** The values as text, in the order of the fields that are wanted. */
  readonly fields: readonly (string | undefined)[]
}

/** What rules read of places; all else is left out, so that equal blocks meet. */
export type Wanted = {
  /** Countries and continents. */
  readonly country: boolean
  readonly point: boolean
  readonly subdivisions: ReadonlySet<string>
  /** By name alone. */
  readonly cities: ReadonlySet<string>
  readonly asns: ReadonlySet<number>
  /** Values by path, like `traits/connection_type`. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>
}

export const NOWHERE: Place = {
  country: undefined,
  continent: undefined,
  subdivision: undefined,
  city: undefined,
  asn: undefined,
  point: undefined,
  fields: [],
}

/** Tried in turn: where somebody is comes before where the block is registered. */
const COUNTRY_PATHS = [
  ['country', 'iso_code'],
  ['registered_country', 'iso_code'],
  ['country_code'],
]
const CONTINENT_PATHS = [['continent', 'code'], ['continent_code']]

/** How the fields are called, for a person. */
export const FIELDS = [...COUNTRY_PATHS, ...CONTINENT_PATHS].map(path => path.join('.')).join(', ')

/**
 * Reads the place out of a decoded record.
 *
 * @param continentOf the continent of each country, for databases that do not tell
 */
export function placeOf(record: unknown, continentOf: ReadonlyMap<string, string>): Place {
  const country = firstText(record, COUNTRY_PATHS)
  const told = firstText(record, CONTINENT_PATHS)
  const continent = told ?? (country === undefined ? undefined : continentOf.get(country))
  return { country, continent }
}

function firstText(record: unknown, paths: readonly (readonly string[])[]): string | undefined {
  for (const path of paths) {
    const found = path.reduce(fieldOf, record)
    if (typeof found === 'string' && found !== '') return found.toUpperCase()
  }
  return undefined
}

function fieldOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Readonly<Record<string, unknown>>)[key]
}
