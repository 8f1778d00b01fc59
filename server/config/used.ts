/**
 * What a rule uses: the pools that some client may get, and the networks that it tells apart; those
 * of the rules that it follows too.
 */
import type { Branches, Choose, Policy } from '../steer/rule.ts'

/** By index. */
export type Used = { readonly pools: ReadonlySet<number>; readonly networks: ReadonlySet<number> }

/** @param rule by index */
export function usedBy({ rules }: Policy, rule: number): Used {
  const pools = new Set<number>()
  const networks = new Set<number>()
  const seen = new Set([rule])
  // A set that grows while it is walked is walked to its new end.
  for (const index of seen) {
    const choose = rules[index]?.choose
    for (const way of choose === undefined ? [] : waysOf(choose)) {
      if (way.kind === 'rule') seen.add(way.rule)
      else for (const pool of poolsOf(way)) pools.add(pool)
      if (way.kind === 'by') for (const { network } of way.by.networks) networks.add(network)
    }
  }
  const resort = rules[rule]?.lastResort
  if (resort?.kind === 'pool') pools.add(resort.pool)
  return { pools, networks }
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

function poolsOf(way: Choose): readonly number[] {
  if (way.kind === 'all') return way.pools
  if (way.kind === 'nearest') return way.pools.map(({ pool }) => pool)
  return way.kind === 'latency' ? way.nearest.pools.map(({ pool }) => pool) : []
}
