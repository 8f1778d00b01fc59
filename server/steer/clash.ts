/** One prefix in two networks of one rule, with different rankings: nobody can tell what is meant. */
import { type At, problemAt, type Remarks, wrong } from '../fault.ts'
import { keyOf } from './alike.ts'
import type { Layers } from './layers.ts'
import { prefixText } from './networks.ts'
import { nodeOf, overlayValue } from './overlay.ts'
import { inOrder } from './rankings.ts'
import type { Branches, Network, Policy, Prefix } from './rule.ts'
import { embeddingOf } from './special.ts'
import { branchesOf, networksRead } from './wanted.ts'

/** Remarks where the second of the two branches stands, once for each pair of networks. */
export function checkClashes(policy: Policy, layers: Layers, remarks: Remarks): void {
  const shared = sharedPrefixes(policy, layers)
  if (shared.length === 0) return
  for (const by of branchesOf(policy)) checkBranches(policy, by, shared, remarks)
}

/** A prefix that stands in several networks, all of which some rule reads. */
type Shared = { readonly prefix: Prefix; readonly networks: readonly number[] }

function sharedPrefixes(policy: Policy, { over, chains }: Layers): readonly Shared[] {
  const shared = chains.entries.list.map(({ networks }) => networks.length > 1)
  if (!shared.includes(true)) return []
  const all = networksRead(policy).flatMap(network => policy.networks[network]?.prefixes ?? [])
  const seen = new Set<string>()
  return all.flatMap(prefix => {
    if (embeddingOf(prefix) !== undefined) return []
    const node = nodeOf(over[prefix.family], prefix)
    const entry = overlayValue(over[prefix.family], node)
    const { networks = [] } = chains.entries.list[entry] ?? {}
    const key = `${prefix.family} ${node}`
    if (shared[entry] !== true || seen.has(key)) return []
    seen.add(key)
    return [{ prefix, networks }]
  })
}

function checkBranches(
  policy: Policy,
  by: Branches,
  shared: readonly Shared[],
  remarks: Remarks,
): void {
  const listed = by.networks.toSorted((a, b) => a.network - b.network)
  const keys = new Map(listed.map(({ network, to }) => [network, rankingKey(policy, to)]))
  const clashes = new Map<string, Clash>()
  for (const { prefix, networks } of shared) {
    const mine = networks.filter(network => keys.has(network))
    const [first] = mine
    const second = mine.find(
      network => first !== undefined && keys.get(network) !== keys.get(first),
    )
    if (first === undefined || second === undefined) continue
    const key = `${first} ${second}`
    const before = clashes.get(key)
    clashes.set(
      key,
      before ? { ...before, more: before.more + 1 } : { first, second, prefix, more: 0 },
    )
  }
  for (const clash of clashes.values()) {
    const at = by.networks.find(({ network }) => network === clash.second)?.at
    if (at !== undefined) remarkClash(clash, policy.networks, at, remarks)
  }
}

type Clash = {
  readonly first: number
  readonly second: number
  /** One prefix of both, and how many more there are. */
  readonly prefix: Prefix
  readonly more: number
}

function remarkClash(
  { first, second, prefix, more }: Clash,
  networks: readonly Network[],
  at: At,
  remarks: Remarks,
): void {
  const names = [first, second].map(index => networks[index]?.name)
  const prefixes = more === 0 ? prefixText(prefix) : `${prefixText(prefix)} (and ${more} more)`
  const what = `${prefixes} is in ${names.join(' and ')}, which have different rankings`
  const fix = 'take it out of one, or give both the same ranking'
  remarks.problems.push(problemAt(at, wrong(what, fix)))
}

/** Equal where two branches lead to the same rankings. */
function rankingKey(policy: Policy, to: Branches['default']): string {
  return keyOf(policy, to, pools => inOrder(pools).join())
}
