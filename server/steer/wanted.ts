/**
 * What the rules of a policy read: which fields of places, which networks, which latencies. All
 * else is left out of the ground, so that equal blocks meet.
 */
import type { Wanted } from '../geo/record.ts'
import type { Branches, Choose, Policy } from './rule.ts'

/** A way of choosing and all that are nested in it; rules that are named stand for themselves. */
export function eachChoose(choose: Choose): readonly Choose[] {
  const found: Choose[] = []
  collect(choose, found)
  return found
}

function collect(choose: Choose, into: Choose[]): void {
  into.push(choose)
  if (choose.kind === 'latency') into.push(choose.nearest)
  if (choose.kind !== 'by') return
  for (const { to } of choose.by.networks) collect(to, into)
  for (const { branches } of branchMaps(choose.by)) {
    for (const { to } of branches.values()) collect(to, into)
  }
  collect(choose.by.default, into)
}

type BranchMap = {
  /** As a database holds it. */
  readonly reads: 'asn' | 'city' | 'subdivision' | 'country' | `field ${string}`
  readonly branches: ReadonlyMap<string | number, { readonly to: Choose; readonly at: At }>
}
type At = Branches['fields'][number]['at']

/** The branches that read places, in order of precedence. */
export function branchMaps(by: Branches): readonly BranchMap[] {
  return [
    { reads: 'asn', branches: by.asns },
    ...by.fields.map(({ path, values }): BranchMap => {
      return { reads: `field ${path}`, branches: values }
    }),
    { reads: 'city', branches: by.cities },
    { reads: 'subdivision', branches: by.subdivisions },
    { reads: 'country', branches: by.countries },
    { reads: 'country', branches: by.continents },
  ]
}

/** Every `by` of a policy. */
export function branchesOf(policy: Policy): readonly Branches[] {
  return choicesOf(policy).flatMap(choose => (choose.kind === 'by' ? [choose.by] : []))
}

const CHOICES = new WeakMap<Policy, readonly Choose[]>()

/** Found once: ten thousand rules may have millions of branches. */
function choicesOf(policy: Policy): readonly Choose[] {
  const known = CHOICES.get(policy)
  if (known !== undefined) return known
  const found: Choose[] = []
  for (const { choose } of policy.rules) collect(choose, found)
  CHOICES.set(policy, found)
  return found
}

/** `DE/` or `US-CA/` before a city: what must be known beside its name. */
const CITY = /^(?:([A-Z]{2})(-[A-Z0-9]{1,3})?\/)?(.*)$/s

/** What all rules read of places. */
export function wantedOf(policy: Policy): Wanted {
  const all = branchesOf(policy)
  const cities = all.flatMap(by => [...by.cities.keys()].map(key => CITY.exec(key) ?? []))
  const fields = new Map<string, Set<string>>()
  for (const { path, values } of all.flatMap(by => by.fields)) {
    fields.set(path, new Set([...(fields.get(path) ?? []), ...values.keys()]))
  }
  const point = choicesOf(policy).some(({ kind }) => kind === 'nearest')
  return {
    // Whoever reads points has few more blocks with countries, and those name the points.
    country:
      point ||
      all.some(by => by.countries.size + by.continents.size > 0) ||
      cities.some(([, country]) => country !== undefined),
    point,
    subdivisions: new Set([
      ...all.flatMap(by => [...by.subdivisions.keys()]),
      ...cities.flatMap(([, country, rest]) => (rest === undefined ? [] : [`${country}${rest}`])),
    ]),
    cities: new Set(cities.map(([, , , name = '']) => name)),
    asns: new Set(all.flatMap(by => [...by.asns.keys()])),
    fields,
  }
}

/** The networks that some rule reads, ascending. */
export function networksRead(policy: Policy): readonly number[] {
  const read = branchesOf(policy).flatMap(by => by.networks.map(({ network }) => network))
  return [...new Set(read)].sort((a, b) => a - b)
}

/** The latencies that some rule reads, ascending. */
export function latenciesRead(policy: Policy): readonly number[] {
  const read = choicesOf(policy).flatMap(choose =>
    choose.kind === 'latency' ? [choose.latency] : [],
  )
  return [...new Set(read)].sort((a, b) => a - b)
}
