/**
 * TCP load: connections that are kept, each with a window of queries under way (RFC 7766 §6.2.1.1), or
 * a new connection a query.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { ask, expire, type Flow, hear } from './flow.ts'
import { LOST_MS, type Order } from './order.ts'

const PAUSE_MS = 50
/** Source addresses that single queries come from in turn: closed connections keep ports for a minute. */
const SOURCES = 200

type Ending = () => boolean

/** Runs an order of `pipelined` or `single`; resolves when all is answered or lost. */
export async function runTcp(order: Order, flows: readonly Flow[], isOver: Ending): Promise<void> {
  const talks = flows.map((flow, at) =>
    order.way === 'pipelined' ? talk(order.port, flow, isOver) : askSingly(order, flow, at, isOver),
  )
  let isTalking = true
  const end = Promise.all(talks).finally(() => (isTalking = false))
  while (isTalking) {
    await setTimeout(PAUSE_MS)
    for (const flow of flows) expire(flow, performance.now() - LOST_MS)
  }
  await end
}

/** Keeps one connection full, and opens it again where it is closed on us. */
async function talk(port: number, flow: Flow, isOver: Ending): Promise<void> {
  while (!isOver()) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const fill = () => void (isOver() || fillUp(socket, flow))
    const refill = setInterval(fill, PAUSE_MS)
    socket.on('connect', fill)
    listen(socket, flow, fill)
    const gone = closed(socket)
    await Promise.race([gone, until(() => isOver() && flow.freeCount === flow.size)])
    clearInterval(refill)
    socket.destroy()
    await gone
    expire(flow, Number.POSITIVE_INFINITY)
  }
}

/** One query a connection, the next as soon as it is closed. */
async function askSingly(order: Order, flow: Flow, at: number, isOver: Ending): Promise<void> {
  for (let turn = at; !isOver(); turn += 7) {
    const localAddress = `127.0.1.${1 + (turn % SOURCES)}`
    const socket = connect({ port: order.port, host: '127.0.0.1', localAddress, noDelay: true })
    socket.setTimeout(LOST_MS, () => socket.destroy())
    socket.on('connect', () => socket.write(frame(flow, ask(flow, performance.now()))))
    listen(socket, flow, () => socket.end())
    await closed(socket)
    expire(flow, Number.POSITIVE_INFINITY)
  }
}

/** Cuts what comes into replies: each behind its length in two octets, RFC 1035 §4.2.2. */
function listen(socket: Socket, flow: Flow, heard: () => void): void {
  let rest: Buffer = Buffer.alloc(0)
  socket.on('error', () => undefined) // it closes, and what was under way is lost
  socket.on('data', (piece: Buffer) => {
    const now = performance.now()
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    let at = 0
    while (at + 2 <= rest.length && at + 2 + rest.readUInt16BE(at) <= rest.length) {
      const end = at + 2 + rest.readUInt16BE(at)
      hear(flow, rest, at + 2, end, now)
      at = end
    }
    rest = rest.subarray(at)
    if (at > 0) heard()
  })
}

function fillUp(socket: Socket, flow: Flow): void {
  const frames: Buffer[] = []
  const now = performance.now()
  while (flow.freeCount > 0) frames.push(frame(flow, ask(flow, now)))
  if (frames.length > 0) socket.write(Buffer.concat(frames))
}

function frame({ set }: Flow, number: number): Buffer {
  const start = set.start[number] ?? 0
  const length = set.length[number] ?? 0
  const framed = Buffer.alloc(2 + length)
  framed.writeUInt16BE(length)
  framed.set(set.octets.subarray(start, start + length), 2)
  return framed
}

function closed(socket: Socket): Promise<void> {
  return new Promise(resolve => socket.once('close', () => resolve()))
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setTimeout(PAUSE_MS)
}
