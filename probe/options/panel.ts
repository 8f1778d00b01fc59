/** For which clients to ask: the flags that choose client subnets. */

import { type Clients, PRESETS, type Preset } from '../plan/preset.ts'
import { wrong } from '../plan/wrong.ts'
import type { Aliases } from '../words.ts'
import { collected, type FlagRow, listed, Misuse } from './read.ts'

export type PanelFlags = {
  readonly subnet?: readonly string[]
  readonly ecs?: readonly string[]
  readonly country?: readonly string[]
  readonly preset?: string
  readonly v6?: true
  readonly both?: true
  readonly allowLongPrefix?: true
  readonly control?: boolean
  readonly hostile?: true
}

export type PanelOptions = {
  readonly subnets: readonly string[]
  readonly prefixes: 'usual' | 'any'
  readonly countries: readonly string[] | undefined
  /** Queries that the others are compared with: no option, SOURCE 0, private subnets. */
  readonly controls: 'sent' | 'unsent'
  /** Malformed options, to see whether they are refused. */
  readonly hostile: 'sent' | 'unsent'
  readonly preset: Preset | undefined
  /** Absent: none was named, which is IPv4. */
  readonly clients: Clients | undefined
}

// biome-ignore format: table
export const PANEL_FLAGS: readonly FlagRow[] = [
  ['--subnet <prefix>', 'client subnet to ask for; may repeat; commas; @file', collected],
  ['--ecs <prefix>', 'the same as --subnet', collected],
  ['--country <codes>', 'the panel\'s countries (default: US,DE,JP,BR)', listed],
  ['--preset <kind>', 'the panel\'s networks: academic, isp, cloud, or world for all but clouds'],
  ['--v6', 'IPv6 subnets instead of IPv4'],
  ['--both', 'subnets of both families'],
  ['--allow-long-prefix', 'send prefixes longer than /24 and /56'],
  ['--control', 'ecs: compare with no option, SOURCE 0, private subnets (the default)'],
  ['--no-control', 'ecs: do not'],
  ['--hostile', 'ecs: send six malformed options too, which should get FORMERR'],
]

export function panelOptions(flags: PanelFlags, aliases: Aliases): PanelOptions {
  const alias = aliases.subnet === undefined ? [] : [aliases.subnet]
  return {
    subnets: [...(flags.subnet ?? []), ...(flags.ecs ?? []), ...alias],
    prefixes: flags.allowLongPrefix ? 'any' : 'usual',
    countries: flags.country,
    controls: flags.control === false ? 'unsent' : 'sent',
    hostile: flags.hostile ? 'sent' : 'unsent',
    preset: flags.preset === undefined ? undefined : presetOf(flags.preset),
    clients: flags.both ? 'both' : flags.v6 ? 'ipv6' : undefined,
  }
}

export function presetOf(text: string): Preset {
  const preset = PRESETS.find(one => one === text)
  if (preset !== undefined) return preset
  throw new Misuse(wrong(`--preset ${text}: no such preset`, `known: ${PRESETS.join(', ')}`))
}
