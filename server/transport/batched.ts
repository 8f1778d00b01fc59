/**
 * The UDP engine of Linux: many datagrams a system call, and a thread that waits in the kernel instead
 * of in the event loop. Whoever owns the thread calls `turn` again and again. With one socket a turn
 * waits right where it receives; with several it waits for any of them, and serves a batch of each that
 * has something: none can starve another. The sockets of one engine share its memory.
 */
import type { Serve } from '../answer/peer.ts'
import { address as emptyAddress } from '../dns/address.ts'
import { adopt, type Binding, bind, boundAt, setWait } from './bind.ts'
import { machineClock } from './clock.ts'
import { complaint } from './complaint.ts'
import { serveAll, type UdpEngine, type UdpOptions, type UdpSocket, udpCounts } from './engine.ts'
import { exchange, type Party, type Take } from './exchange.ts'
import type { Kernel } from './kernel.ts'
import { MSG_DONTWAIT, MSG_WAITFORONE, POLL, POLLIN } from './layout.ts'
import { rehearse } from './rehearse.ts'
import { type Bound, readSockaddr, worded } from './sockaddr.ts'

/**
 * About 120 ms of queries at full load, as the kernel doubles it: longer than a busy system keeps a
 * thread from its processor, shorter than any resolver waits.
 */
const RECEIVE_BUFFER = 16 << 20

/** More than a full queue holds; under steady traffic a closing socket would never be empty. */
const LAST_BATCHES = 1024

/** @param kernel may be another than the machine's own in tests */
export function batchedEngine(kernel: Kernel): UdpEngine {
  const take = exchange(kernel)
  const sockets = new Sockets(kernel, take)
  const engine: UdpEngine = {
    name: 'batched',
    wildcards: true,
    async open(address, port, serve, options) {
      const binding = bindingOf(options)
      const fd = options.fd ?? bind(kernel, address, port, binding)
      const bound = boundAt(kernel, fd, address, port)
      if (options.fd !== undefined) adopt(kernel, fd, bound, binding.receiveBuffer)
      const socket = new BatchedSocket(sockets, address, bound, partyOf(fd, bound, serve, options))
      sockets.add(socket)
      return socket
    },
    turn: waitMs => sockets.turn(waitMs),
    rehearse: (serve, questions) => rehearse(kernel, engine, serve, questions),
  }
  return engine
}

function bindingOf(options: UdpOptions): Binding {
  const { device, receiveBuffer = RECEIVE_BUFFER, sharing = 'alone' } = options
  return { device, receiveBuffer, sharing }
}

function partyOf(fd: number, bound: Bound, serve: Serve, options: UdpOptions): Party {
  const own = worded(emptyAddress())
  return {
    fd,
    serve,
    begin: options.begin ?? serveAll,
    peer: worded({ ...emptyAddress(), transport: 'udp', ecs: options.ecs, port: 0, keepalive: 0 }),
    own,
    port: readSockaddr(bound.name, 0, own),
    isWildcard: bound.isWildcard,
    counts: options.counts ?? udpCounts(),
    joins: true,
    complain: complaint(options.onFault, machineClock),
  }
}

class BatchedSocket implements UdpSocket {
  readonly address: string
  readonly port: number
  readonly party: Party
  /** What its last turn alone has told the kernel; 0: nothing yet. */
  waitMs = 0
  readonly #sockets: Sockets
  #closed: Promise<void> | undefined

  constructor(sockets: Sockets, asked: string, bound: Bound, party: Party) {
    this.address = asked.includes('%') ? asked : bound.address
    this.port = bound.port
    this.party = party
    this.#sockets = sockets
  }

  get fd(): number {
    return this.party.fd
  }

  get counts() {
    return this.party.counts
  }

  get ecs(): boolean {
    return this.party.peer.ecs
  }

  set ecs(wanted: boolean) {
    this.party.peer.ecs = wanted
  }

  close(): Promise<void> {
    this.#closed ??= new Promise(resolve => this.#sockets.part(this, resolve))
    return this.#closed
  }
}

/** The open sockets of a thread. */
class Sockets {
  readonly #kernel: Kernel
  readonly #take: Take
  #open: readonly BatchedSocket[] = []
  /** For each of them in turn, where `poll` says what it saw. */
  #places = new Int32Array(0)
  #placeOctets = new Uint8Array(0)
  /** `Serve` is at work, and what it writes to must not be used for another batch. */
  #isServing = false
  readonly #parting: (() => void)[] = []

  constructor(kernel: Kernel, take: Take) {
    this.#kernel = kernel
    this.#take = take
  }

  add(socket: BatchedSocket): void {
    this.#attend([...this.#open, socket])
  }

  /** Closes a socket, now or when the batch at hand is done; what has come is answered first. */
  part(socket: BatchedSocket, done: () => void): void {
    this.#parting.push(() => {
      this.#empty(socket)
      this.#attend(this.#open.filter(one => one !== socket))
      this.#kernel.close(socket.fd)
      done()
    })
    if (!this.#isServing) this.#partAll()
  }

  /** Hot: once a batch. */
  turn(waitMs: number): void {
    const first = this.#open[0]
    if (first === undefined) return
    this.#isServing = true
    if (this.#open.length === 1) this.#receive(first, waitMs)
    else this.#receiveAny(waitMs)
    this.#isServing = false
    if (this.#parting.length > 0) this.#partAll()
  }

  /** Hot. */
  #receive(socket: BatchedSocket, waitMs: number): void {
    if (waitMs !== 0 && waitMs !== socket.waitMs) {
      setWait(this.#kernel, socket.fd, waitMs)
      socket.waitMs = waitMs
    }
    this.#take(socket.party, waitMs === 0 ? MSG_DONTWAIT : MSG_WAITFORONE)
  }

  /** Hot. */
  #receiveAny(waitMs: number): void {
    const open = this.#open
    if (this.#kernel.poll(this.#placeOctets, open.length, waitMs) <= 0) return
    for (let i = 0; i < open.length; i += 1) {
      const seen = this.#places[i * POLL.words + POLL.events]! >>> 16
      if (seen !== 0) this.#take(open[i]!.party, MSG_DONTWAIT)
    }
  }

  #attend(open: readonly BatchedSocket[]): void {
    this.#open = open
    this.#places = new Int32Array(open.flatMap(({ fd }) => [fd, POLLIN]))
    this.#placeOctets = new Uint8Array(this.#places.buffer)
  }

  #empty({ party }: BatchedSocket): void {
    this.#isServing = true
    for (let left = LAST_BATCHES; left > 0; left -= 1) {
      if (this.#take(party, MSG_DONTWAIT) === 0) break
    }
    this.#isServing = false
  }

  #partAll(): void {
    for (let part = this.#parting.shift(); part !== undefined; part = this.#parting.shift()) part()
  }
}
