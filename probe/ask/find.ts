/**
 * From an `@server` word to addresses: host names through the system's resolver, `@auth` by looking
 * for the name servers of the zone a name lies in. The system's resolver is an argument.
 */

import { readAddress } from '../plan/subnet.ts'
import { isWrong, type Wrong, wrong } from '../plan/wrong.ts'
import {
  PATHS, PORTS, readServer, type Secure, type Server, type ServerWord, type Transport,
} from './server.ts' // biome-ignore format: list

/** What the operating system knows of DNS. An empty list: there is none; a throw: it does not work. */
export type System = {
  /** Its resolvers, as `address` or `address:port`. */
  readonly resolvers: () => readonly string[]
  readonly nameServers: (zone: string) => Promise<readonly string[]>
  readonly addresses: (host: string, families: Families) => Promise<readonly string[]>
}

export type Families = 'both' | 4 | 6

export type Preference = {
  readonly families: Families
  readonly port: number | undefined
  readonly transport: Transport | undefined
  /** `+norecurse`; authorities never get RD. */
  readonly recursion: Server['recursion']
  /** How encrypted servers are to prove who they are; absent: by their names, where these are known. */
  readonly secure?: Security
}

/** What the user says of encrypted servers. */
export type Security = Pick<Secure, 'name' | 'pins' | 'ca' | 'method'> & {
  readonly path: string | undefined
}

const USUAL: Security = {
  name: undefined,
  pins: [],
  ca: undefined,
  method: 'post',
  path: undefined,
}

/**
 * Finds the servers for a name.
 *
 * @param name without trailing dot
 * @returns at least one server, or what is wrong
 */
export async function findServers(
  word: ServerWord,
  name: string,
  system: System,
  preference: Preference,
): Promise<readonly Server[] | Wrong> {
  switch (word.kind) {
    case 'auth':
      return authorities(name, system, preference)
    case 'system':
      return systemResolvers(system, preference)
    case 'host':
      return hostServers(word, system, preference)
  }
}

async function authorities(
  name: string,
  system: System,
  preference: Preference,
): Promise<readonly Server[] | Wrong> {
  try {
    for (const zone of zonesAbove(name)) {
      const hosts = await system.nameServers(zone)
      const found = await Promise.all(
        hosts.map(host => addressesOf(host, system, preference.families)),
      )
      const addresses = [...new Set(found.flat())]
      if (addresses.length > 0) {
        return serversAt(addresses, { ...preference, recursion: 'not-desired' })
      }
    }
  } catch (cause) {
    return wrong(`the system's resolver does not answer (${codeOf(cause)})`)
  }
  return wrong(`no name servers found for ${name}`)
}

function systemResolvers(system: System, preference: Preference): readonly Server[] | Wrong {
  const servers = system.resolvers().flatMap(text => {
    const word = readServer(text)
    if (isWrong(word) || word.kind !== 'host') return []
    // a port of the system's is for DNS in the clear
    const clear = PORTS[preference.transport ?? 'udp'] === PORTS.udp
    const port = clear ? (word.port ?? PORTS.udp) : preference.port
    return serversAt([word.host], { ...preference, port })
  })
  return servers.length > 0 ? servers : wrong('the system has no resolver', 'name one: @192.0.2.53')
}

async function hostServers(
  word: ServerWord & { kind: 'host' },
  system: System,
  preference: Preference,
): Promise<readonly Server[] | Wrong> {
  const addresses = await addressesOf(word.host, system, preference.families)
  if (addresses.length === 0) return wrong(`@${word.host}: no such host`)
  const wish = {
    ...preference,
    transport: word.transport ?? preference.transport,
    port: word.port ?? preference.port,
  }
  const isName = readAddress(word.host.replace(/%.*$/, '')) === undefined
  const name = word.name ?? (isName ? word.host : undefined)
  return serversAt(addresses.slice(0, 1), wish, { name, path: word.path })
}

/** The name, its parent, … and the root. */
export function zonesAbove(name: string): readonly string[] {
  const labels = name === '.' ? [] : name.split('.')
  return [...labels.map((_, index) => labels.slice(index).join('.')), '.']
}

async function addressesOf(
  host: string,
  system: System,
  families: Families,
): Promise<readonly string[]> {
  const bare = host.replace(/%.*$/, '')
  if (readAddress(bare) !== undefined) return [host]
  try {
    return await system.addresses(host, families)
  } catch {
    return []
  }
}

type Known = { readonly name: string | undefined; readonly path: string | undefined }
const NOTHING: Known = { name: undefined, path: undefined }

function serversAt(
  addresses: readonly string[],
  { port, transport = 'udp', recursion, secure = USUAL }: Preference,
  known: Known = NOTHING,
): readonly Server[] {
  const place = { port: port ?? PORTS[transport], transport, recursion }
  if (transport === 'udp' || transport === 'tcp') {
    return addresses.map(address => ({ address, ...place }))
  }
  const usual = transport === 'tls' ? '' : PATHS[transport]
  const path = transport === 'tls' ? '' : (known.path ?? secure.path ?? usual)
  const name = secure.name ?? known.name
  return addresses.map(address => ({ address, ...place, secure: { ...secure, name, path } }))
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'failed'
}
