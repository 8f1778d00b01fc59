/**
 * What a rule uses: the pools that some client may get, and the networks that it tells apart; those
 * of the rules that it follows too.
 */
import type { Branches, Choose, Policy } from '../steer/rule.ts'

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
    for (const way of waysOf(choose)) {
      if (way.kind === 'rule') followed.add(way.rule)
      yield way
    }
  }
}

/** A way to choose and all those in its branches. */
function* waysOf(choose: Choose): Generator<Choose> {
  yield choose
  if (choose.kind !== 'by') return
  for (const branch of branchesOf(choose.by)) yield* waysOf(branch)
}

function branchesOf(by: Branches): Choose[] {
  const held = [
    ...by.networks,
    ...by.asns.values(),
    ...by.fields.flatMap(({ values }) => [...values.values()]),
    ...by.cities.values(),
    ...by.subdivisions.values(),
    ...by.countries.values(),
    ...by.continents.values(),
  ]
  return [...held.map(({ to }) => to), by.default]
}

function networksOf(way: Choose): readonly number[] {
  return way.kind === 'by' ? way.by.networks.map(({ network }) => network) : []
}

function poolsOf(way: Choose): readonly number[] {
  if (way.kind === 'all') return way.pools
  if (way.kind === 'nearest') return way.pools.map(({ pool }) => pool)
  return way.kind === 'latency' ? way.nearest.pools.map(({ pool }) => pool) : []
}
