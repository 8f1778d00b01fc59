/**
 * The command line of `lbdns`: what may be written, and what each command is handed. Does nothing.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { hostname } from 'node:os'
import { Command } from 'commander'
import { DEMO, type Machine } from './load.ts'
import type { MapFormat } from './tell/map.ts'

const require = createRequire(import.meta.url)

export type Commands = {
  readonly run: (options: {
    readonly file: string
    /** What to do about listen addresses that this machine does not have. */
    readonly absent: 'refuse' | 'skip'
  }) => Promise<void>
  readonly check: (options: { readonly file: string; readonly strict: boolean }) => void
  readonly explain: (
    name: string,
    type: string,
    options: {
      readonly file: string
      readonly client: string | undefined
      readonly source: string
      readonly json: boolean
    },
  ) => void
  readonly map: (
    name: string,
    options: {
      readonly file: string
      readonly families: readonly (4 | 6)[]
      readonly format: MapFormat
    },
  ) => void
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
    .option('--demo', 'the demonstration configuration that comes with lbdns, instead')
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
    .argument('<name>')
    .argument('[type]', 'record type', 'A')
    .option('--client <address>', "the client's address or prefix; without: none is told")
    .option('--source <address>', "the resolver's address", '127.0.0.1')
    .option('--json', 'as JSON')
    .action((name, type, options) => {
      const { client, source, json } = options
      commands.explain(name, type, { file: fileOf(options), client, source, json: json === true })
    })

  about(lbdns.command('map'))
    .description('list the partition of a steered name: prefix, scope, ranking')
    .argument('<name>')
    .option('-4', 'IPv4 only')
    .option('-6', 'IPv6 only')
    .option('--json', 'as one JSON document')
    .option('--csv', 'as CSV')
    .action((name, options) =>
      commands.map(name, {
        file: fileOf(options),
        families: options[4] ? [4] : options[6] ? [6] : [4, 6],
        format: options.json ? 'json' : options.csv ? 'csv' : 'text',
      }),
    )
  return lbdns
}
