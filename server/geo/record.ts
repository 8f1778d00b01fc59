/**
 * What a database's record says of its addresses, as a place. Each maker names the fields otherwise;
 * the paths known here are those of MaxMind, DB-IP, ip-location-db and IPinfo. Knows no tree, and
 * which of it rules read: `keep.ts`.
 */
import type { Country } from './countries.ts'
import { kept, settled } from './keep.ts'

/** A point on earth, in degrees: −90 … 90 north, −180 … 180 east. */
export type Point = { readonly lat: number; readonly lon: number }

/** Where an address is, and what else rules read of it: only what is wanted, the rest is absent. */
export type Place = {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string | undefined
  /** AF AN AS EU NA OC SA. */
  readonly continent: string | undefined
  /** ISO 3166-2, like `US-CA`: the first level, where a database has several. */
  readonly subdivision: string | undefined
  /** Its English name. */
  readonly city: string | undefined
  readonly asn: number | undefined
  /** The database's own to a hundredth of a degree, else its country's. */
  readonly point: Point | undefined
  /** The values as text, in the order of the fields that are wanted; empty where none is known. */
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

export const NO_WANTED: Wanted = {
  country: false,
  point: false,
  subdivisions: new Set(),
  cities: new Set(),
  asns: new Set(),
  fields: new Map(),
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

type Path = readonly string[]

/** Tried in turn: where somebody is comes before where the block is registered. */
const COUNTRY_PATHS: readonly Path[] = [
  ['country', 'iso_code'],
  ['registered_country', 'iso_code'],
  ['country_code'],
]
const CONTINENT_PATHS: readonly Path[] = [['continent', 'code'], ['continent_code']]
const SUBDIVISION_PATHS: readonly Path[] = [['subdivisions', '0', 'iso_code'], ['region_code']]
const CITY_PATHS: readonly Path[] = [['city', 'names', 'en'], ['city']]
const ASN_PATHS: readonly Path[] = [
  ['autonomous_system_number'],
  ['traits', 'autonomous_system_number'],
  ['asn'],
]
const LAT_PATHS: readonly Path[] = [['location', 'latitude'], ['latitude'], ['lat']]
const LON_PATHS: readonly Path[] = [['location', 'longitude'], ['longitude'], ['lng']]

/** The place in a decoded record: what is wanted of it. */
export function placeOf(
  record: unknown,
  wanted: Wanted,
  countries: ReadonlyMap<string, Country>,
): Place {
  return settled(kept(readPlace(record, wanted, countries), wanted), wanted, countries)
}

/**
 * All that a record tells of a place, wanted or not. Of fields, those with wanted paths; of points,
 * its own alone.
 *
 * @param countries their continents, for databases that do not tell
 */
export function readPlace(
  record: unknown,
  wanted: Wanted,
  countries: ReadonlyMap<string, Country>,
): Place {
  if (typeof record !== 'object' || record === null) return NOWHERE
  const country = countryOf(record)
  return {
    country,
    continent: continentOf(record) ?? (country && countries.get(country)?.continent),
    subdivision: subdivisionOf(record, country),
    city: firstText(record, CITY_PATHS),
    asn: asnOf(record),
    point: pointOf(record),
    fields: fieldsOf(record, wanted),
  }
}

/** Some makers have the code where others have the name, or a map. */
function countryOf(record: object): string | undefined {
  const told = firstText(record, COUNTRY_PATHS)
  return upper(told ?? twoLetters(fieldOf(record, 'country')))
}

function continentOf(record: object): string | undefined {
  return upper(firstText(record, CONTINENT_PATHS) ?? twoLetters(fieldOf(record, 'continent')))
}

function twoLetters(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Za-z]{2}$/.test(value) ? value : undefined
}

/** ISO 3166-2 of a part's code: databases have what stands after the country. Names are no codes. */
function subdivisionOf(record: object, country: string | undefined): string | undefined {
  const code = upper(firstText(record, SUBDIVISION_PATHS))
  if (code === undefined || country === undefined) return undefined
  const full = code.startsWith(`${country}-`) ? code : `${country}-${code}`
  return /^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(full) ? full : undefined
}

/** A number, or text like `AS64500`. 0 is nobody's (RFC 7607). */
function asnOf(record: object): number | undefined {
  for (const path of ASN_PATHS) {
    const found = path.reduce(fieldOf, record as unknown)
    const digits = typeof found === 'string' ? /^(?:AS)?(\d{1,10})$/i.exec(found)?.[1] : found
    const asn = Number(digits ?? Number.NaN)
    if (Number.isInteger(asn) && asn > 0 && asn <= 0xffffffff) return asn
  }
  return undefined
}

/** To a hundredth of a degree, about a kilometre: finer is nobody's place. */
function pointOf(record: object): Point | undefined {
  const lat = degreesOf(record, LAT_PATHS, 90)
  const lon = degreesOf(record, LON_PATHS, 180)
  if (lat === undefined || lon === undefined) return undefined
  if (lat === 0 && lon === 0) return undefined // nobody lives there: makers' word for unknown
  return { lat, lon }
}

function degreesOf(record: object, paths: readonly Path[], most: number): number | undefined {
  for (const path of paths) {
    const found = path.reduce(fieldOf, record as unknown)
    const text = typeof found === 'number' ? String(found) : found
    if (typeof text !== 'string' || !/^[-+]?\d+(?:\.\d*)?(?:e-\d+)?$/.test(text)) continue
    const degrees = Number(text)
    if (Math.abs(degrees) <= most) return Math.round(degrees * 100) / 100 + 0 // + 0: no −0
  }
  return undefined
}

const NO_FIELDS: readonly undefined[] = []

function fieldsOf(record: object, wanted: Wanted): readonly (string | undefined)[] {
  if (wanted.fields.size === 0) return NO_FIELDS
  const paths = [...wanted.fields.keys()]
  const values = paths.map(path => textOf(path.split('/').reduce(fieldOf, record as unknown)))
  return values.some(value => value !== undefined) ? values : NO_FIELDS
}

/** What an operator writes for a value; maps and arrays have no text. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return isTelling(value) ? value : undefined
  const isPlain = typeof value === 'number' || typeof value === 'boolean'
  return isPlain || typeof value === 'bigint' ? String(value) : undefined
}

function firstText(record: object, paths: readonly Path[]): string | undefined {
  for (const path of paths) {
    const found = path.reduce(fieldOf, record as unknown)
    if (typeof found === 'string' && isTelling(found)) return found
  }
  return undefined
}

/** Makers of flat files leave what they do not know empty, or write a dash. */
function isTelling(text: string): boolean {
  return text !== '' && text !== '-'
}

function upper(text: string | undefined): string | undefined {
  return text?.toUpperCase()
}

function fieldOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Readonly<Record<string, unknown>>)[key]
}
