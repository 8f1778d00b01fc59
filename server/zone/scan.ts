/**
 * The scanner of master files (RFC 1035 §5.1): text into entries, an entry into tokens. An entry is
 * a line, or several where parentheses join them. Knows comments, quotes, escapes and line ends;
 * not what a token means. Text is latin1: one character is one octet. Tokens are offsets in reused
 * columns, so scanning a million records leaves nothing behind.
 */
import { type At, type Wrong, wrong } from '../fault.ts'

export type Scanner = {
  readonly file: string
  text: string
  readonly report: (at: At, reason: Wrong) => void
  /** Where the scanner stands: an offset, its line (from 1) and the offset of that line. */
  at: number
  line: number
  lineAt: number
  /** The entry scanned last: TOKEN_WORDS words a token. */
  tokens: Int32Array
  count: number
  /** It begins with a blank: the owner is the last one stated. */
  isOwnerless: boolean
  /** Something in it is wrong and has been reported. */
  isBroken: boolean
  depth: number
  /** The parenthesis that opened first: offset, line and column. */
  openAt: number
  openLine: number
  openColumn: number
  rewinds: number
}

/**
 * Words of a token: offsets of its first character and of the one after it, line, column, and
 * whether it was quoted.
 */
const TOKEN_WORDS = 5

/** How often the scanner goes back to look at what an open parenthesis swallowed. */
const MAX_REWINDS = 8

const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const QUOTE = 0x22
const OPEN = 0x28
const CLOSE = 0x29
const SEMICOLON = 0x3b
const BACKSLASH = 0x5c

/** A UTF-8 byte order mark, as latin1. */
const BYTE_ORDER_MARK = '\xef\xbb\xbf'

export function scanner(
  file: string,
  text: string,
  report: (at: At, reason: Wrong) => void,
): Scanner {
  const at = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0
  return {
    ...{ file, text, report, at, line: 1, lineAt: at },
    ...{ tokens: new Int32Array(16 * TOKEN_WORDS), count: 0, isOwnerless: false, isBroken: false },
    ...{ depth: 0, openAt: 0, openLine: 0, openColumn: 0, rewinds: 0 },
  }
}

/**
 * Begins anew with one line, as if it stood at a place of the same file: a million generated lines need
 * one scanner.
 */
export function restart(scan: Scanner, line: string, at: At): void {
  scan.text = line
  scan.at = 0
  scan.line = at.line
  scan.lineAt = 1 - at.column
}

/**
 * Scans the next entry that has tokens. Hot: once per record loaded.
 *
 * What is wrong in it is reported and makes it broken; the next call goes on behind it.
 *
 * @returns false at the end of the text
 */
export function nextEntry(scan: Scanner): boolean {
  while (scan.at < scan.text.length) {
    scan.count = 0
    scan.isBroken = false
    scan.depth = 0
    scan.isOwnerless = isBlank(scan.text.charCodeAt(scan.at))
    scanToEnd(scan)
    if (scan.depth > 0) leaveOpen(scan)
    else if (scan.count > 0) return true
  }
  return false
}

/** Scans up to the line end that no parenthesis joins, or to the end of the text. Hot. */
function scanToEnd(scan: Scanner): void {
  const { text } = scan
  while (scan.at < text.length) {
    const character = text.charCodeAt(scan.at)
    if (character === LINE_FEED) {
      nextLine(scan)
      if (scan.depth === 0) return
    } else if (isBlank(character)) scan.at += 1
    else if (character === SEMICOLON) skipComment(scan)
    else if (character === OPEN || character === CLOSE) scanParenthesis(scan, character)
    else if (character === QUOTE) scanQuoted(scan)
    else scanWord(scan)
  }
}

/** Hot. */
function nextLine(scan: Scanner): void {
  scan.at += 1
  scan.line += 1
  scan.lineAt = scan.at
}

/** Hot. The carriage return of a CRLF is one more blank before the line feed. */
function isBlank(character: number): boolean {
  return character === SPACE || character === TAB || character === CARRIAGE_RETURN
}

/** Hot. */
function skipComment(scan: Scanner): void {
  const end = scan.text.indexOf('\n', scan.at)
  scan.at = end < 0 ? scan.text.length : end
}

/** Hot. */
function scanParenthesis(scan: Scanner, character: number): void {
  if (character === OPEN && scan.depth === 0) {
    scan.openAt = scan.at
    scan.openLine = scan.line
    scan.openColumn = scan.at - scan.lineAt + 1
  }
  if (character === OPEN) scan.depth += 1
  else if (scan.depth > 0) scan.depth -= 1
  else complain(scan, scan.at, wrong('a ) that closes nothing', 'remove it, or write \\)'))
  scan.at += 1
}

/** A token in quotes: its text is what stands between them. Hot. */
function scanQuoted(scan: Scanner): void {
  const start = scan.at
  if (!skipQuoted(scan)) return
  addToken(scan, start + 1, scan.at - 1, start, 1)
  if (endsToken(scan.text, scan.at) || scan.text.charCodeAt(scan.at) === QUOTE) return
  complain(scan, scan.at, wrong('no blank after a quoted string', 'write \\" for a quote inside'))
}

/** A token without quotes around it; it may hold a quoted part, as in `alpn="h2,h3"`. Hot. */
function scanWord(scan: Scanner): void {
  const { text } = scan
  const start = scan.at
  while (!endsToken(text, scan.at)) {
    const character = text.charCodeAt(scan.at)
    if (character === QUOTE) {
      if (!skipQuoted(scan)) return
    } else if (character === BACKSLASH) skipEscape(scan)
    else scan.at += 1
  }
  addToken(scan, start, scan.at, start, 0)
}

/** Tells whether no token goes on here. Hot. */
function endsToken(text: string, at: number): boolean {
  if (at >= text.length) return true
  const character = text.charCodeAt(at)
  if (character > SEMICOLON) return false
  return (
    isBlank(character) ||
    character === LINE_FEED ||
    character === SEMICOLON ||
    character === OPEN ||
    character === CLOSE
  )
}

/** Steps over a quoted part. Hot. Returns false, and says so, when it does not end on its line. */
function skipQuoted(scan: Scanner): boolean {
  const { text } = scan
  const start = scan.at
  scan.at += 1
  while (scan.at < text.length) {
    const character = text.charCodeAt(scan.at)
    if (character === LINE_FEED) break
    if (character === BACKSLASH) skipEscape(scan)
    else scan.at += 1
    if (character === QUOTE) return true
  }
  complain(scan, start, wrong('a quote that does not end on its line', 'close it, or write \\"'))
  return false
}

/**
 * Steps over a backslash and what it escapes; of `\DDD` the digits are ordinary characters. Hot.
 */
function skipEscape(scan: Scanner): void {
  const next = scan.text.charCodeAt(scan.at + 1)
  const isLast = scan.at + 1 >= scan.text.length || next === LINE_FEED || next === CARRIAGE_RETURN
  if (isLast) {
    complain(scan, scan.at, wrong('a backslash with nothing behind it', 'write \\\\ for one'))
  }
  scan.at += isLast ? 1 : 2
}

/** Hot. */
function addToken(scan: Scanner, start: number, end: number, at: number, quoted: number): void {
  const row = scan.count * TOKEN_WORDS
  if (row === scan.tokens.length) {
    const grown = new Int32Array(2 * row)
    grown.set(scan.tokens)
    scan.tokens = grown
  }
  scan.tokens[row] = start
  scan.tokens[row + 1] = end
  scan.tokens[row + 2] = scan.line
  scan.tokens[row + 3] = at - scan.lineAt + 1
  scan.tokens[row + 4] = quoted
  scan.count += 1
}

function complain(scan: Scanner, at: number, reason: Wrong): void {
  scan.isBroken = true
  scan.report({ file: scan.file, line: scan.line, column: at - scan.lineAt + 1 }, reason)
}

/**
 * The text ended inside parentheses: says where they opened, and goes on at the line after that.
 */
function leaveOpen(scan: Scanner): void {
  const { file, openAt, openLine } = scan
  const reason = wrong('a ( that is never closed', 'close it where the record ends')
  scan.report({ file, line: openLine, column: scan.openColumn }, reason)
  scan.rewinds += 1
  const lineEnd = scan.text.indexOf('\n', openAt)
  if (lineEnd < 0 || scan.rewinds > MAX_REWINDS) return
  scan.at = lineEnd + 1
  scan.line = openLine + 1
  scan.lineAt = scan.at
}

/** The text of a token, escapes not undone, without the quotes around it. Hot. */
export function tokenText(scan: Scanner, token: number): string {
  const row = token * TOKEN_WORDS
  return scan.text.slice(scan.tokens[row], scan.tokens[row + 1])
}

export function isQuoted(scan: Scanner, token: number): boolean {
  return scan.tokens[token * TOKEN_WORDS + 4] === 1
}

/** Where a token stands; the last one for a number past it. */
export function tokenAt(scan: Scanner, token: number): At {
  const row = Math.min(token, scan.count - 1) * TOKEN_WORDS
  return { file: scan.file, line: scan.tokens[row + 2] ?? 0, column: scan.tokens[row + 3] ?? 0 }
}
