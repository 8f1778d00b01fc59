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
import type { Asked } from './explain.ts'
import { isWrong, type Wrong, wrong, wrongText } from './fault.ts'
import { DEMO, type Machine } from './load.ts'
import type { MapFormat } from './tell/map.ts'

const require = createRequire(import.meta.url)
const LOOPBACK: AddressOctets = { family: 4, octets: Uint8Array.of(127, 0, 0, 1) }

export type Commands = {
  readonly run: (options: {
    readonly file: string
    /** What to do about listen addresses that this machine does not have. */
    readonly absent: 'refuse' | 'skip'
  }) => Promise<void>
  readonly check: (options: { readonly file: string; readonly strict: boolean }) => Promise<void>
  readonly explain: (
    asked: Asked,
    options: { readonly file: string; readonly json: boolean },
  ) => Promise<void>
  readonly map: (
    name: Uint8Array,
    options: {
      readonly file: string
      readonly families: readonly (4 | 6)[]
      readonly format: MapFormat
    },
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

function fileOf(options: { readonly config: string; readonly demo?: true }): string {
  return options.demo ? DEMO : options.config
}

export function program(commands: Commands): Command {
  const lbdns = new Command('lbdns')
    .description('An authoritative DNS server that load-balances, with exact client-subnet scopes.')
    .version(machine().version)
    .exitOverride()
    .showHelpAfterError('(lbdns --help lists the commands)')

  about(lbdns.command('run'))
    .description('serve in the foreground; SIGHUP reloads, SIGTERM drains')
    .action(options =>
      commands.run({ file: fileOf(options), absent: options.demo ? 'skip' : 'refuse' }),
    )

  about(lbdns.command('check'))
    .description('say everything that is wrong with a configuration and its files')
    .option('--strict', 'fail on warnings too')
    .action(options => commands.check({ file: fileOf(options), strict: options.strict === true }))

  about(lbdns.command('explain'))
    .description('say why a client gets this answer, scope and TTL')
    .argument('<name>', 'the name asked for', reading(nameFrom))
    .addArgument(
      new Argument('[type]', 'record type').argParser(reading(typeFrom)).default(TYPE.A, 'A'),
    )
    .option(
      '--client <address>',
      "the client's address or prefix; without: none is told",
      reading(prefixFrom),
    )
    .addOption(
      new Option('--source <address>', "the resolver's address")
        .argParser(reading(addressFrom))
        .default(LOOPBACK, '127.0.0.1'),
    )
    .option('--json', 'as JSON')
    .action((name, type, options) =>
      commands.explain(
        { name, type, client: options.client, source: options.source },
        { file: fileOf(options), json: options.json === true },
      ),
    )

  about(lbdns.command('map'))
    .description('list the partition of a steered name: prefix, scope, ranking')
    .argument('<name>', 'a name that stands under steer: in the configuration', reading(nameFrom))
    .option('-4', 'IPv4 only')
    .option('-6', 'IPv6 only')
    .addOption(new Option('--json', 'as one JSON document').conflicts('csv'))
    .option('--csv', 'as CSV')
    .action((name, options) =>
      commands.map(name, {
        file: fileOf(options),
        families: options[4] === options[6] ? [4, 6] : options[4] ? [4] : [6],
        format: options.json ? 'json' : options.csv ? 'csv' : 'text',
      }),
    )
  return lbdns
}
