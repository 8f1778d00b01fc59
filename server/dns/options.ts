/**
 * The small EDNS options of a reply: keepalive (RFC 7828), padding (RFC 7830, RFC 8467), extended
 * errors (RFC 8914), and plain ones that are ready-made. Knows how each is written, not when.
 */
import { OPTION } from './edns.ts'
import { copyOctets } from './octets.ts'

/** Code and length before an option's data. RFC 6891 §6.1.2. */
export const OPTION_HEAD = 4

/** What a query asks for, as bits: an option of it came. */
export const ASKED = { NSID: 1, KEEPALIVE: 2, PADDING: 4 } as const

/** An option made ready: ASCII text, or none where that is empty. */
export function textOption(code: number, text: string): Uint8Array {
  if (text === '') return new Uint8Array(0)
  const data = Array.from(text, letter => letter.charCodeAt(0) & 0x7f)
  return Uint8Array.of(code >>> 8, code, data.length >>> 8, data.length, ...data)
}

export const KEEPALIVE_OPTION = OPTION_HEAD + 2

/** Hot. `units` of 100 ms, for which a connection may be idle: RFC 7828 §3.1. */
export function putKeepalive(out: DataView, at: number, units: number): number {
  out.setInt32(at, (OPTION.KEEPALIVE << 16) | 2)
  out.setInt16(at + OPTION_HEAD, units)
  return at + KEEPALIVE_OPTION
}

/** RFC 8467 §4.1: what the size of a padded reply is a multiple of. */
const BLOCK = 468

/**
 * Pads a whole message, of which this is the last option. Hot: once per reply that is padded.
 *
 * @param most octets that it may have; the last block is shorter where there is no more room
 */
export function putPadding(out: DataView, at: number, most: number): number {
  const length = at + OPTION_HEAD
  const end = Math.min(Math.ceil(length / BLOCK) * BLOCK, most)
  out.setInt32(at, (OPTION.PADDING << 16) | (end - length))
  for (let next = length; next < end; next += 1) out.setUint8(next, 0) // RFC 7830 §3
  return end
}

/** Octets of an extended error without a text. */
export const BARE_ERROR = OPTION_HEAD + 2

/** Hot: once per refusal. @param text latin1 octets; the first `length` are written */
export function putError(
  out: DataView,
  at: number,
  infoCode: number,
  text: Uint8Array,
  length: number,
): number {
  out.setInt32(at, (OPTION.EDE << 16) | (2 + length))
  out.setInt16(at + OPTION_HEAD, infoCode)
  return copyOctets(out, at + BARE_ERROR, text, 0, length)
}
