/**
 * From an `@server` word to addresses: host names through the system's resolver, `@auth` by looking
 * for the name servers of the zone a name lies in. The system's resolver is an argument.
 */

import { readAddress } from '../plan/subnet.ts'
import { isWrong, type Wrong, wrong } from '../plan/wrong.ts'
import { type Families, type System, zoneServers } from './nameservers.ts'
import {
  familyOf, type Origin, PATHS, PORTS, readServer, type Secure, type Server, type ServerWord,serverText, 
  type Transport,
} from './server.ts' // biome-ignore format: list

export type Preference = {
  readonly families: Families
  readonly port: number | undefined
  readonly transport: Transport | undefined
  /** `+norecurse`; authorities never get RD. */
  readonly recursion: Server['recursion']
  /** Where to ask from, one a family at most; absent: wherever the system likes. */
  readonly origins?: readonly Origin[]
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
    case 'auth': {
      const found = await zoneTargets(name, system, preference)
      return isWrong(found) ? found : found.servers
    }
    case 'system':
      return systemResolvers(system, preference)
    case 'host':
      return hostServers(word, system, preference)
  }
}

/** Every address of every name server of the zone that a name lies in, each once. */
export type ZoneTargets = {
  readonly zone: string
  readonly servers: readonly Server[]
  /** Host names of a server, by its text. */
  readonly hosts: ReadonlyMap<string, string>
  /** Name servers without an address. */
  readonly missing: readonly string[]
}

/** @returns at least one server, or what is wrong */
export async function zoneTargets(
  name: string,
  system: System,
  preference: Preference,
): Promise<ZoneTargets | Wrong> {
  const found = await zoneServers(name, system, preference.families)
  if (isWrong(found)) return found
  const servers = new Map<string, Server>()
  const hosts = new Map<string, string>()
  for (const { host, addresses } of found.hosts) {
    for (const server of serversAt(addresses, { ...preference, recursion: 'not-desired' })) {
      const text = serverText(server)
      servers.set(text, server)
      const before = hosts.get(text)
      hosts.set(text, before === undefined ? host : `${before}, ${host}`)
    }
  }
  const { zone } = found
  if (servers.size === 0) return wrong(`no address of any name server of ${zone} can be found`)
  const missing = found.hosts.filter(({ addresses }) => addresses.length === 0)
  return { zone, servers: [...servers.values()], hosts, missing: missing.map(({ host }) => host) }
}

function systemResolvers(system: System, preference: Preference): readonly Server[] | Wrong {
  const servers = system.resolvers().flatMap(text => {
    const word = readServer(text)
    if (isWrong(word) || word.kind !== 'host' || cannotLeave(word.host, preference)) return []
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
  const [address] = addresses
  if (address === undefined) return wrong(`@${word.host}: no such host`)
  const misused = portMisuse(word.transport ?? preference.transport, preference.origins)
  if (misused !== undefined) return misused
  if (cannotLeave(address, preference)) {
    const family = familyOf(address)
    return wrong(`@${word.host}: --bind names no IPv${family} address`, 'add one of that family')
  }
  const wish = {
    ...preference,
    transport: word.transport ?? preference.transport,
    port: word.port ?? preference.port,
  }
  const isName = readAddress(word.host.replace(/%.*$/, '')) === undefined
  const name = word.name ?? (isName ? word.host : undefined)
  return serversAt([address], wish, { name, path: word.path })
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
  preference: Preference,
  known: Known = NOTHING,
): readonly Server[] {
  const { port, transport = 'udp', recursion, secure = USUAL } = preference
  const place = { port: port ?? PORTS[transport], transport, recursion }
  const shown = shownBy(transport, secure, known)
  return addresses.map(address => {
    const origin = originOf(address, preference)
    return { address, ...place, ...shown, ...(origin !== undefined && { origin }) }
  })
}

function shownBy(transport: Transport, secure: Security, known: Known): Pick<Server, 'secure'> {
  if (transport === 'udp' || transport === 'tcp') return {}
  const usual = transport === 'tls' ? '' : PATHS[transport]
  const path = transport === 'tls' ? '' : (known.path ?? secure.path ?? usual)
  return { secure: { ...secure, name: secure.name ?? known.name, path } }
}

function originOf(address: string, { origins = [] }: Preference): Origin | undefined {
  return origins.find(origin => familyOf(origin.address) === familyOf(address))
}

/** A port to ask from, where what is asked takes none. */
export function portMisuse(
  transport: Transport | undefined,
  origins: readonly Origin[] = [],
): Wrong | undefined {
  const port = origins.find(origin => origin.port !== undefined)?.port
  if (port === undefined || transport === undefined || transport === 'udp') return undefined
  return wrong(`--bind: a port to ask from is for UDP, not for ${transport}`, `leave out #${port}`)
}

/** Whether the user names where to ask from, and that is of another family. */
function cannotLeave(address: string, preference: Preference): boolean {
  const { origins = [] } = preference
  return origins.length > 0 && originOf(address, preference) === undefined
}
