/**
 * The command line of lbprobe: the table of commands becomes commander's, and a use of it ends in an
 * exit code.
 */

import { Command, CommanderError } from 'commander'
import { readOrigin } from './ask/server.ts'
import type { Wire } from './ask/wire.ts'
import { ABOUT, COMMANDS, type CommandRow, flagsOf } from './commands.ts'
import type { Failure } from './deliver.ts'
import { refusedIn, refusedInWords } from './options/formats.ts'
import { isWrong, type Wrong } from './plan/wrong.ts'
import { applySettings, type Which } from './settings.ts'
import { usualOf, type Whom, wordsOf } from './whom.ts'
import type { World } from './world.ts'

export const USAGE = 2

/** The usage of a command that takes no words. */
const ALONE = '[options]'

/**
 * Runs one command.
 *
 * @param words the command line without node and the program
 * @returns the exit code; the README has the table
 */
export async function program(words: readonly string[], world: World): Promise<number> {
  let exit = 0
  const top = new Command('lbprobe')
    .description(ABOUT)
    .helpCommand(false)
    .version(`lbprobe ${world.version}`, '-V, --version')
    .configureOutput({ writeOut: world.out.write, writeErr: world.err.write })
    .exitOverride()
  for (const row of COMMANDS) {
    const command = declared(top, row)
    command.action(async () => {
      const reason = await settled(command, top, world)
      const whom = reason ?? addressed(command, words, world)
      exit = 'world' in whom ? await run(row, command, whom) : await refused(whom, command, world)
    })
  }
  return parsed(top, words, world, () => exit)
}

/** What a flag says, where it was given in this place. */
type Place = 'cli' | 'config'

/** A command's free words, and the world with whom to ask where no word says it. */
type Addressed = { readonly words: readonly string[]; readonly world: World }

/** Flags and places that name servers become words, and what is usual. */
function addressed(command: Command, line: readonly string[], world: World): Addressed | Wrong {
  if (command.options.every(({ long }) => long !== '--server'))
    return { words: command.args, world }
  const words = wordsOf(command.args, whomIn(command, 'cli'), line)
  if (isWrong(words)) return words
  if (words.some(word => word.startsWith('@'))) return { words, world }
  const usual = usualOf(whomIn(command, 'config'), world)
  return isWrong(usual) ? usual : { words, world: { ...world, usual } }
}

function whomIn(command: Command, place: Place): Whom {
  const given: Whom = command.opts()
  const at = (key: keyof Whom): boolean => command.getOptionValueSource(key) === place
  return {
    server: at('server') ? given.server : undefined,
    auth: at('auth') && given.auth,
    resolver: at('resolver') && given.resolver,
  }
}

type Unsettled = Awaited<ReturnType<typeof applySettings>>

/** Flags that were not given are taken from the settings file. */
async function settled(command: Command, top: Command, world: World): Promise<Unsettled> {
  const which = command.opts<{ readonly config?: Which }>().config
  return applySettings(command, top.commands, which, world)
}

/** All that is wrong; as a document too, where one was asked for. */
async function refused(
  reason: NonNullable<Unsettled>,
  command: Command,
  world: World,
): Promise<number> {
  const { failureText, refuse } = await import('./commands/refuse.ts')
  const { documentOf } = await import('./tell/documents.ts')
  const [schema, format] = [documentOf(command.name()), refusedIn(command.opts())]
  if (isWrong(reason)) return refuse(reason, schema, format, world)
  const lines = (await import('./mistakes.ts')).mistakeLines(reason)
  for (const line of lines) world.err.write(`${line}\n`)
  const failure = { code: 'usage', message: lines.join('\n') }
  world.out.write(await failureText(failure, schema, format, world.version))
  return USAGE
}

/** The flags that are about the wire, whatever a command does with it. */
type WireFlags = {
  readonly asDig?: true
  readonly debug?: true
  readonly bind?: readonly string[]
}

/** Runs a command, with what goes for each: how its wire is seen, and lines closed at its end. */
async function run(row: CommandRow, command: Command, whom: Addressed): Promise<number> {
  const { words, world } = whom
  const flags: WireFlags = command.opts()
  // from one port one query leaves at a time
  const isNarrow = flags.bind?.some(text => readOrigin(text)?.port !== undefined)
  const width = isNarrow ? 1 : world.width
  const lines: string[] = []
  const wire = await seen(world, flags, lines)
  // a line that is written anew would fall among the octets
  const shown = flags.debug ? { ...flags, progress: false } : flags
  const exit = await row.run(words, shown, { ...world, wire, width })
  world.wire.close?.()
  if (lines.length > 0) world.err.write(lines.join(''))
  return exit
}

/** @param lines of dig, which are shown at the end */
async function seen({ wire, err }: World, flags: WireFlags, lines: string[]): Promise<Wire> {
  const inHex = flags.debug
    ? (await import('./debug.ts')).shownInHex(wire, text => err.write(text))
    : wire
  if (!flags.asDig) return inHex
  return (await import('./dig.ts')).shownAsDig(inHex, line => lines.push(line))
}

/** A command of the table as commander knows it. */
function declared(top: Command, row: CommandRow): Command {
  const command = top.command(row.usage === ALONE ? row.name : `${row.name} [words...]`)
  command.description(row.does).usage(row.usage)
  for (const [flags, help, gather] of flagsOf(row)) {
    if (gather === undefined) command.option(flags, help)
    else command.option(flags, help, gather)
  }
  if (row.more !== undefined) command.addHelpText('after', row.more)
  return command
}

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
    const failure = { code: 'usage', message: cause.message }
    world.out.write(await failureOf(failure, words, world.version))
    return USAGE
  }
}

/** Of a line that commander does not understand, where it asks for a document. */
async function failureOf(
  failure: Failure,
  words: readonly string[],
  version: string,
): Promise<string> {
  const { failureText } = await import('./commands/refuse.ts')
  const { documentOf } = await import('./tell/documents.ts')
  return failureText(failure, documentOf(words[0] ?? ''), refusedInWords(words), version)
}

function commandList(top: Command): string {
  return `commands: ${top.commands.map(command => command.name()).join(', ')}\n`
}
