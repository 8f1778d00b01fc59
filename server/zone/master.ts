/**
 * Reads a master file (RFC 1035 §5) with all that it includes and generates into the records of one
 * zone. Every mistake is told with its place, and reading goes on at the next record. Knows the
 * directives; not whether the records make a zone (`compile.ts`).
 */
import { nameFromText, ROOT } from '../dns/name.ts'
import { TYPE, typeFromText } from '../dns/rrtype.ts'
import { isWrong, type Remarks, type Wrong, wrong } from '../fault.ts'
import { nextEntry, skipMark } from './entry.ts'
import { generate } from './generate.ts'
import { MOST_CELLS } from './growing.ts'
import { fileAt, type Include, type Reading, type Source, source } from './reading.ts'
import { readOwner, readRecord } from './record.ts'
import { reserveRecords, type ZoneRecords, zoneRecords } from './records.ts'
import { complain, isFull, reporter } from './reporter.ts'
import { isBroken, type Scanner, scanner, tokenAt, tokenStart, tokenText } from './scan.ts'
import type { Stream } from './stream.ts'
import { readTtl, words } from './word.ts'

export type { ZoneRecords } from './records.ts'

/** A master file, opened. Any octets survive. Reading closes the stream, and those of its includes. */
export type ZoneFile = {
  readonly file: string
  readonly stream: Stream
  readonly include: Include
}

/** How deep files may include each other, and how many includes a zone may have. */
const MAX_DEPTH = 16
const MAX_INCLUDES = 10_000

const DOLLAR = 0x24

/**
 * Reads the records of a zone. The origin is what $ORIGIN says, else the owner of the SOA record.
 *
 * @param most as many octets of names, or of data, a zone may have
 * @returns `undefined` where there is no SOA record to tell which zone it is; `remarks` says so
 */
export function parseZone(
  zone: ZoneFile,
  remarks: Remarks,
  most: number = MOST_CELLS,
): ZoneRecords | undefined {
  const reading: Reading = {
    ...{ records: zoneRecords(ROOT), reporter: reporter(remarks), include: zone.include, most },
    ...{ head: { ttl: -1, type: 0, next: 0 }, words: words() },
    ...{ defaultTtl: -1, lastTtl: -1, hasApex: false },
    ...{ includesLeft: MAX_INCLUDES, isStopped: false },
  }
  readStream(reading, source(reading, zone.file, undefined, []), zone.stream)
  if (reading.hasApex) return reading.records
  if (!reading.records.brokenTypes.has(TYPE.SOA) && !isFull(reading.reporter)) {
    const fix = 'a zone begins with one: @ SOA ns1 hostmaster 1 7200 900 1209600 300'
    complain(reading.reporter, fileAt(zone.file), wrong('there is no SOA record', fix))
  }
  return undefined
}

function readStream(reading: Reading, from: Source, stream: Stream): void {
  try {
    readEntries(reading, from, stream)
  } finally {
    stream.close()
  }
}

function readEntries(reading: Reading, from: Source, stream: Stream): void {
  reserveRecords(reading.records, stream.size)
  const scan = scanner(from.file, stream, (at, reason) => complain(reading.reporter, at, reason))
  if (!skipMark(scan)) {
    const reason = wrong('the file is UTF-16 text', 'save it as UTF-8 or ASCII')
    complain(reading.reporter, fileAt(from.file), reason)
    return
  }
  while (!reading.isStopped && !isFull(reading.reporter) && nextEntry(scan)) {
    readEntry(reading, from, scan)
  }
}

/** Hot: once per record loaded. */
function readEntry(reading: Reading, from: Source, scan: Scanner): void {
  const isDirective = !scan.isOwnerless && scan.octets[tokenStart(scan, 0)] === DOLLAR
  if (isBroken(scan)) {
    if (!scan.isOwnerless && !isDirective) readOwner(reading, from, scan)
    rememberType(reading, scan)
  } else if (isDirective) readDirective(reading, from, scan)
  else readRecord(reading, from, scan)
}

/** Remembers which type an entry that cannot be read seems to have. */
function rememberType(reading: Reading, scan: Scanner): void {
  for (let token = scan.isOwnerless ? 0 : 1; token < Math.min(scan.count, 4); token += 1) {
    const type = typeFromText(tokenText(scan, token))
    if (type !== undefined) reading.records.brokenTypes.add(type)
  }
}

function readDirective(reading: Reading, from: Source, scan: Scanner): void {
  const word = tokenText(scan, 0).toUpperCase()
  if (word === '$ORIGIN') readOrigin(reading, from, scan)
  else if (word === '$TTL') readDefaultTtl(reading, scan)
  else if (word === '$INCLUDE') readInclude(reading, from, scan)
  else if (word === '$GENERATE') generate(reading, from, scan)
  else {
    const fix = 'there are $ORIGIN, $TTL, $INCLUDE and $GENERATE; for a name write \\$'
    complain(reading.reporter, tokenAt(scan, 0), wrong(`unknown directive ${word}`, fix))
  }
}

function readOrigin(reading: Reading, from: Source, scan: Scanner): void {
  if (!hasArguments(reading, scan, 1, 1, '$ORIGIN takes one name')) return
  const origin = nameFromText(tokenText(scan, 1), from.origin)
  if (isWrong(origin)) complain(reading.reporter, tokenAt(scan, 1), origin)
  else from.origin = origin
}

/** RFC 2308 §4. */
function readDefaultTtl(reading: Reading, scan: Scanner): void {
  if (!hasArguments(reading, scan, 1, 1, '$TTL takes one span of time')) return
  const ttl = readTtl(tokenText(scan, 1))
  if (isWrong(ttl)) complain(reading.reporter, tokenAt(scan, 1), ttl)
  else reading.defaultTtl = ttl
}

/** The included file has an origin and a last owner of its own: the parent's are never changed. */
function readInclude(reading: Reading, from: Source, scan: Scanner): void {
  if (!hasArguments(reading, scan, 1, 2, '$INCLUDE takes a file and an optional origin')) return
  const origin = scan.count < 3 ? from.origin : nameFromText(tokenText(scan, 2), from.origin)
  if (isWrong(origin)) {
    complain(reading.reporter, tokenAt(scan, 2), origin)
    return
  }
  const found = reading.include(tokenText(scan, 1), from.file)
  if (isWrong(found)) {
    complain(reading.reporter, tokenAt(scan, 1), found)
    return
  }
  const flaw = loopFlaw(reading, from, found.file)
  if (flaw === undefined) {
    readStream(reading, source(reading, found.file, origin, from.chain), found.stream)
    return
  }
  found.stream.close()
  complain(reading.reporter, tokenAt(scan, 1), flaw)
}

/** Bounds what includes itself, also under ever new names. */
function loopFlaw(reading: Reading, from: Source, file: string): Wrong | undefined {
  if (from.chain.includes(file)) return wrong(`${file} includes itself`)
  reading.includesLeft -= 1
  if (from.chain.length < MAX_DEPTH && reading.includesLeft >= 0) return undefined
  reading.isStopped = true
  return wrong(`includes nested deeper than ${MAX_DEPTH}, or more than ${MAX_INCLUDES} of them`)
}

/** Tells whether a directive has as many arguments as it takes. */
function hasArguments(
  reading: Reading,
  scan: Scanner,
  least: number,
  most: number,
  rule: string,
): boolean {
  const given = scan.count - 1
  if (given >= least && given <= most) return true
  const token = given < least ? 0 : most + 1
  complain(reading.reporter, tokenAt(scan, token), wrong(`${rule}, not ${given} words`))
  return false
}
