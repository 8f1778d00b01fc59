/**
 * Reads one record of a master file: `[owner] [TTL] [class] type data`, TTL and class in either
 * order (RFC 1035 §5.1). Knows what is omitted and where it comes from; the data is `data.ts`'s.
 */

import { nameFromText } from '../dns/name.ts'
import { u32 } from '../dns/octets.ts'
import { CLASS, TYPE } from '../dns/rrtype.ts'
import { isWrong, type Wrong, wrong } from '../fault.ts'
import { readData } from './data.ts'
import { putPlainName } from './plain.ts'
import { BROKEN_OWNER, type Head, NO_OWNER, type Reading, type Source } from './reading.ts'
import {
  appendOwner,
  appendRecord,
  foldOwner,
  hasRoom,
  ownerName,
  placeWord,
  roomForOwner,
} from './records.ts'
import { complain } from './reporter.ts'
import {
  isQuoted,
  type Scanner,
  tokenAt,
  tokenColumn,
  tokenEnd,
  tokenLine,
  tokenStart,
  tokenText,
} from './scan.ts'
import { type Word, wordAt } from './word.ts'

const MAX_TTL = 0x7fff_ffff

/**
 * Reads the scanner's entry as a record and appends it, or says what is wrong with it. Hot: once per
 * record loaded.
 */
export function readRecord(reading: Reading, from: Source, scan: Scanner): void {
  const { head, records } = reading
  if (!hasRoom(records, reading.most)) {
    stopFull(reading, scan)
    return
  }
  if (!scan.isOwnerless) readOwner(reading, from, scan)
  else if (from.owner === NO_OWNER) complainOwnerless(reading, from, scan)
  const flaw = readHead(reading, scan)
  if (flaw !== undefined) {
    complain(reading.reporter, tokenAt(scan, head.next), flaw)
    return
  }
  if (head.type === TYPE.SOA && !scan.isOwnerless) adoptOrigin(reading, from)
  const start = records.rdata.length
  const isRead = readData(reading, from.origin, scan)
  const ttl = isRead ? settleTtl(reading, scan) : -1
  if (ttl >= 0 && from.owner >= 0) append(reading, from, scan, ttl, start)
  else records.rdata.length = start
  if (ttl < 0) records.brokenTypes.add(head.type)
}

function stopFull(reading: Reading, scan: Scanner): void {
  const what = `the zone has more than ${reading.most} octets of names, or of data`
  complain(reading.reporter, tokenAt(scan, 0), wrong(what, 'delegate a part of it, as a zone'))
  reading.isStopped = true
}

function complainOwnerless(reading: Reading, from: Source, scan: Scanner): void {
  const reason = wrong('no owner, and none before it in this file', 'begin the line with a name')
  complain(reading.reporter, tokenAt(scan, 0), reason)
  from.owner = BROKEN_OWNER
}

/** Makes the entry's first token the owner, here and for lines without one. Hot. */
export function readOwner(reading: Reading, from: Source, scan: Scanner): void {
  if (isOwnerAgain(from, scan)) return
  rememberOwner(from, scan)
  const { owners } = reading.records
  const at = roomForOwner(reading.records)
  const start = tokenStart(scan, 0)
  const end = tokenEnd(scan, 0)
  const to = isQuoted(scan, 0)
    ? -1
    : putPlainName(scan.octets, start, end, from.origin, owners.cells, at)
  from.owner = to < 0 ? readOddOwner(reading, from, scan) : foldOwner(reading.records, to)
}

/** The same words under the same origin need no reading. Hot. */
function isOwnerAgain(from: Source, scan: Scanner): boolean {
  const { octets } = scan
  const start = tokenStart(scan, 0)
  const { ownerText, ownerLength } = from
  if (from.owner < 0 || from.origin !== from.ownerOrigin) return false
  if (tokenEnd(scan, 0) - start !== ownerLength || isQuoted(scan, 0)) return false
  for (let i = 0; i < ownerLength; i += 1) {
    if (octets[start + i] !== ownerText[i]) return false
  }
  return true
}

/** Hot. What is longer than there is room for is the text of no name that comes often. */
function rememberOwner(from: Source, scan: Scanner): void {
  const start = tokenStart(scan, 0)
  const length = tokenEnd(scan, 0) - start
  from.ownerOrigin = from.origin
  from.ownerLength = length > from.ownerText.length || isQuoted(scan, 0) ? -1 : length
  for (let i = 0; i < from.ownerLength; i += 1) from.ownerText[i] = scan.octets[start + i]!
}

/** Reads an owner that is not plain. Returns it, or BROKEN_OWNER, and says what is wrong. */
function readOddOwner(reading: Reading, from: Source, scan: Scanner): number {
  const name = isQuoted(scan, 0)
    ? wrong('an owner in quotes', 'write the name without them')
    : nameFromText(tokenText(scan, 0), from.origin)
  if (!isWrong(name)) return appendOwner(reading.records, name)
  complain(reading.reporter, tokenAt(scan, 0), name)
  return BROKEN_OWNER
}

/**
 * Reads TTL, class and type into the reading's head. Hot.
 *
 * @returns what is wrong, and `next` is then the guilty token
 */
function readHead(reading: Reading, scan: Scanner): Wrong | undefined {
  const { head, words } = reading
  head.ttl = -1
  head.next = scan.isOwnerless ? 0 : 1
  let hasClass = false
  for (; head.next < scan.count; head.next += 1) {
    const word = wordAt(words, scan, head.next)
    if (head.ttl < 0 && word.ttl !== undefined) {
      if (typeof word.ttl !== 'number') return word.ttl
      head.ttl = word.ttl
    } else if (hasClass || word.class === undefined) return readType(head, word)
    else if (word.class !== CLASS.IN) return wrong(`class ${word.text}`, 'only IN is served')
    else hasClass = true
  }
  return wrong('the record has no type')
}

/** Hot. */
function readType(head: Head, { type }: Word): Wrong | undefined {
  if (typeof type !== 'number') return type
  head.type = type
  head.next += 1
  return undefined
}

/** Where no $ORIGIN came first, the owner of the SOA is the origin, already for its own data. */
function adoptOrigin(reading: Reading, from: Source): void {
  if (from.origin !== undefined || from.owner < 0) return
  from.origin = ownerName(reading.records, from.owner)
  from.ownerOrigin = from.origin
}

/**
 * The TTL of a record: stated, else of $TTL (RFC 2308 §4), else stated last (RFC 1035 §5.1), else,
 * for the SOA, its MINIMUM. Hot. Returns −1, and says so, where there is none.
 */
function settleTtl(reading: Reading, scan: Scanner): number {
  const { head } = reading
  const { rdata } = reading.records
  if (head.ttl >= 0) reading.lastTtl = head.ttl
  else if (reading.defaultTtl >= 0) return reading.defaultTtl
  else if (reading.lastTtl < 0 && head.type === TYPE.SOA) {
    reading.lastTtl = Math.min(u32(rdata.cells, rdata.length - 4), MAX_TTL)
  }
  if (reading.lastTtl < 0) {
    const reason = wrong('no TTL, and none was stated before', 'begin the file with $TTL 3600')
    complain(reading.reporter, tokenAt(scan, 0), reason)
  }
  return reading.lastTtl
}

/** Appends the record whose data stands from `start` on. Hot. */
function append(reading: Reading, from: Source, scan: Scanner, ttl: number, start: number): void {
  const { head, records } = reading
  if (head.type === TYPE.SOA && !reading.hasApex) {
    reading.hasApex = true
    records.apex = ownerName(records, from.owner)
  }
  const place = placeWord(from.fileNumber, tokenColumn(scan, 0))
  appendRecord(records, from.owner, head.type, ttl, start, tokenLine(scan, 0), place)
}
