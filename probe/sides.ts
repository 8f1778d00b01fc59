/**
 * Whom `diff` compares: the servers that the user names, or every address of every name server of the
 * zone, with what could not be found.
 */

import { findServers, type Preference, zoneTargets } from './ask/find.ts'
import { type Server, serverText } from './ask/server.ts'
import type { Options } from './options.ts'
import { isWrong, type Wrong, wrong } from './plan/wrong.ts'
import { preferenceOf } from './preference.ts'
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

export async function sidesFor(
  name: string,
  options: Options,
  world: World,
): Promise<Sides | Wrong> {
  const preference = await preferenceOf(options, world)
  if (isWrong(preference)) return preference
  const named = options.servers.filter(({ kind }) => kind !== 'auth')
  if (named.length === 0) return everyServer(name, world, preference)
  const servers: Server[] = []
  for (const word of named) {
    const found = await findServers(word, name, world.system, preference)
    if (isWrong(found)) return found
    servers.push(...found)
  }
  const once = [...new Map(servers.map(server => [serverText(server), server])).values()]
  if (once.length > 1) return { zone: undefined, servers: once, hosts: new Map(), missing: [] }
  return wrong('one server cannot differ from itself', 'name two, or --all-ns')
}

async function everyServer(
  name: string,
  { system }: World,
  preference: Preference,
): Promise<Sides | Wrong> {
  const found = await zoneTargets(name, system, preference)
  if (!isWrong(found) || found.fix !== undefined) return found
  return wrong(found.wrong, 'name two servers: @192.0.2.1 @192.0.2.2')
}
