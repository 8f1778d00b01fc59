/**
 * Names and addresses in their plainest form, straight from a file's octets, without a text between:
 * what nearly all of a large zone consists of. Anything less plain, and all that is wrong, is left to
 * `dns/`, which reads every form; these only may never read what that reads otherwise.
 */
import { MAX_LABEL, MAX_NAME } from '../dns/name.ts'
import { putOctets, putU16 } from '../dns/octets.ts'

const DOT = 0x2e
const COLON = 0x3a

/** What stands for itself in any name: 1 for letters, digits, hyphen, underscore and asterisk. */
const PLAIN = new Uint8Array(256)
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_*') {
  PLAIN[character.charCodeAt(0)] = 1
}

/** The value of a hexadecimal digit; 16: it is none. */
const DIGIT = new Uint8Array(256).fill(16)
for (let digit = 0; digit < 16; digit += 1) {
  const text = digit.toString(16)
  DIGIT[text.charCodeAt(0)] = digit
  DIGIT[text.toUpperCase().charCodeAt(0)] = digit
}

/**
 * Writes a name of plain octets in wire form, case kept. Hot: once per owner and target loaded.
 *
 * @param text   the name stands from `start` to `end` in it
 * @param origin what a name without a dot at its end goes on with
 * @param out    with room for two names from `at` on
 * @returns the offset after it, or −1 where it is not plain, or wrong
 */
export function putPlainName(
  text: Uint8Array,
  start: number,
  end: number,
  origin: Uint8Array | undefined,
  out: Uint8Array,
  at: number,
): number {
  if (start === end || end - start > MAX_NAME) return -1
  let labelAt = at
  let to = at + 1
  for (let from = start; from < end; from += 1) {
    const octet = text[from]!
    if (octet === DOT) {
      if (!endsLabel(out, labelAt, to)) return -1
      labelAt = to
    } else if (PLAIN[octet] === 1) out[to] = octet
    else return -1
    to += 1
  }
  if (labelAt === to - 1) return endsName(out, labelAt, at)
  if (origin === undefined || !endsLabel(out, labelAt, to)) return -1
  to = putOctets(out, to, origin, 0, origin.length)
  return to - at > MAX_NAME ? -1 : to
}

/** Writes the length of a label. Hot. Returns false where that is no length. */
function endsLabel(out: Uint8Array, labelAt: number, to: number): boolean {
  const length = to - labelAt - 1
  out[labelAt] = length
  return length > 0 && length <= MAX_LABEL
}

/** Writes the root. Hot. */
function endsName(out: Uint8Array, rootAt: number, at: number): number {
  out[rootAt] = 0
  return rootAt + 1 - at > MAX_NAME ? -1 : rootAt + 1
}

/** Writes four octets. Hot. Returns the offset after them, or −1 where they are not plain, or wrong. */
export function putPlainIpv4(
  text: Uint8Array,
  start: number,
  end: number,
  out: Uint8Array,
  at: number,
): number {
  let to = at
  let value = -1 // no digit yet
  for (let from = start; from < end; from += 1) {
    const digit = DIGIT[text[from]!]!
    if (digit < 10) {
      if (value === 0) return -1 // a leading zero
      value = value < 0 ? digit : 10 * value + digit
      if (value > 255) return -1
    } else {
      if (text[from] !== DOT || value < 0 || to === at + 3) return -1
      out[to] = value
      to += 1
      value = -1
    }
  }
  if (value < 0 || to !== at + 3) return -1
  out[to] = value
  return to + 1
}

/** Writes sixteen octets; RFC 4291 §2.2, but for IPv4 inside. Hot. Returns as `putPlainIpv4` does. */
export function putPlainIpv6(
  text: Uint8Array,
  start: number,
  end: number,
  out: Uint8Array,
  at: number,
): number {
  let from = start
  let to = at
  let gap = -1
  while (from < end) {
    const group = from
    let value = 0
    while (from < end && DIGIT[text[from]!]! < 16) value = (value << 4) | DIGIT[text[from++]!]!
    // Only `::` at the very beginning has no digits before it.
    if (from - group > 4 || to > at + 14 || (from === group && from > start)) return -1
    if (from > group) to = putU16(out, to, value)
    if (from === end) break
    if (text[from] !== COLON || from + 1 === end) return -1
    if (text[from + 1] === COLON) {
      if (gap >= 0) return -1
      gap = to
      from += 1
    } else if (from === group) return -1
    from += 1
  }
  return spread(out, at, to, gap)
}

/** Moves what was read behind the gap to the end, and zeroes the gap, of a group at least. Hot. */
function spread(out: Uint8Array, at: number, to: number, gap: number): number {
  if (gap < 0) return to === at + 16 ? to : -1
  if (to > at + 14) return -1
  const behind = at + 16 - (to - gap)
  for (let i = 1; i <= to - gap; i += 1) out[at + 16 - i] = out[to - i]!
  for (let i = gap; i < behind; i += 1) out[i] = 0
  return at + 16
}
