/**
 * A UDP worker: one thread, one desk, the sockets it was told to open. With an engine that waits for
 * datagrams itself the thread does nothing else than turn after turn, and looks for orders between
 * them; with `node:dgram` the event loop does both. Knows no configuration and reads no file.
 */
import {
  isMainThread,
  type MessagePort,
  parentPort,
  receiveMessageOnPort,
  workerData,
} from 'node:worker_threads'
import { attend } from './answer/attend.ts'
import { changeWorld, type Desk, openDesk } from './answer/desk.ts'
import type { Begin, Serve } from './answer/peer.ts'
import { rehearsal } from './answer/rehearsal.ts'
import { resample, type Sampler, sample, sampler } from './answer/sample.ts'
import type { World } from './answer/world.ts'
import { Fault } from './fault.ts'
import { openTallies, type Tallies, talliesOf } from './guard/answers.ts'
import { openGuard } from './guard/guard.ts'
import { look } from './guard/overload.ts'
import { ring } from './guard/ring.ts'
import type { Done, Handed, OpenOrder, Order, Seat, Word } from './orders.ts'
import { freshSeed } from './seed.ts'
import { chance } from './steer/chance.ts'
import { sweep } from './sweep.ts'
import { ticksNow } from './ticks.ts'
import { engineNamed } from './transport/batching.ts'
import type { UdpEngine, UdpSocket } from './transport/engine.ts'
import { inlineMore } from './v8.ts'

inlineMore() // what is compiled from now on

/** How long a turn waits for datagrams: so long may an order lie unread while none comes. */
const TURN_MS = 200
/** Where fewer came at once, none had to wait for others. */
const MANY = 32
/** What is rehearsed: to take a query for the log, and not to. */
const HALF = { generation: 0, share: 0.5 }
const REHEARSED_WORDS = 1 << 14

class UdpWorker {
  readonly #port: MessagePort
  readonly #sent: Int32Array
  readonly #engine: UdpEngine
  readonly #desk: Desk
  readonly #answer: Serve
  readonly #begin: Begin
  readonly #doors = new Map<number, UdpSocket>()
  /** Its own until it shares, and of no account. */
  #tallies: Tallies
  /** Likewise. */
  #sampler: Sampler = sampler(ring(REHEARSED_WORDS))
  #seen = 0
  #isLeaving = false

  constructor(port: MessagePort, { engine, sent }: Seat, first: World) {
    const desk = openDesk(first, chance(...freshSeed()))
    this.#port = port
    this.#sent = sent
    this.#engine = engineNamed(engine)
    this.#desk = desk
    this.#tallies = openTallies(first.steering)
    this.#answer = (query, length, reply, peer) => {
      const size = attend(desk, this.#tallies, query, length, reply, peer)
      sample(this.#sampler, desk, peer, size)
      return size
    }
    this.#begin = (count, receivedAt) => {
      const { guard, world } = desk
      guard.ticks = ticksNow()
      const now = Date.now()
      const waited =
        count < MANY || receivedAt === 0 ? 0 : Math.max(0, Math.round(now - receivedAt))
      look(guard.overload, waited, now | 0)
      // Who has waited long is answered all the same where that keeps nobody else waiting.
      return guard.overload.isShedding ? now - world.guard.maxAge : 0
    }
  }

  /**
   * Rehearses at a desk that shares nothing yet: nobody's turn is taken by it, and nothing is counted.
   * The World is changed before, too: V8 takes for constant what has never changed.
   */
  async rehearse(world: World): Promise<void> {
    changeWorld(this.#desk, world)
    this.#tallies = openTallies(world.steering)
    resample(this.#sampler, HALF, this.#desk.chance)
    await this.#engine.rehearse?.(this.#answer, rehearsal(world))
  }

  /** Serves this from now on, by turns with all others who do. */
  share({ ring: own, sampling, tallies, world, ...shared }: Handed): void {
    const { board, challenges, limits, next, present } = shared
    changeWorld(this.#desk, world, board, next)
    this.#desk.challenges = challenges
    this.#desk.present = present
    if (this.#desk.guard.limits.known.seed !== limits.known.seed) {
      this.#desk.guard = openGuard(limits, this.#desk.guard.overload.chance)
    }
    this.#tallies = talliesOf(tallies)
    this.#sampler = sampler(own)
    resample(this.#sampler, sampling, this.#desk.chance)
  }

  async work(): Promise<void> {
    const { turn } = this.#engine
    if (turn === undefined) this.#attend()
    else await this.#takeTurns(turn)
  }

  /** The event loop shows datagrams, and orders between them. */
  #attend(): void {
    let last = Promise.resolve()
    this.#port.on('message', (order: Order) => {
      last = last.then(() => this.#heed(order))
    })
  }

  async #takeTurns(turn: (waitMs: number) => void): Promise<void> {
    while (!this.#isLeaving) {
      if (Atomics.load(this.#sent, 0) !== this.#seen) await this.#heedAll()
      else if (this.#doors.size > 0) turn(TURN_MS)
      else Atomics.wait(this.#sent, 0, this.#seen)
    }
  }

  async #heedAll(): Promise<void> {
    this.#seen = Atomics.load(this.#sent, 0)
    for (;;) {
      const came: { message: Order } | undefined = receiveMessageOnPort(this.#port)
      if (came === undefined) return
      await this.#heed(came.message)
    }
  }

  async #heed(order: Order): Promise<void> {
    try {
      this.#say(await this.#obey(order))
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      this.#say({ kind: 'refused', code: cause.code, message: cause.message })
    }
    if (this.#isLeaving) this.#port.close()
  }

  async #obey(order: Order): Promise<Done> {
    switch (order.kind) {
      case 'serve': {
        this.share(order.handed)
        sweep() // what comes meanwhile waits in the sockets
        return done()
      }
      case 'open':
        return this.#open(order)
      case 'heed ecs': {
        const socket = this.#doors.get(order.door)
        if (socket !== undefined) socket.ecs = order.ecs
        return done(socket)
      }
      case 'close':
        await this.#close(order.door)
        return done()
      case 'answer':
        return done()
      case 'leave':
        for (const door of [...this.#doors.keys()]) await this.#close(door)
        this.#isLeaving = true
        return done()
    }
  }

  async #open({ address, door, port, ...order }: OpenOrder): Promise<Done> {
    const onFault = (cause: unknown, times: number) => {
      const text = String(cause instanceof Error ? cause.stack : cause) // not all can be sent
      this.#say({ kind: 'fault', text, times })
    }
    const socket = await this.#engine.open(address, port, this.#answer, {
      ...order,
      begin: this.#begin,
      onFault,
    })
    this.#doors.set(door, socket)
    return done(socket)
  }

  async #close(door: number): Promise<void> {
    const socket = this.#doors.get(door)
    this.#doors.delete(door)
    await socket?.close()
  }

  #say(word: Word): void {
    this.#port.postMessage(word)
  }
}

function done({ address = '', port = 0, fd = -1 }: Partial<UdpSocket> = {}): Done {
  return { kind: 'done', address, port, fd }
}

/** Its frame ends before the work begins, and with it what would keep the first World. */
async function seated(port: MessagePort, seat: Seat): Promise<UdpWorker> {
  const { handed } = seat
  if (handed === undefined) throw new RangeError('a seat that was taken')
  seat.handed = undefined
  const worker = new UdpWorker(port, seat, handed.world)
  if (seat.begins === 'rehearsed') await worker.rehearse(handed.world)
  worker.share(handed)
  return worker
}

function isSeat(data: unknown): data is Seat {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'udp worker'
}

if (!isMainThread && parentPort && isSeat(workerData)) {
  const worker = await seated(parentPort, workerData)
  await worker.work()
}
