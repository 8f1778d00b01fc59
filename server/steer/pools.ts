/**
 * Pools compiled: three lists each, of IPv4 addresses, IPv6 addresses and host names, every target
 * once, with what the operator fixed of it. Which of them may serve is not known here.
 */
import { addressText } from '../dns/address.ts'
import { canonical, nameText } from '../dns/name.ts'
import { hexText } from '../dns/octets.ts'
import { type At, problemAt, type Remarks, wrong } from '../fault.ts'
import { MOST_TARGETS } from './decision.ts'
import type { Branches, Choose, Policy, Pool, Target } from './rule.ts'

/** A target as it will lie in memory. */
export type Listed = {
  /** 4, 16, or a host name on the wire. */
  readonly octets: Uint8Array
  readonly weight: number
  /** NaN: not fixed. */
  readonly load: number
  /** Its share of clients is in proportion to this; NaN: not fixed. */
  readonly share: number
}

/** A pool's targets, by kind, in the order of KIND. */
export type Lists = readonly (readonly Listed[])[]

/** Compiles every pool, and says what is wrong with each. */
export function compilePools(policy: Policy, remarks: Remarks): readonly Lists[] {
  return policy.pools.map((pool, index) => {
    const at = pool.at ?? userOf(policy, index)
    const targets = withoutDoubles(pool, at, remarks)
    const lists = [
      listOf(targets.filter(target => target.kind === 'address' && target.family === 4)),
      listOf(targets.filter(target => target.kind === 'address' && target.family === 6)),
      listOf(targets.filter(target => target.kind === 'host')),
    ]
    checkPool(pool, lists, at, remarks)
    return lists
  })
}

/** The place of the first rule that names a pool. */
function userOf(policy: Policy, pool: number): At {
  const user = policy.rules.find(({ choose }) => names(choose, pool))
  return user?.at ?? policy.rules[0]?.at ?? { file: 'pools', line: 0, column: 0 }
}

/** Whether a way to choose names a pool itself; what other rules name is found at those. */
function names(choose: Choose, pool: number): boolean {
  switch (choose.kind) {
    case 'all':
      return choose.pools.includes(pool)
    case 'nearest':
      return choose.pools.some(one => one.pool === pool)
    case 'latency':
      return names(choose.nearest, pool)
    case 'rule':
      return false
    case 'by':
      return branchesOf(choose.by).some(to => names(to, pool))
  }
}

function branchesOf(by: Branches): readonly Choose[] {
  const maps = [by.asns, by.cities, by.subdivisions, by.countries, by.continents]
  const named = [...maps, ...by.fields.map(field => field.values)].flatMap(map => [...map.values()])
  return [...by.networks, ...named].map(({ to }) => to).concat(by.default)
}

function withoutDoubles(pool: Pool, at: At, remarks: Remarks): readonly Target[] {
  const seen = new Set<string>()
  return pool.targets.filter(target => {
    const key = keyOf(target)
    if (!seen.has(key)) return seen.add(key)
    const what = `pool ${pool.name} has ${targetText(target)} twice; it counts once`
    remarks.warnings.push(problemAt(at, wrong(what, 'remove one of them')))
    return false
  })
}

function keyOf(target: Target): string {
  const octets = target.kind === 'host' ? canonical(target.name) : target.octets
  return `${target.kind} ${hexText(octets)}`
}

export function targetText(target: Target): string {
  return target.kind === 'host' ? nameText(target.name) : addressText(target.octets)
}

function listOf(targets: readonly Target[]): readonly Listed[] {
  return targets.map(target => ({
    octets: target.kind === 'host' ? target.name : target.octets,
    weight: target.weight,
    load: target.load ?? Number.NaN,
    share: target.capacity ?? Number.NaN,
  }))
}

function checkPool(pool: Pool, lists: Lists, at: At, remarks: Remarks): void {
  const [ipv4 = [], ipv6 = [], hosts = []] = lists
  const addresses = ipv4.length + ipv6.length
  const say = (what: string, fix: string): void => {
    remarks.problems.push(problemAt(at, wrong(`pool ${pool.name} ${what}`, fix)))
  }
  if (addresses + hosts.length === 0) say('has no targets', 'give it one, or remove the pool')
  if (addresses > 0 && hosts.length > 0) {
    say('has both addresses and host names', 'make two pools of it: an answer is one or the other')
  }
  if (lists.some(list => list.length > MOST_TARGETS)) {
    say(`has more than ${MOST_TARGETS} targets of one kind`, 'split it')
  }
}
