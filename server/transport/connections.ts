/**
 * All TCP connections of the process, whatever listener they came through and whatever is spoken over
 * them: lets them in, has their messages answered, and closes those that are idle too long, or in a
 * newcomer's way, or that together hold too much. One timer serves them all. Knows no listeners.
 */
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Peer, Serve } from '../answer/peer.ts'
import { address, setAddressText } from '../dns/address.ts'
import type { Clock } from './clock.ts'
import { Connection, type Happened, type House, type Manner } from './connection.ts'
import type { Answer, Talk } from './conversation.ts'
import {
  type Crowd,
  type CrowdLimits,
  crowd,
  idleLongest,
  join,
  leastPatienceMs,
  leave,
  patienceMs,
  sourceOf,
  touch,
  UNKNOWN,
  whoLeaves,
} from './crowd.ts'
import { MAX_MESSAGE } from './engine.ts'
import { turnstile } from './turnstile.ts'
import { type Visitor, Web } from './web.ts'

export type TcpCounts = {
  /** Connections there are now. */
  open: number
  accepted: number
  received: number
  answered: number
  /** Served, and `Serve` chose to say nothing. */
  silent: number
  /** Connections closed because nothing whole came for too long. */
  idle: number
  /** Connections closed to make room for others. */
  displaced: number
  /** Connections closed because the framing was broken. */
  broken: number
  /** Connections that were reset or could not be accepted. */
  errors: number
  /** Connections closed because a balancer did not say whose they are. */
  unproxied: number
  /** TLS was established. */
  handshakes: number
  /** TLS could not be. */
  unsecured: number
  /** `Serve` threw, and the connection was closed. */
  faults: number
}

/** What connections may take. */
export type Allowance = {
  readonly limits: CrowdLimits
  /** How long one may be idle while there is room. */
  readonly idleMs: number
}

export type ConnectionsOptions = Allowance & {
  readonly clock: Clock
  readonly complain: (cause: unknown) => void
}

/** Octets that all connections may hold together, beyond what the kernel does. */
const MOST_HELD = 128 << 20

/** Handshakes that begin in one turn of the event loop: a millisecond each, more or less. */
const HANDSHAKES_A_TURN = 4

/** RFC 7828 §3.1 counts in 100 ms, and two octets hold no more. */
const KEEPALIVE_MS = 100
const LONGEST_KEEPALIVE = 65_535

export class Connections implements House {
  readonly counts = tcpCounts()
  readonly #serve: Serve
  readonly #clock: Clock
  readonly #complain: (cause: unknown) => void
  readonly #crowd: Crowd<Connection>
  readonly #reply = new Uint8Array(MAX_MESSAGE)
  readonly inTurn = turnstile(HANDSHAKES_A_TURN)
  #idleMs: number
  #web: Web | undefined
  #held = 0
  #callOff: (() => void) | undefined

  constructor(serve: Serve, { clock, complain, idleMs, limits }: ConnectionsOptions) {
    this.#serve = serve
    this.#clock = clock
    this.#complain = complain
    this.#idleMs = idleMs
    this.#crowd = crowd(limits)
  }

  /** Whoever is there stays until its time is up, or its place is wanted. */
  allow({ idleMs, limits }: Allowance): void {
    this.#idleMs = idleMs
    this.#crowd.limits = limits
    this.#callOff?.()
    this.#callOff = undefined
    this.#watch()
  }

  /** @returns `undefined` where the connection was gone before it was accepted */
  admit(socket: Socket, manner: Manner, ecs: boolean): Connection | undefined {
    const port = socket.remotePort ?? 0
    const peer: Peer = { ...address(), transport: 'tcp', ecs, port, keepalive: 0 }
    if (!setAddressText(peer, socket.remoteAddress ?? '')) {
      socket.destroy()
      return undefined
    }
    const isProxied = manner.isBalancer(peer)
    const guest = { source: isProxied ? UNKNOWN : sourceOf(peer), usedAt: this.#clock.now() }
    const connection = new Connection(socket, peer, guest, this)
    this.counts.accepted += 1
    this.#join(connection)
    this.#watch()
    connection.begin(manner, isProxied ? 'yes' : 'no')
    return connection
  }

  introduced(connection: Connection): void {
    leave(this.#crowd, connection)
    connection.source = sourceOf(connection.peer)
    connection.usedAt = this.#clock.now()
    this.#join(connection)
  }

  answer(connection: Connection, message: Uint8Array): Answer {
    const { peer } = connection
    this.counts.received += 1
    touch(this.#crowd, connection, this.#clock.now())
    if (peer.transport !== 'https') peer.keepalive = this.#keepalive()
    try {
      const length = this.#serve(message, message.length, this.#reply, peer)
      this.counts[length === 0 ? 'silent' : 'answered'] += 1
      return length === 0 ? 'silent' : this.#reply.subarray(0, length)
    } catch (cause) {
      this.counts.faults += 1
      this.#complain(cause)
      return 'fault'
    }
  }

  serveWeb(socket: TLSSocket, visitor: Visitor): Talk {
    this.#web ??= new Web()
    return this.#web.serve(socket, visitor)
  }

  weigh(connection: Connection, octets: number): void {
    if (!this.#crowd.guests.has(connection)) return // what is closed still tells
    const grows = octets > connection.weight
    this.#held += octets - connection.weight
    connection.weight = octets
    if (grows && this.#held > MOST_HELD) this.#lighten()
  }

  counted(what: Happened): void {
    this.counts[what] += 1
  }

  left(connection: Connection): void {
    if (!this.#crowd.guests.has(connection)) return
    leave(this.#crowd, connection)
    this.#held -= connection.weight
    connection.weight = 0
    this.counts.open = this.#crowd.guests.size
    if (this.counts.open > 0) return
    this.#callOff?.()
    this.#callOff = undefined
  }

  #join(connection: Connection): void {
    for (;;) {
      const leaver = whoLeaves(this.#crowd, connection.source)
      if (leaver === undefined) break
      this.#dismiss(leaver, 'displaced')
    }
    join(this.#crowd, connection)
    this.counts.open = this.#crowd.guests.size
  }

  /** Of those that hold anything, whoever was idle longest makes room. */
  #lighten(): void {
    for (const connection of this.#crowd.guests) {
      if (this.#held <= MOST_HELD) return
      if (connection.weight > 0) this.#dismiss(connection, 'displaced')
    }
  }

  #dismiss(connection: Connection, why: 'displaced' | 'idle'): void {
    this.counts[why] += 1
    this.left(connection)
    connection.cut()
  }

  #patienceMs(): number {
    return patienceMs(this.#crowd, this.#idleMs)
  }

  /** RFC 7828 §3.3.2: the idle time that holds now. */
  #keepalive(): number {
    return Math.min(LONGEST_KEEPALIVE, Math.floor(this.#patienceMs() / KEEPALIVE_MS))
  }

  /** Sees to it that the timer runs, for whoever is idle longest; patience may shrink meanwhile. */
  #watch(): void {
    const next = idleLongest(this.#crowd.guests)
    if (next === undefined || this.#callOff !== undefined) return
    const due = next.usedAt + this.#patienceMs() - this.#clock.now()
    const wait = Math.max(0, Math.min(due, leastPatienceMs(this.#idleMs)))
    this.#callOff = this.#clock.after(wait, () => this.#sweep())
  }

  #sweep(): void {
    this.#callOff = undefined
    const now = this.#clock.now()
    for (const connection of this.#crowd.guests) {
      if (connection.usedAt > now - this.#patienceMs()) break
      this.#dismiss(connection, 'idle')
    }
    this.#watch()
  }
}

function tcpCounts(): TcpCounts {
  return {
    ...{ open: 0, accepted: 0, received: 0, answered: 0, silent: 0 },
    ...{ idle: 0, displaced: 0, broken: 0, errors: 0, faults: 0 },
    ...{ unproxied: 0, handshakes: 0, unsecured: 0 },
  }
}
