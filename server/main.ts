#!/usr/bin/env node
/**
 * `lbdns`: how a command ends. Exit codes: 0 done, 1 a Problem or a failed check, 2 wrong usage, 70 a
 * fault of the machine or ours. Only this file ends the process, but for a second farewell in
 * `daemon.ts`.
 */
import { CommanderError } from 'commander'
import { commands } from './commands.ts'
import { Fault } from './fault.ts'
import { program } from './options.ts'
import { Misused, Refused } from './output.ts'

const EXIT = { done: 0, problem: 1, usage: 2, fault: 70 } as const

/** What a failure means for whoever called us. */
function exitCode(cause: unknown): number {
  if (cause instanceof CommanderError) return cause.exitCode === 0 ? EXIT.done : EXIT.usage
  if (cause instanceof Misused) return say(cause.message, EXIT.usage)
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
