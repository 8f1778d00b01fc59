/** For which clients to ask: the flags that choose client subnets. */

import type { Aliases } from '../words.ts'
import { collected, type FlagRow, listed } from './read.ts'

export type PanelFlags = {
  readonly subnet?: readonly string[]
  readonly ecs?: readonly string[]
  readonly country?: readonly string[]
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
}

// biome-ignore format: table
export const PANEL_FLAGS: readonly FlagRow[] = [
  ['--subnet <prefix>', 'client subnet to ask for; may repeat; commas; @file', collected],
  ['--ecs <prefix>', 'the same as --subnet', collected],
  ['--country <codes>', 'the panel\'s countries (default: US,DE,JP,BR)', listed],
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
  }
}
