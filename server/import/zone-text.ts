/**
 * Character strings of master files: one holds at most 255 octets (RFC 1035 §3.3).
 */
import { octetWidth } from '../dns/escape.ts'

const MOST = 255

/** A long string, escapes and all, as several in quotes. */
export function splitText(text: string): string[] {
  const pieces: string[] = []
  let piece = ''
  let octets = 0
  for (let at = 0; at < text.length; ) {
    const width = octetWidth(text, at)
    const character = width === 1 ? String.fromCodePoint(text.codePointAt(at) ?? 0) : ''
    const written = width === 1 ? character : text.slice(at, at + width)
    const size = width === 1 ? octetsOf(character) : 1
    if (octets + size > MOST) {
      pieces.push(`"${piece}"`)
      piece = ''
      octets = 0
    }
    piece += written
    octets += size
    at += written.length
  }
  return [...pieces, `"${piece}"`]
}

/** A text as strings in quotes, with the escapes that it needs. */
export function quoted(text: string): string[] {
  return splitText(text.replace(/["\\]/g, '\\$&'))
}

/** How many octets a character has in UTF-8. */
function octetsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
