/** The operating system's resolver through `node:dns`. Knows nothing of what it is asked for. */

import { getServers } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import type { Families, System } from './nameservers.ts'

/** Answers that say "there is none", as opposed to "I cannot tell". */
const NONE = new Set(['ENOTFOUND', 'ENODATA'])

export function systemResolver(): System {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  return {
    resolvers: getServers,
    nameServers: zone => orNone(resolver.resolveNs(zone === '.' ? '' : zone)),
    addresses,
  }
}

/** The same way as every program of this machine, the hosts file included; IPv4 first. */
async function addresses(host: string, families: Families): Promise<readonly string[]> {
  const family = families === 'both' ? 0 : families
  const found = await lookup(host, { all: true, family })
  return found.toSorted((one, other) => one.family - other.family).map(({ address }) => address)
}

async function orNone(asked: Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await asked
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && NONE.has(String(cause.code))) return []
    throw cause
  }
}
