/**
 * From the pieces of a master file to its entries: a line each, or several where parentheses join
 * them. An entry that runs against the end of what has been read is scanned again when more is
 * there, so where pieces end changes nothing. Knows how to go on behind what is wrong; what stands in
 * an entry is `scan.ts`'s.
 */
import { type At, wrong } from '../fault.ts'
import { isBroken, nextLine, placeAt, type Scanner, scanner, scanToEnd } from './scan.ts'
import { readOn, streamOf } from './stream.ts'

/** Octets of an entry: the longest data, with every octet as `\DDD`, takes a quarter of it. */
const MAX_ENTRY = 1 << 20

/** How often the scanner goes back to look at what an open parenthesis swallowed. */
const MAX_REWINDS = 8

const LINE_FEED = 0x0a

/**
 * Scans the next entry that has tokens. Hot: once per record loaded.
 *
 * What is wrong in it is reported and makes it broken; the next call goes on behind it.
 *
 * @returns false at the end of the file
 */
export function nextEntry(scan: Scanner): boolean {
  while (hasMore(scan)) {
    const isWhole = scanEntry(scan)
    if (scan.isOver) return false
    if (isWhole && isBroken(scan)) tell(scan)
    if (scan.depth > 0) leaveOpen(scan)
    else if (!isWhole) leaveLong(scan)
    else if (scan.count > 0) return true
  }
  return false
}

/** Hot. Reads on where all that was read has been scanned. */
function hasMore(scan: Scanner): boolean {
  if (scan.at === scan.end) {
    scan.start = scan.at
    readMore(scan)
  }
  return scan.at < scan.end && !scan.isOver
}

/** Hot. Returns false where the entry does not end within MAX_ENTRY octets. */
function scanEntry(scan: Scanner): boolean {
  const { line } = scan
  scan.start = scan.at
  const lineAt = scan.lineAt - scan.start
  for (;;) {
    scan.limit = Math.min(scan.end, scan.start + MAX_ENTRY)
    if (scanToEnd(scan)) return true
    if (scan.end - scan.start >= MAX_ENTRY) return false
    if (scan.isLast) return true
    readMore(scan)
    if (scan.isOver) return true
    scan.at = scan.start
    scan.line = line
    scan.lineAt = lineAt
  }
}

/** Reads on; what cannot be read ends the file. Hot: once per piece. */
function readMore(scan: Scanner): void {
  if (scan.isLast) return
  const moved = scan.start
  const flaw = readOn(scan)
  scan.at -= moved
  scan.lineAt -= moved
  if (flaw === undefined) return
  scan.report(placeAt(scan, scan.at), flaw)
  scan.isOver = true
}

function tell(scan: Scanner): void {
  for (const { at, reason } of scan.flaws) scan.report(at, reason)
}

/** Inside parentheses nothing ended: says where they opened, and goes on at the line after that. */
function leaveOpen(scan: Scanner): void {
  scan.at = scan.openAt
  scan.line = scan.openLine
  scan.lineAt = scan.openLineAt
  const reason = wrong('a ( that is never closed', 'close it where the record ends')
  scan.report(placeAt(scan, scan.at), reason)
  scan.rewinds += 1
  if (scan.rewinds > MAX_REWINDS) scan.isOver = true
  else skipLine(scan)
}

function leaveLong(scan: Scanner): void {
  const reason = wrong(`a line, or lines in parentheses, of more than ${MAX_ENTRY >> 20} MiB`)
  scan.report({ file: scan.file, line: scan.line, column: 1 }, reason)
  skipLine(scan)
}

/** Goes to the next line, through as many pieces as this one has. */
function skipLine(scan: Scanner): void {
  let end = lineEnd(scan)
  while (end < 0) {
    scan.at = scan.end
    if (!hasMore(scan)) return
    end = lineEnd(scan)
  }
  scan.at = end
  nextLine(scan)
}

/** The next line feed among what was read; −1. */
function lineEnd(scan: Scanner): number {
  const end = scan.octets.indexOf(LINE_FEED, scan.at)
  return end < scan.end ? end : -1
}

/**
 * Steps over the mark of UTF-8 that some editors put before a text.
 *
 * @returns false where the text begins with the mark of UTF-16
 */
export function skipMark(scan: Scanner): boolean {
  while (scan.end < 3 && !scan.isLast) readMore(scan)
  const [a = 0, b = 0, c = 0] = scan.octets.subarray(0, scan.end)
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return false
  if (a !== 0xef || b !== 0xbb || c !== 0xbf) return true
  scan.at = 3
  scan.lineAt = 3
  return true
}

/** A scanner of lines that are made, not read: see `restart`. */
export function lineScanner(file: string, report: Scanner['report']): Scanner {
  return { ...scanner(file, streamOf(new Uint8Array(0)), report), isLast: true }
}

/** Begins anew with one line, as if it stood at that place: a million lines need one scanner. */
export function restart(scan: Scanner, line: Uint8Array, at: At): void {
  scan.octets = line
  scan.at = 0
  scan.end = line.length
  scan.line = at.line
  scan.lineAt = 1 - at.column
  scan.isOver = false
}
