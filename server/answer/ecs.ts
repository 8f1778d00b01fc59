/**
 * Whose client subnets are believed. ECS is switched off for the whole server or for one listen
 * address, never for a zone: a server that has it owes it in every reply (RFC 7871 §12.1).
 */
import type { Address } from '../dns/address.ts'

/** A list of prefixes, `STRIDE` octets each: family, bits, 16 octets of address. */
type Prefixes = Uint8Array
const STRIDE = 18

export type EcsPolicy = {
  /** False: the option is neither read nor sent. */
  readonly enabled: boolean
  /** Sources that are believed; empty: all. */
  readonly allow: Prefixes
  /** Sources that are not, whatever `allow` says. */
  readonly deny: Prefixes
}

type Prefix = { readonly family: 4 | 6; readonly octets: Uint8Array; readonly bits: number }

export function ecsPolicy(options: {
  readonly enabled: boolean
  readonly allow: readonly Prefix[]
  readonly deny: readonly Prefix[]
}): EcsPolicy {
  return { enabled: options.enabled, allow: pack(options.allow), deny: pack(options.deny) }
}

function pack(prefixes: readonly Prefix[]): Prefixes {
  const packed = new Uint8Array(new SharedArrayBuffer(prefixes.length * STRIDE))
  for (const [index, prefix] of prefixes.entries()) {
    packed.set([prefix.family, prefix.bits, ...prefix.octets], index * STRIDE)
  }
  return packed
}

/**
 * Whether what this source says of its client is used. Where not, the query is answered as if it
 * had no option, and the echo says scope 0. RFC 7871 §11.3. Hot: once per query with ECS.
 */
export function believes(policy: EcsPolicy, source: Address): boolean {
  if (policy.deny.length > 0 && holds(policy.deny, source)) return false
  return policy.allow.length === 0 || holds(policy.allow, source)
}

/** Hot. */
function holds(prefixes: Prefixes, source: Address): boolean {
  for (let at = 0; at < prefixes.length; at += STRIDE) {
    if (prefixes[at] === source.family && covers(prefixes, at, source.octets)) return true
  }
  return false
}

/** Hot. */
function covers(prefixes: Prefixes, at: number, octets: Uint8Array): boolean {
  const bits = prefixes[at + 1]!
  const whole = bits >> 3
  for (let octet = 0; octet < whole; octet += 1) {
    if (prefixes[at + 2 + octet] !== octets[octet]) return false
  }
  const rest = bits & 7
  if (rest === 0) return true
  return (prefixes[at + 2 + whole]! ^ octets[whole]!) >> (8 - rest) === 0
}
