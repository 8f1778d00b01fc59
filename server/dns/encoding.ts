/**
 * Octets as text in base 16, 32 (extended hex alphabet) and 64: RFC 4648, read strictly.
 * Text of others is read here, so what is malformed comes back as `undefined`.
 */

type Base = {
  /** How many bits a digit holds. */
  readonly bits: 4 | 5 | 6
  readonly digits: string
  /** Digits are padded with `=` to a multiple of this; 1: they never are. */
  readonly group: 1 | 4
}

const BASE16: Base = { bits: 4, digits: '0123456789abcdef', group: 1 }
/** RFC 5155 §3.3: without padding. */
const BASE32HEX: Base = { bits: 5, digits: '0123456789abcdefghijklmnopqrstuv', group: 1 }
const BASE64: Base = {
  bits: 6,
  digits: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  group: 4,
}

export function base16FromText(text: string): Uint8Array | undefined {
  return decoded(text.toLowerCase(), BASE16)
}

export function base32FromText(text: string): Uint8Array | undefined {
  return decoded(text.toLowerCase(), BASE32HEX)
}

export function base32Text(octets: Uint8Array): string {
  return encoded(octets, BASE32HEX)
}

export function base64FromText(text: string): Uint8Array | undefined {
  return decoded(text, BASE64)
}

export function base64Text(octets: Uint8Array): string {
  return encoded(octets, BASE64)
}

/** Wants whole octets, the right padding, and no bits set past the last octet. */
function decoded(text: string, base: Base): Uint8Array | undefined {
  const { bits, digits, group } = base
  if (text.length % group !== 0) return undefined
  const length = group === 1 ? text.length : text.replace(/={1,2}$/, '').length
  if ((length * bits) % 8 >= bits) return undefined // a digit that begins no octet
  const out = new Uint8Array((length * bits) >> 3)
  let pending = 0
  let held = 0
  let at = 0
  for (const character of text.slice(0, length)) {
    const digit = digits.indexOf(character)
    if (digit < 0) return undefined
    pending = ((pending << bits) | digit) & 0xfff
    held += bits
    if (held >= 8) {
      held -= 8
      out[at] = pending >> held
      at += 1
    }
  }
  return (pending & ((1 << held) - 1)) === 0 ? out : undefined
}

function encoded(octets: Uint8Array, base: Base): string {
  const { bits, digits, group } = base
  let text = ''
  let pending = 0
  let held = 0
  for (const octet of octets) {
    pending = ((pending << 8) | octet) & 0xffff
    held += 8
    for (; held >= bits; held -= bits) text += digits[(pending >> (held - bits)) & (2 ** bits - 1)]
  }
  if (held > 0) text += digits[(pending << (bits - held)) & (2 ** bits - 1)]
  return text.padEnd(Math.ceil(text.length / group) * group, '=')
}
