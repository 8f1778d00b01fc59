/**
 * Programs that run the built batched engine in a process or thread of its own: the ways in which a
 * native library could take a process with it need a process to take.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export type Ended = {
  readonly code: number | undefined
  readonly out: string
  readonly err: string
}

const ENGINE = pathToFileURL(join(import.meta.dirname, '../../build/server/transport/batching.js'))

/** What every program starts with. */
const HEAD = `
import { createSocket } from 'node:dgram'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
const { engineNamed } = await import('${ENGINE}')
const engine = engineNamed('batched')
const echo = (query, length, reply) => (reply.set(query.subarray(0, length)), length)
const open = (serve, more) =>
  engine.open('127.0.0.1', 0, serve, { ecs: true, onFault: () => undefined, ...more })
/** A thread of this program; resolves with the first thing that it says. */
const start = (code) => {
  const worker = new Worker(new URL('data:text/javascript,' + encodeURIComponent(globalThis.head + code)))
  return new Promise(resolve => worker.once('message', said => resolve({ worker, said })))
}
/** Asks, and asks again; resolves with how many answers came that were right. */
const ask = async (port, times) => {
  const socket = createSocket('udp4')
  let right = 0
  for (let i = 0; i < times; i += 1) {
    const query = Buffer.alloc(12 + (i % 500), i & 0xff)
    const answer = new Promise(resolve => {
      socket.once('message', octets => resolve(octets.equals(query)))
      setTimeout(resolve, 1000, false)
    })
    socket.send(query, port, '127.0.0.1')
    if (await answer) right += 1
  }
  socket.close()
  return right
}
`

/** Runs a program until it ends by itself. A signal that ended it is told as an `undefined` code. */
export function runProgram(code: string, ...flags: readonly string[]): Promise<Ended> {
  const head = `globalThis.head = ${JSON.stringify(HEAD)}\n${HEAD}`
  const child = spawn(process.execPath, [...flags, '--input-type=module', '-e', head + code], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 20_000,
  })
  let out = ''
  let err = ''
  child.stdout.on('data', chunk => {
    out += chunk
  })
  child.stderr.on('data', chunk => {
    err += chunk
  })
  return new Promise(resolve => {
    child.on('close', code =>
      resolve({ code: code ?? undefined, out: out.trim(), err: err.trim() }),
    )
  })
}
