/**
 * What a UDP engine is: it opens sockets that show each datagram to a `Serve` and send back what was
 * written. One engine a file; all of them pass `test/server/transport-engine.test.ts`, which is the
 * full contract. Knows nothing of DNS: a datagram is octets and a sender.
 */
import type { Serve } from '../answer/peer.ts'
import type { OnFault } from './complaint.ts'

export type UdpEngine = {
  readonly name: string
  /**
   * Binds one address and serves it.
   *
   * @param address an IPv4 or IPv6 address, a link-local one with its zone; not a wildcard, from
   *   which replies may leave with another source (`listen.ts` spreads those)
   * @param port    0: any free one
   * @returns once datagrams are taken; rejects with a `Fault` where the address cannot be had
   */
  readonly open: (
    address: string,
    port: number,
    serve: Serve,
    options: UdpOptions,
  ) => Promise<UdpSocket>
}

export type UdpOptions = {
  /** See `Peer`. */
  readonly ecs: boolean
  readonly onFault: OnFault
  /** Octets the kernel may queue for us: what is beyond is shed. Default `RECEIVE_BUFFER`. */
  readonly receiveBuffer?: number
}

export type UdpSocket = {
  readonly address: string
  readonly port: number
  /** May be set at any time: a reload changes it while the socket stays. */
  ecs: boolean
  readonly counts: Readonly<UdpCounts>
  /** Frees the address; no datagram is served any more. May be called twice. */
  readonly close: () => Promise<void>
}

/** Each datagram received ends in exactly one of the others; `receiveErrors` stands apart. */
export type UdpCounts = {
  received: number
  answered: number
  /** Served, and `Serve` chose to say nothing. */
  silent: number
  /** Never served: from port 0, from our own socket, or while replies wait for the kernel. */
  dropped: number
  /** A reply the kernel would not send, such as one too big for a datagram. */
  sendErrors: number
  /** `Serve` threw. */
  faults: number
  /** The kernel's word on earlier replies: an ICMP unreachable. */
  receiveErrors: number
}

/** About 90 ms of queries at full load: longer queues only serve clients that have given up. */
export const RECEIVE_BUFFER = 1 << 20

/** The longest DNS message, and the size of every reply buffer. RFC 1035 §4.2.2. */
export const MAX_MESSAGE = 65_535

export function udpCounts(): UdpCounts {
  return {
    received: 0,
    answered: 0,
    silent: 0,
    dropped: 0,
    sendErrors: 0,
    faults: 0,
    receiveErrors: 0,
  }
}
