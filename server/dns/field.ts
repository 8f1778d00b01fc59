/**
 * A field: one part of a record's data, which knows how to read its text, to print it and to measure
 * its octets. `rdata.ts` puts fields together into types; the kinds of field are in `field-*.ts`.
 */
import { isWrong, type Wrong, wrong } from '../fault.ts'

/** A word of a master file: raw latin1 text, escapes not yet undone, outer quotes taken off. */
export type Token = { readonly text: string; readonly quoted: boolean }

/** The tokens of one record's data and how far they have been read. */
export type Cursor = {
  readonly tokens: readonly Token[]
  readonly origin: Uint8Array | undefined
  /** The next token; where a field comes back wrong, the guilty one. */
  at: number
}

export type Field = {
  /** Names are compared without regard to case and may stand compressed in messages. */
  readonly kind: 'name' | 'octets'
  /** Reads its tokens and moves the cursor past them. */
  readonly read: (from: Cursor) => Uint8Array | Wrong
  /** Prints octets that it has measured. */
  readonly print: (octets: Uint8Array) => string
  /** The offset after the field that starts at `at`, or −1 when it is malformed or passes `end`. */
  readonly measure: (octets: Uint8Array, at: number, end: number) => number
}

/**
 * A field of one token.
 *
 * @param what names it for people: `the preference`
 */
export function single(
  what: string,
  parts: {
    readonly kind?: Field['kind']
    readonly read: (text: string, origin: Uint8Array | undefined) => Uint8Array | Wrong
    readonly print: Field['print']
    readonly measure: Field['measure']
  },
): Field {
  const read = (from: Cursor): Uint8Array | Wrong => {
    const token = from.tokens[from.at]
    if (token === undefined) return wrong(`${what} is missing`)
    const octets = parts.read(token.text, from.origin)
    if (!isWrong(octets)) from.at += 1
    return octets
  }
  return { kind: parts.kind ?? 'octets', read, print: parts.print, measure: parts.measure }
}

/** Measures a field of fixed width. */
export function width(count: number): Field['measure'] {
  return (_octets, at, end) => (at + count <= end ? at + count : -1)
}

/** Measures a field that takes all the octets left, and at least so many. */
export function atLeast(count: number): Field['measure'] {
  return (_octets, at, end) => (at + count <= end ? end : -1)
}

/** Measures a field that starts with its own length in one octet, at least `least`. */
export function counted(least: number): Field['measure'] {
  return (octets, at, end) => {
    const length = at < end ? (octets[at] ?? 0) : -1
    return length >= least && at + 1 + length <= end ? at + 1 + length : -1
  }
}

/** The text of all tokens left, joined without blanks; moves the cursor past them. */
export function takeRest(from: Cursor): string {
  const text = from.tokens
    .slice(from.at)
    .map(token => token.text)
    .join('')
  from.at = from.tokens.length
  return text
}
