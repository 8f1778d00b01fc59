/**
 * The command line of `lbdns`: what may be written, and what each command is handed. Does nothing.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { hostname } from 'node:os'
import { Argument, Command, Option } from 'commander'
import type { Machine } from './load.ts'
import { addCtl, type Ctl } from './options-ctl.ts'
import {
  type AskedWords,
  about,
  addQuestion,
  type ExplainWords,
  each,
  explainWords,
  fileOf,
  nameFrom,
  reading,
  shareFrom,
} from './options-read.ts'
import type { MapFormat } from './tell/map/map.ts'

const require = createRequire(import.meta.url)

/** Whose files can be imported. */
export const FORMATS = ['gdnsd', 'pdns-geoip', 'geodns', 'octodns'] as const
export type Format = (typeof FORMATS)[number]

/** How a map is shown: leaf by leaf, in figures, or drawn. */
export type MapView = MapFormat | 'summary' | 'summary-json' | 'svg'

export type Commands = {
  readonly run: (options: {
    readonly file: string
    /** What to do about listen addresses that this machine does not have. */
    readonly absent: 'refuse' | 'skip'
  }) => Promise<void>
  readonly check: (options: { readonly file: string; readonly strict: boolean }) => Promise<void>
  readonly explain: (
    asked: AskedWords,
    options: ExplainWords & { readonly file: string; readonly json: boolean },
  ) => Promise<void>
  readonly map: (
    name: Uint8Array,
    options: {
      readonly file: string
      readonly families: readonly (4 | 6)[]
      readonly view: MapView
    },
  ) => Promise<void>
  readonly diff: (
    files: { readonly old: string; readonly now: string },
    options: {
      readonly oldDatabases: readonly string[] | undefined
      readonly newDatabases: readonly string[] | undefined
      readonly name: Uint8Array | undefined
      readonly log: string | undefined
      /** The most that may move: 0 … 1. */
      readonly maxMove: number | undefined
      readonly json: boolean
    },
  ) => Promise<void>
  readonly import: (
    format: Format,
    files: readonly string[],
    options: { readonly out: string | undefined; readonly json: boolean },
  ) => Promise<void>
  readonly ctl: Ctl
}

/** What the server says of itself. */
export function machine(): Machine {
  const { version } = JSON.parse(readFileSync(require.resolve('#package'), 'utf8'))
  return { version: `lbdns ${version}`, host: hostname(), secret: randomBytes(16) }
}

export function program(commands: Commands): Command {
  const lbdns = new Command('lbdns')
    .description('An authoritative DNS server that load-balances, with exact client-subnet scopes.')
    .version(machine().version)
    .exitOverride()
    .showHelpAfterError('(lbdns --help lists the commands)')
  addRun(lbdns, commands)
  addCheck(lbdns, commands)
  addExplain(lbdns, commands)
  addMap(lbdns, commands)
  addDiff(lbdns, commands)
  addImport(lbdns, commands)
  addCtl(lbdns, commands.ctl)
  return lbdns
}

function addRun(lbdns: Command, commands: Commands): void {
  about(lbdns.command('run'))
    .description('serve in the foreground; SIGHUP reloads, SIGTERM drains')
    .action(options =>
      commands.run({ file: fileOf(options), absent: options.demo ? 'skip' : 'refuse' }),
    )
}

function addCheck(lbdns: Command, commands: Commands): void {
  about(lbdns.command('check'))
    .description('say everything that is wrong with a configuration and its files')
    .option('--strict', 'fail on warnings too')
    .action(options => commands.check({ file: fileOf(options), strict: options.strict === true }))
}

function addExplain(lbdns: Command, commands: Commands): void {
  addQuestion(about(lbdns.command('explain')))
    .description('say why a client gets this answer, scope and TTL')
    .option('--json', 'as JSON')
    .action((name, type, options) => {
      const { asked, supposed } = explainWords(name, type, options)
      return commands.explain(asked, {
        ...supposed,
        file: fileOf(options),
        json: options.json === true,
      })
    })
}

function addMap(lbdns: Command, commands: Commands): void {
  about(lbdns.command('map'))
    .description('list the partition of a steered name: prefix, scope, ranking')
    .argument('<name>', 'a name that stands under steer: in the configuration', reading(nameFrom))
    .option('-4', 'IPv4 only')
    .option('-6', 'IPv6 only')
    .addOption(new Option('--json', 'as one JSON document').conflicts(['csv', 'svg']))
    .addOption(new Option('--csv', 'as CSV').conflicts(['summary', 'svg']))
    .addOption(
      new Option('--summary', 'in figures: shares, scopes, cache entries').conflicts('svg'),
    )
    .option('--svg', 'drawn: IPv4 along a Hilbert curve, and the world')
    .action((name, options) =>
      commands.map(name, {
        file: fileOf(options),
        families: options[4] === options[6] ? [4, 6] : options[4] ? [4] : [6],
        view: viewOf(options),
      }),
    )
}

type ViewOptions = Readonly<Partial<Record<'json' | 'csv' | 'summary' | 'svg', boolean>>>

function viewOf({ json, csv, summary, svg }: ViewOptions): MapView {
  if (svg) return 'svg'
  if (summary) return json ? 'summary-json' : 'summary'
  return json ? 'json' : csv ? 'csv' : 'text'
}

function addDiff(lbdns: Command, commands: Commands): void {
  lbdns
    .command('diff')
    .description(
      'say whom a change of configuration or geo database moves, and from where to where',
    )
    .argument('<old>', 'the configuration as it is')
    .argument('<new>', 'as it will be; the same again to compare databases')
    .option('--old-mmdb <file>', 'a geo database instead of those the old one names', each)
    .option('--new-mmdb <file>', 'instead of those the new one names', each)
    .option('--name <name>', 'this name only', reading(nameFrom))
    .option('--log <file>', 'count queries too: a query log, or a client prefix and a name a line')
    .option('--max-move <share>', 'exit 1 where more moves, like 5%', reading(shareFrom))
    .option('--json', 'as JSON')
    .action((old, now, options) =>
      commands.diff(
        { old, now },
        {
          oldDatabases: options.oldMmdb,
          newDatabases: options.newMmdb,
          name: options.name,
          log: options.log,
          maxMove: options.maxMove,
          json: options.json === true,
        },
      ),
    )
}

function addImport(lbdns: Command, commands: Commands): void {
  lbdns
    .command('import')
    .description(
      "turn another server's files into a configuration, and say what became of each part",
    )
    .addArgument(new Argument('<format>', 'whose files they are').choices(FORMATS))
    .argument(
      '<files...>',
      'the configuration first, then every zone file; what they name is looked for beside them',
    )
    .option('--out <folder>', 'write all files there; without: the configuration to stdout')
    .option('--json', 'the report as JSON')
    .action((format, files, options) =>
      commands.import(format, files, { out: options.out, json: options.json === true }),
    )
}
