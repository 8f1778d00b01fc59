/**
 * EDNS (RFC 6891): the OPT record of a query and the one of a reply. Knows how options are framed,
 * not what is in them: those are `subnet.ts` and whoever else asks for a code.
 */
import { holds, u8, u16 } from './octets.ts'
import { TYPE } from './rrtype.ts'

/** Option codes (IANA). */
export const OPTION = {
  NSID: 3,
  ECS: 8,
  EXPIRE: 9,
  COOKIE: 10,
  KEEPALIVE: 11,
  PADDING: 12,
  EDE: 15,
} as const

/** The DO bit of the 16 flags: RFC 3225. */
export const FLAG_DO = 0x8000

/** Octets of an OPT record without options, its root owner included. */
export const OPT_LENGTH = 11

/** What a message's OPT says: scratch, one a desk. */
export type Edns = {
  present: boolean
  /** The sender's UDP payload size as written; below 512 means 512 (§6.2.3). */
  size: number
  version: number
  flagDo: boolean
  extendedRcode: number
  /** The options are the octets from here up to `optionsEnd`; well framed where version is 0. */
  optionsAt: number
  optionsEnd: number
}

export function edns(): Edns {
  const fresh = { present: false, size: 0, version: 0, flagDo: false }
  return { ...fresh, extendedRcode: 0, optionsAt: 0, optionsEnd: 0 }
}

/** Forgets the last message. Hot. */
export function resetEdns(into: Edns): void {
  into.present = false
  into.size = 0
  into.version = 0
  into.flagDo = false
  into.extendedRcode = 0
  into.optionsAt = 0
  into.optionsEnd = 0
}

/**
 * Reads an OPT record. Hot.
 *
 * The options of a version that we do not know are not looked at (§6.1.3): BADVERS comes first.
 *
 * @param at  the TYPE field, after the root owner
 * @param end first octet that does not belong to the message
 * @returns the offset after the record, or −1 when it or its options are malformed; `into.present`
 *   then tells whether its fixed part could be read
 */
export function readOpt(message: Uint8Array, at: number, end: number, into: Edns): number {
  resetEdns(into)
  if (at + 10 > end || !holds(message, at, 10)) return -1
  into.present = true
  into.size = u16(message, at + 2)
  into.extendedRcode = u8(message, at + 4)
  into.version = u8(message, at + 5)
  into.flagDo = (u16(message, at + 6) & FLAG_DO) !== 0
  const optionsAt = at + 10
  const optionsEnd = optionsAt + u16(message, at + 8)
  if (optionsEnd > end || !holds(message, optionsAt, optionsEnd - optionsAt)) return -1
  into.optionsAt = optionsAt
  into.optionsEnd = optionsEnd
  if (into.version !== 0) return optionsEnd
  return areFramed(message, optionsAt, optionsEnd) ? optionsEnd : -1
}

/** Tells whether each option ends where the next begins, and the last where all do. Hot. */
function areFramed(message: Uint8Array, at: number, end: number): boolean {
  let next = at
  while (next + 4 <= end) next += 4 + u16(message, next + 2)
  return next === end
}

/**
 * Writes an OPT record without options, its root owner first. Hot. Options may follow at the
 * returned offset; `endOpt` then says how many octets they took.
 *
 * @param size          the UDP payload size that we take
 * @param extendedRcode the upper eight bits of the RCODE
 * @param flags         0 or `FLAG_DO`: the other bits stay 0 (§6.1.4)
 */
export function putOpt(
  out: DataView,
  at: number,
  size: number,
  extendedRcode: number,
  flags: number,
): number {
  out.setUint8(at, 0)
  out.setInt32(at + 1, (TYPE.OPT << 16) | size)
  out.setInt32(at + 5, (extendedRcode << 24) | flags) // VERSION 0 lies between the two
  out.setInt16(at + 9, 0)
  return at + OPT_LENGTH
}

/** Sets RDLENGTH of the OPT record that starts at `at` and whose options end at `end`. Hot. */
export function endOpt(out: DataView, at: number, end: number): void {
  out.setInt16(at + OPT_LENGTH - 2, end - at - OPT_LENGTH)
}
