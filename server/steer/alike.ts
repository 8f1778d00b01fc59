/**
 * Which rules part their clients alike. Rules that differ only in the pools that their branches
 * name have one key, so that a thousand names which tell the same countries apart are compiled
 * once; where pools themselves part clients, by distance or latency, they are in the key.
 */
import { inOrder, type RankingRoll, rankingNumber } from './rankings.ts'
import type { Branches, Choose, Policy } from './rule.ts'
import { branchMaps, eachChoose } from './wanted.ts'

export type Likeness = {
  readonly key: string
  /** The rankings that the key speaks of by place; empty where it speaks of them by number. */
  readonly rankings: readonly number[]
}

export function likenessOf(policy: Policy, choose: Choose, roll: RankingRoll): Likeness {
  const rankings: number[] = []
  const isLiteral = makesRankings(policy, choose)
  const nameOf = (pools: readonly number[]): number => {
    const number = rankingNumber(roll, inOrder(pools))
    if (isLiteral) return number
    const known = rankings.indexOf(number)
    return known === -1 ? rankings.push(number) - 1 : known
  }
  return { key: `${isLiteral} ${keyOf(policy, choose, nameOf)}`, rankings }
}

/** Tells whether some ranking is made for the client rather than named in a branch. */
function makesRankings(policy: Policy, choose: Choose): boolean {
  return [...eachChoose(choose)].some(({ ...inner }) => {
    if (inner.kind === 'rule') return makesRankings(policy, ruleOf(policy, inner.rule))
    return inner.kind === 'nearest'
  })
}

function ruleOf(policy: Policy, index: number): Choose {
  const rule = policy.rules[index]
  if (rule === undefined) throw new Error(`no rule ${index}`)
  return rule.choose
}

type NameOf = (pools: readonly number[]) => number | string

/** What a way of choosing does, in whatever order its branches are written. */
export function keyOf(policy: Policy, choose: Choose, nameOf: NameOf): string {
  switch (choose.kind) {
    case 'all':
      return `${nameOf(choose.pools)}`
    case 'rule':
      return keyOf(policy, ruleOf(policy, choose.rule), nameOf)
    case 'by':
      return `(${branchesKey(policy, choose.by, nameOf)})`
    case 'latency':
      return `latency ${choose.latency} ${keyOf(policy, choose.nearest, nameOf)}`
    case 'nearest':
      return `nearest ${choose.pools.map(({ pool, bias }) => `${pool}~${bias}`)} ${choose.limit}`
  }
}

function branchesKey(policy: Policy, by: Branches, nameOf: NameOf): string {
  const said = (key: string | number, to: Choose): string =>
    `${JSON.stringify(key)}=${keyOf(policy, to, nameOf)}`
  const networks = by.networks.toSorted((a, b) => a.network - b.network)
  const maps = branchMaps(by).map(({ reads, branches }) => {
    const sorted = [...branches].sort(([a], [b]) => (a < b ? -1 : 1))
    return `${reads}:${sorted.map(([key, { to }]) => said(key, to))}`
  })
  const named = networks.map(({ network, to }) => said(network, to))
  return [keyOf(policy, by.default, nameOf), named, ...maps].join(';')
}
