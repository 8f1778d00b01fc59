/**
 * The form of record data that every type has: `\# length hexadecimal`, RFC 3597 §5.
 */
import { type Wrong, wrong } from '../fault.ts'
import { base16FromText } from './encoding.ts'
import { type Cursor, takeRest } from './field.ts'
import { hexText } from './octets.ts'

/** Tells whether the data starts with `\#`, which inside quotes is an ordinary escape. */
export function isGeneric(from: Cursor): boolean {
  const first = from.tokens[from.at]
  return first !== undefined && !first.quoted && first.text === '\\#'
}

/** Reads `\#`, the number of octets, and as many in hexadecimal, in one token or several. */
export function readGeneric(from: Cursor): Uint8Array | Wrong {
  from.at += 1
  const text = from.tokens[from.at]?.text ?? ''
  const length = /^[0-9]{1,5}$/.test(text) ? Number(text) : -1
  if (length < 0 || length > 0xffff) {
    return wrong('no length behind \\#', 'write \\#, the number of octets, then hexadecimal')
  }
  const lengthAt = from.at
  from.at += 1
  const octets = base16FromText(takeRest(from))
  if (octets?.length === length) return octets
  from.at = octets === undefined ? lengthAt + 1 : lengthAt
  if (octets === undefined) return wrong('not hexadecimal, two digits an octet')
  return wrong(`\\# says ${length} octets and ${octets.length} follow`, `write ${octets.length}`)
}

export function genericText(rdata: Uint8Array): string {
  return rdata.length === 0 ? '\\# 0' : `\\# ${rdata.length} ${hexText(rdata)}`
}
