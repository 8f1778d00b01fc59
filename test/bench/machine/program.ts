/**
 * Other programs: found, started on a processor of their own, ended. Whatever happens to the bench, all
 * that it started ends with it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { treeOf } from './proc.ts'

/** Servers lie in folders that an ordinary user's PATH often lacks. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
const STOP_MS = 5_000

/** Processors, as `taskset` names them: one for the server, one for the load. */
export const SERVER_CORE = '0'
export const LOAD_CORE = '1'
export const BOTH_CORES = '0,1'

const running = new Set<ChildProcess>()

/** A folder for all files of this run, gone when it ends. */
export const FOLDER = mkdtempSync(join(tmpdir(), 'lbdns-bench-'))

export type Program = {
  readonly pid: number
  readonly isAlive: () => boolean
  readonly signal: (name: NodeJS.Signals) => void
  /** Resolves with what it printed, where that was asked for, once it has ended. */
  readonly ended: Promise<string>
  /** SIGTERM for it and all it started, SIGKILL where that is not heard. */
  readonly stop: () => Promise<void>
}

/** The whole path of a program; `undefined`: not installed. */
export function find(program: string): string | undefined {
  if (program.includes('/')) return existsSync(program) ? program : undefined
  return FOLDERS.map(folder => join(folder, program)).find(path => existsSync(path))
}

/** Whether programs can be held to a processor each. */
export const IS_PINNED = find('taskset') !== undefined && availableParallelism() > 1

/**
 * Starts a program.
 *
 * @param log where its output goes; absent: `ended` has what it prints
 */
export function start(command: readonly string[], cores: string, log?: string): Program {
  const [program = '', ...args] = IS_PINNED ? ['taskset', '-c', cores, ...command] : command
  const out = log === undefined ? 'pipe' : openSync(log, 'w')
  const error = log === undefined ? 'inherit' : out
  const child = spawn(program, args, { stdio: ['ignore', out, error] })
  running.add(child)
  const printed: Buffer[] = []
  child.stdout?.on('data', piece => printed.push(piece))
  const isAlive = () => child.exitCode === null && child.signalCode === null
  const ended = new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve(Buffer.concat(printed).toString()))
  }).finally(() => running.delete(child))
  ended.catch(() => undefined) // whoever waits for it hears of it
  const pid = child.pid ?? -1
  return { pid, isAlive, ended, signal: name => child.kill(name), stop: () => stop(pid, ended) }
}

async function stop(pid: number, ended: Promise<unknown>): Promise<void> {
  const tree = treeOf(pid)
  for (const one of tree.toReversed()) kill(one, 'SIGTERM')
  const late = new AbortController()
  const isLate = setTimeout(STOP_MS, 'late', { signal: late.signal }).catch(() => 'stopped')
  if ((await Promise.race([ended, isLate])) === 'late') {
    for (const one of new Set([...tree, ...treeOf(pid)])) kill(one, 'SIGKILL')
  }
  late.abort()
  await ended
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    if (pid > 1) process.kill(pid, signal)
  } catch {
    // It is gone already.
  }
}

/** The last resort: nothing is left behind. */
process.once('exit', () => {
  const left = [...running].flatMap(({ pid = -1 }) => treeOf(pid))
  for (const pid of left) kill(pid, 'SIGKILL')
  rmSync(FOLDER, { recursive: true, force: true })
})
for (const end of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(end, () => process.exit(1))
