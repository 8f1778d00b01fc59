/**
 * UDP load in batches: connected sockets, `recvmmsg` and `sendmmsg`, so that one processor of ours
 * outruns one of any server. Closed loop for saturation, paced for latency.
 */
import { setImmediate } from 'node:timers/promises'
import {
  BATCH,
  type Batch,
  lengthOf,
  offerControl,
  openBatch,
  place,
  SLOT,
  stampOf,
} from './batch.ts'
import { ask, drop, expire, type Flow, hear } from './flow.ts'
import type { Libc } from './libc.ts'
import { LOST_MS, type Order } from './order.ts'

const AF_INET = 2
const SOCK_DGRAM = 2
const SOL_SOCKET = 1
const SO_RCVBUF = 8
const SO_RCVTIMEO = 20
const SO_TIMESTAMPNS = 35
const MSG_DONTWAIT = 0x40
const MSG_WAITFORONE = 0x10000

const BUFFER = 4 << 20
/** How long a closed loop waits for a socket before it looks at the next. */
const PATIENCE_MICROS = 20_000
/**
 * How often the losses of one socket are looked for, and signals let in. All sockets at once would
 * hold up what is due, and be seen as the server's latency.
 */
const PAUSE_MS = 10

type Line = { readonly fd: number; readonly flow: Flow }

type Load = {
  readonly libc: Libc
  readonly batch: Batch
  readonly lines: readonly Line[]
  readonly rate: number
  /** Of the paced loop: when it began, how many were due so far, whose turn it is. */
  began: number
  due: number
  turn: number
}

/** Runs an order of `closed` or `paced`; resolves when all is answered or lost. */
export async function runBatched(
  libc: Libc,
  order: Order,
  flows: readonly Flow[],
  isOver: () => boolean,
): Promise<void> {
  const set = flows[0]?.set
  if (set === undefined) return
  const isPaced = order.way === 'paced'
  const lines = flows.map(flow => ({ fd: openSocket(libc, order.port), flow }))
  // Stamping costs every datagram of the machine something: only where it is needed.
  if (isPaced) for (const { fd } of lines) libc.setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, ON, 4)
  const batch = openBatch(libc, set)
  const began = performance.now()
  const load = { libc, batch, lines, rate: order.rate ?? 0, began, due: 0, turn: 0 }
  const turn = isPaced ? pace : round
  const take = isPaced ? receiveStamped : receiveWaiting
  await keepOn(load, () => turn(load), isOver)
  await keepOn(
    load,
    () => gather(load, take),
    () => isDone(load),
  )
  for (const { fd } of lines) libc.close(fd)
}

/** Connected to the server on loopback. */
function openSocket(libc: Libc, port: number): number {
  const fd = libc.socket(AF_INET, SOCK_DGRAM, 0)
  const patience = new Uint8Array(new BigInt64Array([0n, BigInt(PATIENCE_MICROS)]).buffer)
  libc.setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, patience, patience.length)
  libc.setsockopt(fd, SOL_SOCKET, SO_RCVBUF, int(BUFFER), 4)
  const to = Uint8Array.of(AF_INET, 0, port >> 8, port & 255, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)
  if (fd < 0 || libc.connect(fd, to, to.length) !== 0) throw new Error('no socket for the load')
  return fd
}

const ON = int(1)

function int(value: number): Uint8Array {
  return new Uint8Array(Int32Array.of(value).buffer)
}

/** Turns again and again; now and then it gives up on what is lost and lets the event loop in. */
async function keepOn(load: Load, turn: () => void, isOver: () => boolean): Promise<void> {
  for (let at = 0; !isOver(); at = (at + 1) % load.lines.length) {
    const pause = performance.now() + PAUSE_MS
    while (performance.now() < pause && !isOver()) turn()
    expire(load.lines[at]!.flow, performance.now() - LOST_MS)
    await setImmediate()
  }
}

/**
 * Closed: goes round the sockets, takes what came and sends as many again. All others' queries are
 * under way while it waits for one. Hot.
 */
function round(load: Load): void {
  for (let i = 0; i < load.lines.length; i += 1) {
    const line = load.lines[i]!
    if (line.flow.freeCount < line.flow.size) receiveWaiting(load, line)
    send(load, line, BATCH, performance.now())
  }
}

/** Paced: sends what is due by now on the next socket, and empties all in turn. Hot. */
function pace(load: Load): void {
  const now = performance.now()
  const line = load.lines[load.turn]!
  load.turn = load.turn + 1 === load.lines.length ? 0 : load.turn + 1
  const due = Math.min(BATCH, Math.floor(((now - load.began) * load.rate) / 1000) - load.due)
  if (due > 0) {
    load.due += due
    send(load, line, due, now)
  }
  receiveStamped(load, line)
}

/** Takes what still comes. */
function gather(load: Load, take: typeof receiveStamped): void {
  for (const line of load.lines) take(load, line)
}

function isDone({ lines }: Load): boolean {
  return lines.every(({ flow }) => flow.freeCount === flow.size)
}

/** Hot. */
function send({ libc, batch }: Load, { fd, flow }: Line, wanted: number, now: number): void {
  const placed = Math.min(wanted, flow.freeCount)
  if (placed === 0) return
  for (let i = 0; i < placed; i += 1) place(batch, i, flow.set, ask(flow, now))
  const sent = Math.max(0, libc.sendmmsg(fd, batch.sendHeaders, placed, 0))
  const size = flow.set.start.length
  for (let i = sent; i < placed; i += 1) drop(flow, (flow.next - placed + i + size) % size)
}

/** Waits for a reply and takes all that have come, as of the time they are read. Hot. */
function receiveWaiting({ libc, batch }: Load, { fd, flow }: Line): void {
  const got = libc.recvmmsg(fd, batch.receiveHeaders, BATCH, MSG_WAITFORONE, undefined)
  const now = performance.now()
  for (let i = 0; i < got; i += 1) {
    const from = i * SLOT
    hear(flow, batch.received, from, from + lengthOf(batch, i), now)
  }
}

/** Takes what has come, as of the time the kernel had it. Hot. */
function receiveStamped({ libc, batch }: Load, { fd, flow }: Line): void {
  offerControl(batch)
  const got = libc.recvmmsg(fd, batch.receiveHeaders, BATCH, MSG_DONTWAIT, undefined)
  for (let i = 0; i < got; i += 1) {
    const from = i * SLOT
    hear(flow, batch.received, from, from + lengthOf(batch, i), stampOf(batch, i))
  }
}
