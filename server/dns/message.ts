/**
 * DNS messages (RFC 1035 §4.1): the header, octet by octet for the serving line, and the whole
 * message as plain data for those who show or test one. Does not decide what a reply says.
 */
import { type NameBuffer, nameBuffer, nameOf, readName } from './name.ts'
import { joined, u8, u16, u32 } from './octets.ts'
import { SHAPE } from './rdata.ts'

/** Octets of the header: a message shorter than this is none. */
export const HEADER = 12

/** Masks of the header's second 16 bits. */
export const FLAG = {
  QR: 0x8000,
  AA: 0x0400,
  TC: 0x0200,
  RD: 0x0100,
  RA: 0x0080,
  Z: 0x0040,
  AD: 0x0020,
  CD: 0x0010,
} as const

export const OPCODE = { QUERY: 0, IQUERY: 1, STATUS: 2, NOTIFY: 4, UPDATE: 5, DSO: 6 } as const

/** BADVERS and later need the OPT record's upper bits (RFC 6891 §6.1.3). */
export const RCODE = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  YXRRSET: 7,
  NXRRSET: 8,
  NOTAUTH: 9,
  NOTZONE: 10,
  BADVERS: 16,
  BADCOOKIE: 23,
} as const

const RCODE_TEXT = new Map<number, string>(
  Object.entries(RCODE).map(([word, value]) => [value, word]),
)

export function rcodeText(rcode: number): string {
  return RCODE_TEXT.get(rcode) ?? `RCODE${rcode}`
}

/** Hot, as all that follow; the message holds a header. */
export function idOf(message: Uint8Array): number {
  return u16(message, 0)
}

/** QR, opcode, flags and RCODE as they stand: 16 bits. Hot. */
export function flagsOf(message: Uint8Array): number {
  return u16(message, 2)
}

/** Hot. */
export function opcodeOf(message: Uint8Array): number {
  return (u8(message, 2) >> 3) & 0xf
}

/** The lower four bits of the RCODE. Hot. */
export function rcodeOf(message: Uint8Array): number {
  return u8(message, 3) & 0xf
}

/** Hot. */
export function questionCount(message: Uint8Array): number {
  return u16(message, 4)
}

/** Hot. */
export function answerCount(message: Uint8Array): number {
  return u16(message, 6)
}

/** Hot. */
export function authorityCount(message: Uint8Array): number {
  return u16(message, 8)
}

/** Hot. */
export function additionalCount(message: Uint8Array): number {
  return u16(message, 10)
}

/**
 * Writes the first four octets. Hot.
 *
 * @param flags masks of `FLAG`; QR too
 * @param rcode the lower four bits count here
 */
export function putHeader(
  out: DataView,
  id: number,
  flags: number,
  opcode: number,
  rcode: number,
): void {
  out.setInt32(0, (id << 16) | flags | (opcode << 11) | (rcode & 0xf))
}

/** Writes the other eight. Hot. */
export function putCounts(
  out: DataView,
  questions: number,
  answers: number,
  authorities: number,
  additionals: number,
): void {
  out.setInt32(4, (questions << 16) | answers)
  out.setInt32(8, (authorities << 16) | additionals)
}

/** An entry of the question section. */
export type Question = {
  readonly name: Uint8Array
  readonly type: number
  readonly class: number
}

/** A record; names in data of types that we know are uncompressed. OPT is a record as any other. */
export type Record = {
  readonly owner: Uint8Array
  readonly type: number
  readonly class: number
  readonly ttl: number
  readonly rdata: Uint8Array
}

/** A whole message. */
export type Message = {
  readonly id: number
  /** Masks of `FLAG`; opcode and RCODE stand apart. */
  readonly flags: number
  readonly opcode: number
  /** The lower four bits. */
  readonly rcode: number
  readonly questions: readonly Question[]
  readonly answers: readonly Record[]
  readonly authorities: readonly Record[]
  readonly additionals: readonly Record[]
}

/** Opcode and RCODE are no flags. */
const FLAGS = 0x87f0

/** A message being read, how far, and a name's scratch. */
type Reader = { readonly octets: Uint8Array; at: number; readonly name: NameBuffer }

/**
 * Reads a whole message.
 *
 * @returns `undefined` when any part is malformed, cut short, or followed by more
 */
export function readMessage(octets: Uint8Array): Message | undefined {
  if (octets.length < HEADER) return undefined
  const from: Reader = { octets, at: HEADER, name: nameBuffer() }
  const questions = readEach(from, questionCount(octets), readQuestion)
  const answers = questions && readEach(from, answerCount(octets), readRecord)
  const authorities = answers && readEach(from, authorityCount(octets), readRecord)
  const additionals = authorities && readEach(from, additionalCount(octets), readRecord)
  if (additionals === undefined || from.at !== octets.length) return undefined
  return {
    id: idOf(octets),
    flags: flagsOf(octets) & FLAGS,
    opcode: opcodeOf(octets),
    rcode: rcodeOf(octets),
    questions: questions ?? [],
    answers: answers ?? [],
    authorities: authorities ?? [],
    additionals,
  }
}

/** Reads so many entries, or `undefined` at the first malformed one. */
function readEach<T>(
  from: Reader,
  count: number,
  readOne: (from: Reader) => T | undefined,
): readonly T[] | undefined {
  const entries: T[] = []
  while (entries.length < count) {
    const entry = readOne(from)
    if (entry === undefined) return undefined
    entries.push(entry)
  }
  return entries
}

function readQuestion(from: Reader): Question | undefined {
  const { octets, name } = from
  const at = readName(octets, from.at, octets.length, name)
  if (at < 0 || at + 4 > octets.length) return undefined
  from.at = at + 4
  return { name: nameOf(name), type: u16(octets, at), class: u16(octets, at + 2) }
}

function readRecord(from: Reader): Record | undefined {
  const { octets, name } = from
  const at = readName(octets, from.at, octets.length, name)
  if (at < 0 || at + 10 > octets.length) return undefined
  const owner = nameOf(name)
  const type = u16(octets, at)
  const end = at + 10 + u16(octets, at + 8)
  if (end > octets.length) return undefined
  const rdata = readRdata(from, type, at + 10, end)
  if (rdata === undefined) return undefined
  from.at = end
  return { owner, type, class: u16(octets, at + 2), ttl: u32(octets, at + 4), rdata }
}

/** Copies record data, its names uncompressed. Data without octets is left so: UPDATE has such. */
function readRdata(from: Reader, type: number, at: number, end: number): Uint8Array | undefined {
  const { octets, name } = from
  const shape = SHAPE[type]
  if (shape === undefined || at === end) return octets.slice(at, end)
  const pieces: Uint8Array[] = []
  let next = at
  for (const field of shape) {
    const start = next
    const isName = field.kind === 'name'
    next = isName ? readName(octets, start, end, name) : field.measure(octets, start, end)
    if (next < 0) return undefined
    pieces.push(isName ? nameOf(name) : octets.subarray(start, next))
  }
  return next === end ? joined(pieces) : undefined
}
