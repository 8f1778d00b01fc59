/**
 * Which rules part their clients alike. Rules that differ only in the pools that their branches
 * name have one key, so that a thousand names which tell the same countries apart are compiled
 * once; where pools themselves part clients, by distance or latency, they are in the key.
 */
import { listNumber, type RankingRoll } from './rankings.ts'
import type { Branches, Choose, Policy } from './rule.ts'
import { branchMaps, eachChoose } from './wanted.ts'

export type Likeness = {
  readonly key: string
  /** The rankings that the key speaks of by place; empty where it speaks of them by number. */
  readonly rankings: readonly number[]
}

export function likenessOf(policy: Policy, choose: Choose, roll: RankingRoll): Likeness {
  const places = new Map<number, number>()
  const isLiteral = makesRankings(policy, choose)
  const nameOf = (pools: readonly number[]): number => {
    const number = listNumber(roll, pools)
    if (isLiteral) return number
    const place = places.get(number) ?? places.size
    places.set(number, place)
    return place
  }
  return { key: `${isLiteral} ${keyOf(policy, choose, nameOf)}`, rankings: [...places.keys()] }
}

/** Tells whether some ranking is made for the client rather than named in a branch. */
function makesRankings(policy: Policy, choose: Choose): boolean {
  for (const inner of eachChoose(choose)) {
    if (inner.kind === 'nearest') return true
    if (inner.kind === 'rule' && makesRankings(policy, ruleOf(policy, inner.rule))) return true
  }
  return false
}

function ruleOf(policy: Policy, index: number): Choose {
  const rule = policy.rules[index]
  if (rule === undefined) throw new Error(`no rule ${index}`)
  return rule.choose
}

type NameOf = (pools: readonly number[]) => number | string

/** What a way of choosing does, its branches as they are written. */
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
  let key = keyOf(policy, by.default, nameOf)
  for (const { network, to } of by.networks) key += `,${network}=${keyOf(policy, to, nameOf)}`
  for (const { reads, branches } of branchMaps(by)) {
    key += `;${reads}`
    for (const [value, { to }] of branches) {
      const text = `${value}`
      key += `,${text.length} ${text}=${keyOf(policy, to, nameOf)}`
    }
  }
  return key
}
