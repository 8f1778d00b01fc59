/**
 * Which UDP engine this machine can have. The batched one needs Linux, a machine whose numbers we know,
 * and koffi, which is optional and native: it may be missing, refuse to load, or take the process with
 * it. So a child tries first. The main thread chooses; its workers are told the name.
 */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { endianness } from 'node:os'
import { batchedEngine } from './batched.ts'
import { dgramEngine } from './dgram.ts'
import type { EngineName, UdpEngine } from './engine.ts'
import { copyOf, type Kernel, openKernel } from './kernel.ts'
import { AF_INET, EAGAIN, MACHINES, MSG_DONTWAIT } from './layout.ts'

export type ChosenEngine = {
  readonly name: EngineName
  /** Why it is not the one that was wished for: part of a sentence. */
  readonly why?: string
}

/** What the machine is and has: an argument, so that tests can have another one. */
export type Grounds = {
  readonly platform: string
  readonly machine: string
  /** `KOFFI=0` in the environment means that it shall not be used. */
  readonly koffi: string | undefined
  /** Where koffi is; throws where it is not. */
  readonly find: () => string
}

/** Chooses an engine. It takes some tens of milliseconds, in which this thread is free. */
export async function chooseEngine(grounds: Grounds = here()): Promise<ChosenEngine> {
  const why = unfit(grounds) ?? (await failing(grounds.find()))
  return why === undefined ? { name: 'batched' } : { name: 'dgram', why }
}

let kernel: Kernel | undefined
let batched: UdpEngine | undefined

/** Gives the engine of this thread: its sockets share memory. */
export function engineNamed(name: EngineName): UdpEngine {
  if (name === 'dgram') return dgramEngine
  kernel ??= openKernel()
  batched ??= batchedEngine(kernel)
  return batched
}

/** Makes another descriptor of a socket; `undefined` where that cannot be done without koffi. */
export function copierOf(name: EngineName): ((fd: number) => number) | undefined {
  if (name === 'dgram') return undefined
  kernel ??= openKernel()
  const own = kernel
  return fd => copyOf(own, fd)
}

function here(): Grounds {
  return {
    platform: process.platform,
    machine: endianness() === 'LE' ? process.arch : 'big-endian',
    koffi: process.env.KOFFI,
    find: () => createRequire(import.meta.url).resolve('koffi'),
  }
}

/** Why there is nothing to try. */
function unfit({ platform, machine, koffi, find }: Grounds): string | undefined {
  if (koffi === '0') return 'KOFFI=0 is set'
  if (platform !== 'linux') return `${platform} has no batches`
  if (!MACHINES.includes(machine)) return `the processor is ${machine}`
  try {
    find()
    return undefined
  } catch {
    return 'koffi is not installed'
  }
}

/**
 * Receives from a socket where nothing can come, and sends nothing: exit code 0 where the system lets
 * it. A sandbox may answer with an error, or end the process.
 */
const TRIAL = `
const koffi = require(process.argv[1])
const libc = koffi.load(null)
const fd = libc.func('int socket(int, int, int)')(${AF_INET}, 2, 0)
const recvmmsg = libc.func('int recvmmsg(int, void *, uint32, int, void *)')
const sendmmsg = libc.func('int sendmmsg(int, void *, uint32, int)')
const came = recvmmsg(fd, Buffer.alloc(64), 1, ${MSG_DONTWAIT}, null)
const error = koffi.errno()
if (came !== -1 || error !== ${EAGAIN}) throw new Error('recvmmsg says ' + error)
if (sendmmsg(fd, Buffer.alloc(64), 0, 0) !== 0) throw new Error('sendmmsg says ' + koffi.errno())
`

/** Why it does not work, as seen in a child. */
function failing(koffi: string): Promise<string | undefined> {
  return new Promise(resolve => {
    const options = { timeout: 10_000 }
    execFile(process.execPath, ['-e', TRIAL, koffi], options, (error, _, text) => {
      if (error === null) resolve(undefined)
      else if (error.signal) resolve(`koffi ends with ${error.signal} here`)
      else resolve(`koffi does not work here: ${/^\w*Error: .*/m.exec(text)?.[0] ?? error.code}`)
    })
  })
}
