/**
 * Which servers are wanted, how they prove who they are and where they are asked from: options with
 * the file of `--tls-ca` read, and the addresses of `--bind` tried.
 */

import { type Preference, portMisuse } from './ask/find.ts'
import type { Origin } from './ask/server.ts'
import type { ServerOptions } from './options/servers.ts'
import { reasonOf } from './panel.ts'
import { isWrong, type Wrong, wrong } from './plan/wrong.ts'
import type { World } from './world.ts'

export async function preferenceOf(
  options: ServerOptions,
  world: World,
): Promise<Preference | Wrong> {
  const { families, port, transport, recursion, origins, secure } = options
  const denied = portMisuse(transport, origins) ?? (await denialOf(origins, world))
  if (denied !== undefined) return denied
  const { caFile, ...rest } = secure
  const ca = caFile === undefined ? undefined : await authorities(caFile, world)
  if (isWrong(ca)) return ca
  return { families, port, transport, recursion, origins, secure: { ...rest, ca } }
}

async function authorities(
  path: string,
  world: World,
): Promise<{ readonly path: string; readonly pem: string } | Wrong> {
  try {
    const pem = await world.readText(path)
    if (pem.includes('-----BEGIN CERTIFICATE-----')) return { path, pem }
    return wrong(`--tls-ca ${path}: no certificate in it`, 'name a file with PEM certificates')
  } catch (cause) {
    return wrong(`--tls-ca ${path}: ${reasonOf(cause)}`, 'name a file with PEM certificates')
  }
}

/** The first place that nothing can leave from, in words. */
async function denialOf(origins: readonly Origin[], { wire }: World): Promise<Wrong | undefined> {
  for (const origin of origins) {
    const code = await wire.denial?.(origin)
    if (code !== undefined) return denied(origin, code)
  }
  return undefined
}

function denied({ address, port }: Origin, code: string): Wrong {
  const text = port === undefined ? address : `${address}#${port}`
  if (code === 'EADDRINUSE')
    return wrong(`--bind ${text}: the port is in use`, 'take another, or none')
  if (code === 'EACCES')
    return wrong(`--bind ${text}: the port is not allowed`, 'take one from 1024 on')
  return wrong(`--bind ${text}: not an address of this machine (${code})`, 'see ip address')
}
