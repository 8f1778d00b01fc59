/**
 * The command line of `lbdns`: what may be written, and what each command is handed. Does nothing.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { hostname } from 'node:os'
import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { type AddressOctets, addressFrom, prefixFrom } from './config/prefix.ts'
import { nameFromText } from './dns/name.ts'
import { TYPE, typeFromText } from './dns/rrtype.ts'
import { isWrong, type Wrong, wrong, wrongText } from './fault.ts'
import type { Machine } from './load.ts'
import type { MapFormat } from './tell/map/map.ts'

const require = createRequire(import.meta.url)
const DEMO = require.resolve('#data/demo/lbdns.yaml')
const LOOPBACK: AddressOctets = { family: 4, octets: Uint8Array.of(127, 0, 0, 1) }

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
    asked: {
      readonly name: Uint8Array
      readonly type: number
      /** As written: an address, a prefix, a country or `none`. */
      readonly client: string
      readonly source: AddressOctets
    },
    options: {
      readonly file: string
      readonly json: boolean
      readonly seed: number | undefined
      /** Pools and targets to be held to be down. */
      readonly down: readonly string[]
    },
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
}

/** What the server says of itself. */
export function machine(): Machine {
  const { version } = JSON.parse(readFileSync(require.resolve('#package'), 'utf8'))
  return { version: `lbdns ${version}`, host: hostname() }
}

/** Every command is about one configuration. */
function about(command: Command): Command {
  return command
    .option('-c, --config <file>', 'the configuration', 'lbdns.yaml')
    .addOption(
      new Option('--demo', 'the demonstration configuration that comes with lbdns').conflicts(
        'config',
      ),
    )
}

/** What a reader of text cannot read is wrong usage. */
function reading<T>(read: (text: string) => T | Wrong): (text: string) => T {
  return text => {
    const value = read(text)
    if (!isWrong(value)) return value
    throw new InvalidArgumentError(wrongText(value))
  }
}

/** A name on a command line is whole, with or without its last dot. */
function nameFrom(text: string): Uint8Array | Wrong {
  return nameFromText(text.endsWith('.') ? text : `${text}.`, undefined)
}

function typeFrom(text: string): number | Wrong {
  return typeFromText(text) ?? wrong(`${text} is no record type`)
}

/** An option that may stand again and again. */
function each(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, text]
}

/** `5%` or `0.05`. */
function shareFrom(text: string): number | Wrong {
  const share = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text)
  if (text.trim() !== '' && share >= 0 && share <= 1) return share
  return wrong(`${text} is no share`, 'write it like 5% or 0.05')
}

/** What can be a client: countries are looked up where they are known. */
function clientText(text: string): string | Wrong {
  if (/^[A-Za-z]+$/.test(text)) return text
  const prefix = prefixFrom(text)
  return isWrong(prefix) ? prefix : text
}

function seedFrom(text: string): number | Wrong {
  if (/^\d{1,10}$/.test(text) && Number(text) <= 0xffff_ffff) return Number(text)
  return wrong(`${text} is no seed`, 'write a whole number below 4294967296')
}

function fileOf(options: { readonly config: string; readonly demo?: true }): string {
  return options.demo ? DEMO : options.config
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
  about(lbdns.command('explain'))
    .description('say why a client gets this answer, scope and TTL')
    .argument('<name>', 'the name asked for', reading(nameFrom))
    .addArgument(
      new Argument('[type]', 'record type').argParser(reading(typeFrom)).default(TYPE.A, 'A'),
    )
    .addOption(
      new Option('--client <who>', 'whom the resolver tells of: an address, a prefix, DE, none')
        .argParser(reading(clientText))
        .default('none'),
    )
    .addOption(
      new Option('--source <address>', "the resolver's address")
        .argParser(reading(addressFrom))
        .default(LOOPBACK, '127.0.0.1'),
    )
    .option('--down <what>', 'a pool, address or host to be held to be down', each)
    .option('--seed <number>', 'draw the same each time', reading(seedFrom))
    .option('--json', 'as JSON')
    .action((name, type, { client, source, ...options }) =>
      commands.explain(
        { name, type, client, source },
        {
          file: fileOf(options),
          json: options.json === true,
          seed: options.seed,
          down: options.down ?? [],
        },
      ),
    )
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
