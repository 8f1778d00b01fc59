/**
 * The name servers of the zone that a name lies in, host by host with all their addresses, IPv4 and
 * IPv6. The system's resolver is an argument.
 */

import { type Wrong, wrong } from '../plan/wrong.ts'

/** What the operating system knows of DNS. An empty list: there is none; a throw: it does not work. */
export type System = {
  /** Its resolvers, as `address` or `address:port`. */
  readonly resolvers: () => readonly string[]
  readonly nameServers: (zone: string) => Promise<readonly string[]>
  readonly addresses: (host: string, families: Families) => Promise<readonly string[]>
}

export type Families = 'both' | 4 | 6

export type NameServer = {
  readonly host: string
  /** Empty where it has none, or none that can be found. */
  readonly addresses: readonly string[]
}

export type ZoneServers = { readonly zone: string; readonly hosts: readonly NameServer[] }

/** @param name without trailing dot */
export async function zoneServers(
  name: string,
  system: System,
  families: Families,
): Promise<ZoneServers | Wrong> {
  try {
    for (const zone of zonesAbove(name)) {
      const hosts = await system.nameServers(zone)
      if (hosts.length === 0) continue
      const found = await Promise.all(
        hosts.toSorted().map(async host => ({
          host,
          addresses: await system.addresses(host, families).catch(() => []),
        })),
      )
      return { zone, hosts: found }
    }
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'failed'
    return wrong(`the system's resolver does not answer (${code})`)
  }
  return wrong(`no name servers found for ${name}`)
}

/** The name, its parent, … and the root. */
export function zonesAbove(name: string): readonly string[] {
  const labels = name === '.' ? [] : name.split('.')
  return [...labels.map((_, index) => labels.slice(index).join('.')), '.']
}
