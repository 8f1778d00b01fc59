/**
 * Other programs, as tests need them: found, started, waited for, run to their end, stopped. Each is
 * an ordinary child of the test, ended by its id: by `stopAll` in an `afterAll`, and whatever happens
 * when the test process itself ends. Knows nothing of DNS.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Where `npm test` builds to; `LBDNS_DIST` names another build. */
const DIST = resolve(process.env.LBDNS_DIST ?? join(import.meta.dirname, '../../dist'))

/** The two programs, as arguments to `node`. */
export const LBDNS = join(DIST, 'server/main.js')
export const LBPROBE = join(DIST, 'probe/main.js')

/** The loopback addresses that this machine has. */
export const LOOPBACK = ['127.0.0.1', '::1'].filter(address =>
  (networkInterfaces().lo ?? []).some(info => info.address === address),
)

/** Servers lie in folders that an ordinary user's PATH often lacks. */
const FOLDERS = [
  ...(process.env.PATH ?? '').split(delimiter),
  '/usr/sbin',
  '/usr/local/sbin',
  ...pluginFolders(),
]

/** How long a program may take over its farewell. */
const STOP_MS = 8_000

/** A started program, and all it has said so far. */
export type Program = {
  readonly stdout: () => string
  readonly stderr: () => string
  /** As the system numbers it; 0 where it could not be started. */
  readonly pid: number
  readonly signal: (name: NodeJS.Signals) => void
  /** Resolves with the exit code, or −1 where a signal ended it. */
  readonly ended: Promise<number>
  /** SIGTERM, and SIGKILL where that is not heard; resolves with the exit code. */
  readonly stop: () => Promise<number>
}

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string }

const running = new Map<ChildProcess, Program>()
const folders: string[] = []

/** Where Debian puts what it packs apart from a server: `libgeoipbackend.so`, Knot's `geoip.so`. */
function pluginFolders(): string[] {
  const machines = readdirSync('/usr/lib').filter(name => name.endsWith('-linux-gnu'))
  return machines.flatMap(machine => {
    const knot = join('/usr/lib', machine, 'knot')
    const versions = existsSync(knot) ? readdirSync(knot) : []
    return [join('/usr/lib', machine, 'pdns'), ...versions.map(version => join(knot, version))]
  })
}

/** The whole path of a program or plug-in, or `undefined` where it is not installed. */
export function find(program: string): string | undefined {
  return FOLDERS.map(folder => join(folder, program)).find(path => existsSync(path))
}

/** A `describe` that needs programs: where one is missing it says so and is skipped; in CI it fails. */
export function describeWith(programs: readonly string[], title: string, body: () => void): void {
  const missing = programs.filter(program => find(program) === undefined)
  if (missing.length === 0) return void describe(title, body)
  const why = `${missing.join(', ')} not installed`
  if (process.env.CI !== 'true') return void describe.skip(`${title} (skipped: ${why})`, body)
  describe(title, () => {
    test('has the programs it needs', () => expect.fail(`${why}: see test/cross/README.md`))
  })
}

/** Starts a program and returns at once. */
export function start(program: string, args: readonly string[]): Program {
  const child = spawn(find(program) ?? program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', chunk => stdout.push(chunk))
  child.stderr.on('data', chunk => stderr.push(chunk))
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve(code ?? -1))
  }).finally(() => running.delete(child))
  ended.catch(() => {}) // whoever waits for it hears of it
  const started: Program = {
    stdout: () => Buffer.concat(stdout).toString(),
    stderr: () => Buffer.concat(stderr).toString(),
    pid: child.pid ?? 0,
    signal: name => child.kill(name),
    ended,
    async stop() {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      return ended.finally(() => clearTimeout(late))
    },
  }
  running.set(child, started)
  return started
}

/** Runs a program to its end. */
export async function run(program: string, args: readonly string[]): Promise<Ran> {
  const { ended, stdout, stderr } = start(program, args)
  return { code: await ended, stdout: stdout(), stderr: stderr() }
}

/** Starts a program and returns once `ready` holds. Throws, with what it said, where it never does. */
export async function startReady(
  program: string,
  args: readonly string[],
  ready: (started: Program) => boolean | Promise<boolean>,
): Promise<Program> {
  const started = start(program, args)
  let left = false
  started.ended.catch(() => {}).finally(() => (left = true))
  try {
    await until('it is ready', async () => left || ready(started))
    if (left) throw new Error(`it ended with ${await started.ended}`)
    return started
  } catch (cause) {
    await started.stop().catch(() => {})
    throw new Error(`${program}: ${cause}\n${started.stdout()}${started.stderr()}`)
  }
}

/** Asks again and again until it holds. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 20_000,
): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

export type Files = Readonly<Record<string, string | Uint8Array>>

/** A new folder with files in it, that is removed after the test. */
export function folder(files: Files = {}): string {
  const made = mkdtempSync(join(tmpdir(), 'lbdns-test-'))
  folders.push(made)
  putFiles(made, files)
  return made
}

/** Writes files, and the folders that their names ask for. */
export function putFiles(where: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(where, name)), { recursive: true })
    writeFileSync(join(where, name), text)
  }
}

/**
 * A port that is free on the loopback addresses, for UDP and TCP. It lies below those that the system
 * hands out to clients, so that it is still free when the server starts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const tries = LOOPBACK.flatMap(host => [udpFree(host, port), tcpFree(host, port)])
    if ((await Promise.all(tries)).every(free => free)) return port
  }
}

function udpFree(address: string, port: number): Promise<boolean> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  return new Promise(resolve => {
    socket.once('error', () => resolve(false))
    socket.bind({ port, address, exclusive: true }, () => socket.close(() => resolve(true)))
  })
}

function tcpFree(host: string, port: number): Promise<boolean> {
  const server = createServer()
  return new Promise(resolve => {
    server.once('error', () => resolve(false))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}

/** Ends all that still runs and removes the folders. For `afterAll`. */
export async function stopAll(): Promise<void> {
  await Promise.allSettled([...running.values()].map(started => started.stop()))
  removeFolders()
}

function removeFolders(): void {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true })
}

/** The last resort, where no `afterAll` is reached. */
function endAtOnce(): void {
  for (const child of running.keys()) child.kill('SIGKILL')
  removeFolders()
}

process.once('exit', endAtOnce)
// Vitest runs tests in a process of its own: `disconnect` tells that whoever started it is gone.
for (const end of ['disconnect', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.once(end, () => process.exit(1))
}
