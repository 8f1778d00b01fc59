/**
 * Octets: reading and writing big-endian numbers, and hexadecimal text.
 * Knows no DNS. Offsets are checked with `holds` by whoever reads; here nothing is checked twice.
 */

/** Tells whether `count` octets are there from `at` on. Hot. */
export function holds(octets: Uint8Array, at: number, count: number): boolean {
  return at >= 0 && count >= 0 && at + count <= octets.length
}

/** Hot. */
export function u8(octets: Uint8Array, at: number): number {
  return octets[at]!
}

/** Hot. */
export function u16(octets: Uint8Array, at: number): number {
  return (octets[at]! << 8) | octets[at + 1]!
}

/** Hot. Unsigned: 0 … 2³² − 1. */
export function u32(octets: Uint8Array, at: number): number {
  return octets[at]! * 0x1000000 + ((octets[at + 1]! << 16) | u16(octets, at + 2))
}

/** Four octets as signed 32 bits, which are never boxed, as an integer above 2³¹ may be. Hot. */
export function bits32(octets: Uint8Array, at: number): number {
  return (octets[at]! << 24) | (octets[at + 1]! << 16) | (octets[at + 2]! << 8) | octets[at + 3]!
}

/** Hot. Returns the next offset, as all three do. */
export function putU8(out: Uint8Array, at: number, value: number): number {
  out[at] = value
  return at + 1
}

/** Hot. */
export function putU16(out: Uint8Array, at: number, value: number): number {
  out[at] = value >>> 8
  out[at + 1] = value
  return at + 2
}

/** Hot. */
export function putU32(out: Uint8Array, at: number, value: number): number {
  return putU16(out, putU16(out, at, value >>> 16), value)
}

/**
 * Copies octets between buffers. Hot: short records are the rule, and a loop makes no view.
 *
 * @returns the offset in `out` after the last octet
 */
export function putOctets(
  out: Uint8Array,
  at: number,
  from: Uint8Array,
  fromAt: number,
  count: number,
): number {
  for (let i = 0; i < count; i += 1) out[at + i] = from[fromAt + i]!
  return at + count
}

/** The same memory, to be read and written several octets at once. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

/** Copies octets into a view. Hot. Returns the offset after the last one. */
export function copyOctets(
  out: DataView,
  at: number,
  from: Uint8Array,
  fromAt: number,
  count: number,
): number {
  for (let i = 0; i < count; i += 1) out.setUint8(at + i, from[fromAt + i]!)
  return at + count
}

/**
 * Copies octets between views, four at once: half the time of one by one. Hot.
 *
 * @returns the offset in `out` after the last octet
 */
export function copyWords(
  out: DataView,
  at: number,
  from: DataView,
  fromAt: number,
  count: number,
): number {
  const shift = fromAt - at
  const end = at + count
  let next = at
  for (; next + 4 <= end; next += 4) out.setInt32(next, from.getInt32(next + shift))
  for (; next < end; next += 1) out.setUint8(next, from.getUint8(next + shift))
  return end
}

export function sameOctets(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((octet, i) => octet === b[i])
}

/** Joins pieces into one array. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    out.set(piece, at)
    at += piece.length
  }
  return out
}

/** Octets of hexadecimal text written by us; blanks are skipped. For text of others: `encoding.ts`. */
export function hex(text: string): Uint8Array {
  const digits = text.replace(/\s+/g, '')
  if (!/^([0-9a-f]{2})*$/i.test(digits)) throw new Error(`not hexadecimal: ${text}`)
  const out = new Uint8Array(digits.length / 2)
  return out.map((_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16))
}

/** Lower-case digits, no blanks. */
export function hexText(octets: Uint8Array): string {
  let text = ''
  for (const octet of octets) text += octet.toString(16).padStart(2, '0')
  return text
}
