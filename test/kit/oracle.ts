/**
 * The plainest possible answer to "who gets what": a rule's branches read from the top for one
 * address, against lists of prefixes and records that are scanned. Shares nothing with what it judges.
 */
import { readFileSync } from 'node:fs'
import { geoDistance } from 'd3-geo'
import type { Choose, Nearest, Policy } from '../../server/steer/rule.ts'
import { type Span, seenThrough, specialAround } from './blocks.ts'

/** A record of a database, flat: what is not there is not known. */
export type Told = {
  readonly country?: string
  readonly continent?: string
  readonly subdivision?: string
  readonly city?: string
  readonly asn?: number
  readonly point?: readonly [lon: number, lat: number]
  readonly fields?: Readonly<Record<string, string>>
}

/** What lies over one family. */
export type Lying = {
  /** By network, its spans. */
  readonly networks: readonly (readonly Span[])[]
  /** By latency, its rows. */
  readonly latencies: readonly (readonly (Span & {
    readonly times: ReadonlyMap<number, number>
  })[])[]
  /** By database, the first asked first. */
  readonly databases: readonly (readonly (Span & { readonly told: Told })[])[]
}

type Asking = {
  readonly policy: Policy
  readonly lying: Lying
  readonly at: bigint
  readonly told: Told
  /** Prefixes must be at least so long to be heard: those around a special block are not. */
  readonly least: number
  heard: boolean
}

/** The ranking of an address, outside embedded blocks: `0=1 2`; or `special`. */
export function classOf(
  policy: Policy,
  choose: Choose,
  family: 4 | 6,
  lying: Lying,
  at: bigint,
): string {
  const special = specialAround(family, at)
  const told = special === undefined ? placeOf(lying, seenThrough(family, at).start) : {}
  const asking: Asking = { policy, lying, at, told, least: special?.bits ?? 0, heard: false }
  const says = textOf(decide(asking, choose))
  return special !== undefined && !asking.heard ? 'special' : says
}

/** The ranking where no address tells anything. */
export function classOfNobody(policy: Policy, choose: Choose): string {
  const lying: Lying = { networks: [], latencies: [], databases: [] }
  return textOf(decide({ policy, lying, at: 0n, told: {}, least: 0, heard: false }, choose))
}

type Tiers = readonly (readonly number[])[]

export function textOf(tiers: Tiers): string {
  return tiers.map(tier => [...tier].sort((a, b) => a - b).join('=')).join(' ')
}

function placeOf({ databases }: Lying, at: bigint): Told {
  const rows = databases.map(database => longest(database, at, 0)?.told ?? {})
  const told: Told = Object.assign({}, ...rows.reverse())
  const point = told.point ?? POINTS.get(told.country ?? '')
  return point === undefined ? told : { ...told, point }
}

const [, ...ROWS] = readFileSync('data/geo/countries.csv', 'utf8').trim().split('\n')
const POINTS = new Map(
  ROWS.map(row => {
    const cells = row.split(',')
    return [cells[0], [Number(cells.at(-1)), Number(cells.at(-2))] as const]
  }),
)

function longest<S extends Span>(spans: readonly S[], at: bigint, least: number): S | undefined {
  let best: S | undefined
  for (const span of spans) {
    const holds = span.start <= at && at < span.end && span.bits >= least
    if (holds && (best === undefined || span.bits >= best.bits)) best = span
  }
  return best
}

function decide(asking: Asking, choose: Choose): Tiers {
  const { policy, told, lying, at, least } = asking
  if (choose.kind === 'all') return [...new Set(choose.pools)].map(pool => [pool])
  if (choose.kind === 'nearest') return limited(byDistance(policy, told, choose.pools), choose)
  if (choose.kind === 'rule') return decide(asking, policy.rules[choose.rule]?.choose ?? NOBODY)
  if (choose.kind === 'by') return decide(asking, branchOf(asking, choose))
  const { nearest } = choose
  const row = longest(lying.latencies[choose.latency] ?? [], at, least)
  const own = nearest.pools.filter(({ pool }) => row?.times.has(pool))
  if (own.length === 0) return decide(asking, nearest)
  asking.heard = true
  const measured = tiers(own.map(({ pool }) => [pool, row?.times.get(pool) ?? 0]))
  const others = nearest.pools.filter(({ pool }) => !row?.times.has(pool))
  return limited([...measured, ...byDistance(policy, told, others)], nearest)
}

const NOBODY: Choose = { kind: 'all', pools: [] }

function branchOf(asking: Asking, { by }: Choose & { readonly kind: 'by' }): Choose {
  const { told, lying, at, least } = asking
  const listed = by.networks.flatMap(({ network, to }) =>
    (lying.networks[network] ?? []).map(span => ({ ...span, to })),
  )
  const network = longest(listed, at, least)
  if (network !== undefined) asking.heard = true
  const { asn, city, subdivision, country, continent, fields = {} } = told
  const found = [
    asn === undefined ? undefined : by.asns.get(asn),
    ...by.fields.map(({ path, values }) => values.get(fields[path] ?? 'no such value')),
    by.cities.get(`${subdivision}/${city}`) ??
      by.cities.get(`${country}/${city}`) ??
      by.cities.get(`${city}`),
    by.subdivisions.get(`${subdivision}`),
    by.countries.get(`${country}`),
    by.continents.get(`${continent}`),
  ].find(branch => branch !== undefined)
  return network?.to ?? found?.to ?? by.default
}

function byDistance(policy: Policy, { point }: Told, pools: Nearest['pools']): Tiers {
  if (point === undefined) return pools.map(({ pool }) => [pool])
  return tiers(
    pools.map(({ pool, bias }) => {
      const to = policy.pools[pool]?.point ?? { lat: 0, lon: 0 }
      const far = geoDistance([...point], [to.lon, to.lat]) * 6371
      return [pool, bias < 0 ? (100 * far) / (100 + bias) : (far * (100 - bias)) / 100]
    }),
  )
}

/** Pools with a number each, the least first, equal ones together. */
function tiers(numbered: readonly (readonly [pool: number, number: number])[]): Tiers {
  const groups = new Map<string, number[]>()
  const sorted = [...numbered].sort(([, a], [, b]) => a - b)
  for (const [pool, number] of sorted) {
    const key = number.toFixed(6)
    groups.set(key, [...(groups.get(key) ?? []), pool])
  }
  return [...groups.values()]
}

function limited(all: Tiers, { limit = 1000 }: Nearest): Tiers {
  const sorted = all.map(tier => [...tier].sort((a, b) => a - b))
  const kept = new Set(sorted.flat().slice(0, limit))
  return sorted.map(tier => tier.filter(pool => kept.has(pool))).filter(tier => tier.length > 0)
}

/** Where the rules of a family may begin to say something else. */
export function edgesOf(family: 4 | 6, { networks, latencies, databases }: Lying): bigint[] {
  const exact = [...networks.flat(), ...latencies.flat()].flatMap(({ start, end }) => [start, end])
  const seen = databases.flat().flatMap(({ start, end }) => {
    const last = seenThrough(family, end - 1n)
    return [seenThrough(family, start).start, start, end, last.start, last.end]
  })
  return [...exact, ...seen]
}
