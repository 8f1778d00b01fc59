/** What is printed, where, and how much of it: the flags of every command that reports. */

import { wrong } from '../plan/wrong.ts'
import type { Aliases } from '../words.ts'
import { type Format, type FormatFlags, type Formats, formatFlags, formatOf } from './formats.ts'
import { type FlagRow, Misuse } from './read.ts'
import { REPORTER_FLAGS, type ReporterOption, reporterOptions } from './reporters.ts'

export type OutputFlags = FormatFlags & {
  readonly output?: string
  readonly reporter?: readonly string[]
  readonly color?: string
  readonly progress?: boolean
  readonly quiet?: true
  readonly verbose?: true
  readonly asDig?: true
}

export type OutputOptions = {
  readonly format: Format
  readonly output: string | undefined
  readonly reporters: readonly ReporterOption[]
  readonly color: 'auto' | 'always' | 'never'
  readonly progress: 'auto' | 'on' | 'off'
  readonly loudness: 'quiet' | 'usual' | 'verbose'
  readonly dig: 'shown' | 'untold'
}

/** @param formats those that the command has */
export function outputFlags(formats: Formats): readonly FlagRow[] {
  // biome-ignore format: table
  return [
    ...formatFlags(formats),
    ['-o, --output <file>', 'write the report there'],
    ...REPORTER_FLAGS,
    ['--color <when>', 'auto, always or never (default: auto)'],
    ['--progress', 'show progress on stderr'],
    ['--no-progress', 'do not'],
    ['-q, --quiet', 'no plan line'],
    ['-v, --verbose', 'every query on stderr'],
    ['--as-dig', 'every query as a line of dig on stderr; with --dry-run on stdout'],
  ]
}

export function outputOptions(
  flags: OutputFlags,
  aliases: Aliases,
  formats: Formats,
): OutputOptions {
  const { progress, output } = flags
  const said = formatOf(flags, formats, aliases.short)
  const format = said?.format ?? 'auto'
  return {
    format,
    output,
    reporters: reporterOptions(flags.reporter ?? [], output === undefined ? said : undefined),
    color: colorOf(flags.color ?? 'auto', format),
    progress: progress === undefined ? 'auto' : progress ? 'on' : 'off',
    loudness: flags.quiet ? 'quiet' : flags.verbose ? 'verbose' : 'usual',
    dig: flags.asDig ? 'shown' : 'untold',
  }
}

function colorOf(text: string, format: Format): OutputOptions['color'] {
  if (text !== 'auto' && text !== 'always' && text !== 'never') {
    throw new Misuse(wrong(`--color ${text}: not one of auto, always, never`))
  }
  if (text === 'always' && format === 'plain') {
    throw new Misuse(wrong('--color always and -f plain: plain has no colour', 'leave one out'))
  }
  return text
}
