/**
 * Who asked, and over what: all that the straight line knows of the outside. A transport keeps one
 * mutable `Peer` per socket, fills it for each message and calls `Serve`.
 */
import type { Address } from '../dns/address.ts'

/** `tls` is DNS over TLS (RFC 7858), `https` DNS over HTTPS (RFC 8484). */
export type Transport = 'udp' | 'tcp' | 'tls' | 'https'

export type Peer = Address & {
  transport: Transport
  /** False where the listen address says `ecs: off`: the option is neither read nor sent. */
  ecs: boolean
  /** Where it asks from; 0: not known. */
  port: number
  /** For how long its connection may be idle, in units of 100 ms; 0: it is not told (RFC 7828). */
  keepalive: number
}

/**
 * Is told of messages that came together, before any of them is served. Hot: once a batch.
 *
 * @param count      how many
 * @param receivedAt when the kernel took in the first, in milliseconds since 1970; 0: not known
 * @returns likewise: what came before then is not to be served; 0: all is
 */
export type Begin = (count: number, receivedAt: number) => number

/**
 * Answers one message.
 *
 * @param query  the message is its first `length` octets
 * @param reply  the caller's buffer, at least 65,535 octets; the reply starts at 0
 * @returns octets written; 0: say nothing
 */
export type Serve = (query: Uint8Array, length: number, reply: Uint8Array, peer: Peer) => number
