/**
 * What carries octets, and the clock beside it, as an argument: sockets in the program, the lab and
 * a clock that jumps in tests. Knows nothing of DNS.
 */

import type { Server } from './server.ts'

/** What a datagram is to the one who waits: its own, or to be ignored while waiting goes on. */
export type Judged = 'mine' | 'not-mine'

export type Ending = 'accepted' | 'timeout' | 'unreachable'

export type Wire = {
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  /**
   * Sends one datagram from a fresh socket with a random port, and shows every datagram that comes
   * back to `judge` until that takes one or the time is over.
   *
   * @param openness `connected`: the system drops other sources and tells of a closed port;
   *   `open`: other sources are shown too
   */
  readonly datagram: (
    server: Server,
    query: Uint8Array,
    forMs: number,
    openness: 'connected' | 'open',
    judge: (octets: Uint8Array, source: 'server' | 'other') => Judged,
  ) => Promise<Ending>
  /** Sends one message over TCP and waits for one back. */
  readonly stream: (
    server: Server,
    query: Uint8Array,
    forMs: number,
  ) => Promise<Uint8Array | 'timeout' | 'unreachable' | 'closed'>
}
