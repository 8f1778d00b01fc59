/**
 * What carries octets, and the clock beside it, as an argument: sockets in the program, the lab and
 * a clock that jumps in tests. Knows nothing of DNS.
 */

import type { Origin, Server } from './server.ts'

/** What a datagram is to the one who waits: its own, or to be ignored while waiting goes on. */
export type Judged = 'mine' | 'not-mine'

export type Ending = 'accepted' | 'timeout' | Denied

export type Wire = {
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  /**
   * Sends one datagram from a fresh socket with a random port, and shows every datagram that comes
   * back to `judge` until that takes one or the time is over.
   *
   * @param openness `connected`: the system drops other sources and tells of a closed port
   *   (RFC 1122 §4.1.3.3);
   *   `open`: other sources are shown too
   */
  readonly datagram: (
    server: Server,
    query: Uint8Array,
    forMs: number,
    openness: 'connected' | 'open',
    judge: (octets: Uint8Array, source: 'server' | 'other') => Judged,
  ) => Promise<Ending>
  /**
   * Sends one request over what the server speaks, TCP where that is UDP, and waits for one reply.
   * Encrypted connections are kept for the next question.
   *
   * @param request a DNS message; for `json` the query of its URL, as ASCII
   */
  readonly stream: (server: Server, request: Uint8Array, forMs: number) => Promise<Streamed>
  /** The code of why nothing can leave from there, or undefined; absent: all can. */
  readonly denial?: (origin: Origin) => Promise<string | undefined>
  /** Closes what was kept. */
  readonly close?: () => void
}

export type Streamed = Uint8Array | Carried | Denied | Broken

export type Broken = 'timeout' | 'closed'

/** A reply, and what is to be said of how it came. */
export type Carried = {
  readonly octets: Uint8Array
  readonly oddities: readonly string[]
  /** How long an HTTP cache has had it. RFC 8484 §5.1. */
  readonly ageSeconds: number
}

/** No reply, since the system, encryption or HTTP came in between. */
export type Denied = {
  readonly error: 'unreachable' | 'certificate' | 'handshake' | 'http'
  /** In plain words, safe to print. */
  readonly why: string
}

export function isDenied(value: Uint8Array | Carried | Denied): value is Denied {
  return 'why' in value
}

/** What the system says of a place that nothing can be sent to. */
// biome-ignore format: table
const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at that port',
  EHOSTUNREACH: 'no way to that host',
  ENETUNREACH:  'no way to that network',
}

/** @param cause of a socket that never came to be open */
export function unreachable(cause: Error): Denied {
  const code = 'code' in cause ? String(cause.code) : cause.name
  const said = UNREACHABLE[code]
  return { error: 'unreachable', why: said === undefined ? code : `${said} (${code})` }
}

/** A reply of any kind in one shape. */
export function carried(got: Uint8Array | Carried): Carried {
  return got instanceof Uint8Array ? { octets: got, oddities: [], ageSeconds: 0 } : got
}
