/**
 * What is wrong with the operator's own prefixes as such, whatever rule reads them: networks, and
 * the rows of latency files as far as `config/` has not said so already.
 */
import { addressText } from '../dns/address.ts'
import { type At, problemAt, type Remarks, wrong } from '../fault.ts'
import { DEEPEST4, DEEPEST6 } from '../geo/places.ts'
import type { Policy, Prefix } from './rule.ts'
import { embeddedIpv4, embeddingOf } from './special.ts'

type Listed = {
  readonly name: string
  readonly prefixes: readonly (Prefix & { readonly at: At })[]
}

/** Remarks on networks and latency rows that hold of every rule. */
export function checkNetworks({ networks, latencies }: Policy, remarks: Remarks): void {
  for (const { prefixes } of networks) {
    for (const prefix of prefixes) checkEmbedded(prefix, remarks)
  }
  const rows = latencies.map(latency => ({ name: latency.name, prefixes: latency.rows }))
  for (const listed of [...networks, ...rows]) {
    checkDepth(listed, 4, DEEPEST4, remarks)
    checkDepth(listed, 6, DEEPEST6, remarks)
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

/** Public resolvers tell no more than /24 and /56: they never learn to tell such prefixes apart. */
function checkDepth(listed: Listed, family: 4 | 6, deepest: number, remarks: Remarks): void {
  const deep = listed.prefixes.filter(
    prefix => prefix.family === family && prefix.bits > deepest && !embeddingOf(prefix),
  )
  const [first] = deep
  if (first === undefined) return
  const others = deep.length === 1 ? '' : ` (and ${deep.length - 1} more)`
  const what = `${prefixText(first)}${others} in ${listed.name} is longer than /${deepest}`
  const fix = `public resolvers tell at most /${deepest} of a client; shorten it if you can`
  remarks.warnings.push(problemAt(first.at, wrong(what, fix)))
}

export function prefixText({ octets, bits }: Prefix): string {
  return `${addressText(octets)}/${bits}`
}
