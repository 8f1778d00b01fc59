/**
 * Whose client subnets are believed. ECS is switched off for the whole server or for one listen
 * address, never for a zone: a server that has it owes it in every reply (RFC 7871 §12.1).
 */
import type { Address } from '../dns/address.ts'
import { holdsAddress, type Prefix, type Prefixes, packPrefixes } from '../dns/prefixes.ts'

export type EcsPolicy = {
  /** False: the option is neither read nor sent. */
  readonly enabled: boolean
  /** Sources that are believed; empty: all. */
  readonly allow: Prefixes
  /** Sources that are not, whatever `allow` says. */
  readonly deny: Prefixes
}

export function ecsPolicy(options: {
  readonly enabled: boolean
  readonly allow: readonly Prefix[]
  readonly deny: readonly Prefix[]
}): EcsPolicy {
  const { allow, deny, enabled } = options
  return { enabled, allow: packPrefixes(allow), deny: packPrefixes(deny) }
}

/**
 * Whether what this source says of its client is used. Where not, the query is answered as if it
 * had no option, and the echo says scope 0. RFC 7871 §11.3. Hot: once per query with ECS.
 */
export function believes(policy: EcsPolicy, source: Address): boolean {
  if (policy.deny.length > 0 && holdsAddress(policy.deny, source)) return false
  return policy.allow.length === 0 || holdsAddress(policy.allow, source)
}
