/**
 * Random configurations as an operator's files: YAML, databases, latency files and a zone, drawn as
 * maps are (`maps.ts`, `servings.ts`) and written down. Loading them goes the whole way, from text.
 */
import type { Desk } from '../../server/answer/desk.ts'
import { addressText } from '../../server/dns/address.ts'
import { below, type Chance } from '../../server/steer/chance.ts'
import type {
  Branch,
  Choose,
  Latency,
  Nearest,
  Policy,
  Pool,
  Prefix,
  Rule,
  Target,
} from '../../server/steer/rule.ts'
import { type Edges, edgesOf } from './edges.ts'
import { type RandomMap, recordOf, textOf } from './maps.ts'
import { type Value, writeDatabase } from './mmdb.ts'
import { drawPolicy } from './servings.ts'
import { deskFrom } from './world.ts'

export type Configuration = {
  readonly files: Readonly<Record<string, string | Uint8Array>>
  /** What the files say, as they were drawn. */
  readonly policy: Policy
}

/** The names that every configuration steers. */
export const NAMES = ['www.example.com', 'named.example.com'] as const

const ZONE = `$ORIGIN example.com.
$TTL 60
@ SOA ns1 hostmaster 7 7200 900 1209600 60
@ NS ns1
ns1 A 192.0.2.251
`

/** Ways to pick follow each other by `index`; quanta may be any number of bits. */
export function drawConfiguration(drawn: Chance, index: number): Configuration {
  const { map, policy: plain } = drawPolicy(drawn, index)
  const rules = plain.rules.map(rule => ({
    ...rule,
    quantum: { ipv4: 1 + below(drawn, 32), ipv6: 1 + below(drawn, 128) },
  }))
  const policy = { ...plain, rules, pools: plain.pools.map(withWeight) }
  const databases = databasesOf(drawn, map)
  const yaml = {
    listen: ['127.0.0.1:5353'],
    zones: ['a.zone'],
    geo: { database: Object.keys(databases) },
    networks: Object.fromEntries(
      policy.networks.flatMap(({ name, prefixes }) =>
        prefixes.length === 0 ? [] : [[name, prefixes.map(prefixText)]],
      ),
    ),
    pools: Object.fromEntries(policy.pools.map(pool => [pool.name, poolText(pool)])),
    steer: Object.fromEntries(NAMES.map((name, i) => [name, ruleText(policy, policy.rules[i])])),
  }
  const latencies = policy.latencies.map(one => [one.name, latencyText(policy, one)] as const)
  return {
    policy,
    files: {
      'lbdns.yaml': JSON.stringify(yaml, undefined, 1),
      'a.zone': ZONE,
      ...databases,
      ...Object.fromEntries(latencies),
    },
  }
}

/** A pool of which every target has weight 0 is a Problem. */
function withWeight(pool: Pool): Pool {
  if (pool.targets.some(({ weight }) => weight > 0)) return pool
  return { ...pool, targets: pool.targets.map(target => ({ ...target, weight: 1 })) }
}

/** One small network of which everything is known: no branch then reads what no database has. */
const KNOWN: readonly (readonly [string, Value])[] = [
  [
    '198.51.100.0/24',
    recordOf({
      country: 'FR',
      continent: 'EU',
      subdivision: 'FR-IDF',
      city: 'Paris',
      asn: 64511,
      point: [2.35, 48.86],
      fields: { 'traits/connection_type': 'Satellite' },
    }),
  ],
]

function databasesOf(drawn: Chance, { lying }: RandomMap): Readonly<Record<string, Uint8Array>> {
  const files = lying[4].databases.map((_, i) => {
    const rows = ([4, 6] as const).flatMap(family =>
      (lying[family].databases[i] ?? []).map(
        row => [textOf(family, row), recordOf(row.told)] as const,
      ),
    )
    const networks = rows.length === 0 ? KNOWN : rows
    return [`geo${i}.mmdb`, writeDatabase({ networks, aliased: below(drawn, 2) === 0 })] as const
  })
  return { ...Object.fromEntries(files), 'known.mmdb': writeDatabase({ networks: KNOWN }) }
}

function prefixText({ bits, family, octets }: Prefix): string {
  return textOf(family, { start: numberOf(octets), end: 0n, bits })
}

function numberOf(octets: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(octets).toString('hex')}`)
}

/** Every pool tells where it stands. */
function poolText({ point, targets }: Pool): Value {
  return {
    ...(point && { at: { lat: point.lat, lon: point.lon } }),
    targets: targets.map(targetText),
  }
}

function targetText(target: Target): Value {
  const { load, weight } = target
  const known = { weight, ...(load !== undefined && { load }) }
  if (target.kind === 'host') return { host: hostText(target.name), ...known }
  return { address: addressText(target.octets), ...known }
}

/** A name of plain letters. */
function hostText(wire: Uint8Array): string {
  const labels: string[] = []
  for (let at = 0; (wire[at] ?? 0) > 0; at += 1 + (wire[at] ?? 0)) {
    labels.push(Buffer.from(wire.subarray(at + 1, at + 1 + (wire[at] ?? 0))).toString('latin1'))
  }
  return labels.join('.')
}

function latencyText({ pools }: Policy, { rows }: Latency): string {
  const lines = rows.flatMap(row =>
    [...row.times].map(([pool, ms]) => `${prefixText(row)},${pools[pool]?.name},${ms}`),
  )
  return `prefix,pool,ms\n${lines.join('\n')}\n`
}

type Text = { readonly [key: string]: unknown }

function ruleText(policy: Policy, rule: Rule | undefined): Text {
  if (rule === undefined) throw new Error('a name without a rule')
  const { answers, lastResort, pick, quantum, quorum, services, spill, spread, ttl } = rule
  const share = quorum?.kind === 'share' ? quorum.share : quorum?.count
  return {
    ttl,
    pick,
    answers,
    spread,
    spill,
    quorum: share,
    quantum: pick === 'hash' ? quantum : undefined,
    last_resort: resortText(policy, lastResort),
    https: services && {},
    ...chooseText(policy, rule.choose),
  }
}

function resortText({ pools }: Policy, resort: Rule['lastResort']): string | undefined {
  if (resort === undefined) return undefined
  if (resort.kind === 'all') return 'all'
  return resort.kind === 'healthiest' ? 'none-healthy-pool' : pools[resort.pool]?.name
}

function chooseText(policy: Policy, choose: Choose): Text {
  const names = (pools: readonly number[]) => pools.map(pool => policy.pools[pool]?.name)
  switch (choose.kind) {
    case 'all':
      return { pools: names(choose.pools) }
    case 'rule':
      return { rule: NAMES[choose.rule] }
    case 'nearest':
      return nearestText(policy, choose)
    case 'latency': {
      const file = policy.latencies[choose.latency]?.name
      return { latency: { file }, ...nearestText(policy, choose.nearest) }
    }
    case 'by':
      return { by: byText(policy, choose) }
  }
}

function nearestText({ pools: all }: Policy, { limit, pools }: Nearest): Text {
  const named = pools.map(({ bias, pool }) => [all[pool]?.name ?? '', bias] as const)
  const biased = named.filter(([, bias]) => bias !== 0)
  return {
    nearest: named.map(([name]) => name),
    limit,
    bias: biased.length === 0 ? undefined : Object.fromEntries(biased),
  }
}

/** Branches as an operator writes them; a list of pools is a branch by itself. */
function byText(policy: Policy, { by }: Choose & { readonly kind: 'by' }): Text {
  const to = (choose: Choose): unknown => {
    const text = chooseText(policy, choose)
    return choose.kind === 'all' ? text.pools : text
  }
  const held = <Key>(branches: ReadonlyMap<Key, Branch>): Text | undefined => {
    const entries = [...branches].map(([key, branch]) => [String(key), to(branch.to)] as const)
    return entries.length === 0 ? undefined : Object.fromEntries(entries)
  }
  const networks = by.networks.flatMap(({ network, to: choose }) => {
    const { name = '', prefixes = [] } = policy.networks[network] ?? {}
    return prefixes.length === 0 ? [] : [[name, to(choose)] as const]
  })
  const fields = by.fields.flatMap(({ path, values }) => {
    const branches = held(values)
    return branches === undefined ? [] : [[path, branches] as const]
  })
  return {
    networks: networks.length === 0 ? undefined : Object.fromEntries(networks),
    asns: held(by.asns),
    fields: fields.length === 0 ? undefined : Object.fromEntries(fields),
    cities: held(by.cities),
    subdivisions: held(by.subdivisions),
    countries: held(by.countries),
    continents: held(by.continents),
    default: to(by.default),
  }
}

/** A steered name, loaded from a configuration's files. */
export type Name = {
  readonly title: string
  readonly name: string
  readonly slot: number
  readonly desk: Desk
  readonly edges: Edges
  readonly configuration: Configuration
}

/** Both names of a configuration; what is wrong with it fails the test. */
export function drawNames(drawn: Chance, index: number): Name[] {
  const configuration = drawConfiguration(drawn, index)
  const desk = deskFrom(configuration.files)
  return NAMES.map((name, slot) => {
    const title = `configuration ${index}, ${name}`
    return { title, name, slot, desk, edges: edgesOf(desk.world.steering, slot), configuration }
  })
}
