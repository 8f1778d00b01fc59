/**
 * Fields that hold octets written in a base: keys, digests, salts, hashes.
 */
import { type Wrong, wrong } from '../fault.ts'
import {
  base16FromText,
  base32FromText,
  base32Text,
  base64FromText,
  base64Text,
} from './encoding.ts'
import { atLeast, type Cursor, counted, type Field, single, takeRest } from './field.ts'
import { hexText, joined } from './octets.ts'

/** Hexadecimal up to the end, in one token or several. */
export function base16(what: string): Field {
  return rest(what, 'hexadecimal digits, two an octet', base16FromText, hexText)
}

/** Base 64 up to the end, in one token or several. */
export function base64(what: string): Field {
  return rest(what, 'base 64, padded with =', base64FromText, base64Text)
}

/** Base 64 up to the end; nothing at all where there is no key. RFC 4025 §2.6. */
export function keyOrNone(what: string): Field {
  const some = base64(what)
  const read = (from: Cursor): Uint8Array | Wrong =>
    from.at === from.tokens.length ? new Uint8Array(0) : some.read(from)
  return { ...some, read, measure: atLeast(0) }
}

function rest(
  what: string,
  form: string,
  decode: (text: string) => Uint8Array | undefined,
  print: Field['print'],
): Field {
  const read = (from: Cursor): Uint8Array | Wrong => {
    const first = from.at
    const octets = decode(takeRest(from))
    if (octets !== undefined && octets.length > 0) return octets
    const isMissing = first === from.tokens.length
    from.at = first
    return isMissing ? wrong(`${what} is missing`) : wrong(`${what} is malformed`, `write ${form}`)
  }
  return { kind: 'octets', read, print, measure: atLeast(1) }
}

/** A salt behind its length, in one token; `-` for none. RFC 5155 §3.3. */
export function salt(): Field {
  const read = (text: string): Uint8Array | Wrong =>
    behindLength(text === '-' ? new Uint8Array(0) : base16FromText(text), 0) ??
    wrong(`the salt cannot be ${text}`, 'write - for none, or at most 255 octets in hexadecimal')
  const print = (octets: Uint8Array): string =>
    octets.length === 1 ? '-' : hexText(octets.subarray(1))
  return single('the salt', { read, print, measure: counted(0) })
}

/** A hashed owner name behind its length, in base 32 with extended hex alphabet. RFC 5155 §3.3. */
export function hashedName(): Field {
  const read = (text: string): Uint8Array | Wrong =>
    behindLength(base32FromText(text), 1) ??
    wrong(`the next hashed name cannot be ${text}`, 'write base 32 (0-9, a-v) without padding')
  const print = (octets: Uint8Array): string => base32Text(octets.subarray(1))
  return single('the next hashed name', { read, print, measure: counted(1) })
}

function behindLength(octets: Uint8Array | undefined, least: number): Uint8Array | undefined {
  if (octets === undefined || octets.length < least || octets.length > 255) return undefined
  return joined([Uint8Array.of(octets.length), octets])
}
