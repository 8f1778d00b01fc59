/**
 * What is known of the command line itself, as plain data: from it the man page and the completions of
 * shells are written, as `--help` is from the same table.
 */

export type Manual = {
  readonly program: string
  readonly version: string
  readonly does: string
  readonly commands: readonly CommandPage[]
}

export type CommandPage = {
  readonly name: string
  readonly does: string
  readonly usage: string
  readonly flags: readonly FlagEntry[]
  /** Paragraphs that stand below the flags. */
  readonly more: string
  /** Words that may stand after the name, where they are few: `bash`, `zsh`, `fish`. */
  readonly words: readonly string[]
}

export type FlagEntry = {
  /** `-p`, or absent. */
  readonly short: string | undefined
  /** `--port`. */
  readonly long: string
  /** `number`, where it takes a value. */
  readonly value: string | undefined
  readonly help: string
  /** All values there are, where they are few. */
  readonly values: readonly string[]
}

/** Reads commander's form: `-p, --port <number>`. */
export function flagEntry(flags: string, help: string, values: readonly string[]): FlagEntry {
  const found = /^(?:(-[A-Za-z0-9]), )?(--[a-z0-9-]+)(?: [<[]([^>\]]+)[>\]])?$/.exec(flags)
  return { short: found?.[1], long: found?.[2] ?? flags, value: found?.[3], help, values }
}
