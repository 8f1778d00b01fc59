/**
 * What is kept of places. Blocks meet where they differ in nothing that rules read, so all else goes;
 * but as long as further databases may be asked, "known, and nobody's business" is another thing than
 * "not known": the first database that knows a field has it. Knows no records and no trees.
 */
import type { Country } from './countries.ts'
import type { Place, Wanted } from './record.ts'

/** A value that is known, and that no rule reads. */
const OTHER = ''
const OTHER_ASN = 0

/** Leaves out what no rule reads. What is known of a field remains known. */
export function kept(place: Place, wanted: Wanted): Place {
  const { country, continent, point } = place
  const reads = wanted.country || wanted.point
  return {
    country: reads ? country : undefined,
    continent: wanted.country ? continent : undefined,
    subdivision: amongWanted(place.subdivision, wanted.subdivisions),
    city: amongWanted(place.city, wanted.cities),
    asn: amongAsns(place.asn, wanted.asns),
    point: wanted.point ? point : undefined,
    fields: amongValues(place.fields, wanted.fields),
  }
}

function amongWanted(value: string | undefined, wanted: ReadonlySet<string>): string | undefined {
  if (value === undefined || wanted.size === 0) return undefined
  return wanted.has(value) ? value : OTHER
}

function amongAsns(asn: number | undefined, wanted: ReadonlySet<number>): number | undefined {
  if (asn === undefined || wanted.size === 0) return undefined
  return wanted.has(asn) ? asn : OTHER_ASN
}

function amongValues(fields: Place['fields'], wanted: Wanted['fields']): Place['fields'] {
  if (fields.length === 0) return fields
  return [...wanted.values()].map((values, i) => amongWanted(fields[i], values))
}

/** What two databases know together: of each field, what the first says that says anything. */
export function firstKnown(one: Place, two: Place): Place {
  return {
    country: one.country ?? two.country,
    continent: one.continent ?? two.continent,
    subdivision: one.subdivision ?? two.subdivision,
    city: one.city ?? two.city,
    asn: one.asn ?? two.asn,
    point: one.point ?? two.point,
    fields: firstFields(one.fields, two.fields),
  }
}

function firstFields(one: Place['fields'], two: Place['fields']): Place['fields'] {
  if (one.length === 0) return two
  return one.map((value, i) => value ?? two[i])
}

/**
 * The place in the end, when no database is left to ask.
 *
 * @param countries their points, for places without a point of their own
 */
export function settled(
  place: Place,
  wanted: Wanted,
  countries: ReadonlyMap<string, Country>,
): Place {
  const { country, point } = place
  const own = country === undefined ? undefined : countries.get(country)?.point
  const fields = place.fields.map(value => value || undefined)
  return {
    country: wanted.country ? country : undefined,
    continent: place.continent,
    subdivision: place.subdivision || undefined,
    city: place.city || undefined,
    asn: place.asn || undefined,
    point: wanted.point ? (point ?? own) : undefined,
    fields: fields.some(value => value !== undefined) ? fields : [],
  }
}
