/** What a generator is told to do, and what it reports: both go between processes as JSON. */
import type { Strictness } from './check.ts'
import type { Kind } from './questions.ts'

export type Order = {
  /**
   * `closed`: a window of queries under way, each reply brings the next one. `paced`: so many a
   * second, whatever comes back. `pipelined`: closed, over TCP. `single`: a TCP connection a query.
   */
  readonly way: 'closed' | 'paced' | 'pipelined' | 'single'
  readonly port: number
  readonly kind: Kind
  readonly strictness: Strictness
  /** At most; SIGTERM ends it sooner. */
  readonly seconds: number
  /** UDP sockets or TCP connections, a power of two. */
  readonly sockets: number
  /** Most queries under way on each, a power of two; 65,536 ÷ it queries take a slot until an id repeats. */
  readonly share: number
  /** Queries a second, when paced. */
  readonly rate?: number
  /** Replies to what is sent so early are not timed: until it is warm a generator holds itself up. */
  readonly untimedMs?: number
}

export type Report = {
  readonly engine: 'batched' | 'dgram' | 'tcp'
  readonly seconds: number
  /** Answers a second. */
  readonly rate: number
  readonly sent: number
  readonly answered: number
  readonly lost: number
  readonly wrong: number
  readonly other: number
  /** Microseconds. */
  readonly p50: number
  readonly p99: number
  readonly p999: number
  /** Share of its processor that the generator itself took. */
  readonly busy: number
}

/** Without a reply for so long, a query is lost. */
export const LOST_MS = 2_000
