/**
 * Asks a server at a steady pace over UDP, and never twice: what is not answered is lost. Each reply
 * is handed over with the times at which it was asked for and heard.
 */
import { createSocket } from 'node:dgram'
import { until } from './process.ts'

/** Milliseconds of `performance.now()`. */
export type Times = { readonly asked: number; readonly heard: number }

export type Pace = {
  /** How many queries a second. */
  readonly rate: number
  /** @param turn counts from 0. The number of the query is not its own. */
  readonly query: (turn: number) => Uint8Array
  readonly hear: (turn: number, reply: Buffer, times: Times) => void
}

export type Asker = {
  /** How many were asked so far. */
  readonly asked: () => number
  /** Asks no more, waits for the last replies, and tells how many there were not. */
  readonly stop: () => Promise<number>
}

/** Who was kept from asking does not make up for all of it at once: no socket holds so much. */
const AT_ONCE = 20
const LAST_MS = 5_000

export function askSteadily(port: number, { hear, query, rate }: Pace): Asker {
  const open = new Map<number, { readonly turn: number; readonly asked: number }>()
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 22 })
  socket.on('message', reply => {
    const id = reply.readUInt16BE(0)
    const one = open.get(id)
    open.delete(id)
    if (one === undefined) return // it may be for whoever had the port before
    hear(one.turn, reply, { asked: one.asked, heard: performance.now() })
  })
  let asked = 0
  let from = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    const due = Math.floor(((now - from) * rate) / 1000)
    if (due > AT_ONCE) from = now
    for (let i = 0; i < Math.min(due, AT_ONCE); i += 1) ask(now)
    if (due <= AT_ONCE) from += (1000 * due) / rate
  }, 1)
  const ask = (now: number): void => {
    const octets = Buffer.from(query(asked))
    octets.writeUInt16BE(asked & 0xffff, 0)
    open.set(asked & 0xffff, { turn: asked, asked: now })
    socket.send(octets, port, '127.0.0.1')
    asked += 1
  }
  return {
    asked: () => asked,
    async stop() {
      clearInterval(timer)
      await until('all are answered', () => open.size === 0, LAST_MS).catch(() => {})
      socket.close()
      return open.size
    },
  }
}
