/**
 * What would make a rule answer some clients otherwise than in their choice of pool: caches keep
 * "there is no such type" for everybody (ecs.md K5), and a name is an alias for all or for none.
 */
import { nameText } from '../dns/name.ts'
import { problemAt, type Remarks, wrong } from '../fault.ts'
import type { Lists } from './pools.ts'
import type { Policy, Ranking, Rule } from './rule.ts'
import { HAS, KIND } from './steering.ts'

/** What a rule's answers are made of: bits of HAS, and whether it is an alias. */
export type Kinds = { readonly families: number; readonly alias: boolean }

const FAMILIES = [
  { kind: KIND.ipv4, bit: HAS.ipv4, called: 'IPv4' },
  { kind: KIND.ipv6, bit: HAS.ipv6, called: 'IPv6' },
]
const NO_SERVICES =
  'remove https and svcb: a CNAME stands alone (RFC 1034 §3.6.2), and its target has its own'

/**
 * Finds the kinds of a rule's answers, and remarks where clients would differ.
 *
 * @param rankings those that some client gets, its last resort among them
 */
export function kindsOf(
  rule: Rule,
  rankings: readonly Ranking[],
  policy: Policy,
  lists: readonly Lists[],
  remarks: Remarks,
): Kinds {
  const orders = rankings.map(ranking => ranking.flat())
  const checking: Checking = { rule, orders, policy, lists, remarks }
  const pools = [...new Set(orders.flat())]
  const hosts = pools.filter(pool => has(checking, pool, KIND.host))
  if (hosts.length === 0) return { families: familiesOf(checking), alias: false }
  const addresses = pools.filter(pool => FAMILIES.some(({ kind }) => has(checking, pool, kind)))
  if (addresses.length > 0) {
    const [named, numbered] = [namesOf(checking, hosts), namesOf(checking, addresses)]
    const what = `mixes host names (${named}) and addresses (${numbered})`
    say(checking, what, 'use pools of one kind: a CNAME stands alone (RFC 1034 §3.6.2)')
  }
  if (rule.services?.length) say(checking, 'has services, but answers with host names', NO_SERVICES)
  return { families: HAS.ipv4 | HAS.ipv6, alias: true }
}

type Checking = {
  readonly rule: Rule
  /** The pools of each ranking. */
  readonly orders: readonly (readonly number[])[]
  readonly policy: Policy
  readonly lists: readonly Lists[]
  readonly remarks: Remarks
}

/** The families of a rule's addresses: each is there for every client. */
function familiesOf(checking: Checking): number {
  const { orders } = checking
  let families = 0
  for (const { kind, bit, called } of FAMILIES) {
    const without = orders.filter(order => !order.some(pool => has(checking, pool, kind)))
    if (without.length < orders.length) families |= bit
    if (without.length === 0 || without.length === orders.length) continue
    const lacking = namesOf(checking, [...new Set(without.flat())])
    const what = `has ${called} addresses for some clients, but none in ${lacking}`
    const fix = `add an ${called} target there, or a pool with one: caches keep "none" for all`
    say(checking, what, fix)
  }
  return families
}

function has({ lists }: Checking, pool: number, kind: number): boolean {
  return (lists[pool]?.[kind]?.length ?? 0) > 0
}

function namesOf({ policy }: Checking, pools: readonly number[]): string {
  return pools.map(pool => policy.pools[pool]?.name).join(', ')
}

function say({ rule, remarks }: Checking, what: string, fix: string): void {
  remarks.problems.push(problemAt(rule.at, wrong(`${nameText(rule.owner)} ${what}`, fix)))
}
