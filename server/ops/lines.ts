/**
 * Lines out of a stream of octets, whatever the chunks it comes in. What has come of a line that is not
 * whole is gathered in memory that grows with it, up to a bound. Knows no sockets, nor what lines say.
 */
import { joined } from '../dns/octets.ts'

export type Lines = {
  /** In octets, without its end. */
  readonly longest: number
  /** Came last and is used up to `at`. */
  chunk: Uint8Array
  at: number
  /** The beginning of a line, in the first `held` octets. */
  partial: Uint8Array
  held: number
}

const EMPTY = new Uint8Array(0)
const FIRST_PIECE = 512
const NEWLINE = 0x0a

export function lines(longest: number): Lines {
  return { longest, chunk: EMPTY, at: 0, partial: EMPTY, held: 0 }
}

/** Adds what has come. The chunk is kept by reference until its lines are taken. */
export function addOctets(into: Lines, chunk: Uint8Array): void {
  const left = into.chunk.subarray(into.at)
  into.chunk = left.length === 0 ? chunk : joined([left, chunk])
  into.at = 0
}

/**
 * Takes the next whole line.
 *
 * @returns octets good until the next call, without the end of the line; `wait`: more must come;
 *   `long`: a line is longer than it may be, and nothing more is to be taken
 */
export function takeLine(from: Lines): Uint8Array | 'wait' | 'long' {
  const found = from.chunk.indexOf(NEWLINE, from.at)
  const end = found < 0 ? from.chunk.length : found
  const piece = from.chunk.subarray(from.at, end)
  if (from.held + piece.length > from.longest) return 'long'
  if (found >= 0 && from.held === 0) {
    from.at = found + 1
    return piece
  }
  gather(from, piece)
  from.at = found < 0 ? end : found + 1
  if (found < 0) return 'wait'
  const line = from.partial.subarray(0, from.held)
  from.partial = EMPTY
  from.held = 0
  return line
}

function gather(into: Lines, piece: Uint8Array): void {
  const held = into.held + piece.length
  if (held > into.partial.length) {
    const wider = new Uint8Array(Math.max(FIRST_PIECE, held, 2 * into.partial.length))
    wider.set(into.partial.subarray(0, into.held))
    into.partial = wider
  }
  into.partial.set(piece, into.held)
  into.held = held
}
