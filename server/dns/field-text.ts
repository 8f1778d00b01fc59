/**
 * Fields that hold character strings (RFC 1035 §3.3: a length octet and at most 255 others), and
 * those that hold text up to the end of the data (RFC 8659, RFC 7553).
 */
import { isWrong, type Wrong, wrong } from '../fault.ts'
import { octetsFromText, quotedText } from './escape.ts'
import { atLeast, type Cursor, counted, type Field, single } from './field.ts'
import { joined, u8 } from './octets.ts'

/** One character string. */
export function string(what: string): Field {
  return single(what, {
    read: readString,
    print: octets => quotedText(octets.subarray(1)),
    measure: counted(0),
  })
}

function readString(text: string): Uint8Array | Wrong {
  const octets = octetsFromText(text)
  if (isWrong(octets)) return octets
  if (octets.length <= 255) return joined([Uint8Array.of(octets.length), octets])
  return wrong(
    `a string of ${octets.length} octets, and one string holds 255`,
    'split it into several quoted strings: "the first 255 octets" "the rest"',
  )
}

/**
 * One character string or more, up to the end. RFC 1035 §3.3.14.
 *
 * @param most how many at most: ISDN has two (RFC 1183 §3.2)
 */
export function strings(what: string, most = Number.POSITIVE_INFINITY): Field {
  const one = string(what)
  const read = (from: Cursor): Uint8Array | Wrong => {
    const pieces: Uint8Array[] = []
    do {
      const piece = one.read(from)
      if (isWrong(piece)) return piece
      pieces.push(piece)
    } while (from.at < from.tokens.length && pieces.length < most)
    return joined(pieces)
  }
  const measure: Field['measure'] = (octets, at, end) => measureStrings(octets, at, end, most)
  return { kind: 'octets', read, print: stringsText, measure }
}

function stringsText(octets: Uint8Array): string {
  const texts: string[] = []
  for (let at = 0; at < octets.length; at += 1 + u8(octets, at)) {
    texts.push(quotedText(octets.subarray(at + 1, at + 1 + u8(octets, at))))
  }
  return texts.join(' ')
}

function measureStrings(octets: Uint8Array, at: number, end: number, most: number): number {
  const one = counted(0)
  let next = one(octets, at, end)
  for (let count = 1; next >= 0 && next < end; count += 1) {
    next = count < most ? one(octets, next, end) : -1
  }
  return next
}

/**
 * Text without a length of its own, up to the end.
 *
 * @param least how few octets it may have
 */
export function openText(what: string, least: number): Field {
  const read = (text: string): Uint8Array | Wrong => {
    const octets = octetsFromText(text)
    return isWrong(octets) || octets.length >= least ? octets : wrong(`${what} is empty`)
  }
  return single(what, { read, print: quotedText, measure: atLeast(least) })
}

/** The tag of CAA: letters and digits, printed bare. RFC 8659 §4.1. */
export function tag(): Field {
  const read = (text: string): Uint8Array | Wrong => {
    if (/^[0-9a-z]{1,255}$/i.test(text)) return readString(text)
    return wrong(`${text} is not a tag`, 'write letters and digits: issue, issuewild, iodef')
  }
  return single('the tag', { read, print: tagText, measure: measureTag })
}

function tagText(octets: Uint8Array): string {
  return String.fromCharCode(...octets.subarray(1))
}

function measureTag(octets: Uint8Array, at: number, end: number): number {
  const next = counted(1)(octets, at, end)
  return next >= 0 && /^[0-9a-z]+$/i.test(tagText(octets.subarray(at, next))) ? next : -1
}
