/**
 * The table of commands: what each is called, says of itself and takes. What a command does is opened
 * only when it is used, so that a short run opens few modules.
 */

import type { ExplainFlags } from './commands/explain.ts'
import type { LabFlags } from './commands/lab.ts'
import type { ReportFlags } from './commands/report.ts'
import type { WatchFlags } from './commands/watch.ts'
import { DIFF_FLAGS, DIFF_MORE } from './options/diff.ts'
import { EXPORTER_FLAGS, type ExporterFlags } from './options/exporter.ts'
import { MAP_FLAGS, type MapFlags } from './options/map.ts'
import { collected, type FlagRow } from './options/read.ts'
import { RESOLVER_FLAGS, RESOLVER_MORE, type ResolverFlags } from './options/resolver.ts'
import { SUBNET_FLAGS, type SubnetFlags } from './options/subnets.ts'
import { WATCH_FLAGS } from './options/watch.ts'
import { CHECK_FLAGS, type Flags, MEASURE_FLAGS, SNAPSHOT_FLAGS } from './options.ts'
import type { World } from './world.ts'

/** Runs one command; returns its exit code. `Given` is what commander makes of its flags. */
export type Action = (words: readonly string[], flags: object, world: World) => Promise<number>

export type CommandRow = {
  readonly name: string
  readonly does: string
  /** What stands after the name: `[options] [@server…] name…`. */
  readonly usage: string
  readonly flags: readonly FlagRow[]
  /** Below the flags in its help. */
  readonly more?: string
  /** Words that may follow, where they are few. */
  readonly words?: readonly string[]
  readonly run: Action
}

/** What the program says of itself. */
export const ABOUT =
  'Tells what a domain name does with its addresses: shuffles, rotates, or steers.'

// biome-ignore format: table
const SETTINGS_FLAGS: readonly FlagRow[] = [
  ['--config <file>', 'take flags from there (default: lbprobe.config.yaml, where it is)'],
  ['--no-config', 'take none from a file'],
]

/** A command's own flags, and those of all that have any. */
export function flagsOf({ flags }: CommandRow): readonly FlagRow[] {
  return flags.length === 0 ? flags : [...flags, ...SETTINGS_FLAGS]
}

const ASKING = '[options] [@server…] [type…] name…'

const SERVERS = `
Servers: @auth (the zone's own name servers, the default), @system, @google, @quad9-ecs,
@cloudflare, @address, @address#port, @[v6]:port, @host, and before any of them udp://, tcp://,
tls:// (a name is checked, an address taken as it is: --tls-host, --tls-pin), https:// with
/dns-query or another path, json:// with /resolve or another (dns.google, dns.alidns.com).
Without any: those in LBPROBE_SERVER, with commas between, else \`server:\` of the settings file.
Words of dig: +subnet= +short +tcp +tls +https[=/path] +https-get[=/path] +tls-hostname= +tls-ca=
+tls-pin= +timeout= +tries= +retry= +norecurse +nsid +bufsize=

What is sent: the subnets of the panel are universities' networks, not yours; no prefix longer
than /24 or /56 leaves unless you say so.
`

const EXITS = `
Exit: 0 measured · 1 an expectation failed · 2 wrong usage · 3 unclear where something was
expected · 4 some servers silent (--fail-on partial) · 9 no reply · 10 our fault · 130 interrupted`

const MAP_EXITS = `
Exit: 0 mapped · 1 mis-scoped (--fail-on mis-scoped) · 2 wrong usage · 4 partial (--fail-on
partial) · 9 no reply · 10 our fault · 130 interrupted: what was seen is told, and --resume goes on`
const CHECK_FILES = `
Files: lbprobe.yaml unless others are named; lbprobe snapshot writes one. A server named here wins
over those in the files.
`
const WATCHING = `
Keys: q quit · p pause · r reset · n next name · s sort · ? help. Rotation is no change: a change is
an answer of a group that came or went, or subnets that left their group, beyond chance; a scope
that came twice running and was not usual; another verdict; silence.
Without a terminal: a line for each change.
Exit: 0 quit, or --until was met · 1 --for ended before · 2 wrong usage · 9 no reply · 130 interrupted`

export const COMMANDS: readonly CommandRow[] = [
  {
    name: 'dns2',
    does: 'Asks the same question many times in a row: fixed, shuffled or rotating?',
    usage: ASKING,
    flags: MEASURE_FLAGS,
    more: SERVERS + EXITS,
    run: async (words, flags, world) => {
      const { runMeasurement } = await import('./commands/measure.ts')
      return runMeasurement('dns2', words, flags as Flags, world)
    },
  },
  {
    name: 'ecs',
    does: 'Asks for clients in several networks: real geoDNS or fake, and are its scopes true?',
    usage: ASKING,
    flags: MEASURE_FLAGS,
    more: SERVERS + EXITS,
    run: async (words, flags, world) => {
      const { runMeasurement } = await import('./commands/measure.ts')
      return runMeasurement('ecs', words, flags as Flags, world)
    },
  },
  {
    name: 'report',
    does: 'A recording as one HTML file: verdicts, map, charts, every query.',
    usage: '[options] recording',
    flags: [
      ['-o, --output <file>', 'write the report there (default: stdout)'],
      ['--baseline <file>', 'an earlier recording, to show what moved'],
    ],
    run: async (words, flags, world) => {
      const { reportCommand } = await import('./commands/report.ts')
      return reportCommand(words, flags as ReportFlags, world)
    },
  },
  {
    name: 'diff',
    does: 'Holds name servers side by side: client subnets, scopes, answers, TTL, serial.',
    usage: '[options] [@server @server…] [type…] name…',
    flags: DIFF_FLAGS,
    more: DIFF_MORE,
    run: async (words, flags, world) => {
      const { diffCommand } = await import('./commands/diff.ts')
      return diffCommand(words, flags as Flags, world)
    },
  },
  {
    name: 'resolver',
    does: 'Calibrates resolvers: what becomes of a client subnet that is sent through them?',
    usage: '[options] [@resolver…]',
    flags: RESOLVER_FLAGS,
    more: RESOLVER_MORE,
    run: async (words, flags, world) => {
      const { resolverCommand } = await import('./commands/resolver.ts')
      return resolverCommand(words, flags as ResolverFlags, world)
    },
  },
  {
    name: 'map',
    does: 'Goes through the address space by the scopes that come back: who is given what?',
    usage: '[options] [@server] [type] name',
    flags: MAP_FLAGS,
    more: SERVERS + MAP_EXITS,
    run: async (words, flags, world) => {
      const { mapCommand } = await import('./commands/map.ts')
      return mapCommand(words, flags as MapFlags, world)
    },
  },
  {
    name: 'check',
    does: 'Holds names against an assertion file, for CI: what rotates, who is steered, where.',
    usage: '[options] [@server…] [file…]',
    flags: CHECK_FLAGS,
    more: CHECK_FILES + EXITS,
    run: async (words, flags, world) => {
      const { runCheck } = await import('./commands/check.ts')
      return runCheck(words, flags as Flags, world)
    },
  },
  {
    name: 'snapshot',
    does: 'Writes an assertion file from what is seen now; check on it passes.',
    usage: ASKING,
    flags: SNAPSHOT_FLAGS,
    more: SERVERS,
    run: async (words, flags, world) => {
      const { runSnapshot } = await import('./commands/snapshot.ts')
      return runSnapshot(words, flags as Flags, world)
    },
  },
  {
    name: 'subnets',
    does: 'The client subnets that ecs asks for: lists them, or checks where they are.',
    usage: '[options] [list | show country… | verify]',
    flags: SUBNET_FLAGS,
    run: async (words, flags, world) => {
      const { subnetsCommand } = await import('./commands/subnets.ts')
      return subnetsCommand(words, flags as SubnetFlags, world)
    },
  },
  {
    name: 'watch',
    does: 'Asks again and again, and shows what changes: a live table of clients and their answers.',
    usage: ASKING,
    flags: WATCH_FLAGS,
    more: WATCHING,
    run: async (words, flags, world) => {
      const { watchCommand } = await import('./commands/watch.ts')
      return watchCommand(words, flags as WatchFlags, world)
    },
  },
  {
    name: 'exporter',
    does: 'Measures when Prometheus asks: /probe?target=NAME&module=ecs, /metrics.',
    usage: '[options]',
    flags: EXPORTER_FLAGS,
    run: async (_words, flags, world) => {
      const { exporterCommand } = await import('./commands/exporter.ts')
      return exporterCommand(flags as ExporterFlags, world)
    },
  },
  {
    name: 'lab',
    does: 'A server on this machine with one name for every verdict and every fault.',
    usage: '[options]',
    flags: [
      ['--listen <address>', 'where to listen; may repeat', collected],
      ['--tls <address>', '… over TLS too; may repeat', collected],
      ['--https <address>', '… over HTTPS too: /dns-query, and /resolve for JSON', collected],
      ['--cert <file>', 'certificate for both (PEM)'],
      ['--key <file>', 'its key (PEM)'],
      ['--seed <number>', 'the same seed gives the same replies'],
    ],
    run: async (_words, flags, world) => {
      const { labCommand } = await import('./commands/lab.ts')
      return labCommand(flags as LabFlags, world)
    },
  },
  {
    name: 'explain',
    does: 'What a verdict, a word beside it or a finding means, and what to do; alone: all of them.',
    usage: '[options] [word…]',
    flags: [['-J, --json', 'one JSON document']],
    run: async (words, flags, world) => {
      const { explain } = await import('./commands/explain.ts')
      return explain(words, flags as ExplainFlags, world)
    },
  },
  {
    name: 'checks',
    does: 'The findings there are: id, name, level, and the clause that each rests on.',
    usage: '[options]',
    flags: [['-J, --json', 'one JSON document']],
    run: async (_words, flags, world) => {
      const { checks } = await import('./commands/explain.ts')
      return checks(flags as ExplainFlags, world)
    },
  },
  {
    name: 'completion',
    does: "Prints what a shell completes this program's words by.",
    usage: 'bash|zsh|fish',
    words: ['bash', 'zsh', 'fish'],
    flags: [],
    more: `
bash: source <(lbprobe completion bash)
zsh:  source <(lbprobe completion zsh)
fish: lbprobe completion fish | source`,
    run: async (words, _flags, world) => {
      const { completionCommand } = await import('./commands/manual.ts')
      return completionCommand(words, world)
    },
  },
  {
    name: 'man',
    does: 'Prints the man page: lbprobe man | man -l -',
    usage: '[options]',
    flags: [],
    run: async (_words, _flags, world) => {
      const { manCommand } = await import('./commands/manual.ts')
      return manCommand(world)
    },
  },
]
