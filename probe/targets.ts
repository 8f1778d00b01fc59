/**
 * Whom to ask about a name: the servers the user named, or the name servers of its zone, or, where
 * those cannot be found, the system's resolver with a warning.
 */

import { findServers, type Preference, zoneTargets } from './ask/find.ts'
import type { Server, ServerWord } from './ask/server.ts'
import type { ServerOptions } from './options/servers.ts'
import { isWrong, type Wrong, wrong, wrongText } from './plan/wrong.ts'
import { preferenceOf } from './preference.ts'
import { serversNamed } from './whom.ts'
import type { World } from './world.ts'

export type Targets = {
  /** Each list is measured as one: the name servers of a zone, or one server of several named. */
  readonly lists: readonly (readonly Server[])[]
  /** Authorities are asked along aliases, from zone to zone; resolvers follow them. */
  readonly who: 'authorities' | 'resolvers'
  /** Whether the system's resolver may be asked instead, should nobody answer. */
  readonly fallback: 'system' | 'none'
  /** Host names of the zone's name servers, where these are asked. */
  readonly nameServers?: readonly string[]
  /** Host names of servers that are measured each for itself, by their text. */
  readonly hosts?: ReadonlyMap<string, string>
  readonly warning: string | undefined
}

/** Which servers were named, none for `@auth`, and how to ask them. */
export type Named = ServerOptions & {
  readonly servers: readonly ServerWord[]
  readonly whom?: 'all-ns' | 'named'
}

const AUTH: ServerWord = { kind: 'auth' }

/** Whom to ask: those named, or that usually are, or the zone's own. */
export function wordsFor(
  { servers, whom }: Pick<Named, 'servers' | 'whom'>,
  world: Pick<World, 'usual'>,
): readonly ServerWord[] {
  const named = whom === 'all-ns' ? [] : serversNamed(servers, world)
  return named.length > 0 ? named : [AUTH]
}

/**
 * @param grouping `one`: all servers named stand for one zone; `each`: every one for itself
 */
export async function targetsFor(
  name: string,
  options: Named,
  world: World,
  grouping: 'one' | 'each',
): Promise<Targets | Wrong> {
  const words = wordsFor(options, world)
  const preference = await preferenceOf(options, world)
  if (isWrong(preference)) return preference
  if (words.every(word => word.kind === 'auth')) {
    return authorities(name, options, world, preference)
  }
  const servers: Server[] = []
  for (const word of words) {
    const found = await findServers(word, name, world.system, preference)
    if (!isWrong(found)) servers.push(...found)
    else return found
  }
  const lists = grouping === 'each' ? servers.map(one => [one]) : [servers]
  return { lists, ...RESOLVERS, warning: undefined }
}

const RESOLVERS = { who: 'resolvers', fallback: 'none' } as const

/** The zone's own, as one or, with `--all-ns`, each for itself: then nobody else is asked instead. */
async function authorities(
  name: string,
  options: Named,
  world: World,
  preference: Preference,
): Promise<Targets | Wrong> {
  const found = await zoneTargets(name, world.system, preference)
  const isEach = options.whom === 'all-ns'
  if (isWrong(found)) return isEach ? found : instead(name, options, world, found)
  const { servers, hosts, missing } = found
  const who = { who: 'authorities', nameServers: [...new Set(hosts.values())] } as const
  if (!isEach) return { lists: [servers], ...who, fallback: 'system', warning: undefined }
  const lists = servers.map(one => [one])
  const warning = missing.length === 0 ? undefined : `${missing.join(', ')}: no address found`
  return { lists, ...who, fallback: 'none', hosts, warning }
}

/** The system's resolver in place of name servers that cannot be found or do not answer. */
export async function instead(
  name: string,
  options: Named,
  world: World,
  reason: Wrong,
): Promise<Targets | Wrong> {
  const preference = await preferenceOf(options, world)
  if (isWrong(preference)) return preference
  const found = await findServers({ kind: 'system' }, name, world.system, preference)
  if (isWrong(found)) return wrong(`${wrongText(reason)}, and ${found.wrong}`, found.fix)
  const warning = `${wrongText(reason)}: asking the system's resolver instead, whose cache may hide rotation and client subnets`
  return { lists: [found], ...RESOLVERS, warning }
}
