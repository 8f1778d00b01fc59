/**
 * Maps so fine that resolvers cannot keep them: a large one keeps some hundred blocks a name and
 * drops the oldest (Unbound's `max-ecs-tree-size` is 100). Counted by /16 of IPv4.
 */
import { nameText } from '../dns/name.ts'
import { problemAt, wrong } from '../fault.ts'
import type { Advice } from './advise.ts'
import type { Compiled } from './compile.ts'
import { groundOf, leavesOf } from './leaves.ts'
import type { Policy, Rule } from './rule.ts'
import type { Steering } from './steering.ts'

/** Blocks of one /16 that a resolver keeps of one name. */
const KEPT = 100
const BITS = 16

export function adviseOnGrain(policy: Policy, compiled: Compiled, advice: Advice): void {
  const { steering } = compiled
  const busiest = new Map<number, Busiest>()
  for (const [slot, rule] of policy.rules.entries()) {
    const shape = steering.shape[slot] ?? -1
    const bits = steering.quantum4[slot] ?? 0
    if (steering.sticky[slot] === 1 && bits > BITS + Math.log2(KEPT)) {
      const count = 2 ** (bits - BITS)
      const what = `${nameText(rule.owner)} hashes clients by /${bits}: up to ${count} blocks a /16`
      advice.notes.push(problemAt(rule.at, wrong(what, `resolvers keep some ${KEPT} of them`)))
    }
    if (shape < 0) continue
    const most = busiest.get(shape) ?? busiestOf(steering, slot)
    busiest.set(shape, most)
    if (most.leaves > KEPT) tell(rule, most, compiled, advice)
  }
}

type Busiest = { readonly first: number; readonly leaves: number }

/** The /16 with the most blocks. */
function busiestOf(steering: Steering, slot: number): Busiest {
  const counts = new Uint32Array(1 << BITS)
  for (const { prefix, bits } of leavesOf(steering, slot, 4)) {
    const at = firstOf(prefix)
    if (bits > BITS) counts[at] = (counts[at] ?? 0) + 1
  }
  const leaves = counts.reduce((most, count) => Math.max(most, count), 0)
  return { first: counts.indexOf(leaves), leaves }
}

/** The first 16 bits of an address. */
function firstOf(octets: Uint8Array): number {
  return ((octets[0] ?? 0) << 8) | (octets[1] ?? 0)
}

/** What the operator wrote can be written otherwise; the earth cannot. */
function tell(rule: Rule, { first, leaves }: Busiest, compiled: Compiled, advice: Advice): void {
  const block = `${first >> 8}.${first & 0xff}.0.0/16`
  const what = `${nameText(rule.owner)} parts ${block} into ${leaves} blocks`
  const kept = `a resolver keeps some ${KEPT} of a name`
  if (ownBlocks(first, compiled) > KEPT / 2) {
    advice.warnings.push(problemAt(rule.at, wrong(what, `${kept}: name wider networks`)))
  } else {
    const fix = `${kept}; that is how the geo database has it: a rule with fewer rankings parts less`
    advice.notes.push(problemAt(rule.at, wrong(what, fix)))
  }
}

/** Blocks of a /16 that networks and latencies tell of. */
function ownBlocks(first: number, { sites, steering }: Compiled): number {
  let count = 0
  for (const { prefix, site } of groundOf(steering, 4)) {
    const { networks = [], latencies = [] } = sites[site] ?? {}
    if (firstOf(prefix) === first && networks.length + latencies.length > 0) count += 1
  }
  return count
}
