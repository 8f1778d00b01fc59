/**
 * A file as it comes: octets, piece by piece, so that none needs to be in memory whole. Whoever opens
 * files makes streams of them; here are those of octets and texts in memory, and the window through
 * which a reader sees a stream. Text is latin1: one character is one octet.
 */
import { isWrong, type Wrong } from '../fault.ts'

export type Stream = {
  /** How many octets there seem to be: room is made for so many. 0: nobody knows. */
  readonly size: number
  /**
   * Puts the next octets into `into`, from `at` on: as many as come, at most what it has room for.
   *
   * @returns how many; 0 at the end; or why no more can be read
   */
  readonly read: (into: Uint8Array, at: number) => number | Wrong
  readonly close: () => void
}

/** A part of a stream: the octets from `start` to `end` are still needed. */
export type Window = {
  readonly stream: Stream
  octets: Uint8Array
  start: number
  end: number
  /** Nothing comes behind `end`. */
  isLast: boolean
}

/** A window grows to this: twice the longest entry, so that most of a reading is not moving. */
const LARGEST = 1 << 21
/** A window of a stream whose size nobody knows. */
const SMALLEST = 1 << 16

export function windowOn(stream: Stream): Window {
  const size = stream.size === 0 ? SMALLEST : Math.min(stream.size + 1, LARGEST)
  return { stream, octets: new Uint8Array(size), start: 0, end: 0, isLast: false }
}

/**
 * Reads on. What is no longer needed goes: `start` becomes 0, and offsets move down by what it was.
 *
 * @returns why the stream cannot be read on; nothing else follows then
 */
export function readOn(window: Window): Wrong | undefined {
  window.octets.copyWithin(0, window.start, window.end)
  window.end -= window.start
  window.start = 0
  if (window.end === window.octets.length) widen(window)
  const count = window.stream.read(window.octets, window.end)
  window.isLast = isWrong(count) || count === 0
  if (isWrong(count)) return count
  window.end += count
  return undefined
}

function widen(window: Window): void {
  const wider = new Uint8Array(2 * window.octets.length)
  wider.set(window.octets)
  window.octets = wider
}

/** Octets that are in memory already. */
export function streamOf(octets: Uint8Array): Stream {
  let from = 0
  const read = (into: Uint8Array, at: number): number => {
    const piece = octets.subarray(from, from + into.length - at)
    into.set(piece, at)
    from += piece.length
    return piece.length
  }
  return { size: octets.length, read, close: () => {} }
}

/** A text that is in memory already. */
export function textStream(text: string): Stream {
  return streamOf(octetsOfText(text))
}

/** The octets of latin1 text. */
export function octetsOfText(text: string): Uint8Array {
  const octets = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at += 1) octets[at] = text.charCodeAt(at)
  return octets
}

/** So many characters are made at once: arguments of a call lie on the stack. */
const AT_ONCE = 4096

/** Octets as latin1 text. */
export function textOfOctets(octets: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at += AT_ONCE) {
    text += String.fromCharCode(...octets.subarray(at, Math.min(at + AT_ONCE, end)))
  }
  return text
}
