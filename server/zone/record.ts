/**
 * Reads one record of a master file: `[owner] [TTL] [class] type data`, TTL and class in either
 * order (RFC 1035 §5.1). Knows what is omitted and where it comes from; the data is
 * `dns/rdata.ts`'s.
 */

import type { Token } from '../dns/field.ts'
import { nameFromText } from '../dns/name.ts'
import { u32 } from '../dns/octets.ts'
import { rdataFromText } from '../dns/rdata.ts'
import { CLASS, classFromText, TYPE, typeFromText, typeText } from '../dns/rrtype.ts'
import { secondsFromText } from '../dns/seconds.ts'
import { isWrong, type Wrong, wrong } from '../fault.ts'
import { BROKEN_OWNER, NO_OWNER, type Reading, type Source } from './reading.ts'
import { appendOwner, appendRecord, ownerName, placeWord } from './records.ts'
import { complain } from './reporter.ts'
import { isQuoted, type Scanner, tokenAt, tokenText } from './scan.ts'

/** RFC 2181 §8. */
const MAX_TTL = 0x7fff_ffff

/** What stands before the data. `ttl` −1: not stated; `next`: the token after the type. */
type Head = { readonly ttl: number; readonly type: number; readonly next: number }

/** Reads the scanner's entry as a record and appends it, or says what is wrong with it. */
export function readRecord(reading: Reading, from: Source, scan: Scanner): void {
  if (!scan.isOwnerless) readOwner(reading, from, scan)
  else if (from.owner === NO_OWNER) {
    const reason = wrong('no owner, and none before it in this file', 'begin the line with a name')
    complain(reading.reporter, tokenAt(scan, 0), reason)
    from.owner = BROKEN_OWNER
  }
  const head = readHead(scan)
  if (isWrong(head)) {
    complain(reading.reporter, tokenAt(scan, head.token), head)
    return
  }
  if (head.type === TYPE.SOA && !scan.isOwnerless) adoptOrigin(reading, from)
  const rdata = readData(reading, from, scan, head)
  const ttl = rdata === undefined ? -1 : settleTtl(reading, scan, head, rdata)
  if (rdata === undefined || ttl < 0) reading.records.brokenTypes.add(head.type)
  else if (from.owner >= 0) append(reading, from, scan, head.type, ttl, rdata)
}

/** Makes the entry's first token the owner, here and for lines without one. */
export function readOwner(reading: Reading, from: Source, scan: Scanner): void {
  const text = tokenText(scan, 0)
  if (text === from.ownerText && from.origin === from.ownerOrigin && from.owner >= 0) return
  const name = isQuoted(scan, 0)
    ? wrong('an owner in quotes', 'write the name without them')
    : nameFromText(text, from.origin)
  from.ownerText = text
  from.ownerOrigin = from.origin
  if (isWrong(name)) {
    from.owner = BROKEN_OWNER
    complain(reading.reporter, tokenAt(scan, 0), name)
  } else from.owner = appendOwner(reading.records, name)
}

/** A TTL: seconds, or units in any case (1w2d3h4m5s). */
export function readTtl(text: string): number | Wrong {
  const seconds = secondsFromText(text)
  if (seconds === undefined) {
    return wrong(`${text} is not a TTL`, 'write seconds, or units: 1w2d3h4m5s')
  }
  if (seconds <= MAX_TTL) return seconds
  return wrong(`TTL ${text} is above ${MAX_TTL} (RFC 2181 §8)`, 'a week is 604800')
}

/** Reads TTL, class and type. `token` is the guilty one. */
function readHead(scan: Scanner): Head | (Wrong & { readonly token: number }) {
  let ttl = -1
  let hasClass = false
  let token = scan.isOwnerless ? 0 : 1
  for (; token < scan.count; token += 1) {
    const text = tokenText(scan, token)
    if (ttl < 0 && isDigit(text.charCodeAt(0))) {
      const read = readTtl(text)
      if (isWrong(read)) return { ...read, token }
      ttl = read
      continue
    }
    const value = hasClass ? undefined : classFromText(text)
    if (value === undefined) break
    if (value !== CLASS.IN) return { ...wrong(`class ${text}`, 'only IN is served'), token }
    hasClass = true
  }
  if (token === scan.count) return { ...wrong('the record has no type'), token }
  const type = readType(tokenText(scan, token))
  return isWrong(type) ? { ...type, token } : { ttl, type, next: token + 1 }
}

function isDigit(character: number): boolean {
  return character >= 0x30 && character <= 0x39
}

function readType(text: string): number | Wrong {
  const type = typeFromText(text)
  if (type === undefined) {
    const isDirective = text.startsWith('$')
    const fix = isDirective ? 'directives begin in column 1' : 'types without a word are TYPE65280'
    return wrong(`unknown type ${text}`, fix)
  }
  // RFC 6895 §3.1: these are questions and parts of messages, never data.
  const isMeta = type === 0 || type === TYPE.OPT || (type >= 128 && type <= 255)
  return isMeta ? wrong(`a zone cannot hold records of type ${typeText(type)}`) : type
}

/** Where no $ORIGIN came first, the owner of the SOA is the origin, already for its own data. */
function adoptOrigin(reading: Reading, from: Source): void {
  if (from.origin !== undefined || from.owner < 0) return
  from.origin = ownerName(reading.records, from.owner)
  from.ownerOrigin = from.origin
}

function readData(
  reading: Reading,
  from: Source,
  scan: Scanner,
  head: Head,
): Uint8Array | undefined {
  const tokens: Token[] = []
  for (let token = head.next; token < scan.count; token += 1) {
    tokens.push({ text: tokenText(scan, token), quoted: isQuoted(scan, token) })
  }
  const rdata = rdataFromText(head.type, tokens, from.origin)
  if (!isWrong(rdata)) return rdata
  complain(reading.reporter, tokenAt(scan, head.next + (rdata.token ?? -1)), rdata)
  return undefined
}

/**
 * The TTL of a record: stated, else of $TTL (RFC 2308 §4), else stated last (RFC 1035 §5.1), else,
 * for the SOA, its MINIMUM. Returns −1, and says so, where there is none.
 */
function settleTtl(reading: Reading, scan: Scanner, head: Head, rdata: Uint8Array): number {
  if (head.ttl >= 0) reading.lastTtl = head.ttl
  else if (reading.defaultTtl >= 0) return reading.defaultTtl
  else if (reading.lastTtl < 0 && head.type === TYPE.SOA) {
    reading.lastTtl = Math.min(u32(rdata, rdata.length - 4), MAX_TTL)
  }
  if (reading.lastTtl < 0) {
    const reason = wrong('no TTL, and none was stated before', 'begin the file with $TTL 3600')
    complain(reading.reporter, tokenAt(scan, 0), reason)
  }
  return reading.lastTtl
}

function append(
  reading: Reading,
  from: Source,
  scan: Scanner,
  type: number,
  ttl: number,
  rdata: Uint8Array,
): void {
  const { records } = reading
  if (type === TYPE.SOA && !reading.hasApex) {
    reading.hasApex = true
    records.apex = ownerName(records, from.owner)
  }
  const { line, column } = tokenAt(scan, 0)
  appendRecord(records, from.owner, type, ttl, rdata, line, placeWord(from.fileNumber, column))
}
