/**
 * DNS messages (RFC 1035 §4.1): the header, octet by octet for the serving line, and the whole
 * message as plain data for those who show or test one. Does not decide what a reply says.
 */
import { putU16, u8, u16 } from './octets.ts'

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
  out: Uint8Array,
  id: number,
  flags: number,
  opcode: number,
  rcode: number,
): void {
  putU16(out, 0, id)
  putU16(out, 2, flags | (opcode << 11) | (rcode & 0xf))
}

/** Writes the other eight. Hot. */
export function putCounts(
  out: Uint8Array,
  questions: number,
  answers: number,
  authorities: number,
  additionals: number,
): void {
  putU16(out, 4, questions)
  putU16(out, 6, answers)
  putU16(out, 8, authorities)
  putU16(out, 10, additionals)
}
