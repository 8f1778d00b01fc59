/** What is printed, where, and how much of it: the flags of every command that reports. */

import { wrong } from '../plan/wrong.ts'
import type { Aliases } from '../words.ts'
import { type FlagRow, Misuse } from './read.ts'
import { REPORTER_FLAGS, type ReporterOption, reporterOptions } from './reporters.ts'

export type OutputFlags = {
  readonly json?: true
  readonly short?: true
  readonly output?: string
  readonly reporter?: readonly string[]
  readonly color?: string
  readonly progress?: boolean
  readonly quiet?: true
  readonly verbose?: true
  readonly asDig?: true
}

export type OutputOptions = {
  readonly format: 'person' | 'json' | 'short'
  readonly output: string | undefined
  readonly reporters: readonly ReporterOption[]
  readonly color: 'auto' | 'always' | 'never'
  readonly progress: 'auto' | 'on' | 'off'
  readonly loudness: 'quiet' | 'usual' | 'verbose'
  readonly dig: 'shown' | 'untold'
}

// biome-ignore format: table
export const OUTPUT_FLAGS: readonly FlagRow[] = [
  ['-J, --json', 'one JSON document'],
  ['--short', 'one line a name and type'],
  ['-o, --output <file>', 'write the report there'],
  ...REPORTER_FLAGS,
  ['--color <when>', 'auto, always or never (default: auto)'],
  ['--progress', 'show progress on stderr'],
  ['--no-progress', 'do not'],
  ['-q, --quiet', 'no plan line'],
  ['-v, --verbose', 'every query on stderr'],
  ['--as-dig', 'every query as a line of dig on stderr; with --dry-run on stdout'],
]

export function outputOptions(flags: OutputFlags, aliases: Aliases): OutputOptions {
  const { progress } = flags
  const format = flags.json ? 'json' : (flags.short ?? aliases.short) ? 'short' : 'person'
  return {
    format,
    output: flags.output,
    reporters: reporterOptions(flags.reporter ?? [], format),
    color: colorOf(flags.color ?? 'auto'),
    progress: progress === undefined ? 'auto' : progress ? 'on' : 'off',
    loudness: flags.quiet ? 'quiet' : flags.verbose ? 'verbose' : 'usual',
    dig: flags.asDig ? 'shown' : 'untold',
  }
}

function colorOf(text: string): OutputOptions['color'] {
  if (text === 'auto' || text === 'always' || text === 'never') return text
  throw new Misuse(wrong(`--color ${text}: not one of auto, always, never`))
}
