/**
 * The SOA record of a zone's negative answers, ready to be copied behind a question inside the zone
 * (RFC 2308 §2). It was compressed behind a question that is the apex itself, so behind a longer one
 * each of its pointers lies further on by what stands before the apex there: the last of a name's
 * labels is the apex wherever the name is. Knows no other record of the reply.
 */
import {
  type Compressor,
  compressor,
  noteQuestion,
  putRecord,
  resetCompressor,
} from '../dns/compress.ts'
import { LOWER, type NameBuffer, nameBuffer, setName } from '../dns/name.ts'
import { copyWords, u16, viewOf } from '../dns/octets.ts'
import { CLASS, TYPE } from '../dns/rrtype.ts'
import {
  appendOctets,
  appendWord,
  growingOctets,
  growingWords,
  type Octets,
  type Words,
} from './growing.ts'

/** Words of a zone's row: where its record begins, how long it is, then offsets in the record. */
const ROW_WORDS = 7
// biome-ignore format: table
const ROW = {
  AT: 0,
  LENGTH: 1,
  POINTERS: 2, // three: of owner, primary server and mailbox; NONE where a name has no pointer
  LABELS: 5,   // two: the label of server and mailbox that stands right before the apex, or NONE
} as const
const NONE = -1

const QUESTION = 12
/** Type and class of the question. */
const FIXED = 4
/** Type, class, TTL and length between a record's owner and its data. */
const HEAD = 10
/** More than a question and an SOA take. */
const ROOM = 1024

export type Denials = {
  /** The records of all zones, one after the other. */
  readonly denials: Uint8Array
  /** ROW_WORDS words a zone. */
  readonly denialRows: Int32Array
}

/** The records while they are made, and scratch. */
export type Denying = {
  readonly octets: Octets
  readonly rows: Words
  readonly compressor: Compressor
  readonly message: Uint8Array
  readonly name: NameBuffer
}

export function denying(): Denying {
  const made = { octets: growingOctets(), rows: growingWords() }
  return { ...made, compressor: compressor(), message: new Uint8Array(ROOM), name: nameBuffer() }
}

/** Notes that the next zone has none: it has no SOA, and so is never served. */
export function appendNone({ rows }: Denying): void {
  for (let word = 0; word < ROW_WORDS; word += 1) appendWord(rows, 0)
}

/**
 * Makes the record of the next zone.
 *
 * @param apex  its apex stands at `apexAt`
 * @param rdata `length` octets of SOA data at `rdataAt`, names uncompressed
 */
export function appendDenial(
  made: Denying,
  apex: Uint8Array,
  apexAt: number,
  ttl: number,
  rdata: Uint8Array,
  rdataAt: number,
  length: number,
): void {
  const { compressor: c, message, name, rows } = made
  setName(name, apex, apexAt)
  message.set(name.octets.subarray(0, name.length), QUESTION)
  resetCompressor(c)
  noteQuestion(c, name)
  const at = QUESTION + name.length + FIXED
  const out = viewOf(message)
  const [type, cls, octets] = [TYPE.SOA, CLASS.IN, name.octets]
  const end = putRecord(c, out, at, ROOM, octets, 0, type, cls, ttl, rdata, rdataAt, length)
  const owner = tailOf(message, at)
  const server = tailOf(message, owner.end + HEAD)
  const mailbox = tailOf(message, server.end)
  appendWord(rows, appendOctets(made.octets, message, at, end))
  appendWord(rows, end - at)
  for (const { pointer } of [owner, server, mailbox]) appendWord(rows, fromStart(pointer, at))
  const isRoot = name.length === 1
  for (const { pointer, label } of [server, mailbox]) {
    const isAtApex = pointer === NONE ? isRoot : u16(message, pointer) === (0xc000 | QUESTION)
    appendWord(rows, isAtApex ? fromStart(label, at) : NONE)
  }
}

function fromStart(offset: number, start: number): number {
  return offset === NONE ? NONE : offset - start
}

/** Where a name ends, and the pointer and the last label that it ends in; NONE where it has none. */
function tailOf(message: Uint8Array, at: number): { end: number; pointer: number; label: number } {
  let label = NONE
  let next = at
  for (let size = message[next] ?? 0; size > 0; size = message[next] ?? 0) {
    if (size >= 0xc0) return { end: next + 2, pointer: next, label }
    label = next
    next += 1 + size
  }
  return { end: next + 1, pointer: NONE, label }
}

/**
 * Tells whether the question's name ends like a name of the SOA beyond the apex: then that name is
 * written shorter than here. Hot.
 *
 * @param start where the apex begins in the name
 * @param above where the label before it begins
 */
export function isNearSoa(
  { denials, denialRows }: Denials,
  zone: number,
  { octets }: NameBuffer,
  start: number,
  above: number,
): boolean {
  const row = zone * ROW_WORDS
  for (let which = 0; which < 2; which += 1) {
    const label = denialRows[row + ROW.LABELS + which]!
    if (label === NONE) continue
    const shift = denialRows[row + ROW.AT]! + label - above
    let at = above
    while (at < start && LOWER[octets[at]!] === LOWER[denials[shift + at]!]) at += 1
    if (at === start) return true
  }
  return false
}

/**
 * Writes the record behind the question. Hot.
 *
 * @param words the zones' `denials`
 * @param start where the apex begins in the question's name
 * @returns the next offset, or −1 where it does not fit
 */
export function putDenial(
  { denialRows }: Denials,
  words: DataView,
  zone: number,
  start: number,
  out: DataView,
  at: number,
  limit: number,
): number {
  const row = zone * ROW_WORDS
  const length = denialRows[row + ROW.LENGTH]!
  if (at + length > limit) return -1
  copyWords(out, at, words, denialRows[row + ROW.AT]!, length)
  for (let which = 0; which < 3; which += 1) {
    const pointer = denialRows[row + ROW.POINTERS + which]!
    if (pointer === NONE) continue
    out.setInt16(at + pointer, out.getUint16(at + pointer) + start)
  }
  return at + length
}
