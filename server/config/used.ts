/**
 * What a rule uses: the pools that some client may get, and the networks that it tells apart; those
 * of the rules that it follows too.
 */
import type { Choose, Policy } from '../steer/rule.ts'
import { eachChoose } from '../steer/wanted.ts'

/** By index. */
export type Used = { readonly pools: ReadonlySet<number>; readonly networks: ReadonlySet<number> }

/** @param rule by index */
export function usedBy(policy: Policy, rule: number): Used {
  const ways = [...waysFrom(policy, rule)]
  const resort = policy.rules[rule]?.lastResort
  const last = resort?.kind === 'pool' ? [resort.pool] : []
  return {
    pools: new Set([...ways.flatMap(poolsOf), ...last]),
    networks: new Set(ways.flatMap(networksOf)),
  }
}

/** All ways to choose of a rule, and of those that it follows. */
function* waysFrom({ rules }: Policy, rule: number): Generator<Choose> {
  const followed = new Set([rule])
  // A set that grows while it is walked is walked to its new end.
  for (const index of followed) {
    const choose = rules[index]?.choose
    if (choose === undefined) continue
    for (const way of eachChoose(choose)) {
      if (way.kind === 'rule') followed.add(way.rule)
      yield way
    }
  }
}

function networksOf(way: Choose): readonly number[] {
  return way.kind === 'by' ? way.by.networks.map(({ network }) => network) : []
}

/** Of pools by latency, the nearest ones stand for themselves. */
function poolsOf(way: Choose): readonly number[] {
  if (way.kind === 'all') return way.pools
  return way.kind === 'nearest' ? way.pools.map(({ pool }) => pool) : []
}
