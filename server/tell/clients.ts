/**
 * Where clients are, as far as anybody can tell without asking them: at the addresses that a geo
 * database gives a country.
 */
import type { Site } from '../steer/choose.ts'

/**
 * `announced`: at addresses that a database gives a country; `public`: no database tells, so at all
 * addresses outside special blocks.
 */
export type Basis = 'announced' | 'public'

export function basisOf(sites: readonly Site[]): Basis {
  return sites.some(site => countryOf(site) !== undefined) ? 'announced' : 'public'
}

/** The country of a site; `undefined` in special blocks, and where no database knows. */
export function countryOf({ place, special }: Site): string | undefined {
  return special ? undefined : place.country
}

/** Tells whether clients are at a site. */
export function isPeopled(site: Site, basis: Basis): boolean {
  return basis === 'public' ? !site.special : countryOf(site) !== undefined
}
