/**
 * Whom `diff` compares: the servers that the user names, or every address of every name server of the
 * zone, with what could not be found.
 */

import { findServers } from './ask/find.ts'
import { zoneServers } from './ask/nameservers.ts'
import { type Server, serverText } from './ask/server.ts'
import type { Options } from './options.ts'
import { isWrong, type Wrong, wrong } from './plan/wrong.ts'
import type { World } from './world.ts'

export type Sides = {
  /** Absent where servers are named: their zone is found by asking them. */
  readonly zone: string | undefined
  /** Each once. */
  readonly servers: readonly Server[]
  /** Host name of a server, by `address#port`. */
  readonly hosts: ReadonlyMap<string, string>
  /** Name servers without an address. */
  readonly missing: readonly string[]
}

const DNS_PORT = 53

/** @param whom `all-ns`: the user asks for all name servers, which naming some contradicts */
export async function sidesFor(
  name: string,
  options: Options,
  world: World,
  whom: 'all-ns' | 'named-or-all',
): Promise<Sides | Wrong> {
  const named = options.servers.filter(({ kind }) => kind !== 'auth')
  if (named.length === 0) return allServers(name, options, world)
  if (whom === 'all-ns') {
    return wrong('--all-ns and @servers exclude each other', 'take one of them')
  }
  const { families, port, transport, recursion } = options
  const servers: Server[] = []
  for (const word of named) {
    const preference = { families, port, transport, recursion }
    const found = await findServers(word, name, world.system, preference)
    if (isWrong(found)) return found
    servers.push(...found)
  }
  const once = eachOnce(servers)
  if (once.length > 1) return { zone: undefined, servers: once, hosts: new Map(), missing: [] }
  return wrong('one server cannot differ from itself', 'name two, or --all-ns')
}

async function allServers(name: string, options: Options, world: World): Promise<Sides | Wrong> {
  const found = await zoneServers(name, world.system, options.families)
  if (isWrong(found)) return found
  const { zone } = found
  const pairs = found.hosts.flatMap(({ host, addresses }) =>
    addresses.map(address => ({ host, server: authority(address, options) })),
  )
  if (pairs.length === 0) return wrong(`no address of any name server of ${zone} can be found`)
  const without = found.hosts.filter(({ addresses }) => addresses.length === 0)
  return {
    zone,
    servers: eachOnce(pairs.map(({ server }) => server)),
    hosts: new Map(pairs.map(({ host, server }) => [serverText(server), host])),
    missing: without.map(({ host }) => host),
  }
}

function authority(address: string, { port, transport }: Options): Server {
  return {
    address,
    port: port ?? DNS_PORT,
    transport: transport ?? 'udp',
    recursion: 'not-desired',
  }
}

function eachOnce(servers: readonly Server[]): readonly Server[] {
  return [...new Map(servers.map(server => [serverText(server), server])).values()]
}
