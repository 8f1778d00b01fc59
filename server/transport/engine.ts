/**
 * What a UDP engine is: it opens sockets that show each datagram to a `Serve` and send back what was
 * written. One engine a file; all of them pass `test/server/transport-engine.test.ts`, which is the
 * full contract. Knows nothing of DNS: a datagram is octets and a sender.
 */
import type { Begin, Serve } from '../answer/peer.ts'
import type { OnFault } from './complaint.ts'

export type EngineName = 'batched' | 'dgram'

export type UdpEngine = {
  readonly name: EngineName
  /** It answers from the address asked on a socket bound to 0.0.0.0 or [::] too. */
  readonly wildcards: boolean
  /**
   * Binds one address and serves it.
   *
   * @param address an IPv4 or IPv6 address, a link-local one with its zone; not a wildcard, from
   *   which replies may leave with another source, unless the engine has `wildcards`
   * @param port    0: any free one
   * @returns once datagrams are taken; rejects with a `Fault` where the address cannot be had
   */
  readonly open: (
    address: string,
    port: number,
    serve: Serve,
    options: UdpOptions,
  ) => Promise<UdpSocket>
  /**
   * Absent: the event loop attends the sockets. Else whoever owns the thread calls it again and
   * again: it waits for datagrams on any open socket of this thread, serves what came, and returns;
   * at once where no socket is open. Never throws, unless `onFault` does.
   *
   * @param waitMs how long it may wait, in whole milliseconds; 0: not at all
   */
  readonly turn?: (waitMs: number) => void
  /**
   * Serves questions on loopback, and closes what it opened for it: afterwards the thread is as fast
   * as it gets. Whoever owns the thread calls it before it opens anything. Absent where it is no use.
   *
   * @param questions datagrams, at most 2,048 octets each: each is served some times
   */
  readonly rehearse?: (serve: Serve, questions: readonly Uint8Array[]) => Promise<void>
}

export type UdpOptions = {
  /** See `Peer`. */
  readonly ecs: boolean
  readonly onFault: OnFault
  /** Octets the kernel may queue for us: what is beyond is shed. Default: as the engine is fast. */
  readonly receiveBuffer?: number
  /**
   * `shared`: one of several sockets of this address, one a thread, among which the kernel spreads
   * the senders (SO_REUSEPORT). Default `alone`, and all that `node:dgram` can.
   */
  readonly sharing?: 'alone' | 'shared'
  /**
   * A bound socket that a thread has left behind, or whoever started us: it is taken over with all
   * that waits in it.
   */
  readonly fd?: number | undefined
  /** Only what comes through this interface (SO_BINDTODEVICE); heeded by the batched engine. */
  readonly device?: string | undefined
  /** Default: nobody is told, and all is served. */
  readonly begin?: Begin | undefined
  /** Where to count; default: on our own. */
  readonly counts?: UdpCounts
}

/** A `Begin` that has all served. */
export const serveAll: Begin = () => 0

export type UdpSocket = {
  readonly address: string
  readonly port: number
  /** The socket as the kernel numbers it, or −1 where the engine does not say. */
  readonly fd: number
  /** May be set at any time: a reload changes it while the socket stays. */
  ecs: boolean
  readonly counts: UdpCounts
  /** Frees the address; no datagram is served any more. May be called twice. */
  readonly close: () => Promise<void>
}

/**
 * One figure for each entry of `COUNT`. It may lie in shared memory: one thread writes, any may read.
 * Each datagram received ends in exactly one of the others; `receiveErrors` stands apart.
 */
export type UdpCounts = Float64Array

export const COUNT = {
  received: 0,
  answered: 1,
  /** Served, and `Serve` chose to say nothing. */
  silent: 2,
  /** Never served: from port 0, from our own socket, or while replies wait for the kernel. */
  dropped: 3,
  /** A reply the kernel would not send, such as one too big for a datagram. */
  sendErrors: 4,
  /** `Serve` threw. */
  faults: 5,
  /** The kernel's word on earlier replies: an ICMP unreachable. */
  receiveErrors: 6,
  /** Never served: it has waited until nobody waits for a reply any more. */
  stale: 7,
} as const

/** How many figures there are. */
export const COUNTS = Object.keys(COUNT).length

/** All zero, in memory that threads can share. */
export function udpCounts(): UdpCounts {
  return new Float64Array(new SharedArrayBuffer(COUNTS * Float64Array.BYTES_PER_ELEMENT))
}

/** Counts one more. Hot: several times a datagram. */
export function count(counts: UdpCounts, what: number): void {
  counts[what]! += 1
}

export type UdpFigures = Readonly<Record<keyof typeof COUNT, number>>

/** What has been counted until now, by name. */
export function figuresOf(counts: UdpCounts): UdpFigures {
  const of = (at: number) => counts[at] ?? 0
  return {
    received: of(COUNT.received),
    answered: of(COUNT.answered),
    silent: of(COUNT.silent),
    dropped: of(COUNT.dropped),
    sendErrors: of(COUNT.sendErrors),
    faults: of(COUNT.faults),
    receiveErrors: of(COUNT.receiveErrors),
    stale: of(COUNT.stale),
  }
}

/** The longest DNS message, and the size of every reply buffer. RFC 1035 §4.2.2. */
export const MAX_MESSAGE = 65_535
