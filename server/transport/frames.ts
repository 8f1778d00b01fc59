/**
 * DNS messages out of a stream of octets: each has its length before it in two octets
 * (RFC 1035 §4.2.2), and neither respects the chunks in which TCP delivers (RFC 7766 §8).
 * A message that lies whole in a chunk is not copied; one that is split is gathered in memory that
 * grows with what has really come, not with what was announced. Knows no sockets.
 */
import { u16 } from '../dns/octets.ts'

export type Frames = {
  /** Came last and is used up to `at`. */
  chunk: Uint8Array
  at: number
  /** The beginning of a split message, its length first, in the first `held` octets. */
  partial: Uint8Array
  held: number
}

const EMPTY = new Uint8Array(0)
const PREFIX = 2
const HEADER = 12
const FIRST_PIECE = 512

export function frames(): Frames {
  return { chunk: EMPTY, at: 0, partial: EMPTY, held: 0 }
}

/** Adds what has come. The chunk is kept by reference until its messages are taken. */
export function addChunk(into: Frames, chunk: Uint8Array): void {
  const left = into.chunk.subarray(into.at)
  into.chunk = left.length === 0 ? chunk : joined(left, chunk)
  into.at = 0
}

/**
 * Takes the next whole message.
 *
 * @returns octets good until the next call; `wait`: more must come; `broken`: a message shorter
 *   than a DNS header is announced, and nothing after it can be trusted
 */
export function takeMessage(from: Frames): Uint8Array | 'wait' | 'broken' {
  if (from.held > 0) return takeSplit(from)
  const left = from.chunk.length - from.at
  if (left < PREFIX) return takeSplit(from)
  const length = u16(from.chunk, from.at)
  if (length < HEADER) return 'broken'
  if (left < PREFIX + length) return takeSplit(from)

  const start = from.at + PREFIX
  from.at = start + length
  return from.chunk.subarray(start, from.at)
}

/** How many octets wait in it. */
export function heldIn({ at, chunk, held }: Frames): number {
  return held + chunk.length - at
}

function takeSplit(from: Frames): Uint8Array | 'wait' | 'broken' {
  if (!gather(from, PREFIX)) return 'wait'
  const length = u16(from.partial, 0)
  if (length < HEADER) return 'broken'
  if (!gather(from, PREFIX + length)) return 'wait'

  const message = from.partial.subarray(PREFIX, PREFIX + length)
  from.partial = EMPTY
  from.held = 0
  return message
}

/** Moves octets from the chunk until at least `wanted` are held. @returns whether they are */
function gather(from: Frames, wanted: number): boolean {
  if (from.held >= wanted) return true
  const count = Math.min(wanted - from.held, from.chunk.length - from.at)
  const held = from.held + count
  if (held > from.partial.length) from.partial = grown(from.partial, held)
  from.partial.set(from.chunk.subarray(from.at, from.at + count), from.held)
  from.at += count
  from.held = held
  return held === wanted
}

function grown(octets: Uint8Array, atLeast: number): Uint8Array {
  const wider = new Uint8Array(Math.max(FIRST_PIECE, atLeast, 2 * octets.length))
  wider.set(octets)
  return wider
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
