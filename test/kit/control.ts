/** What the tests of the control socket share: a server that obeys as it is told, and rude clients. */
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { type Problem, problemText } from '../../server/fault.ts'
import type { Obey, Reply } from '../../server/ops/control.ts'
import type { Request } from '../../server/ops/request.ts'
import { type ControlLimits, ControlSocket } from '../../server/ops/socket.ts'
import { folder, until } from './process.ts'

export type Control = {
  readonly path: string
  readonly socket: ControlSocket
  /** What was obeyed, and for whom. */
  readonly asked: { readonly request: Request; readonly author: string }[]
  readonly warnings: string[]
  /** Tells everybody who listens. */
  readonly tell: (event: object) => void
  readonly listeners: () => number
}

const opened: ControlSocket[] = []

/** A control socket in a folder of its own. */
export async function controlSocket(
  answer: (request: Request) => Promise<Reply> | Reply = request => ({
    ok: true,
    value: request.kind,
  }),
  limits: Partial<ControlLimits> = {},
  path = join(folder(), 'lbdns.sock'),
): Promise<Control> {
  const asked: Control['asked'] = []
  const warnings: string[] = []
  const listeners = new Set<(event: object) => void>()
  const obey: Obey = async (request, author) => {
    asked.push({ request, author })
    return answer(request)
  }
  const subscribe = (listener: (event: object) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const warn = (problem: Problem) => void warnings.push(problemText(problem))
  const socket = new ControlSocket(obey, subscribe, warn, limits)
  opened.push(socket)
  await socket.follow(path)
  const tell = (event: object) => {
    for (const listener of listeners) listener(event)
  }
  return { path, socket, asked, warnings, tell, listeners: () => listeners.size }
}

/** For `afterAll`, before `stopAll`. */
export async function closeSockets(): Promise<void> {
  await Promise.all(opened.splice(0).map(socket => socket.close()))
}

export type Client = {
  readonly socket: Socket
  /** Every line that came, whole. */
  readonly lines: () => string[]
  readonly isClosed: () => boolean
  readonly send: (octets: string | Uint8Array) => void
  /** Waits for so many lines in all. */
  readonly heard: (count: number) => Promise<string[]>
  readonly closed: () => Promise<void>
}

/** Connects. What it sends is up to the test; errors are expected. */
export function client(path: string): Client {
  const socket = connect({ path, allowHalfOpen: true })
  let text = ''
  let isClosed = false
  socket.setEncoding('utf8')
  socket.on('data', chunk => {
    text += chunk
  })
  socket.on('end', () => socket.end())
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
  })
  const lines = () => text.split('\n').slice(0, -1)
  return {
    socket,
    lines,
    isClosed: () => isClosed,
    send: octets => void socket.write(octets),
    async heard(count) {
      await until(`${count} lines`, () => lines().length >= count)
      return lines()
    },
    closed: () => until('the connection is closed', () => isClosed),
  }
}

/** Asks one thing over a connection of its own. */
export async function asks(path: string, request: object | string): Promise<Reply> {
  const one = client(path)
  one.send(`${typeof request === 'string' ? request : JSON.stringify(request)}\n`)
  const [line = ''] = await one.heard(1)
  one.socket.destroy()
  return JSON.parse(line)
}
