/**
 * A program, without a shell: passes where it exits with 0. It has a process group of its own, of
 * which nothing is left when the try ends.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import type { ExecTrial } from '../steer/trial.ts'
import { Gate } from './try-gate.ts'
import { inTime, type Limit } from './try-limit.ts'
import { numberIn } from './try-telling.ts'
import { failed, passed, type Told } from './try-told.ts'

/** A machine that starts more at once measures itself. */
const AT_ONCE = 16
const MOST_OUTPUT = 64 * 1024

const gate = new Gate(AT_ONCE)

export async function tryExec(trial: ExecTrial, place: string, limit: Limit): Promise<Told> {
  await gate.enter(limit)
  const child = started(trial, place)
  try {
    return await inTime(ended(child), limit, 'end of the program')
  } finally {
    if (!hasExited(child)) killGroup(child)
    child.stdout?.destroy()
  }
}

/** Leaves the gate when the program is gone, which may be after the try is over. */
function started({ command, env }: ExecTrial, place: string): ChildProcess {
  const [path = '', ...rest] = command
  let isInside = true
  const leave = (): void => {
    if (isInside) gate.leave()
    isInside = false
  }
  try {
    const child = spawn(
      path,
      rest.map(argument => argument.replaceAll('{address}', () => place)),
      { stdio: ['ignore', 'pipe', 'ignore'], detached: true, env: environment(env, place) },
    )
    child.on('error', leave)
    child.once('exit', leave)
    return child
  } catch (error) {
    leave()
    throw error
  }
}

function environment(env: ExecTrial['env'], place: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, ...Object.fromEntries(env), LBDNS_ADDRESS: place }
}

/** Waits for the program and its output; what it left running behind it goes with it. */
function ended(child: ChildProcess): Promise<Told> {
  return new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = []
    let length = 0
    child.stdout?.on('data', (piece: Uint8Array) => {
      pieces.push(piece)
      length += piece.length
      if (length > MOST_OUTPUT) resolve(failed('more than 64 KiB of output'))
    })
    child.once('error', reject)
    child.once('exit', () => killGroup(child))
    child.once('close', (code, signal) => resolve(toldBy(code ?? signal, pieces)))
  })
}

/** @param ending the exit code, or the signal that ended it */
function toldBy(ending: number | string | null, pieces: readonly Uint8Array[]): Told {
  if (typeof ending === 'string') return failed(`ended by ${ending}`)
  if (ending !== 0) return failed(`exit code ${ending}`)
  const lines = Buffer.concat(pieces).toString().split('\n')
  const load = lines.map(numberIn).findLast(number => number !== undefined)
  return passed('exit code 0', { load })
}

function hasExited({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of the group is left.
  }
}
