/**
 * All TCP connections of the process, whatever listener they came through: lets them in, has their
 * messages answered, and closes those that are idle too long or in a newcomer's way. One timer serves
 * them all. Knows no listeners.
 */
import type { Socket } from 'node:net'
import type { Peer, Serve } from '../answer/peer.ts'
import { address, setAddressText } from '../dns/address.ts'
import { putU16 } from '../dns/octets.ts'
import type { Clock } from './clock.ts'
import { Conversation, type Host } from './conversation.ts'
import {
  type Crowd,
  type CrowdLimits,
  crowd,
  idleLongest,
  join,
  leave,
  sourceOf,
  touch,
  whoLeaves,
} from './crowd.ts'
import { MAX_MESSAGE } from './engine.ts'

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
  /** Connections closed to make room for a newcomer. */
  displaced: number
  /** Connections closed because the framing was broken. */
  broken: number
  /** Connections that were reset or could not be accepted. */
  errors: number
  /** `Serve` threw, and the connection was closed. */
  faults: number
}

export type ConnectionsOptions = {
  readonly limits: CrowdLimits
  readonly idleMs: number
  readonly clock: Clock
  readonly complain: (cause: unknown) => void
}

const PREFIX = 2

export class Connections implements Host {
  readonly counts = tcpCounts()
  readonly #serve: Serve
  readonly #options: ConnectionsOptions
  readonly #crowd: Crowd<Conversation>
  readonly #reply = new Uint8Array(MAX_MESSAGE)
  #callOff: (() => void) | undefined

  constructor(serve: Serve, options: ConnectionsOptions) {
    this.#serve = serve
    this.#options = options
    this.#crowd = crowd(options.limits)
  }

  /** @returns `undefined` where the connection was gone before it was accepted */
  admit(socket: Socket, options: { readonly ecs: boolean }): Conversation | undefined {
    const peer: Peer = {
      ...address(),
      transport: 'tcp',
      ecs: options.ecs,
      port: socket.remotePort ?? 0,
      keepalive: 0,
    }
    if (!setAddressText(peer, socket.remoteAddress ?? '')) {
      socket.destroy()
      return undefined
    }
    const guest = { source: sourceOf(peer), usedAt: this.#options.clock.now() }
    const leaver = whoLeaves(this.#crowd, guest.source)
    if (leaver !== undefined) this.#dismiss(leaver, 'displaced')

    const conversation = new Conversation(socket, peer, guest, this)
    join(this.#crowd, conversation)
    this.counts.accepted += 1
    this.counts.open = this.#crowd.guests.size
    this.#watch()
    return conversation
  }

  answer(conversation: Conversation, message: Uint8Array): Uint8Array | 'silent' | 'fault' {
    this.counts.received += 1
    touch(this.#crowd, conversation, this.#options.clock.now())
    try {
      const length = this.#serve(message, message.length, this.#reply, conversation.peer)
      this.counts[length === 0 ? 'silent' : 'answered'] += 1
      return length === 0 ? 'silent' : framed(this.#reply, length)
    } catch (cause) {
      this.counts.faults += 1
      this.#options.complain(cause)
      return 'fault'
    }
  }

  broke(): void {
    this.counts.broken += 1
  }

  failed(): void {
    this.counts.errors += 1
  }

  left(conversation: Conversation): void {
    leave(this.#crowd, conversation)
    this.counts.open = this.#crowd.guests.size
    if (this.counts.open > 0) return
    this.#callOff?.()
    this.#callOff = undefined
  }

  #dismiss(conversation: Conversation, why: 'displaced' | 'idle'): void {
    this.counts[why] += 1
    this.left(conversation)
    conversation.cut()
  }

  /** Sees to it that the timer runs, for whoever is idle longest. */
  #watch(): void {
    const next = idleLongest(this.#crowd.guests)
    if (next === undefined || this.#callOff !== undefined) return
    const { clock, idleMs } = this.#options
    this.#callOff = clock.after(next.usedAt + idleMs - clock.now(), () => this.#sweep())
  }

  #sweep(): void {
    this.#callOff = undefined
    const latest = this.#options.clock.now() - this.#options.idleMs
    for (const conversation of this.#crowd.guests) {
      if (conversation.usedAt > latest) break
      this.#dismiss(conversation, 'idle')
    }
    this.#watch()
  }
}

/** A copy that TCP may keep as long as it likes, with its length before it. RFC 1035 §4.2.2. */
function framed(reply: Uint8Array, length: number): Uint8Array {
  const frame = new Uint8Array(PREFIX + length)
  putU16(frame, 0, length)
  frame.set(reply.subarray(0, length), PREFIX)
  return frame
}

function tcpCounts(): TcpCounts {
  return {
    open: 0,
    accepted: 0,
    received: 0,
    answered: 0,
    silent: 0,
    idle: 0,
    displaced: 0,
    broken: 0,
    errors: 0,
    faults: 0,
  }
}
