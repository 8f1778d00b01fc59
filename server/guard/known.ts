/**
 * Which sources have been here before, in a filter of fixed size that all threads share: who asked in
 * quiet times more than once, and who has proven to be where it says (a cookie, a TCP connection). When
 * there is too much to do they come first, as whoever forges addresses makes them up anew each time. It
 * never forgets at once, and may take a stranger for somebody it knows; never the other way round.
 */
import type { Address } from '../dns/address.ts'
import { bits32 } from '../dns/octets.ts'

/** Bits of a filter: 128 KiB. A hundred thousand sources make it take 3 % of strangers for known. */
const BITS = 1 << 20
const WORDS = BITS >>> 5
/** A filter with so many sources in it is begun anew. */
const FULL = BITS >>> 3

/** Two filters of who is known, of which the older is dropped for the newer; and one of who was met once. */
const ROOM = { new: 0, old: WORDS, met: 2 * WORDS, counts: 3 * WORDS } as const
const COUNT = { new: ROOM.counts, met: ROOM.counts + 1 } as const

export type Known = { readonly words: Int32Array; readonly seed: number }

/** @param seed so that nobody outside can tell who looks like whom */
export function known(seed: number): Known {
  return { words: new Int32Array(new SharedArrayBuffer(4 * (3 * WORDS + 2))), seed }
}

/** A source as a number: an IPv4 address, or the /64 of an IPv6 one, which one host may have whole. Hot. */
export function sourceHash({ seed }: Known, { family, octets }: Address): number {
  let hash = Math.imul(seed ^ family ^ bits32(octets, 0), 0x85ebca6b)
  hash ^= hash >>> 13
  if (family === 6) hash = Math.imul(hash ^ bits32(octets, 4), 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 16), 0x27d4eb2f)
  return hash ^ (hash >>> 15)
}

/** Whether it is known. Hot: once per query while there is too much to do. */
export function isKnown({ words }: Known, hash: number): boolean {
  return has(words, ROOM.new, hash) || has(words, ROOM.old, hash)
}

/** Notes that it was here; who comes again is known. Hot. */
export function meet(known: Known, hash: number): void {
  const { words } = known
  if (has(words, ROOM.new, hash)) return
  if (has(words, ROOM.met, hash)) {
    trust(known, hash)
    return
  }
  if (words[COUNT.met]! >= FULL) clear(words, ROOM.met, COUNT.met)
  words[COUNT.met]! += 1
  set(words, ROOM.met, hash)
}

/** Knows it from now on: it is where it says. Hot. */
export function trust({ words }: Known, hash: number): void {
  if (has(words, ROOM.new, hash)) return
  if (words[COUNT.new]! >= FULL) {
    words.copyWithin(ROOM.old, ROOM.new, ROOM.new + WORDS)
    clear(words, ROOM.new, COUNT.new)
  }
  words[COUNT.new]! += 1
  set(words, ROOM.new, hash)
}

function clear(words: Int32Array, room: number, count: number): void {
  words.fill(0, room, room + WORDS)
  words[count] = 0
}

/** Two bits each, of which one comes from the upper half of the hash. Hot, all of them. */
function has(words: Int32Array, room: number, hash: number): boolean {
  const other = otherOf(hash)
  const first = words[room + ((hash & (BITS - 1)) >>> 5)]! & (1 << (hash & 31))
  const second = words[room + ((other & (BITS - 1)) >>> 5)]! & (1 << (other & 31))
  return first !== 0 && second !== 0
}

function set(words: Int32Array, room: number, hash: number): void {
  const other = otherOf(hash)
  words[room + ((hash & (BITS - 1)) >>> 5)]! |= 1 << (hash & 31)
  words[room + ((other & (BITS - 1)) >>> 5)]! |= 1 << (other & 31)
}

function otherOf(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return mixed ^ (mixed >>> 15)
}
