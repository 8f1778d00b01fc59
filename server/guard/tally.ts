/**
 * What one serving thread counts: columns of plain numbers in shared memory, which that thread alone
 * writes and anybody may read. A number counts to 2⁵³, which 300,000 queries a second do not reach in
 * nine centuries. Answers by name and pool lie apart, as names and pools change with the World.
 */
import { COOKIE } from './cookies.ts'

/** Transports, as CoreDNS calls them, and families as columns. */
export const OVER = { udp: 0, tcp: 1, dot: 2, doh: 3 } as const
const TRANSPORTS = Object.keys(OVER).length
export const FAMILIES = [4, 6] as const

/** Types below it have a cell each, so that no query can make another one. */
export const TYPES = 512
/** Cells of a row of requests behind those of the types. */
export const OTHERS = {
  /** A type from 512 up. */
  other: TYPES,
  /** A class that is not IN, whatever the type. */
  notIn: TYPES + 1,
  /** No question, or none that could be read. */
  none: TYPES + 2,
} as const
export const REQUESTS = TYPES + 3

/** RCODEs below it have a cell each (RFC 6895 §2.3); the last one counts all that are greater too. */
export const RCODES = 32

/** SCOPE PREFIX-LENGTH 0 … 128. */
export const SCOPES = 129

/** What a request can show of itself: `COOKIE` of `cookies.ts`. */
const COOKIE_STATES = Object.keys(COOKIE).length

/** INFO-CODEs below it have a cell each (RFC 8914 §5.2): no other is sent. */
export const INFO_CODES = 32

/** Why nothing was said. */
export const DROP = {
  /** Shorter than a header. */
  short: 0,
  /** QR is set: it is no query. */
  response: 1,
  /** Its network has been told enough of it: RRL. */
  rate: 2,
  /** In overload: its source has asked for more than its share. */
  share: 3,
  /** In overload: nobody knows its source. */
  stranger: 4,
} as const
export const DROPS = Object.keys(DROP).length

/** Why a reply was truncated that would have fitted; `shown`: it would have been, but for `log_only`. */
export const CUT = { rate: 0, stranger: 1, shown: 2 } as const
const CUTS = Object.keys(CUT).length

/** Upper bounds of sizes, in octets: CoreDNS's. */
// biome-ignore format: table
export const SIZE_BOUNDS = [0, 100, 200, 300, 400, 511, 1023, 2047, 4095, 8291, 16e3, 32e3, 48e3, 64e3] as const
const BOUNDS = SIZE_BOUNDS.length
/** A row of sizes: one for each bound, one for all that is larger, and the sum of octets. */
export const SIZE_SUM = BOUNDS + 1
export const SIZES = BOUNDS + 2

const REQUEST_ROWS = TRANSPORTS * FAMILIES.length
const REQUEST_SIZES = REQUEST_ROWS * REQUESTS
const RESPONSE_SIZES = REQUEST_SIZES + TRANSPORTS * SIZES
const RESPONSES = RESPONSE_SIZES + TRANSPORTS * SIZES
const DNSSEC_OK = RESPONSES + RCODES
const SCOPED = DNSSEC_OK + 1
const COOKIES = SCOPED + FAMILIES.length * SCOPES
const NSID = COOKIES + COOKIE_STATES
const ERRORS = NSID + 1
const DROPPED = ERRORS + INFO_CODES

/** Where each column begins. */
export const AT = {
  /** By transport and family, then by type. */
  requests: 0,
  /** By transport, then by size. */
  requestSizes: REQUEST_SIZES,
  responseSizes: RESPONSE_SIZES,
  /** By RCODE. */
  responses: RESPONSES,
  /** Requests with the DO bit. */
  dnssecOk: DNSSEC_OK,
  /** Replies that echo a subnet: by its family, then by scope. */
  scopes: SCOPED,
  /** Requests by the cookie that they brought; those without one are all others. */
  cookies: COOKIES,
  /** Requests that asked for NSID. */
  nsid: NSID,
  /** Responses with an extended error, by INFO-CODE. */
  errors: ERRORS,
  drops: DROPPED,
  cuts: DROPPED + DROPS,
} as const
export const CELLS = DROPPED + DROPS + CUTS

/** All cells of a thread at zero, in memory that threads can share. */
export function openCells(): Float64Array {
  return sharedNumbers(CELLS)
}

/** So many zeros that threads can share. */
export function sharedNumbers(count: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(count * Float64Array.BYTES_PER_ELEMENT))
}

/** Counts a message that is not answered. Hot. */
export function countDrop(cells: Float64Array, why: number): void {
  cells[AT.drops + why]! += 1
}

/** Counts a reply that is cut. Hot. */
export function countCut(cells: Float64Array, why: number): void {
  cells[AT.cuts + why]! += 1
}

/**
 * Counts a message that is answered. Hot.
 *
 * @param type   of its question: a type, or one of `OTHERS`
 * @param octets how long it was
 */
export function countRequest(
  cells: Float64Array,
  over: number,
  family: 4 | 6,
  type: number,
  octets: number,
): void {
  const row = 2 * over + (family === 4 ? 0 : 1)
  cells[AT.requests + row * REQUESTS + type]! += 1
  countSize(cells, AT.requestSizes + over * SIZES, octets)
}

/** Counts the DO bit (RFC 3225 §3) of a message that is answered. Hot. */
export function countDnssecOk(cells: Float64Array): void {
  cells[AT.dnssecOk]! += 1
}

/** Counts the cookie that came with a message that is answered: one of `COOKIE`. Hot. */
export function countCookie(cells: Float64Array, cookie: number): void {
  cells[AT.cookies + cookie]! += 1
}

/** Hot. */
export function countNsid(cells: Float64Array): void {
  cells[AT.nsid]! += 1
}

/** Counts a reply that says why it says no more. Hot. */
export function countError(cells: Float64Array, infoCode: number): void {
  cells[AT.errors + infoCode]! += 1
}

/** Counts a reply. Hot. */
export function countResponse(
  cells: Float64Array,
  over: number,
  rcode: number,
  octets: number,
): void {
  cells[AT.responses + (rcode < RCODES ? rcode : RCODES - 1)]! += 1
  countSize(cells, AT.responseSizes + over * SIZES, octets)
}

/** Counts the scope of a reply that echoes a subnet of that family. Hot. */
export function countScope(cells: Float64Array, family: 4 | 6, scope: number): void {
  cells[AT.scopes + (family === 4 ? 0 : SCOPES) + scope]! += 1
}

/** Hot. */
function countSize(cells: Float64Array, row: number, octets: number): void {
  let bucket = 0
  while (bucket < BOUNDS && octets > SIZE_BOUNDS[bucket]!) bucket += 1
  cells[row + bucket]! += 1
  cells[row + SIZE_SUM]! += octets
}
