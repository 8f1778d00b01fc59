/**
 * Maps so fine that resolvers cannot keep them: a large one keeps some hundred blocks a name and
 * drops the oldest (Unbound's `max-ecs-tree-size` is 100). Counted by /16 of IPv4.
 */
import { nameText } from '../dns/name.ts'
import { problemAt, wrong } from '../fault.ts'
import type { Advice } from './advise.ts'
import { leavesOf } from './leaves.ts'
import type { Policy } from './rule.ts'
import type { Steering } from './steering.ts'

/** Blocks of one /16 that a resolver keeps of one name. */
const KEPT = 100
const BITS = 16

export function adviseOnGrain(policy: Policy, steering: Steering, advice: Advice): void {
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
    if (most.leaves <= KEPT) continue
    const what = `${nameText(rule.owner)} parts ${most.block} into ${most.leaves} blocks`
    const fix = `a resolver keeps some ${KEPT} of a name: use wider networks, or limit what is ranked`
    advice.warnings.push(problemAt(rule.at, wrong(what, fix)))
  }
}

type Busiest = { readonly block: string; readonly leaves: number }

/** The /16 with the most blocks. */
function busiestOf(steering: Steering, slot: number): Busiest {
  const counts = new Uint32Array(1 << BITS)
  for (const { prefix, bits } of leavesOf(steering, slot, 4)) {
    if (bits <= BITS) continue
    const at = ((prefix[0] ?? 0) << 8) | (prefix[1] ?? 0)
    counts[at] = (counts[at] ?? 0) + 1
  }
  const leaves = counts.reduce((most, count) => Math.max(most, count), 0)
  const at = counts.indexOf(leaves)
  return { block: `${at >> 8}.${at & 0xff}.0.0/16`, leaves }
}
