#!/usr/bin/env node
/**
 * `lbdns`: the commands. Exit codes: 0 done, 1 a Problem or a failed check, 2 wrong usage, 70 a fault
 * of the machine or ours. Only this file ends the process, but for a second farewell in `daemon.ts`.
 */
import { randomBytes } from 'node:crypto'
import { CommanderError } from 'commander'
import { run } from './daemon.ts'
import { nameText } from './dns/name.ts'
import { explain, slotOf } from './explain.ts'
import { Fault, isWrong, type Problem, problemText, type Wrong, wrongText } from './fault.ts'
import { load, type Machine, type Serving } from './load.ts'
import { type Commands, machine, program } from './options.ts'
import { counted } from './tell/counted.ts'
import { explainText } from './tell/explain.ts'
import { mapText } from './tell/map.ts'

const EXIT = { done: 0, problem: 1, usage: 2, fault: 70 } as const

/** What an operator can put right: it ends the command, without a stack. */
class Refused extends Error {}

const commands: Commands = {
  async run({ file, absent }) {
    process.on('SIGHUP', () => {}) // before it serves: fresh files are being read anyway
    const here = machine()
    await run({ file, serving: loaded(file, here), machine: here, absent })
  },

  async check({ file, strict }) {
    const result = load(file, machine())
    warn(result.warnings)
    if (!result.ok) refuse(result.problems)
    const { length } = result.warnings
    if (strict && length > 0) throw new Refused(`${counted(length, 'warning')}, and --strict`)
    const { zones, steering } = result.value.world
    const all = `${counted(zones.zoneCount, 'zone')}, ${counted(steering.slots, 'steered name')}`
    await print([`${file} is good: ${all}, ${counted(length, 'warning')}\n`])
  },

  async explain(asked, { file, json }) {
    const { world } = loaded(file, machine(), silent)
    const explained = explain(world, asked, [...new Uint32Array(randomBytes(16).buffer)])
    await print(json ? [`${JSON.stringify(explained, null, 2)}\n`] : [explainText(explained)])
  },

  async map(name, { file, families, format }) {
    const { world } = loaded(file, machine(), silent)
    const slot = good(slotOf(world, name))
    await print(mapText(world.steering, slot, { name: nameText(name), families, format }))
  },
}

/** Pieces are written many at a time: a map may have a million. */
const WRITTEN_AT_ONCE = 1 << 16

/** Writes to stdout, no faster than it is read; whoever stops reading ends the process. */
async function print(pieces: Iterable<string>): Promise<void> {
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length < WRITTEN_AT_ONCE) continue
    await written(text)
    text = ''
  }
  await written(text)
}

function written(text: string): Promise<unknown> {
  return new Promise(resolve => process.stdout.write(text, resolve))
}

/** Loads, or says everything that is wrong and ends the command. */
function loaded(file: string, here: Machine, tell = warn): Serving {
  const result = load(file, here)
  tell(result.warnings)
  return result.ok ? result.value : refuse(result.problems)
}

function warn(warnings: readonly Problem[]): void {
  for (const warning of warnings) process.stderr.write(`warning: ${problemText(warning)}\n`)
}

/** Warnings are `check`'s and `run`'s business. */
function silent(): void {}

function refuse(problems: readonly Problem[]): never {
  for (const problem of problems) process.stderr.write(`${problemText(problem)}\n`)
  throw new Refused(counted(problems.length, 'problem'))
}

function good<T>(value: T | Wrong): T {
  if (!isWrong(value)) return value
  throw new Refused(wrongText(value))
}

/** What a failure means for whoever called us. */
function exitCode(cause: unknown): number {
  if (cause instanceof CommanderError) return cause.exitCode === 0 ? EXIT.done : EXIT.usage
  if (cause instanceof Refused) return say(cause.message, EXIT.problem)
  if (!(cause instanceof Fault))
    return say(String(cause instanceof Error ? cause.stack : cause), EXIT.fault)
  // An address that cannot be had is the operator's to put right; all else is not.
  return say(cause.message, cause.code === 'IMPOSSIBLE' ? EXIT.fault : EXIT.problem)
}

function say(message: string, code: number): number {
  process.stderr.write(`lbdns: ${message}\n`)
  return code
}

process.stdout.on('error', cause => {
  const isPipe = 'code' in cause && cause.code === 'EPIPE' // `lbdns map … | head` has seen enough
  process.exit(isPipe ? EXIT.done : say(`cannot write: ${cause.message}`, EXIT.fault))
})
process.stderr.on('error', () => {}) // nobody reads it: the exit code still tells

program(commands)
  .parseAsync()
  .catch((cause: unknown) => {
    process.exitCode = exitCode(cause)
  })
