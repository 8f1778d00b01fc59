/**
 * What decided, with the prefix or the numbers behind it. `reasonsFor` of `steer/` names the inputs;
 * here each is looked up once more in what the operator wrote, for a person to check.
 */
import { biased, kilometres } from '../../geo/distance.ts'
import { NOWHERE } from '../../geo/record.ts'
import { leafBits, leafValue } from '../../geo/tree.ts'
import { reasonsFor, type Site, type Reason as Why } from '../../steer/choose.ts'
import type { Choose, Nearest, Prefix, Rule } from '../../steer/rule.ts'
import { embeddedIpv4, embeddingOf } from '../../steer/special.ts'
import { poolsOf, siteAt } from '../../steer/steering.ts'
import { blockText, masked, prefixText } from '../prefix.ts'
import { type Step, stepsAlong } from './branch.ts'
import type { Reason } from './explanation.ts'
import type { Served } from './served.ts'

/** What is known of a client of whom no address is read. */
const NOBODY: Site = { place: NOWHERE, networks: [], latencies: [], special: false }

/** What reasons are told from. */
type Telling = {
  readonly served: Served
  readonly site: Site
  /** The address that chose; absent: nobody's did. */
  readonly octets: Uint8Array | undefined
  /** The block of the ground around it. */
  readonly block: string
}

/** Explains a ranking, the outermost reason first. */
export function reasonsTold(served: Served, rule: Rule, octets: Uint8Array | undefined): Reason[] {
  const { desk, policy, sites } = served
  const { steering } = desk.world
  const found = octets && siteAt(steering, octets)
  const site = found === undefined ? NOBODY : (sites[leafValue(found)] ?? NOBODY)
  const block = octets && found ? blockText(octets, leafBits(found)) : ''
  const why = reasonsFor(policy, rule.choose, site)
  if (steering.shape[desk.decision.slot] === -1) return reasonsOfAll(why, rule.choose)
  const steps = stepsAlong(policy, rule.choose, why)
  return why.map((reason, i) => told({ served, site, octets, block }, reason, steps[i]))
}

/** Where the ranking is one for all, it is no matter which branch somebody would take. */
function reasonsOfAll(why: readonly Why[], choose: Choose): Reason[] {
  if (choose.kind === 'all') return [{ kind: 'all' }]
  const rules = why.flatMap(({ kind, key }) => (kind === 'rule' ? [{ kind, key }] : []))
  return rules.length > 0 && rules.length === why.length ? rules : [...rules, { kind: 'alike' }]
}

function told(telling: Telling, { kind, key }: Why, step: Step | undefined): Reason {
  const at = step?.at === undefined ? {} : { at: `${step.at.file}:${step.at.line}` }
  switch (kind) {
    case 'all':
      return { kind }
    case 'default':
    case 'special': // no address of a special block gets here, unless a branch names it
      return { kind: 'default' }
    case 'rule':
      return { kind, key, ...at }
    case 'network':
      return { kind, key, prefix: networkPrefix(telling, key), ...at }
    case 'latency':
      return latencyTold(telling, key)
    case 'nearest':
      return nearestTold(telling, step?.choose)
    default:
      return { kind, key, prefix: telling.block, from: telling.served.databases, ...at }
  }
}

function networkPrefix({ octets, served }: Telling, name: string): string {
  const network = served.policy.networks.find(one => one.name === name)
  const found = longestAround(network?.prefixes ?? [], octets)
  return found === undefined ? '' : prefixText(found.octets, found.bits)
}

/** The longest prefix that holds an address; in IPv6 that carries an IPv4 one, that one counts. */
function longestAround<Row extends Prefix>(
  rows: readonly Row[],
  octets: Uint8Array | undefined,
): Row | undefined {
  if (octets === undefined) return undefined
  const address = carriedIn(octets)
  let longest: Row | undefined
  for (const row of rows) {
    if (row.octets.length !== address.length || row.bits < (longest?.bits ?? 0)) continue
    if (masked(address, row.bits).every((octet, i) => octet === row.octets[i])) longest = row
  }
  return longest
}

function carriedIn(octets: Uint8Array): Uint8Array {
  if (octets.length === 4) return octets
  const block = embeddingOf({ family: 6, octets, bits: 128 })
  if (block === undefined) return octets
  return embeddedIpv4({ family: 6, octets, bits: block.bits + 32 }, block)?.octets ?? octets
}

function latencyTold(telling: Telling, file: string): Reason {
  const { desk, policy } = telling.served
  const row = longestAround(
    policy.latencies.find(({ name }) => name === file)?.rows ?? [],
    telling.octets,
  )
  const pools = poolsOf(desk.world.steering, desk.decision.ranking).flatMap(pool => {
    const milliseconds = row?.times.get(pool)
    return milliseconds === undefined ? [] : [{ pool: nameOf(telling, pool), milliseconds }]
  })
  const prefix = row === undefined ? '' : prefixText(row.octets, row.bits)
  return { kind: 'latency', key: file, prefix, pools }
}

function nameOf({ served }: Telling, pool: number): string {
  return served.policy.pools[pool]?.name ?? ''
}

/** How far it is to the pools of the ranking, in its order. */
function nearestTold(telling: Telling, choose: Choose | undefined): Reason {
  const { served, site } = telling
  const { desk, policy } = served
  const { country, point } = site.place
  const nearest = nearestOf(choose)
  const pools = poolsOf(desk.world.steering, desk.decision.ranking).map(pool => {
    const to = policy.pools[pool]?.point
    const bias = nearest?.pools.find(one => one.pool === pool)?.bias ?? 0
    if (point === undefined || to === undefined) return { pool: nameOf(telling, pool), bias }
    const far = kilometres(point, to)
    const counts = bias === 0 ? {} : { counts: Math.round(biased(far, bias)) }
    return { pool: nameOf(telling, pool), kilometres: Math.round(far), bias, ...counts }
  })
  const instead = choose?.kind === 'latency' ? policy.latencies[choose.latency]?.name : undefined
  return {
    kind: 'nearest',
    ...(point && { point }),
    ...(country && { country }),
    ...(instead && { instead }),
    pools,
  }
}

function nearestOf(choose: Choose | undefined): Nearest | undefined {
  if (choose?.kind === 'nearest') return choose
  return choose?.kind === 'latency' ? choose.nearest : undefined
}
