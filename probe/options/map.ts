/** The command line of `map`: one name, which part of the address space, how closely, where to keep it. */

import type { ServerWord } from '../ask/server.ts'
import { isWrong, type Wrong, wrong } from '../plan/wrong.ts'
import { readWords } from '../words.ts'
import {
  CALIBRATE_FLAGS, type CalibrateFlags, type CalibrateOptions, calibrateOptions,
} from './calibrate.ts' // biome-ignore format: list
import { MAP_FORMATS } from './formats.ts'
import { LIMIT_FLAGS, type LimitFlags, type LimitOptions, limitOptions } from './limits.ts'
import {
  type OutputFlags, type OutputOptions, outputFlags, outputOptions,
} from './output.ts' // biome-ignore format: list
import { attempt, collected, type FlagRow, Misuse, whole } from './read.ts'
import {
  namedTwice,
  RECORD_FLAGS,
  type RecordFlags,
  type RecordOptions,
  recordOptions,
} from './record.ts'
import {
  SERVER_FLAGS, type ServerFlags, type ServerOptions, serverOptions,
} from './servers.ts' // biome-ignore format: list

export type MapFlags = ServerFlags &
  LimitFlags &
  OutputFlags &
  RecordFlags &
  CalibrateFlags & {
    readonly samples?: string
    readonly within?: readonly string[]
    readonly announced?: string
    readonly includeSpecial?: true
    readonly allowLongPrefix?: true
    readonly orders?: string
    readonly resume?: string
    readonly lines?: string
    readonly failOn?: readonly string[]
  }

export type MapCondition = 'partial' | 'mis-scoped'

export type MapOptions = ServerOptions &
  LimitOptions &
  OutputOptions &
  CalibrateOptions & {
    /** Empty with `--replay`. */
    readonly name: string
    readonly type: string
    readonly servers: readonly ServerWord[]
    /** Of the address space: 1 IPv4, 2 IPv6. */
    readonly family: 1 | 2
    readonly samples: number
    readonly within: readonly string[]
    /** A file of prefixes or a database; absent: all of IPv4. */
    readonly announced: string | undefined
    /** Whether to ask for blocks that are nobody's; on this machine that is usual. */
    readonly special: 'asked' | 'usual'
    readonly prefixes: 'usual' | 'any'
    /** Random orders in which the cache oracle lets clients ask; absent: as usual, or as recorded. */
    readonly orders: number | undefined
    readonly record: string | undefined
    readonly resume: string | undefined
    readonly replay: string | undefined
    /** Most lines of the tree. */
    readonly lines: number
    /** Whether the user set the most queries. */
    readonly limit: 'named' | 'usual'
    readonly failOn: readonly MapCondition[]
  }

const OWN: ReadonlySet<string> = new Set([
  '-t, --type <type>',
  '-4, --ipv4',
  '-6, --ipv6',
  '--max-queries <number>',
])

const others = (rows: readonly FlagRow[]): readonly FlagRow[] =>
  rows.filter(([flags]) => !OWN.has(flags))

// biome-ignore format: table
export const MAP_FLAGS: readonly FlagRow[] = [
  ['-t, --type <type>', 'record type (default: A)', collected],
  ...others(SERVER_FLAGS),
  ['-4, --ipv4', 'map the IPv4 address space (the default)'],
  ['-6, --ipv6', 'map the IPv6 address space, inside --announced or --within'],
  ['--announced <file>', 'only inside these: one prefix a line, an .mmdb file, or "builtin"'],
  ['--within <prefix>', 'only inside this prefix; may repeat', collected],
  ['--samples <number>', 'networks tried in each block beside the first (default: 3)'],
  ['--include-special', 'private and reserved blocks too; usual for servers on this machine'],
  ['--allow-long-prefix', 'send prefixes longer than /24 and /56 where a scope asks for it'],
  ...CALIBRATE_FLAGS,
  ...RECORD_FLAGS,
  ['--resume <file>', 'go on from a recording, asking nothing again, and write down there what is new'],
  ['--orders <number>', 'random orders of clients for the cache oracle (default: 3)'],
  ...others(LIMIT_FLAGS),
  ['--max-queries <number>', 'most queries of this run (default: 20000; a million on this machine)'],
  ...outputFlags(MAP_FORMATS),
  ['--lines <number>', 'most lines of the tree (default: 32)'],
  ['--fail-on <condition>', 'exit 4 where partial, 1 where mis-scoped; may repeat', collected],
]

/** Most queries where no flag says how many, by where the server is. */
export const MAP_QUERIES = { remote: 20_000, loopback: 1_000_000 } as const

/** Reads flags and free words; the first mistake comes back. */
export function readMapOptions(words: readonly string[], flags: MapFlags): MapOptions | Wrong {
  const read = readWords(words, flags.type ?? [])
  if (isWrong(read)) return read
  const { aliases, servers } = read
  const [name, another] = read.names
  const { replay } = flags
  if (replay !== undefined && words.length > 0) return namedTwice(words)
  if (name === undefined && replay === undefined) {
    return wrong('no name to map', 'add one: www.example.com')
  }
  if (another !== undefined) return wrong('map takes one name', `leave out ${another}`)
  if (read.types.length > 1) return wrong('map takes one type', 'leave out the others')
  // what -4 and -6 are about here is the space that is mapped
  const { ipv4: _, ipv6: __, ...asking } = flags
  return attempt(() => ({
    name: name ?? '',
    type: read.types[0] ?? 'A',
    servers,
    ...serverOptions(asking, aliases),
    ...limitOptions(flags, aliases, MAP_QUERIES.remote),
    ...drawable(outputOptions(flags, aliases, MAP_FORMATS), flags),
    family: familyOf(flags),
    samples: whole('--samples', flags.samples ?? '3', 0, 1000),
    within: flags.within ?? [],
    announced: flags.announced,
    special: flags.includeSpecial ? 'asked' : 'usual',
    prefixes: flags.allowLongPrefix ? 'any' : 'usual',
    orders: flags.orders === undefined ? undefined : whole('--orders', flags.orders, 1, 100),
    ...keptOf(flags),
    ...calibrateOptions(flags),
    lines: whole('--lines', flags.lines ?? '32', 1, 100_000),
    limit: flags.maxQueries === undefined ? 'usual' : 'named',
    failOn: (flags.failOn ?? []).map(conditionOf),
  }))
}

function familyOf(flags: MapFlags): 1 | 2 {
  if (flags.ipv4 && flags.ipv6) throw new Misuse(wrong('-4 and -6: map one space at a time'))
  if (!flags.ipv6) return 1
  if (flags.announced !== undefined || flags.within !== undefined) return 2
  const what = '-6: the IPv6 space is too large to go through'
  throw new Misuse(wrong(what, 'add --announced FILE, --announced builtin or --within PREFIX'))
}

type Kept = RecordOptions & Pick<MapOptions, 'resume'>

function keptOf(flags: MapFlags): Kept {
  const { resume } = flags
  const { record, replay } = recordOptions(flags)
  if (resume === undefined) return { record, replay, resume }
  if (replay !== undefined) {
    throw new Misuse(wrong('--resume and --replay exclude each other', 'take one of them'))
  }
  if (record === undefined || record === resume) return { record: undefined, replay, resume }
  throw new Misuse(wrong('--resume writes into its own file', 'leave out --record'))
}

function drawable(options: OutputOptions, { ipv6 }: MapFlags): OutputOptions {
  if (options.format !== 'svg' || ipv6 === undefined) return options
  throw new Misuse(wrong('-f svg draws IPv4 only', 'leave out -6, or take -f csv'))
}

function conditionOf(text: string): MapCondition {
  if (text === 'partial' || text === 'mis-scoped') return text
  throw new Misuse(wrong(`--fail-on ${text}: no such condition`, 'partial or mis-scoped'))
}
