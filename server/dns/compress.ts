/**
 * Name compression (RFC 1035 §4.1.4): a reply's names are written once and pointed back to.
 * Knows which offsets of the message under construction start a name, and nothing of sections.
 * No pointer goes at or past 0x4000, and only into names of types that RFC 3597 §4 lets compress.
 */
import { hashLabel, hashNames, LOWER, type NameBuffer } from './name.ts'
import { copyOctets, u8 } from './octets.ts'
import { nameFields } from './rdata.ts'

/** Where the question's name stands. */
const QUESTION = 12
/** Pointers have 14 bits. */
const POINTABLE = 0x4000
const SLOTS = 1024
/** Half of the slots at most are taken, so looking up ends soon. */
const MAX_KNOWN = SLOTS / 2

/**
 * The names already in a message, found by their hash: scratch, one a desk.
 * Slots of an older message are told by their stamp, so a new message costs nothing.
 */
export type Compressor = {
  stamp: number
  /** The question's name, until another name might point at it. */
  question: NameBuffer | undefined
  /** How many starts of names are known; `order[0 … known)` are their slots, oldest first. */
  known: number
  readonly order: Uint16Array
  readonly stamps: Uint32Array
  readonly hashes: Int32Array
  readonly offsets: Uint16Array
  /** The labels of the name in hand, leftmost first: where they start, and the hash from there on. */
  readonly starts: Int32Array
  readonly suffixes: Int32Array
}

export function compressor(): Compressor {
  return {
    stamp: 1,
    question: undefined,
    known: 0,
    order: new Uint16Array(MAX_KNOWN),
    stamps: new Uint32Array(SLOTS),
    hashes: new Int32Array(SLOTS),
    offsets: new Uint16Array(SLOTS),
    starts: new Int32Array(128),
    suffixes: new Int32Array(128),
  }
}

/** Starts a new message. Hot. */
export function resetCompressor(c: Compressor): void {
  c.known = 0
  c.question = undefined
  c.stamp = (c.stamp + 1) >>> 0
  if (c.stamp !== 0) return
  c.stamps.fill(0) // once in 2³² messages
  c.stamp = 1
}

/**
 * Says which name the question has, at offset 12. Hot. Most replies only point at its start, so it is
 * not remembered before there is another name that might end like it.
 */
export function noteQuestion(c: Compressor, name: NameBuffer): void {
  c.question = name
}

/**
 * Forgets names at or past an offset: what was written from there on is taken back. Hot.
 * The last remembered go first, so no look-up misses one that stays.
 */
export function rewindCompressor(c: Compressor, at: number): void {
  while (c.known > 0 && c.offsets[c.order[c.known - 1]!]! >= at) {
    c.known -= 1
    c.stamps[c.order[c.known]!] = 0
  }
}

/**
 * Writes a name, pointing back to the longest part that is there already. Hot.
 *
 * @param limit  first octet that may not be written
 * @param name   holds an uncompressed name at `nameAt`; its case is kept where it is written
 * @returns the next offset, or −1 and nothing remembered when it does not fit
 */
export function putName(
  c: Compressor,
  out: DataView,
  at: number,
  limit: number,
  name: Uint8Array,
  nameAt: number,
): number {
  if (c.question !== undefined) takeUp(c, c.question)
  const labels = hashSuffixes(c, name, nameAt)
  let target = -1
  let whole = 0
  while (whole < labels && target < 0) {
    target = find(c, out, name, c.starts[whole]!, c.suffixes[whole]!)
    if (target < 0) whole += 1
  }
  const literal = c.starts[whole]! - nameAt
  if (at + literal + (target < 0 ? 1 : 2) > limit) return -1
  const next = copyOctets(out, at, name, nameAt, literal)
  for (let i = 0; i < whole; i += 1) {
    remember(c, at + c.starts[i]! - nameAt, c.suffixes[i]!)
  }
  if (target < 0) {
    out.setUint8(next, 0)
    return next + 1
  }
  out.setInt16(next, 0xc000 | target)
  return next + 2
}

/** Remembers the question's name. Hot. */
function takeUp(c: Compressor, { hashes, labels, starts }: NameBuffer): void {
  c.question = undefined
  for (let i = 0; i < labels; i += 1) remember(c, QUESTION + starts[i]!, hashes[i]!)
}

/** Fills `starts` and `suffixes`, the root's start included; returns the number of labels. Hot. */
function hashSuffixes(c: Compressor, name: Uint8Array, nameAt: number): number {
  let labels = 0
  let at = nameAt
  for (let size = u8(name, at); size > 0; size = u8(name, at)) {
    c.starts[labels] = at
    c.suffixes[labels] = hashLabel(name, at)
    labels += 1
    at += 1 + size
  }
  c.starts[labels] = at
  hashNames(c.suffixes, labels)
  return labels
}

/** The offset in `out` of a name equal to the one at `at`, or −1. Hot. */
function find(c: Compressor, out: DataView, name: Uint8Array, at: number, hash: number): number {
  let slot = hash & (SLOTS - 1)
  while (c.stamps[slot] === c.stamp) {
    if (c.hashes[slot] === hash && isWrittenAt(out, c.offsets[slot]!, name, at)) {
      return c.offsets[slot]!
    }
    slot = (slot + 1) & (SLOTS - 1)
  }
  return -1
}

/** Tells whether the message says at `offset`, pointers followed, what `name` says at `at`. Hot. */
function isWrittenAt(out: DataView, offset: number, name: Uint8Array, at: number): boolean {
  let there = offset
  let here = at
  for (;;) {
    while (out.getUint8(there) >= 0xc0) there = out.getUint16(there) & 0x3fff // ours: strictly backwards
    if (!isSameLabel(out, there, name, here)) return false
    const size = name[here]!
    if (size === 0) return true
    there += 1 + size
    here += 1 + size
  }
}

/** Hot. Blind to case. Both offsets are of length octets. */
function isSameLabel(out: DataView, there: number, name: Uint8Array, here: number): boolean {
  const length = name[here]!
  for (let i = 0; i <= length; i += 1) {
    if (LOWER[out.getUint8(there + i)] !== LOWER[name[here + i]!]) return false
  }
  return true
}

/** Hot. Names that a pointer cannot reach, or one too many, are not remembered. */
function remember(c: Compressor, offset: number, hash: number): void {
  if (offset >= POINTABLE || c.known === MAX_KNOWN) return
  let slot = hash & (SLOTS - 1)
  while (c.stamps[slot] === c.stamp) slot = (slot + 1) & (SLOTS - 1)
  c.stamps[slot] = c.stamp
  c.hashes[slot] = hash
  c.offsets[slot] = offset
  c.order[c.known] = slot
  c.known += 1
}

/**
 * Writes a whole record, its names compressed where RFC 1035 defined the type. Hot.
 *
 * @param owner an uncompressed name at `ownerAt`
 * @param rdata `rdataLength` well-formed octets at `rdataAt`, names uncompressed
 * @returns the next offset, or −1 when it does not fit: then nothing of it is remembered
 */
export function putRecord(
  c: Compressor,
  out: DataView,
  at: number,
  limit: number,
  owner: Uint8Array,
  ownerAt: number,
  type: number,
  cls: number,
  ttl: number,
  rdata: Uint8Array,
  rdataAt: number,
  rdataLength: number,
): number {
  const fixedAt = putName(c, out, at, limit, owner, ownerAt)
  const dataAt = fixedAt + 10
  let next = -1
  if (fixedAt >= 0 && dataAt <= limit) {
    out.setInt32(fixedAt, (type << 16) | cls)
    out.setInt32(fixedAt + 4, ttl)
    next = putRdata(c, out, dataAt, limit, type, rdata, rdataAt, rdataLength)
  }
  if (next < 0) rewindCompressor(c, at)
  else out.setInt16(fixedAt + 8, next - dataAt)
  return next
}

/** Hot. The octets before the names, the names, the octets behind them. */
function putRdata(
  c: Compressor,
  out: DataView,
  at: number,
  limit: number,
  type: number,
  rdata: Uint8Array,
  rdataAt: number,
  rdataLength: number,
): number {
  const end = rdataAt + rdataLength
  const { before, names } = nameFields(type)
  if (at + before > limit) return -1
  let next = copyOctets(out, at, rdata, rdataAt, before)
  let from = rdataAt + before
  for (let i = 0; i < names; i += 1) {
    next = putName(c, out, next, limit, rdata, from)
    if (next < 0) return -1
    from = nameEnd(rdata, from)
  }
  if (next + end - from > limit) return -1
  return copyOctets(out, next, rdata, from, end - from)
}

/** Hot. The offset after an uncompressed name. */
function nameEnd(octets: Uint8Array, at: number): number {
  let next = at
  while (u8(octets, next) > 0) next += 1 + u8(octets, next)
  return next + 1
}
