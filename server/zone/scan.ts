/**
 * The scanner of master files (RFC 1035 §5.1): octets into tokens. Knows comments, quotes, escapes,
 * parentheses and line ends; not what a token means, nor where octets come from (`entry.ts`). Tokens
 * are offsets in reused columns, so scanning a million records leaves nothing behind.
 */
import { type At, type Wrong, wrong } from '../fault.ts'
import { type Stream, textOfOctets, type Window, windowOn } from './stream.ts'

/** A window whose `start` is where the entry begins, and what was found in it. */
export type Scanner = Window & {
  readonly file: string
  readonly report: (at: At, reason: Wrong) => void
  /** Where the scanner stands: an offset, its line (from 1) and the offset of that line. */
  at: number
  line: number
  lineAt: number
  /** The line that the entry begins on, and its offset. */
  startLine: number
  startLineAt: number
  /** No octet of the entry stands here or behind. */
  limit: number
  /** The entry scanned last: TOKEN_WORDS words a token. */
  tokens: Int32Array
  count: number
  /** It begins with a blank: the owner is the last one stated. */
  isOwnerless: boolean
  /** What is wrong with it: told when the whole of it has been seen. */
  readonly flaws: { readonly at: At; readonly reason: Wrong }[]
  depth: number
  /** The parenthesis that opened first: its offset, its line and where that begins. */
  openAt: number
  openLine: number
  openLineAt: number
  rewinds: number
  isOver: boolean
}

/**
 * Words of a token: offsets of its first octet and of the one after it, line, column, and whether it
 * was quoted.
 */
const TOKEN_WORDS = 5

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const OPEN = 0x28

/** What an octet begins where no token goes on. The carriage return of a CRLF is one more blank. */
// biome-ignore format: table
const IS = { WORD: 0, BLANK: 1, LINE_END: 2, COMMENT: 3, PARENTHESIS: 4, QUOTE: 5, ESCAPE: 6 } as const

const KIND = kinds({
  ' \t\r': IS.BLANK,
  '\n': IS.LINE_END,
  ';': IS.COMMENT,
  '()': IS.PARENTHESIS,
  '"': IS.QUOTE,
  '\\': IS.ESCAPE,
})

function kinds(special: Readonly<Record<string, number>>): Uint8Array {
  const table = new Uint8Array(256)
  for (const [characters, kind] of Object.entries(special)) {
    for (const character of characters) table[character.charCodeAt(0)] = kind
  }
  return table
}

export function scanner(
  file: string,
  stream: Stream,
  report: (at: At, reason: Wrong) => void,
): Scanner {
  const places = { at: 0, line: 1, lineAt: 0, startLine: 1, startLineAt: 0, limit: 0 }
  return {
    ...windowOn(stream),
    ...{ file, report, ...places },
    ...{ tokens: new Int32Array(16 * TOKEN_WORDS), count: 0, isOwnerless: false, flaws: [] },
    ...{ depth: 0, openAt: 0, openLine: 0, openLineAt: 0, rewinds: 0, isOver: false },
  }
}

/**
 * Scans the entry that begins here, up to the line end that no parenthesis joins. Hot: once per record
 * loaded.
 *
 * @returns false at the limit
 */
export function scanToEnd(scan: Scanner): boolean {
  scan.count = 0
  scan.depth = 0
  if (scan.flaws.length > 0) scan.flaws.length = 0
  scan.isOwnerless = kindAt(scan) === IS.BLANK
  const { octets, limit } = scan
  while (scan.at < limit) {
    const octet = octets[scan.at]!
    const kind = KIND[octet]!
    if (kind === IS.BLANK) scan.at += 1
    else if (kind === IS.COMMENT) skipComment(scan)
    else if (kind === IS.PARENTHESIS) scanParenthesis(scan, octet)
    else if (kind === IS.QUOTE) scanQuoted(scan)
    else if (kind !== IS.LINE_END) scanWord(scan)
    else {
      nextLine(scan)
      if (scan.depth === 0) return true
    }
  }
  return false
}

/** Steps over a line feed. Hot. */
export function nextLine(scan: Scanner): void {
  scan.at += 1
  scan.line += 1
  scan.lineAt = scan.at
}

/** Hot. */
function skipComment(scan: Scanner): void {
  const end = scan.octets.indexOf(LINE_FEED, scan.at)
  scan.at = end < 0 || end > scan.limit ? scan.limit : end
}

/** Hot. */
function scanParenthesis(scan: Scanner, octet: number): void {
  if (octet === OPEN && scan.depth === 0) {
    scan.openAt = scan.at
    scan.openLine = scan.line
    scan.openLineAt = scan.lineAt
  }
  if (octet === OPEN) scan.depth += 1
  else if (scan.depth > 0) scan.depth -= 1
  else complain(scan, scan.at, wrong('a ) that closes nothing', 'remove it, or write \\)'))
  scan.at += 1
}

/** A token in quotes: its text is what stands between them. Hot. */
function scanQuoted(scan: Scanner): void {
  const start = scan.at
  if (!skipQuoted(scan)) return
  addToken(scan, start + 1, scan.at - 1, start, 1)
  const kind = kindAt(scan)
  if (kind !== IS.WORD && kind !== IS.ESCAPE) return
  complain(scan, scan.at, wrong('no blank after a quoted string', 'write \\" for a quote inside'))
}

/** What the octet begins where the scanner stands; at the limit, a line ends. Hot. */
function kindAt(scan: Scanner): number {
  return scan.at < scan.limit ? KIND[scan.octets[scan.at]!]! : IS.LINE_END
}

/** A token without quotes around it; it may hold a quoted part, as in `alpn="h2,h3"`. Hot. */
function scanWord(scan: Scanner): void {
  const { octets, limit } = scan
  const start = scan.at
  for (;;) {
    let at = scan.at
    while (at < limit && KIND[octets[at]!] === IS.WORD) at += 1
    scan.at = at
    const kind = kindAt(scan)
    if (kind === IS.ESCAPE) skipEscape(scan)
    else if (kind !== IS.QUOTE) break
    else if (!skipQuoted(scan)) return
  }
  addToken(scan, start, scan.at, start, 0)
}

/** Steps over a quoted part. Hot. Returns false, and says so, when it does not end on its line. */
function skipQuoted(scan: Scanner): boolean {
  const start = scan.at
  scan.at += 1
  for (let kind = kindAt(scan); kind !== IS.LINE_END; kind = kindAt(scan)) {
    if (kind === IS.ESCAPE) skipEscape(scan)
    else scan.at += 1
    if (kind === IS.QUOTE) return true
  }
  complain(scan, start, wrong('a quote that does not end on its line', 'close it, or write \\"'))
  return false
}

/**
 * Steps over a backslash and what it escapes; of `\DDD` the digits are ordinary characters. Hot.
 */
function skipEscape(scan: Scanner): void {
  const next = scan.at + 1 < scan.limit ? scan.octets[scan.at + 1]! : LINE_FEED
  const isLast = next === LINE_FEED || next === CARRIAGE_RETURN
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
  scan.flaws.push({ at: placeAt(scan, at), reason })
}

/** Where an offset on the line stands. */
export function placeAt(scan: Scanner, at: number): At {
  return { file: scan.file, line: scan.line, column: at - scan.lineAt + 1 }
}

/** Something in the entry is wrong and has been reported. Hot. */
export function isBroken(scan: Scanner): boolean {
  return scan.flaws.length > 0
}

/** Offset of a token's first octet, without the quotes around it. Hot. */
export function tokenStart(scan: Scanner, token: number): number {
  return scan.tokens[token * TOKEN_WORDS]!
}

/** Offset after a token's last octet, without the quotes around it. Hot. */
export function tokenEnd(scan: Scanner, token: number): number {
  return scan.tokens[token * TOKEN_WORDS + 1]!
}

/** The text of a token, escapes not undone, without the quotes around it. */
export function tokenText(scan: Scanner, token: number): string {
  return textOfOctets(scan.octets, tokenStart(scan, token), tokenEnd(scan, token))
}

/** Hot. */
export function isQuoted(scan: Scanner, token: number): boolean {
  return scan.tokens[token * TOKEN_WORDS + 4] === 1
}

/** The line a token stands on. Hot. */
export function tokenLine(scan: Scanner, token: number): number {
  return scan.tokens[token * TOKEN_WORDS + 2]!
}

/** Hot. */
export function tokenColumn(scan: Scanner, token: number): number {
  return scan.tokens[token * TOKEN_WORDS + 3]!
}

/** Where a token stands; the last one for a number past it. */
export function tokenAt(scan: Scanner, token: number): At {
  const one = Math.min(token, scan.count - 1)
  return { file: scan.file, line: tokenLine(scan, one), column: tokenColumn(scan, one) }
}
