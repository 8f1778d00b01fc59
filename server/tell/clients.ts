/**
 * Where clients are, as far as anybody can tell without asking them: at the addresses that a geo
 * database places somewhere.
 */
import type { Site } from '../steer/choose.ts'

/**
 * `announced`: at addresses that a database gives a country, or at least a continent or a point;
 * `public`: no database tells, so at all addresses outside special blocks.
 */
export type Basis = 'announced' | 'public'

export function basisOf(sites: readonly Site[]): Basis {
  return sites.some(isPlaced) ? 'announced' : 'public'
}

/** Tells whether clients are at a site. */
export function isPeopled(site: Site, basis: Basis): boolean {
  return basis === 'public' ? !site.special : isPlaced(site)
}

function isPlaced({ place, special }: Site): boolean {
  const { country, continent, point } = place
  return !special && (country ?? continent ?? point) !== undefined
}

/** The country of a site; `undefined` in special blocks, and where no database knows. */
export function countryOf({ place, special }: Site): string | undefined {
  return special ? undefined : place.country
}
