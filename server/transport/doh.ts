/**
 * DNS over HTTPS (RFC 8484) as far as it is data: which query a request carries, or why it carries
 * none, and how long a reply may be kept. Knows no sockets, and neither version of HTTP.
 */
import {
  answerCount,
  authorityCount,
  HEADER,
  questionCount,
  RCODE,
  rcodeOf,
} from '../dns/message.ts'
import { holds, u8, u16, u32 } from '../dns/octets.ts'
import { TYPE } from '../dns/rrtype.ts'

/** RFC 8484 §6. */
export const DNS_MESSAGE = 'application/dns-message'
export const METHODS = 'GET, HEAD, POST'
/** Octets: as long as a message can be, RFC 1035 §4.2.2. */
export const MOST_BODY = 65_535
/** Characters of a query in a path: some 6,000 octets, and well below what a header may be. */
const MOST_TEXT = 8192

export type Request = {
  readonly method: string
  /** Path and query, as the request has them. */
  readonly target: string
  /** Its Content-Type, and its Content-Length. */
  readonly type: string | undefined
  readonly length: string | undefined
}

/** What a request asks: the message is in its path, or in the body that follows, or in neither. */
export type Asking =
  | { readonly kind: 'message'; readonly message: Uint8Array }
  | { readonly kind: 'body' }
  | { readonly kind: 'refused'; readonly status: Status }

export type Status = 400 | 404 | 405 | 413 | 414 | 415

const BODY: Asking = { kind: 'body' }

/** @param path where queries are taken */
export function askingOf({ length, method, target, type }: Request, path: string): Asking {
  const end = target.indexOf('?')
  if ((end < 0 ? target : target.slice(0, end)) !== path) return refused(404)
  if (method === 'GET' || method === 'HEAD') {
    return end < 0 ? refused(400) : inPath(target.slice(end + 1))
  }
  if (method !== 'POST') return refused(405)
  if (mediaType(type) !== DNS_MESSAGE) return refused(415)
  return length !== undefined && Number(length) > MOST_BODY ? refused(413) : BODY
}

/** RFC 8484 §4.1.1: the variable `dns`, once. */
function inPath(query: string): Asking {
  const [text, ...more] = query
    .split('&')
    .flatMap(part => (part.startsWith('dns=') ? [part.slice(4)] : []))
  if (text === undefined || more.length > 0) return refused(400)
  if (text.length > MOST_TEXT) return refused(414)
  const message = fromBase64url(text)
  return message === undefined || message.length < HEADER
    ? refused(400)
    : { kind: 'message', message }
}

function refused(status: Status): Asking {
  return { kind: 'refused', status }
}

/** Without its parameters. */
function mediaType(text = ''): string {
  return (text.split(';', 1)[0] ?? '').trim().toLowerCase()
}

/** RFC 4648 §5, without padding (RFC 8484 §6). `undefined` where it is anything else. */
export function fromBase64url(text: string): Uint8Array | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined
  const octets = Buffer.from(text, 'base64url')
  return octets.toString('base64url') === text ? octets : undefined // no stray bits at the end, §3.5
}

/**
 * Tells for how many seconds HTTP may keep a reply: the least TTL of its answers, or what its SOA says
 * of what there is not (RFC 8484 §5.1, RFC 2308 §5); 0 where it is neither.
 */
export function lifetime(reply: Uint8Array): number {
  const rcode = rcodeOf(reply)
  if (rcode !== RCODE.NOERROR && rcode !== RCODE.NXDOMAIN) return 0
  let at = HEADER
  for (let left = questionCount(reply); left > 0; left -= 1) at = afterName(reply, at) + 4
  const answers = answerCount(reply)
  return answers > 0 ? leastTtl(reply, at, answers) : denialTtl(reply, at)
}

function leastTtl(reply: Uint8Array, from: number, count: number): number {
  let least = Number.POSITIVE_INFINITY
  let at = from
  for (let left = count; left > 0; left -= 1) {
    const fixed = afterName(reply, at)
    if (!holds(reply, fixed, FIXED)) return 0
    least = Math.min(least, u32(reply, fixed + 4))
    at = fixed + FIXED + u16(reply, fixed + 8)
  }
  return least
}

/** TYPE, CLASS, TTL, RDLENGTH. */
const FIXED = 10

/** The lesser of the TTL and MINIMUM, its last field, of the SOA among the authorities. */
function denialTtl(reply: Uint8Array, from: number): number {
  let at = from
  for (let left = authorityCount(reply); left > 0; left -= 1) {
    const fixed = afterName(reply, at)
    if (!holds(reply, fixed, FIXED)) return 0
    at = fixed + FIXED + u16(reply, fixed + 8)
    if (u16(reply, fixed) !== TYPE.SOA) continue
    return holds(reply, at - 4, 4) ? Math.min(u32(reply, fixed + 4), u32(reply, at - 4)) : 0
  }
  return 0
}

/** After a name, compressed or not, of octets that we wrote. */
function afterName(octets: Uint8Array, from: number): number {
  let at = from
  while (holds(octets, at, 1)) {
    const size = u8(octets, at)
    if (size >= POINTER) return at + 2
    at += 1 + size
    if (size === 0) break
  }
  return at
}

const POINTER = 0xc0
