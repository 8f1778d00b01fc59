/**
 * read: octets become a query, or a refusal, or nothing. The order of the checks is a decision:
 * length and QR, opcode, QDCOUNT, number of OPT, VERSION, options, ECS, class. What the zones hold is
 * not known here.
 */
import { OPTION, readOpt } from '../dns/edns.ts'
import { FLAG, HEADER, OPCODE, opcodeOf, RCODE } from '../dns/message.ts'
import { readName } from '../dns/name.ts'
import { u16 } from '../dns/octets.ts'
import { CLASS, TYPE } from '../dns/rrtype.ts'
import { readClientSubnet } from '../dns/subnet.ts'
import type { EcsPolicy } from './ecs.ts'
import type { Peer } from './peer.ts'
import type { Query } from './query.ts'

/** Read, and nothing against answering it: go on to find. */
export const ASK = -1
/** Say nothing: not a query, or too short to be one. */
export const DROP = -2

/** Largest UDP reply: no fragment on any common path. RFC 9715 §3.1. */
export const UDP_LIMIT = 1232
/** UDP size of a client without EDNS. RFC 1035 §4.2.1. */
const PLAIN_LIMIT = 512
/** No option has this code: stands for ECS where it is switched off (RFC 7871 §7.2.1). */
const UNREAD = -1

/**
 * Reads one message. Hot: once per message.
 *
 * @returns `ASK`, `DROP`, or the RCODE to refuse with
 */
export function read(
  octets: Uint8Array,
  length: number,
  peer: Peer,
  policy: EcsPolicy,
  into: Query,
): number {
  if (length < HEADER) return DROP
  into.id = u16(octets, 0)
  into.flags = u16(octets, 2)
  into.questionEnd = HEADER
  into.edns.present = false
  into.subnet.family = 0
  into.limit = peer.transport === 'udp' ? PLAIN_LIMIT : 65_535
  if ((into.flags & FLAG.QR) !== 0) return DROP // never a reply to a reply

  const end = readSections(octets, length, into)
  if (opcodeOf(octets) !== OPCODE.QUERY) return refuseOpcode(end, into)
  if (u16(octets, 4) !== 1) return RCODE.FORMERR // RFC 9619 §4
  if (end === -1) return RCODE.FORMERR
  if (into.edns.present) {
    if (peer.transport === 'udp') into.limit = udpLimit(into.edns.size)
    if (into.edns.version !== 0) return RCODE.BADVERS // RFC 6891 §6.1.3: options are not looked at
    const ecs = policy.enabled && peer.ecs ? OPTION.ECS : UNREAD
    if (!readOptions(octets, ecs, into)) return RCODE.FORMERR
  }
  return refuseQuestion(into)
}

/** An opcode we do not have: nothing in the message can be trusted to be what QUERY has there. Hot. */
function refuseOpcode(end: number, into: Query): number {
  if (end === -1) into.edns.present = false
  return RCODE.NOTIMP
}

/** Hot. Classes and types that no zone here can answer. */
function refuseQuestion(query: Query): number {
  if (query.class !== CLASS.IN && query.class !== CLASS.CH) return RCODE.REFUSED
  // Zone transfer is not served: never an answer that looks like "up to date" (RFC 1995 §4).
  if (query.type === TYPE.AXFR || query.type === TYPE.IXFR) return RCODE.REFUSED
  return ASK
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

/**
 * Looks at every ECS option; the first valid one is kept. Their framing was checked with the OPT. Hot.
 *
 * @param ecs the option code that means ECS here, or `UNREAD`
 * @returns false where RFC 7871 asks for FORMERR
 */
function readOptions(octets: Uint8Array, ecs: number, into: Query): boolean {
  let at = into.edns.optionsAt
  while (at < into.edns.optionsEnd) {
    const size = u16(octets, at + 2)
    if (u16(octets, at) === ecs && !keepSubnet(octets, at + 4, size, into)) return false
    at += 4 + size
  }
  return true
}

/** Hot. All are checked, the first is used: the RFC is silent on several. */
function keepSubnet(octets: Uint8Array, at: number, size: number, into: Query): boolean {
  const first = into.subnet.family === 0
  if (readClientSubnet(octets, at, size, first ? into.subnet : into.spare)) return true
  into.subnet.family = 0 // a malformed option is not echoed
  return false
}
