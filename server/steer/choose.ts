/**
 * Which ranking the clients of a site get, and for which reasons: one way of deciding, for
 * compiling and for explaining. A site is part of the address space inside which every input that
 * some rule reads says one thing. Knows nothing of trees, scopes and health.
 */
import { nameText } from '../dns/name.ts'
import { kilometres } from '../geo/distance.ts'
import type { Place, Point } from '../geo/record.ts'
import { inOrder } from './rankings.ts'
import type { Branch, Branches, Choose, Nearest, Policy, Ranking, Tier } from './rule.ts'
import { wantedOf } from './wanted.ts'

export type Site = {
  readonly place: Place
  /** The networks that hold it, by index: the longest prefix first, those with one together. */
  readonly networks: readonly (readonly number[])[]
  /** What each latency says of it, by its longest prefix here. */
  readonly latencies: readonly Measured[]
  /** In a special block. Then only prefixes inside that block are told above. */
  readonly special: boolean
}

/** One latency's order of pools, the fastest first. */
export type Measured = { readonly latency: number; readonly order: Ranking }

export type Reason = {
  readonly kind:
    | 'all'
    | 'special'
    | 'rule'
    | 'network'
    | 'asn'
    | 'field'
    | 'city'
    | 'subdivision'
    | 'country'
    | 'continent'
    | 'default'
    | 'latency'
    | 'nearest'
  /** Whatever names it: `office`, `AS64500`, `traits/connection_type=Cellular`, `DE/Berlin`. */
  readonly key: string
}

/** The ranking of a site that is in no special block, or that a rule names all the same. */
export function rankingFor(policy: Policy, choose: Choose, site: Site): Ranking {
  return decide({ policy, site, reasons: [] }, choose)
}

/** Why a site gets its ranking, the outermost reason first. The last one decided. */
export function reasonsFor(policy: Policy, choose: Choose, site: Site): readonly Reason[] {
  const reasons: Reason[] = []
  decide({ policy, site, reasons }, choose)
  const first: Reason[] = tellsClient(site, reasons) ? [] : [{ kind: 'special', key: '' }]
  if (reasons.length === 0) first.push({ kind: 'all', key: '' })
  return [...first, ...reasons]
}

/** Tells whether the addresses of a site say something of a client, as far as a rule reads them. */
export function tellsClient(site: Site, reasons: readonly Reason[]): boolean {
  return !site.special || reasons.some(({ kind }) => kind === 'network' || kind === 'latency')
}

export type Deciding = {
  readonly policy: Policy
  readonly site: Site
  /** Grows. */
  readonly reasons: Reason[]
}

/** Decides, and notes why. */
export function decide(deciding: Deciding, choose: Choose): Ranking {
  switch (choose.kind) {
    case 'all':
      return inOrder(choose.pools)
    case 'nearest':
      return nearestFirst(deciding, choose)
    case 'latency':
      return fastestFirst(deciding, choose.latency, choose.nearest)
    case 'rule':
      return asThatRule(deciding, choose.rule)
    case 'by':
      return decide(deciding, branchFor(deciding, choose.by))
  }
}

function asThatRule(deciding: Deciding, index: number): Ranking {
  const rule = deciding.policy.rules[index]
  if (rule === undefined) throw new Error(`no rule ${index}`)
  deciding.reasons.push({ kind: 'rule', key: nameText(rule.owner) })
  return decide(deciding, rule.choose)
}

/** The branch of the first input that knows the site. */
function branchFor(deciding: Deciding, by: Branches): Choose {
  const found = networkBranch(deciding, by) ?? placeBranch(deciding, by)
  deciding.reasons.push(found?.reason ?? { kind: 'default', key: '' })
  return found?.to ?? by.default
}

type Found = { readonly to: Choose; readonly reason: Reason }

function networkBranch({ policy, site }: Deciding, by: Branches): Found | undefined {
  const listed = listedNetworks(by)
  for (const network of site.networks.flat()) {
    const to = listed.get(network)
    const key = policy.networks[network]?.name ?? ''
    if (to !== undefined) return { to, reason: { kind: 'network', key } }
  }
  return undefined
}

const LISTED = new WeakMap<Branches, ReadonlyMap<number, Choose>>()

/** The networks of a rule by index: there may be thousands. */
function listedNetworks(by: Branches): ReadonlyMap<number, Choose> {
  const known = LISTED.get(by)
  if (known !== undefined) return known
  const listed = new Map(by.networks.map(({ network, to }) => [network, to]))
  LISTED.set(by, listed)
  return listed
}

function placeBranch({ policy, site }: Deciding, by: Branches): Found | undefined {
  const { place } = site
  return (
    byKey(by.asns, place.asn, { kind: 'asn', key: `AS${place.asn}` }) ??
    fieldBranch(policy, place, by) ??
    cityBranch(place, by) ??
    byText(by.subdivisions, place.subdivision, 'subdivision') ??
    byText(by.countries, place.country, 'country') ??
    byText(by.continents, place.continent, 'continent')
  )
}

function byKey<Key>(
  branches: ReadonlyMap<Key, Branch>,
  key: Key | undefined,
  reason: Reason,
): Found | undefined {
  const branch = key === undefined ? undefined : branches.get(key)
  return branch && { to: branch.to, reason }
}

function byText(
  branches: ReadonlyMap<string, Branch>,
  key: string | undefined,
  kind: Reason['kind'],
): Found | undefined {
  return byKey(branches, key, { kind, key: key ?? '' })
}

function fieldBranch(policy: Policy, place: Place, by: Branches): Found | undefined {
  for (const { path, values } of by.fields) {
    const value = place.fields[fieldPaths(policy).indexOf(path)]
    const found = byKey(values, value, { kind: 'field', key: `${path}=${value}` })
    if (found !== undefined) return found
  }
  return undefined
}

const PATHS = new WeakMap<Policy, readonly string[]>()

/** The fields of places, in their order. */
function fieldPaths(policy: Policy): readonly string[] {
  const known = PATHS.get(policy)
  if (known !== undefined) return known
  const paths = [...wantedOf(policy).fields.keys()]
  PATHS.set(policy, paths)
  return paths
}

/** The longest form wins: many a city has namesakes. */
function cityBranch({ city, subdivision, country }: Place, by: Branches): Found | undefined {
  if (city === undefined || by.cities.size === 0) return undefined
  return (
    byText(by.cities, subdivision && `${subdivision}/${city}`, 'city') ??
    byText(by.cities, country && `${country}/${city}`, 'city') ??
    byText(by.cities, city, 'city')
  )
}

/** The longest prefix that the file tells of orders its pools; those it leaves out follow. */
function fastestFirst(deciding: Deciding, latency: number, nearest: Nearest): Ranking {
  const measured = deciding.site.latencies.find(told => told.latency === latency)
  const own = new Set(nearest.pools.map(({ pool }) => pool))
  const order = (measured?.order ?? [])
    .map(tier => tier.filter(pool => own.has(pool)))
    .filter(tier => tier.length > 0)
  if (order.length === 0) return nearestFirst(deciding, nearest)
  deciding.reasons.push({ kind: 'latency', key: deciding.policy.latencies[latency]?.name ?? '' })
  const told = new Set(order.flat())
  const left = nearest.pools.filter(({ pool }) => !told.has(pool))
  const others = byDistance(deciding.policy, left, deciding.site.place.point)
  return limited([...order, ...others], nearest.limit)
}

function nearestFirst({ policy, site, reasons }: Deciding, nearest: Nearest): Ranking {
  const { point } = site.place
  reasons.push({ kind: 'nearest', key: point ? `${point.lat},${point.lon}` : '' })
  return limited(byDistance(policy, nearest.pools, point), nearest.limit)
}

/** Distances that differ by less are equal: kilometres. */
const EQUAL = 1e-6

function byDistance(policy: Policy, pools: Nearest['pools'], from: Point | undefined): Ranking {
  if (from === undefined) return inOrder(pools.map(({ pool }) => pool))
  const far = pools.map(({ pool, bias }) => {
    const to = policy.pools[pool]?.point
    if (to === undefined) throw new Error(`pool ${pool} is nowhere`)
    return { pool, km: kilometres(from, to) * (1 - bias / 100) }
  })
  far.sort((a, b) => a.km - b.km)
  const tiers: { readonly km: number; readonly pools: number[] }[] = []
  for (const { pool, km } of far) {
    const last = tiers.at(-1)
    if (last !== undefined && km - last.km <= EQUAL) last.pools.push(pool)
    else tiers.push({ km, pools: [pool] })
  }
  return tiers.map(tier => tier.pools.sort((a, b) => a - b))
}

/** The first so many pools. */
function limited(ranking: Ranking, limit = Number.POSITIVE_INFINITY): Ranking {
  const cut: Tier[] = []
  let room = limit
  for (const tier of ranking) {
    if (room <= 0) break
    cut.push(tier.slice(0, room))
    room -= tier.length
  }
  return cut
}
