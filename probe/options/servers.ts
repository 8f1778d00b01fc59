/** Whom to ask and how: the flags of every command that asks a server. */

import { DEFAULT_MANNER } from '../ask/ask.ts'
import type { Families } from '../ask/find.ts'
import type { Server, Transport } from '../ask/server.ts'
import type { Aliases } from '../words.ts'
import { type FlagRow, listed, portOf, whole } from './read.ts'

export type ServerFlags = {
  readonly type?: readonly string[]
  readonly port?: string
  readonly ipv4?: true
  readonly ipv6?: true
}

export type ServerOptions = {
  readonly port: number | undefined
  readonly families: Families
  readonly transport: Transport | undefined
  readonly recursion: Server['recursion']
  readonly size: number
}

// biome-ignore format: table
export const SERVER_FLAGS: readonly FlagRow[] = [
  ['-t, --type <type>', 'record type; may repeat (default: A,AAAA)', listed],
  ['-p, --port <number>', 'port of the servers (default: 53)'],
  ['-4, --ipv4', 'ask over IPv4 only'],
  ['-6, --ipv6', 'ask over IPv6 only'],
]

export function serverOptions(flags: ServerFlags, aliases: Aliases): ServerOptions {
  return {
    port: flags.port === undefined ? undefined : portOf(flags.port),
    families: familiesOf(flags),
    transport: aliases.transport,
    recursion: aliases.recursion ?? 'desired',
    size: whole('+bufsize', aliases.size ?? String(DEFAULT_MANNER.size), 512, 65_535),
  }
}

function familiesOf(flags: ServerFlags): Families {
  if (flags.ipv4 === true && flags.ipv6 === true) return 'both'
  if (flags.ipv4 === true) return 4
  return flags.ipv6 === true ? 6 : 'both'
}
