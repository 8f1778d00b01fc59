/**
 * The command line of lbprobe: commands, flags and their help, and which exit code a use of them
 * ends in. What a command does is in its own file.
 */

import { Command, CommanderError } from 'commander'
import { type LabFlags, labCommand } from './lab-command.ts'
import type { Flags } from './options.ts'
import { failureText } from './report.ts'
import { runMeasurement } from './run.ts'
import type { World } from './world.ts'

export const USAGE = 2

/**
 * Runs one command.
 *
 * @param words the command line without node and the program
 * @returns the exit code; the README has the table
 */
export async function program(words: readonly string[], world: World): Promise<number> {
  let exit = 0
  const top = new Command('lbprobe')
    .description('Tells what a domain name does with its addresses: shuffles, rotates, or steers.')
    .helpCommand(false)
    .version(`lbprobe ${world.version}`, '-V, --version')
    .configureOutput({ writeOut: world.out.write, writeErr: world.err.write })
    .exitOverride()
  for (const [name, does] of MEASURING) {
    const command = top.command(`${name} [words...]`).description(does).usage(WORDS)
    withFlags(command).action(async (given: string[], flags: Flags) => {
      exit = await runMeasurement(name, given, flags, world)
    })
  }
  top
    .command('lab')
    .description('A server on this machine with one name for every verdict and every fault.')
    .option('--listen <address>', 'where to listen; may repeat', collected, undefined)
    .option('--seed <number>', 'the same seed gives the same replies')
    .action(async (flags: LabFlags) => {
      exit = await labCommand(flags, world)
    })
  return parsed(top, words, world, () => exit)
}

const WORDS = '[options] [@server…] [type…] name…'

const MEASURING = [
  ['dns2', 'Asks the same question many times in a row: fixed, shuffled or rotating?'],
  ['ecs', 'Asks for clients in several networks: real geoDNS or fake, and are its scopes true?'],
] as const

async function parsed(
  top: Command,
  words: readonly string[],
  world: World,
  exit: () => number,
): Promise<number> {
  try {
    await top.parseAsync([...words], { from: 'user' })
    return exit()
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause
    if (cause.exitCode === 0) return 0
    if (cause.code === 'commander.unknownCommand') world.err.write(commandList(top))
    const wantsJson = words.includes('--json') || words.includes('-J')
    const failure = { code: 'usage', message: cause.message }
    if (wantsJson) world.out.write(failureText(failure, world.version))
    return USAGE
  }
}

function commandList(top: Command): string {
  return `commands: ${top.commands.map(command => command.name()).join(', ')}\n`
}

/** Gathers a flag that may repeat. */
function collected(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value]
}

/** Gathers a flag that may repeat and hold several, with commas between. */
function listed(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), ...value.split(',').filter(word => word !== '')]
}

// biome-ignore format: table
function withFlags(command: Command): Command {
  return command
    .option('-t, --type <type>', 'record type; may repeat (default: A,AAAA)', listed)
    .option('-n, --count <number>', 'dns2: queries in a row (default: 20); ecs: most rounds (default: 8)')
    .option('-i, --interval <seconds>', 'dns2: pause between queries (default: none)')
    .option('--subnet <prefix>', 'client subnet to ask for; may repeat; commas; @file', collected)
    .option('--ecs <prefix>', 'the same as --subnet', collected)
    .option('--country <codes>', 'ecs: the panel\'s countries (default: US,DE,JP,BR)', listed)
    .option('--allow-long-prefix', 'send prefixes longer than /24 and /56')
    .option('-p, --port <number>', 'port of the servers (default: 53)')
    .option('-4, --ipv4', 'ask over IPv4 only')
    .option('-6, --ipv6', 'ask over IPv6 only')
    .option('--timeout <seconds>', 'wait for one reply (default: 3)')
    .option('--tries <number>', 'times a query is sent at most (default: 2)')
    .option('--max-queries <number>', 'most queries for one name and type (default: 500)')
    .option('--rate <number>', 'queries a second to one server, none on this machine (default: 20)')
    .option('--seed <number>', 'order and sampling of the run (default: random, printed)')
    .option('--alpha <number>', 'chance taken to be wrong, per level (default: 0.001)')
    .option('--thorough', 'ecs: 29 samples in each block instead of 5')
    .option('-J, --json', 'one JSON document, lbprobe.result/1')
    .option('--short', 'one line a name and type')
    .option('-o, --output <file>', 'write the report there')
    .option('--color <when>', 'auto, always or never (default: auto)')
    .option('--progress', 'show progress on stderr')
    .option('--no-progress', 'do not')
    .option('--expect <verdict>', 'exit 1 unless every result has this answer or code')
    .option('--fail-on <condition>', 'exit 1 when it is met; may repeat', listed)
    .option('--strict', 'an unclear verdict fails an expectation: 1 instead of 3')
    .option('--lenient', 'an unclear verdict does not: 0 instead of 3')
    .option('--exit-zero', 'exit 0 whatever was found')
    .option('--dry-run', 'print the plan and send nothing')
    .option('-q, --quiet', 'no plan line')
    .option('-v, --verbose', 'every query on stderr')
    .addHelpText('after', HELP)
}

const HELP = `
Servers: @auth (the zone's own name servers, the default), @system, @google, @quad9-ecs,
@cloudflare, @address, @address#port, @[v6]:port, @host, udp:// and tcp:// before any of them.
Words of dig: +subnet= +short +tcp +timeout= +tries= +retry= +norecurse +nsid +bufsize=

What is sent: the subnets of the panel are universities' networks, not yours; no prefix longer
than /24 or /56 leaves unless you say so.

Exit: 0 measured · 1 an expectation failed · 2 wrong usage · 3 unclear where something was
expected · 4 some servers silent (--fail-on partial) · 9 no reply · 10 our fault · 130 interrupted`
