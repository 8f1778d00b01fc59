/** The flags of `exporter`. */

import { collected, type FlagRow } from './read.ts'

export type ExporterFlags = {
  readonly listen?: string
  readonly modules?: string
  readonly target?: readonly string[]
  readonly allowRemote?: true
  readonly concurrent?: string
}

// biome-ignore format: table
export const EXPORTER_FLAGS: readonly FlagRow[] = [
  ['--listen <address>', 'where to listen (default: 127.0.0.1:9876)'],
  ['--allow-remote', 'listen on other addresses than this machine\'s own'],
  ['--modules <file>', 'modules, as YAML; read again on SIGHUP (default: ecs and dns2)'],
  ['--target <name>', 'measure only this name; may repeat (default: any)', collected],
  ['--concurrent <number>', 'measurements at one time (default: 4)'],
]
