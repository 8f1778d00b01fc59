/** Which rows of the table of subnets, and how they are printed: the flags of `subnets`. */

import type { Clients, Preset } from '../plan/preset.ts'
import type { Wrong } from '../plan/wrong.ts'
import { type FormatFlags, formatFlags, formatOf, SUBNET_FORMATS } from './formats.ts'
import { presetOf } from './panel.ts'
import { attempt, collected, type FlagRow } from './read.ts'

export type SubnetFlags = FormatFlags & {
  readonly preset?: string
  readonly ipv4?: true
  readonly ipv6?: true
  readonly mmdb?: readonly string[]
  readonly output?: string
}

export type SubnetOptions = {
  readonly preset: Preset | undefined
  readonly clients: Clients
  /** Empty: the database that is installed with the package. */
  readonly databases: readonly string[]
  readonly format: 'auto' | (typeof SUBNET_FORMATS)[number]
  readonly output: string | undefined
}

// biome-ignore format: table
export const SUBNET_FLAGS: readonly FlagRow[] = [
  ['--preset <kind>', 'only academic, isp or cloud, or world for all but clouds'],
  ['-4, --ipv4', 'only IPv4'],
  ['-6, --ipv6', 'only IPv6'],
  ['--mmdb <file>', 'verify: a country database; may repeat (default: the one installed)', collected],
  ...formatFlags(SUBNET_FORMATS),
  ['-o, --output <file>', 'write it there'],
]

export function subnetOptions(flags: SubnetFlags): SubnetOptions | Wrong {
  return attempt(() => ({
    preset: flags.preset === undefined ? undefined : presetOf(flags.preset),
    clients: clientsOf(flags),
    databases: flags.mmdb ?? [],
    format: formatOf(flags, SUBNET_FORMATS)?.format ?? 'auto',
    output: flags.output,
  }))
}

function clientsOf({ ipv4, ipv6 }: SubnetFlags): Clients {
  if (ipv4 === ipv6) return 'both'
  return ipv4 === undefined ? 'ipv6' : 'ipv4'
}
