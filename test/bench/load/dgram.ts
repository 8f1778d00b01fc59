/** UDP load through `node:dgram`, where `koffi` is not here: slower, and the reports say so. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { ask, expire, type Flow, hear } from './flow.ts'
import { LOST_MS, type Order } from './order.ts'

const PAUSE_MS = 100

type Line = { readonly socket: Socket; readonly flow: Flow }

/** Runs an order of `closed` or `paced`; resolves when all is answered or lost. */
export async function runDgram(
  order: Order,
  flows: readonly Flow[],
  isOver: () => boolean,
): Promise<void> {
  const refill = order.way === 'closed' ? fill : () => undefined
  const lines: Line[] = []
  for (const flow of flows) {
    const line = { socket: createSocket('udp4'), flow }
    line.socket.on('error', () => undefined) // refused: not up yet, or gone
    line.socket.on('message', reply => {
      hear(flow, reply, 0, reply.length, performance.now())
      if (!isOver()) refill(line)
    })
    line.socket.connect(order.port, '127.0.0.1')
    await once(line.socket, 'connect')
    lines.push(line)
  }
  if (order.way === 'closed') await keepFull(lines, isOver)
  else await pace(lines, order.rate ?? 0, isOver)
  while (!flows.every(flow => flow.freeCount === flow.size)) await giveUp(lines)
  for (const { socket } of lines) socket.close()
}

async function keepFull(lines: readonly Line[], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    for (const line of lines) fill(line)
    await giveUp(lines)
  }
}

async function pace(lines: readonly Line[], rate: number, isOver: () => boolean): Promise<void> {
  const began = performance.now()
  for (let sent = 0; !isOver(); ) {
    const due = Math.floor(((performance.now() - began) * rate) / 1000)
    for (; sent < due; sent += 1) put(lines[sent % lines.length])
    if (lines.some(({ flow }) => flow.freeCount < flow.size >> 1)) await giveUp(lines)
    await setImmediate()
  }
}

/** Waits a little, and gives up on what is lost. */
async function giveUp(lines: readonly Line[]): Promise<void> {
  await setTimeout(PAUSE_MS)
  for (const { flow } of lines) expire(flow, performance.now() - LOST_MS)
}

function fill(line: Line): void {
  while (line.flow.freeCount > 0) put(line)
}

function put(line: Line | undefined): void {
  if (line === undefined) return
  const { flow, socket } = line
  const number = ask(flow, performance.now())
  if (number < 0) return
  const start = flow.set.start[number] ?? 0
  // A copy: it may be sent later, when the next id is in the set's octets already.
  socket.send(flow.set.octets.slice(start, start + (flow.set.length[number] ?? 0)))
}
