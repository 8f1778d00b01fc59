/**
 * read: octets become a query, or a refusal, or nothing. The order of the checks is a decision:
 * length and QR, opcode, QDCOUNT, number of OPT, VERSION, options, class. What the zones hold is
 * not known here.
 */
import { readOpt } from '../dns/edns.ts'
import { FLAG, HEADER, OPCODE, opcodeOf, RCODE } from '../dns/message.ts'
import { readName } from '../dns/name.ts'
import { u16 } from '../dns/octets.ts'
import { CLASS, TYPE } from '../dns/rrtype.ts'
import { COOKIE } from '../guard/cookies.ts'
import type { Desk } from './desk.ts'
import { readOptions } from './heed.ts'
import type { Peer } from './peer.ts'
import type { Query } from './query.ts'
import { REASON } from './reasons.ts'

/** Read, and nothing against answering it: go on to find. */
export const ASK = -1
/** Say nothing: not a query, or too short to be one. */
export const DROP = -2

/** Largest UDP reply: no fragment on any common path. RFC 9715 §3.1. */
export const UDP_LIMIT = 1232
/** UDP size of a client without EDNS. RFC 1035 §4.2.1. */
const PLAIN_LIMIT = 512

/**
 * Reads one message into the desk's query. Hot: once per message.
 *
 * @returns `ASK`, `DROP`, or the RCODE to answer with: then there is nothing more to be said
 */
export function read(desk: Desk, octets: Uint8Array, length: number, peer: Peer): number {
  const into = desk.query
  if (length < HEADER) return DROP
  begin(into, octets, length, peer)
  if ((into.flags & FLAG.QR) !== 0) return DROP // never a reply to a reply

  const end = readSections(octets, length, into)
  if (opcodeOf(octets) !== OPCODE.QUERY) return refuseOpcode(desk, end)
  const { edns } = into
  const questions = u16(octets, 4)
  if (end === -1 || (questions === 0 && !edns.present)) return RCODE.FORMERR // RFC 9619 §4
  if (edns.present) {
    if (peer.transport === 'udp') into.limit = udpLimit(edns.size)
    if (edns.version !== 0) return RCODE.BADVERS // RFC 6891 §6.1.3: options are not looked at
    if (!readOptions(desk, octets, peer)) return RCODE.FORMERR
  }
  return questions === 0 ? refuseNothing(desk) : refuseQuestion(desk)
}

/** Forgets the last message. Hot. */
function begin(into: Query, octets: Uint8Array, length: number, { transport }: Peer): void {
  into.id = u16(octets, 0)
  into.length = length
  into.flags = u16(octets, 2)
  into.questionEnd = HEADER
  into.edns.present = false
  into.subnet.family = 0
  into.asked = 0
  into.cookie = COOKIE.none
  into.limit = transport === 'udp' ? PLAIN_LIMIT : 65_535
}

/** An opcode we do not have: nothing in the message can be trusted to be what QUERY has there. Hot. */
function refuseOpcode({ query, reply }: Desk, end: number): number {
  if (end === -1) query.edns.present = false
  reply.reason = REASON.opcode
  return RCODE.NOTIMP
}

/** Only a cookie can be asked for without a question. RFC 7873 §5.4. Hot. */
function refuseNothing({ query, reply }: Desk): number {
  if (query.cookie === COOKIE.invalid) return RCODE.BADCOOKIE
  if (query.cookie !== COOKIE.none) return RCODE.NOERROR
  reply.reason = REASON.question
  return RCODE.FORMERR
}

/** Hot. Classes and types that no zone here can answer. */
function refuseQuestion({ query, reply }: Desk): number {
  const { class: asked, type } = query
  const isOurs = asked === CLASS.IN || asked === CLASS.CH
  // Zone transfer is not served: never an answer that looks like "up to date" (RFC 1995 §4).
  if (isOurs && type !== TYPE.AXFR && type !== TYPE.IXFR) return ASK
  reply.reason = isOurs ? REASON.transfer : REASON.class
  return RCODE.REFUSED
}

/** RFC 6891 §6.2.3: less than 512 counts as 512. Hot. */
function udpLimit(size: number): number {
  return Math.min(Math.max(size, PLAIN_LIMIT), UDP_LIMIT)
}

/**
 * Walks the question and the three record sections and picks up the OPT record. Hot.
 *
 * @returns the end of the message, or −1 where it is malformed
 */
function readSections(octets: Uint8Array, length: number, into: Query): number {
  const questions = u16(octets, 4)
  if (questions > 1) return -1
  let at = questions === 1 ? readQuestion(octets, length, into) : HEADER
  const before = u16(octets, 6) + u16(octets, 8)
  const additional = u16(octets, 10)
  for (let record = 0; record < before && at !== -1; record += 1) {
    at = skipRecord(octets, at, length)
  }
  for (let record = 0; record < additional && at !== -1; record += 1) {
    at = readAdditional(octets, at, length, into)
  }
  return at === length ? at : -1 // nothing may follow the last record
}

/** Hot. A compressed QNAME is refused: there is nothing in front of it to point at. */
function readQuestion(octets: Uint8Array, length: number, into: Query): number {
  const at = readName(octets, HEADER, length, into.name)
  if (at === -1 || at !== HEADER + into.name.length || at + 4 > length) return -1
  into.type = u16(octets, at)
  into.class = u16(octets, at + 2)
  into.questionEnd = at + 4
  return at + 4
}

/** Steps over a record of the answer or authority section, where OPT may not stand. Hot. */
function skipRecord(octets: Uint8Array, at: number, length: number): number {
  const owner = skipName(octets, at, length)
  if (owner === -1 || owner + 10 > length || u16(octets, owner) === TYPE.OPT) return -1
  const end = owner + 10 + u16(octets, owner + 8)
  return end > length ? -1 : end
}

/** Keeps the one OPT record, owned by the root; steps over all else. RFC 6891 §6.1.1, §6.1.2. Hot. */
function readAdditional(octets: Uint8Array, at: number, length: number, into: Query): number {
  const owner = skipName(octets, at, length)
  if (owner === -1 || owner + 10 > length) return -1
  if (u16(octets, owner) !== TYPE.OPT) return skipRecord(octets, at, length)
  if (into.edns.present || owner !== at + 1) return -1
  return readOpt(octets, owner, length, into.edns)
}

/** Hot. The first octet after a name that is not needed, or −1. */
function skipName(octets: Uint8Array, at: number, length: number): number {
  while (at < length) {
    const octet = octets[at]!
    if (octet === 0) return at + 1
    if (octet >= 0xc0) return at + 2 <= length ? at + 2 : -1
    if (octet > 63) return -1
    at += octet + 1
  }
  return -1
}
