/**
 * What is laid over the places of a family: special blocks, the networks and latency rows that some
 * rule reads, and the blocks where IPv4 hangs in IPv6. Each node says what stands at its prefix.
 */
import { type Chains, newChains, rowNumber, withNetwork, withRow } from './chains.ts'
import { nodeOf, type Overlay, overlay, overlayValue, setMark, setValue } from './overlay.ts'
import type { Latency, Policy, Prefix, Ranking } from './rule.ts'
import { EMBEDDED_BLOCKS, embeddingOf, SPECIAL_BLOCKS } from './special.ts'
import { latenciesRead, networksRead } from './wanted.ts'

/** Marks of an overlay: a special block begins here; the tree of IPv4 hangs here. */
export const MARKED = { special: 1, graft: 2 } as const

export type Layers = {
  readonly chains: Chains
  /** Values are entries of the chains. */
  readonly over: Readonly<Record<4 | 6, Overlay>>
}

export function layAll(policy: Policy): Layers {
  const layers: Layers = { chains: newChains(), over: { 4: overlay(), 6: overlay() } }
  for (const family of [4, 6] as const) {
    for (const block of SPECIAL_BLOCKS[family]) mark(layers, block, MARKED.special)
  }
  for (const block of EMBEDDED_BLOCKS) mark(layers, block, MARKED.graft)
  for (const network of networksRead(policy)) {
    for (const prefix of policy.networks[network]?.prefixes ?? []) {
      layPrefix(layers, prefix, entry => withNetwork(layers.chains, entry, network))
    }
  }
  for (const index of latenciesRead(policy)) layLatency(layers, policy.latencies[index], index)
  return layers
}

function mark({ over }: Layers, block: Prefix, as: number): void {
  setMark(over[block.family], nodeOf(over[block.family], block), as)
}

function layLatency(layers: Layers, latency: Latency | undefined, index: number): void {
  for (const row of latency?.rows ?? []) {
    const number = rowNumber(layers.chains, { latency: index, order: fastestFirst(row.times) })
    layPrefix(layers, row, entry => withRow(layers.chains, entry, number))
  }
}

/** Embedded prefixes are left out: IPv4 hangs there, whatever they say. */
function layPrefix({ over }: Layers, prefix: Prefix, change: (entry: number) => number): void {
  if (embeddingOf(prefix) !== undefined) return
  const into = over[prefix.family]
  const node = nodeOf(into, prefix)
  setValue(into, node, change(overlayValue(into, node)))
}

/** Pools by milliseconds; equal times are one tier. How many they are tells nobody apart. */
function fastestFirst(times: ReadonlyMap<number, number>): Ranking {
  const sorted = [...times].sort(([a, before], [b, after]) => before - after || a - b)
  const tiers: number[][] = []
  let last: number | undefined
  for (const [pool, ms] of sorted) {
    if (ms === last) tiers.at(-1)?.push(pool)
    else tiers.push([pool])
    last = ms
  }
  return tiers
}
