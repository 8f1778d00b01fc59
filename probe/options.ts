/**
 * The command line of `dns2` and `ecs`, from commander's strings to options that can be used, the
 * first mistake a sentence. Each group of flags is a file in `options/`; other commands take those
 * they need.
 */

import type { ServerWord } from './ask/server.ts'
import {
  CALIBRATE_FLAGS, type CalibrateFlags, type CalibrateOptions, calibrateOptions,
} from './options/calibrate.ts' // biome-ignore format: list
import {
  CHECK_FORMATS, type Formats, formatFlags, MEASURE_FORMATS,
} from './options/formats.ts' // biome-ignore format: list
import { LIMIT_FLAGS, type LimitFlags, type LimitOptions, limitOptions } from './options/limits.ts'
import { NAME_FLAGS, type NameFlags } from './options/names.ts'
import {
  type OutputFlags, type OutputOptions, outputFlags, outputOptions,
} from './options/output.ts' // biome-ignore format: list
import { PANEL_FLAGS, type PanelFlags, type PanelOptions, panelOptions } from './options/panel.ts'
import { attempt, type FlagRow, Misuse, real, whole } from './options/read.ts'
import {
  namedTwice,
  RECORD_FLAGS,
  type RecordFlags,
  type RecordOptions,
  recordOptions,
} from './options/record.ts'
import {
  SERVER_FLAGS, type ServerFlags, type ServerOptions, serverOptions,
} from './options/servers.ts' // biome-ignore format: list
import { WISH_FLAGS, type WishFlags, type WishOptions, wishOptions } from './options/wishes.ts'
import { DEFAULT_QUERIES } from './plan/budget.ts'
import { isWrong, type Wrong, wrong } from './plan/wrong.ts'
import { readWords, type Words } from './words.ts'

/** What commander hands over. */
export type Flags = NameFlags &
  ServerFlags &
  PanelFlags &
  LimitFlags &
  OutputFlags &
  RecordFlags &
  WishFlags &
  CalibrateFlags & {
    readonly allNs?: true
    readonly count?: string
    readonly interval?: string
    readonly alpha?: string
    readonly thorough?: true
  }

export type Options = ServerOptions &
  PanelOptions &
  LimitOptions &
  OutputOptions &
  RecordOptions &
  WishOptions &
  CalibrateOptions & {
    readonly names: readonly string[]
    readonly types: readonly string[]
    /** Empty: `@auth`. */
    readonly servers: readonly ServerWord[]
    readonly whom: 'all-ns' | 'named'
    readonly count: number | undefined
    readonly intervalMs: number
    readonly alpha: number
    readonly samples: 'usual' | 'thorough'
  }

// biome-ignore format: table
const OWN_FLAGS: readonly FlagRow[] = [
  ['--all-ns', 'every address of every name server of the zone for itself, and do they agree?'],
  ['-n, --count <number>', 'dns2: queries in a row (default: 20); ecs: most rounds (default: 8)'],
  ['-i, --interval <seconds>', 'dns2: pause between queries (default: none)'],
  ['--alpha <number>', 'chance taken to be wrong, per level (default: 0.001)'],
  ['--thorough', 'ecs: 29 samples in each block instead of 5'],
]

export const MEASURE_FLAGS: readonly FlagRow[] = [
  ...NAME_FLAGS,
  ...SERVER_FLAGS,
  ...OWN_FLAGS,
  ...PANEL_FLAGS,
  ...CALIBRATE_FLAGS,
  ...LIMIT_FLAGS,
  ...outputFlags(MEASURE_FORMATS),
  ...RECORD_FLAGS,
  ...WISH_FLAGS,
]

/** Flags by which other commands than `dns2` and `ecs` measure: what is asked, they know already. */
const FIXED = /--(type|subnet|ecs|allow-long-prefix|expect|format|short|json|jsonl|all-ns)\b/

export const CHECK_FLAGS: readonly FlagRow[] = [
  ...MEASURE_FLAGS.filter(([flag]) => !FIXED.test(flag)),
  ...formatFlags(CHECK_FORMATS),
]

const UNJUDGED =
  /--(expect|fail-on|strict|lenient|exit-zero|format|short|json|jsonl|reporter|thorough|all-ns)\b/

export const SNAPSHOT_FLAGS: readonly FlagRow[] = MEASURE_FLAGS.filter(
  ([flag]) => !UNJUDGED.test(flag),
)

export const DEFAULT_TYPES = ['A', 'AAAA'] as const
const DEFAULT_ALPHA = '0.001'
const THOROUGH_QUERIES = 2000

/**
 * Reads flags and free words; the first mistake comes back.
 *
 * @param listed names out of the files of `--list`, after those among the words
 * @param formats that the command can be told in
 */
export function readOptions(
  words: readonly string[],
  flags: Flags,
  listed: readonly string[] = [],
  formats: Formats = MEASURE_FORMATS,
): Options | Wrong {
  const read = readWords(words, flags.type ?? [])
  if (isWrong(read)) return read
  const names = [...new Set([...read.names, ...listed])]
  if (flags.replay !== undefined && (words.length > 0 || listed.length > 0)) {
    return namedTwice([...words, ...listed])
  }
  if (flags.replay === undefined && names.length === 0) {
    return wrong('no name to ask for', 'add one: www.example.com')
  }
  return optionsOf({ ...read, names }, flags, formats)
}

/** Naming some contradicts asking all. */
function whomOf({ servers }: Words, { allNs }: Flags): Options['whom'] {
  if (!allNs) return 'named'
  if (servers.every(({ kind }) => kind === 'auth')) return 'all-ns'
  throw new Misuse(
    wrong('--all-ns and servers that are named exclude each other', 'take one of them'),
  )
}

/** The options of words that were sorted already; names may be lacking. */
export function optionsOf(read: Words, flags: Flags, formats: Formats): Options | Wrong {
  const { aliases } = read
  const most = flags.thorough ? THOROUGH_QUERIES : DEFAULT_QUERIES
  return attempt(() => ({
    names: read.names,
    types: read.types.length > 0 ? read.types : DEFAULT_TYPES,
    servers: read.servers,
    whom: whomOf(read, flags),
    ...wishOptions(flags),
    ...serverOptions(flags, aliases),
    ...panelOptions(flags, aliases),
    ...limitOptions(flags, aliases, most),
    ...outputOptions(flags, aliases, formats),
    ...recordOptions(flags),
    ...calibrateOptions(flags),
    count: flags.count === undefined ? undefined : whole('--count', flags.count, 1, 10_000),
    intervalMs: Math.round(1000 * real('--interval', flags.interval ?? '0', 0, 3600)),
    alpha: real('--alpha', flags.alpha ?? DEFAULT_ALPHA, 1e-6, 0.5),
    samples: flags.thorough ? 'thorough' : 'usual',
  }))
}
