/**
 * The escapes of master files (RFC 1035 §5.1): `\X` is the character X itself, `\DDD` the octet of
 * that decimal number. Text is latin1: one character is one octet. Knows nothing of names or
 * strings, which differ in what must be escaped.
 */
import { isWrong, type Wrong, wrong } from '../fault.ts'

const BLANK = 0x20
const BACKSLASH = 0x5c

/** How many characters the octet at `at` is written with: 1, 2 (`\X`) or 4 (`\DDD`). */
export function octetWidth(text: string, at: number): 1 | 2 | 4 {
  if (text.charCodeAt(at) !== BACKSLASH) return 1
  return /[0-9]/.test(text[at + 1] ?? '') ? 4 : 2
}

/** The octet written at `at`, or what is wrong with it. */
export function octetAt(text: string, at: number): number | Wrong {
  const plain = text.charCodeAt(at)
  if (plain !== BACKSLASH && plain <= 0xff) return plain
  const width = octetWidth(text, at)
  const written = text.slice(at, at + width)
  if (width === 4) return decimalEscape(written)
  if (written === '\\') {
    return wrong('a backslash with nothing behind it', 'write \\\\ for a backslash')
  }
  const octet = written.charCodeAt(width - 1)
  if (octet <= 0xff) return octet
  return wrong(`${written} is not one octet`, 'write each of its octets as \\DDD')
}

function decimalEscape(written: string): number | Wrong {
  const octet = /^\\[0-9]{3}$/.test(written) ? Number(written.slice(1)) : 256
  if (octet <= 0xff) return octet
  return wrong(`${written} is not an escape`, 'write \\DDD with three digits, 000 to 255')
}

/** An octet as a word's text, with blanks and the characters of `special` escaped. */
export function octetText(octet: number, special: string): string {
  if (octet <= BLANK || octet > 0x7e) return `\\${String(octet).padStart(3, '0')}`
  const character = String.fromCharCode(octet)
  return special.includes(character) ? `\\${character}` : character
}

/** All octets of an escaped text, or what is wrong with the first that is. */
export function octetsFromText(text: string): Uint8Array | Wrong {
  const octets: number[] = []
  for (let at = 0; at < text.length; at += octetWidth(text, at)) {
    const octet = octetAt(text, at)
    if (isWrong(octet)) return octet
    octets.push(octet)
  }
  return Uint8Array.from(octets)
}

/** Octets as a quoted string. */
export function quotedText(octets: Uint8Array): string {
  let text = ''
  for (const octet of octets) text += octet === BLANK ? ' ' : octetText(octet, '"\\')
  return `"${text}"`
}
