/**
 * The command line of `lbdns ctl`: what may be asked of a running server, each verb as the request
 * that it becomes. Asks nothing. Whether pools, targets and names exist is for the server to say.
 */
import { Argument, type Command } from 'commander'
import { isWrong, type Wrong, wrong } from './fault.ts'
import type { WrittenRequest } from './ops/request.ts'
import { spanFrom, tokenFrom, whenFrom, wordFrom } from './ops/written.ts'
import {
  type AskedWords,
  about,
  addQuestion,
  type ExplainWords,
  explainWords,
  fileOf,
  nameFrom,
  reading,
} from './options-read.ts'

/** Which server is asked, by whom, and how its reply is shown. */
export type Call = {
  /** The configuration that names the socket. */
  readonly file: string
  readonly socket: string | undefined
  readonly json: boolean
  readonly author: string | undefined
}

export type Ctl = {
  readonly ask: (request: WrittenRequest, call: Call) => Promise<void>
  readonly watch: (call: Call) => Promise<void>
  readonly events: (call: Call) => Promise<void>
  readonly explain: (asked: AskedWords, options: ExplainWords & Call) => Promise<void>
}

const AFTER_HELP = `
Exit codes: 0 done, 1 it could not be done or no server answers, 2 wrong usage.`

export function addCtl(lbdns: Command, commands: Ctl): void {
  const ctl: Command = about(lbdns.command('ctl'))
    .description('ask a running server, or steer it by hand')
    .option('--socket <path>', 'the control socket, whatever the configuration says')
    .option('--json', 'as JSON')
    .option('--author <name>', 'who asks; default: the login name', reading(wordFrom))
    .showHelpAfterError('(lbdns ctl --help lists the verbs)')
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: verb => (verb === ctl ? [] : [...ctl.options]),
      subcommandTerm: verb => verb.name(), // what follows it is in its own help
    })
    .addHelpText('after', AFTER_HELP)
  const ask = (request: WrittenRequest, command: Command) => commands.ask(request, callOf(command))
  addQuestions(ctl, ask, commands)
  addExplain(ctl, commands)
  addDrain(ctl, ask)
  addForce(ctl, ask)
  addRamp(ctl, ask)
  addOverrides(ctl, ask)
  addPush(ctl, ask)
  addBare(ctl, ask, 'reload', 'read the configuration anew, and say what came of it')
  addBare(ctl, ask, 'dump', 'all that the server knows, as JSON')
  ctl
    .command('events')
    .description('what happens from now on, a line each, until Ctrl-C')
    .action((_, command) => commands.events(callOf(command)))
  addAcme(ctl, ask)
}

type Ask = (request: WrittenRequest, command: Command) => Promise<void>

type CallOptions = Partial<Pick<Call, 'author' | 'json' | 'socket'>> & Parameters<typeof fileOf>[0]

function callOf(command: Command): Call {
  const options = command.optsWithGlobals<CallOptions>()
  const { author, json, socket } = options
  return { file: fileOf(options), socket, json: json === true, author }
}

type Bare = 'status' | 'states' | 'overrides' | 'reload' | 'dump'

function addBare(ctl: Command, ask: Ask, kind: Bare, description: string): void {
  ctl
    .command(kind)
    .description(description)
    .action((_, command) => ask({ kind }, command))
}

function addQuestions(ctl: Command, ask: Ask, commands: Ctl): void {
  addBare(ctl, ask, 'status', 'what it serves, since when, and how it fares')
  addBare(ctl, ask, 'states', 'every pool and target: whether it is handed out, and why')
  ctl
    .command('health')
    .description('what checks find')
    .option('--watch', 'again each second, until Ctrl-C; without a terminal: a line a change')
    .action(({ watch }, command) =>
      watch ? commands.watch(callOf(command)) : ask({ kind: 'health' }, command),
    )
}

function addExplain(ctl: Command, commands: Ctl): void {
  addQuestion(ctl.command('explain'))
    .description('lbdns explain, with health and overrides as they are now')
    .action((name, type, options, command) => {
      const { asked, supposed } = explainWords(name, type, options)
      return commands.explain(asked, { ...supposed, ...callOf(command) })
    })
}

const WHAT = 'a pool, a target in all its pools, or one in a pool: fra, 192.0.2.10, fra/192.0.2.10'

/** What is said of everything that is imposed. */
function imposing(command: Command): Command {
  return command
    .option('--at <time>', 'when it begins: +60s, +1h30m, 2026-12-24T06:00:00Z', written(whenFrom))
    .option('--reason <text>', 'why, for whoever finds it', reading(wordFrom))
    .option('--dry-run', 'only say whom it would move')
}

function until(command: Command): Command {
  return command.option(
    '--for <span>',
    'how long it lasts: 2h; without: until undone',
    written(spanFrom),
  )
}

type Imposed = { readonly at?: string; readonly reason?: string; readonly dryRun?: true }

function imposed({ at, reason, dryRun }: Imposed) {
  return { at, reason, dry_run: dryRun === true }
}

function addDrain(ctl: Command, ask: Ask): void {
  until(imposing(ctl.command('drain')))
    .description('keep clients, or a share, away from a pool or target')
    .argument('<what>', WHAT, reading(wordFrom))
    .option('--percent <number>', 'of its clients; default: all', reading(percentFrom))
    .action((what, { percent, for: span, ...options }, command) =>
      ask({ kind: 'drain', what, percent, for: span, ...imposed(options) }, command),
    )
  ctl
    .command('undrain')
    .description('end every drain of a pool or target')
    .argument('<what>', WHAT, reading(wordFrom))
    .action((what, _, command) => ask({ kind: 'undrain', what }, command))
}

function addForce(ctl: Command, ask: Ask): void {
  until(imposing(ctl.command('force')))
    .description('hold a pool or target to be up or down')
    .addArgument(new Argument('<to>', 'how').choices(['up', 'down']))
    .argument('<what>', WHAT, reading(wordFrom))
    .action((to, what, { for: span, ...options }, command) =>
      ask({ kind: 'force', to, what, for: span, ...imposed(options) }, command),
    )
  ctl
    .command('unforce')
    .description('let checks speak again for a pool or target')
    .argument('<what>', WHAT, reading(wordFrom))
    .action((what, _, command) => ask({ kind: 'unforce', what }, command))
}

/** Words that only make a sentence of it stand where they should. */
function addRamp(ctl: Command, ask: Ask): void {
  const between = (text: string) => new Argument(`<${text}>`).argParser(reading(wordIs(text)))
  imposing(ctl.command('ramp'))
    .description('move clients from one pool to another, little by little')
    .addHelpText('after', RAMP_HELP)
    .usage('<name> from <pool> to <pool> over <span> [options]')
    .argument('<name>', '', written(nameFrom))
    .addArgument(between('from'))
    .argument('<from-pool>', '', reading(wordFrom))
    .addArgument(between('to'))
    .argument('<to-pool>', '', reading(wordFrom))
    .addArgument(between('over'))
    .argument('<span>', '', written(spanFrom))
    .action((name, _from, from, _to, to, _over, over, options, command) =>
      ask({ kind: 'ramp', name, from, to, over, ...imposed(options) }, command),
    )
}

function addOverrides(ctl: Command, ask: Ask): void {
  addBare(ctl, ask, 'overrides', 'what operators imposed: now, and planned')
  ctl
    .command('undo')
    .description('take back what was imposed')
    .argument('<id>', 'as overrides lists it', reading(idFrom))
    .action((id, _, command) => ask({ kind: 'undo', id }, command))
}

function addPush(ctl: Command, ask: Ask): void {
  ctl
    .command('push')
    .description('tell a push check that a target is up, and its load')
    .argument('<target>', 'a target in all its pools, or in one', reading(wordFrom))
    .option('--check <name>', 'that check only', reading(wordFrom))
    .option('--down', 'that it is down')
    .option('--load <number>', 'its load, in the unit of its pool', reading(loadFrom))
    .option('--capacity <number>', 'its capacity, in the unit of its pool', reading(capacityFrom))
    .action((what, { down, ...said }, command) =>
      ask({ kind: 'push', what, now: down ? 'down' : 'up', ...said }, command),
    )
}

function addAcme(ctl: Command, ask: Ask): void {
  const acme = ctl.command('acme').description('answer dns-01 challenges (RFC 8555 §8.4)')
  acme
    .command('set')
    .description('answer the challenge of a name with a token, beside those it has')
    .argument('<name>', 'the name to be proved', written(nameFrom))
    .argument('<token>', 'what the ACME client gave', reading(tokenFrom))
    .action((name, token, _, command) => ask({ kind: 'acme set', name, token }, command))
  acme
    .command('clear')
    .description('answer it no more')
    .argument('<name>', 'the name to be proved', written(nameFrom))
    .argument('[token]', 'this one only', reading(tokenFrom))
    .action((name, token, _, command) => ask({ kind: 'acme clear', name, token }, command))
}

/** What the server will read itself is looked at, and handed on as it was written. */
function written(read: (text: string) => unknown): (text: string) => string {
  return reading(text => {
    const value = read(text)
    return isWrong(value) ? value : text
  })
}

function wordIs(word: string): (text: string) => string | Wrong {
  return text => (text === word ? text : wrong(`${text} stands where ${word} should`, RAMP))
}

const RAMP = 'write www.example.com from fra to iad over 1h'
const RAMP_HELP = `
For example: lbdns ctl ramp www.example.com from fra to iad over 1h`

function percentFrom(text: string): number | Wrong {
  const percent = numberIn(text.replace(/%$/, ''))
  if (percent !== undefined && percent > 0 && percent <= 100) return percent
  return wrong(`${text} is no such share`, 'write a number above 0 and at most 100')
}

function idFrom(text: string): number | Wrong {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  return wrong(`${text} is no number of an override`, 'lbdns ctl overrides lists them')
}

function loadFrom(text: string): number | Wrong {
  const load = numberIn(text)
  return load !== undefined && load >= 0 ? load : wrong(`${text} is no load`, 'write 0 or more')
}

function capacityFrom(text: string): number | Wrong {
  const capacity = numberIn(text)
  if (capacity !== undefined && capacity > 0) return capacity
  return wrong(`${text} is no capacity`, 'write a number above 0')
}

/** A finite one in decimal. */
function numberIn(text: string): number | undefined {
  return /^\d+(\.\d+)?(e-?\d{1,2})?$/i.test(text) ? Number(text) : undefined
}
