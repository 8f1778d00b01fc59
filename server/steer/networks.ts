/**
 * The operator's own networks: what is wrong with them as such, and how a rule lays them over the
 * places. Special blocks lie underneath: a network inside one, or the very block, wins over it; a
 * wider one does not.
 */
import { addressText } from '../dns/address.ts'
import { type At, problemAt, type Remarks, wrong } from '../fault.ts'
import { DEEPEST4, DEEPEST6 } from '../geo/places.ts'
import {
  NONE,
  nodeOf,
  type Overlay,
  overlay,
  overlayMark,
  overlayValue,
  setNode,
} from './overlay.ts'
import { GRAFT } from './partition.ts'
import type { Branches, Network, Prefix } from './rule.ts'
import { EMBEDDED_BLOCKS, embeddedIpv4, embeddingOf, SPECIAL_BLOCKS } from './special.ts'
import { SPECIAL } from './steering.ts'

/** Remarks on networks that hold of every rule. */
export function checkNetworks(networks: readonly Network[], remarks: Remarks): void {
  for (const network of networks) {
    for (const prefix of network.prefixes) checkEmbedded(prefix, remarks)
    checkDepth(network, 4, DEEPEST4, remarks)
    checkDepth(network, 6, DEEPEST6, remarks)
  }
}

function checkEmbedded(prefix: Prefix & { readonly at: At }, remarks: Remarks): void {
  const block = embeddingOf(prefix)
  if (block === undefined) return
  const ipv4 = embeddedIpv4(prefix, block)
  const fix = ipv4 ? `write it as IPv4: ${prefixText(ipv4)}` : 'write its address as IPv4 /32'
  const what = `${prefixText(prefix)} is an IPv4 network inside ${prefixText(block)}`
  remarks.problems.push(problemAt(prefix.at, wrong(what, fix)))
}

/** Public resolvers tell no more than /24 and /56: they never learn to tell such networks apart. */
function checkDepth(network: Network, family: 4 | 6, deepest: number, remarks: Remarks): void {
  const deep = network.prefixes.filter(
    prefix => prefix.family === family && prefix.bits > deepest && !embeddingOf(prefix),
  )
  const [first] = deep
  if (first === undefined) return
  const others = deep.length === 1 ? '' : ` (and ${deep.length - 1} more)`
  const what = `${prefixText(first)}${others} in ${network.name} is longer than /${deepest}`
  const fix = `public resolvers tell at most /${deepest} of a client; shorten it if you can`
  remarks.warnings.push(problemAt(first.at, wrong(what, fix)))
}

export function prefixText({ octets, bits }: Prefix): string {
  return `${addressText(octets)}/${bits}`
}

/** A network and the number of its class. */
export type Branch = { readonly network: number; readonly ranking: number }

/** What a rule lays over the places of a family. Clashes are remarked where the second stands. */
export function layOver(
  family: 4 | 6,
  branches: readonly Branch[],
  networks: readonly Network[],
  remarks: Remarks,
): Overlay {
  const over = overlay()
  for (const block of SPECIAL_BLOCKS[family]) setNode(over, nodeOf(over, block), SPECIAL, NONE)
  for (const branch of branches) {
    for (const prefix of networks[branch.network]?.prefixes ?? []) {
      const mine = prefix.family === family && !embeddingOf(prefix)
      if (mine) layPrefix(over, prefix, branch, networks, remarks)
    }
  }
  if (family === 4) return over
  for (const block of EMBEDDED_BLOCKS) setNode(over, nodeOf(over, block), GRAFT, NONE)
  return over
}

function layPrefix(
  over: Overlay,
  prefix: Prefix & { readonly at: At },
  { network, ranking }: Branch,
  networks: readonly Network[],
  remarks: Remarks,
): void {
  const node = nodeOf(over, prefix)
  const before = overlayValue(over, node)
  if (before === NONE || before === SPECIAL) {
    setNode(over, node, ranking, network)
  } else if (before !== ranking) {
    const names = [overlayMark(over, node), network].map(index => networks[index]?.name)
    const what = `${prefixText(prefix)} is in ${names.join(' and ')}, which have different rankings`
    const fix = 'take it out of one, or give both the same ranking'
    remarks.problems.push(problemAt(prefix.at, wrong(what, fix)))
  }
}

/** The networks of a rule by number, with their rankings as numbers. */
export function branchesOf(
  by: Branches,
  numberOf: (ranking: readonly number[]) => number,
): readonly Branch[] {
  return by.networks
    .toSorted((a, b) => a.network - b.network)
    .map(({ network, ranking }) => ({ network, ranking: numberOf(ranking) }))
}
