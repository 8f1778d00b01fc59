/**
 * Rules that part the clients of one family and not of the other: where IPv4 has one ranking alone
 * its scope is 0, as it should be, but PowerDNS Recursor keeps an answer of scope 0 for the clients
 * of both families, and then gives it to IPv6 clients it was not made for; and the other way round.
 */
import { nameText } from '../dns/name.ts'
import { problemAt, wrong } from '../fault.ts'
import type { Advice } from './advise.ts'
import { classOf, isLeaf } from './leaves.ts'
import type { Policy } from './rule.ts'
import type { Steering } from './steering.ts'

export function adviseOnFamilies(policy: Policy, steering: Steering, advice: Advice): void {
  for (const [slot, rule] of policy.rules.entries()) {
    const shape = steering.shape[slot] ?? -1
    if (shape < 0) continue
    const one = ONES.filter(({ root }) => isLeaf(steering, shape, steering[root]))
    const rankings = new Set(one.map(({ root }) => classOf(steering, shape, steering[root])))
    const [first] = one
    if (first === undefined || (one.length === ONES.length && rankings.size === 1)) continue
    const what =
      `${nameText(rule.owner)} answers all ${first.called} clients alike, with scope 0, but not ` +
      `all ${first.other} clients so: PowerDNS Recursor takes scope 0 for both`
    const fix = `tell ${first.called} clients apart too, if such resolvers matter`
    advice.notes.push(problemAt(rule.at, wrong(what, fix)))
  }
}

const ONES = [
  { root: 'root4', called: 'IPv4', other: 'IPv6' },
  { root: 'root6', called: 'IPv6', other: 'IPv4' },
] as const
