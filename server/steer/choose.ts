/**
 * Which ranking the clients of a site get, and for which reasons: one way of deciding, for
 * compiling and for explaining. A site is part of the address space inside which every input that
 * some rule reads says one thing. Knows nothing of trees, scopes and health.
 */
import { nameText } from '../dns/name.ts'
import { biased, kilometres } from '../geo/distance.ts'
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
  return decide({ policy, site, isHeard: false, reasons: undefined }, choose)
}

/** Why a site gets its ranking, the outermost reason first. The last one decided. */
export function reasonsFor(policy: Policy, choose: Choose, site: Site): readonly Reason[] {
  const reasons: Reason[] = []
  const deciding: Deciding = { policy, site, isHeard: false, reasons }
  decide(deciding, choose)
  if (reasons.length === 0) reasons.push({ kind: 'all', key: '' })
  return tellsClient(deciding) ? reasons : [{ kind: 'special', key: '' }, ...reasons]
}

/** One decision in the making. */
export type Deciding = {
  readonly policy: Policy
  readonly site: Site
  /** A network or a latency row had its say: then special blocks are ordinary ones. */
  isHeard: boolean
  /** Grows; absent where nobody asks why. */
  readonly reasons: Reason[] | undefined
}

/** Tells whether the addresses of a site say something of a client, as far as was decided by them. */
export function tellsClient({ site, isHeard }: Deciding): boolean {
  return isHeard || !site.special
}

/** Decides, and notes why. Once per site and rule while compiling: no text is made unasked. */
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
  deciding.reasons?.push({ kind: 'rule', key: nameText(rule.owner) })
  return decide(deciding, rule.choose)
}

/** The branch of the first input that knows the site. */
function branchFor(deciding: Deciding, by: Branches): Choose {
  const { policy, site } = deciding
  return (
    networkBranch(deciding, by) ??
    taken(deciding, 'asn', by.asns, site.place.asn) ??
    fieldBranch(deciding, by, fieldPaths(policy)) ??
    cityBranch(deciding, by) ??
    taken(deciding, 'subdivision', by.subdivisions, site.place.subdivision) ??
    taken(deciding, 'country', by.countries, site.place.country) ??
    taken(deciding, 'continent', by.continents, site.place.continent) ??
    otherwise(deciding, by)
  )
}

function otherwise({ reasons }: Deciding, by: Branches): Choose {
  reasons?.push({ kind: 'default', key: '' })
  return by.default
}

/** Where a branch leads, if there is one for that key. */
function taken<Key extends string | number>(
  { reasons }: Deciding,
  kind: Reason['kind'],
  branches: ReadonlyMap<Key, Branch>,
  key: Key | undefined,
): Choose | undefined {
  if (key === undefined || branches.size === 0) return undefined
  const to = branches.get(key)?.to
  if (to !== undefined) reasons?.push({ kind, key: kind === 'asn' ? `AS${key}` : `${key}` })
  return to
}

function networkBranch(deciding: Deciding, by: Branches): Choose | undefined {
  if (by.networks.length === 0) return undefined
  const { policy, reasons, site } = deciding
  const listed = listedNetworks(by)
  for (const together of site.networks) {
    const network = together.find(each => listed.has(each))
    if (network === undefined) continue
    deciding.isHeard = true
    reasons?.push({ kind: 'network', key: policy.networks[network]?.name ?? '' })
    return listed.get(network)
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

function fieldBranch(
  { reasons, site }: Deciding,
  by: Branches,
  paths: readonly string[],
): Choose | undefined {
  for (const { path, values } of by.fields) {
    const value = site.place.fields[paths.indexOf(path)]
    const to = value === undefined ? undefined : values.get(value)?.to
    if (to === undefined) continue
    reasons?.push({ kind: 'field', key: `${path}=${value}` })
    return to
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
function cityBranch(deciding: Deciding, { cities }: Branches): Choose | undefined {
  const { city, subdivision, country } = deciding.site.place
  if (city === undefined || cities.size === 0) return undefined
  return (
    taken(deciding, 'city', cities, subdivision && `${subdivision}/${city}`) ??
    taken(deciding, 'city', cities, country && `${country}/${city}`) ??
    taken(deciding, 'city', cities, city)
  )
}

/** The longest prefix that the file tells of orders its pools; those it leaves out follow. */
function fastestFirst(deciding: Deciding, latency: number, nearest: Nearest): Ranking {
  const { policy, reasons, site } = deciding
  const measured = site.latencies.find(told => told.latency === latency)
  const order = amongOwn(measured?.order ?? [], nearest)
  if (order.length === 0) return nearestFirst(deciding, nearest)
  deciding.isHeard = true
  reasons?.push({ kind: 'latency', key: policy.latencies[latency]?.name ?? '' })
  const told = new Set(order.flat())
  const left = nearest.pools.filter(({ pool }) => !told.has(pool))
  return limited([...order, ...byDistance(policy, left, site.place.point)], nearest.limit)
}

/** What a file says of a rule's own pools. */
function amongOwn(order: Ranking, { pools }: Nearest): Ranking {
  const isOwn = (index: number) => pools.some(({ pool }) => pool === index)
  return order.map(tier => tier.filter(isOwn)).filter(tier => tier.length > 0)
}

function nearestFirst({ policy, reasons, site }: Deciding, nearest: Nearest): Ranking {
  const { point } = site.place
  reasons?.push({ kind: 'nearest', key: point ? `${point.lat},${point.lon}` : '' })
  return limited(byDistance(policy, nearest.pools, point), nearest.limit)
}

/** Distances that differ by less are equal: kilometres. */
const EQUAL = 1e-6

function byDistance(policy: Policy, pools: Nearest['pools'], from: Point | undefined): Ranking {
  if (from === undefined) return inOrder(pools.map(({ pool }) => pool))
  const far = pools.map(({ pool, bias }) => {
    const to = policy.pools[pool]?.point
    if (to === undefined) throw new Error(`pool ${pool} is nowhere`)
    return biased(kilometres(from, to), bias)
  })
  const tiers: number[][] = []
  let first = Number.NEGATIVE_INFINITY
  for (const i of ascending(far)) {
    const { pool = 0 } = pools[i] ?? {}
    const km = far[i] ?? 0
    if (km - first <= EQUAL) {
      tiers.at(-1)?.push(pool)
    } else {
      tiers.push([pool])
      first = km
    }
  }
  for (const tier of tiers) if (tier.length > 1) tier.sort((a, b) => a - b)
  return tiers
}

/** The places of numbers, the least first. Hot: once per site and rule while compiling; few. */
function ascending(numbers: readonly number[]): number[] {
  const order: number[] = []
  for (let i = 0; i < numbers.length; i += 1) {
    let at = i
    for (; at > 0 && numbers[order[at - 1]!]! > numbers[i]!; at -= 1) order[at] = order[at - 1]!
    order[at] = i
  }
  return order
}

/** The first so many pools. */
function limited(ranking: Ranking, limit: number | undefined): Ranking {
  if (limit === undefined) return ranking
  const cut: Tier[] = []
  let room = limit
  for (const tier of ranking) {
    if (room <= 0) break
    cut.push(tier.slice(0, room))
    room -= tier.length
  }
  return cut
}
