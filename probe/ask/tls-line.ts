/**
 * A kept line to a server over TLS: questions go out as they come, replies come back in any order and
 * are told apart by their ID, the first two octets (RFC 7766 §6.2.1.1, RFC 7858 §3.3). Of DNS it knows
 * no more.
 */

import { performance } from 'node:perf_hooks'
import type { TLSSocket } from 'node:tls'
import { framed, unframed } from './frame.ts'
import { isOpened, openTls } from './secure.ts'
import { demandOf, type Server } from './server.ts'
import type { Broken, Denied, Streamed } from './wire.ts'

type Waiting = {
  readonly id: number
  readonly end: (got: Uint8Array | Broken) => void
  /** Whether a reply to nobody came meanwhile. */
  strays: boolean
}

/** One connection, while it lasts. */
type Line = {
  readonly socket: TLSSocket
  readonly waiting: Set<Waiting>
  /** IDs of questions whose time was over: their replies are late, not stray. */
  readonly givenUp: Set<number>
  /** Replies it has brought. */
  replies: number
  heard: Uint8Array
}

/** A server may close after each reply: so often a question is put anew. */
const MOST_LINES = 8

export class TlsLine {
  readonly #server: Server
  #line: Promise<Line | Denied | Broken> | undefined
  #session: Buffer | undefined

  constructor(server: Server) {
    this.#server = server
  }

  async ask(query: Uint8Array, forMs: number): Promise<Streamed> {
    const until = performance.now() + forMs
    for (let lines = 1; ; lines += 1) {
      this.#line ??= this.#open(until - performance.now())
      const held = this.#line
      const line = await held
      if (isLine(line)) {
        const got = await put(line, query, until - performance.now())
        if (typeof got === 'object') return this.#carried(got)
        if (line.socket.destroyed && this.#line === held) this.#line = undefined
        if (got === 'timeout') return got
        if (line.replies === 0 || lines === MOST_LINES) return got
      } else {
        if (this.#line === held) this.#line = undefined
        return line
      }
    }
  }

  close(): void {
    void this.#line?.then(line => {
      if (isLine(line)) line.socket.destroy()
    })
    this.#line = undefined
  }

  #carried({ octets, strays }: Heard): Streamed {
    const blind = demandOf(this.#server) === 'nothing'
    const oddities = [...(blind ? ['unauthenticated'] : []), ...(strays ? ['wrong-id'] : [])]
    return { octets, oddities, ageSeconds: 0 }
  }

  async #open(forMs: number): Promise<Line | Denied | Broken> {
    const opened = await openTls(this.#server, ['dot'], forMs, this.#session)
    if (!isOpened(opened)) return opened
    const { socket } = opened
    const line: Line = {
      ...{ socket, waiting: new Set(), givenUp: new Set() },
      ...{ replies: 0, heard: new Uint8Array(0) },
    }
    socket.on('session', session => {
      this.#session = session
    })
    socket.on('data', chunk => hear(line, chunk))
    socket.on('close', () => {
      for (const one of line.waiting) one.end('closed')
    })
    // RFC 7766 §6.2.4: what the other side half-closes is of no more use
    socket.on('end', () => socket.destroy())
    return line
  }
}

function isLine(value: Line | Denied | Broken): value is Line {
  return typeof value === 'object' && 'waiting' in value
}

type Heard = { readonly octets: Uint8Array; readonly strays: boolean }

function put(line: Line, query: Uint8Array, forMs: number): Promise<Heard | Broken> {
  return new Promise(resolve => {
    const end = (got: Uint8Array | Broken): void => {
      clearTimeout(timer)
      line.waiting.delete(one)
      // nobody waits: the line alone keeps no process alive
      if (line.waiting.size === 0) line.socket.unref()
      resolve(typeof got === 'string' ? got : { octets: got, strays: one.strays })
    }
    const late = (): void => {
      line.givenUp.add(one.id)
      end('timeout')
      // who has said nothing to anybody may be gone
      if (line.waiting.size === 0) line.socket.destroy()
    }
    const timer = setTimeout(late, forMs)
    const one: Waiting = { id: idOf(query), end, strays: false }
    line.waiting.add(one)
    if (line.socket.destroyed) return end('closed')
    line.socket.ref()
    line.socket.write(framed(query))
  })
}

function hear(line: Line, chunk: Uint8Array): void {
  line.heard = line.heard.length === 0 ? chunk : Buffer.concat([line.heard, chunk])
  for (;;) {
    const message = unframed([line.heard])
    if (message === undefined) return
    line.heard = line.heard.subarray(2 + message.length)
    line.replies += 1
    const id = idOf(message)
    const one = [...line.waiting].find(waiting => waiting.id === id)
    if (one !== undefined) one.end(Uint8Array.from(message))
    else if (!line.givenUp.delete(id)) for (const waiting of line.waiting) waiting.strays = true
  }
}

function idOf(message: Uint8Array): number {
  return message.length < 2 ? -1 : ((message[0] ?? 0) << 8) | (message[1] ?? 0)
}
