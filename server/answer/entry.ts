/**
 * One RRset of a reply as octets. Returns the next offset, or −1 where it does not fit: then the
 * caller takes the whole RRset back. Ready-made records are copied; names are compressed. What rules
 * chose is `chosen.ts`'s.
 */
import { putRecord, rewindCompressor } from '../dns/compress.ts'
import { copyWords, u16 } from '../dns/octets.ts'
import { nameFields } from '../dns/rdata.ts'
import { CLASS, TYPE } from '../dns/rrtype.ts'
import { isNearSoa, putDenial } from '../zone/denial.ts'
import {
  glueFrom,
  glueIsRequired,
  glueRrset,
  glueTo,
  nodeLabels,
  nodeNameAt,
  RECORD_HEAD,
  RRSET,
  rrsetWord,
} from '../zone/zones.ts'
import { CHALLENGE_TTL } from './challenge.ts'
import { isQuestion, putAddresses, putHost, putService } from './chosen.ts'
import type { Desk } from './desk.ts'
import { KIND, OWN, SECTION } from './reply.ts'

/** `"RFC8482" ""`: RFC 8482 §4.2. */
const MINIMAL_HINFO = Uint8Array.of(7, 0x52, 0x46, 0x43, 0x38, 0x34, 0x38, 0x32, 0)
const MINIMAL_TTL = 3600

/** Writes one entry and counts its records. Hot. */
export function putEntry(
  desk: Desk,
  entry: number,
  out: DataView,
  at: number,
  limit: number,
): number {
  const { reply } = desk
  const section = reply.section[entry]!
  const number = reply.number[entry]!
  const owner = reply.owner[entry]!
  switch (reply.kind[entry]) {
    case KIND.RRSET:
      return putRrset(desk, section, owner, number, out, at, limit)
    case KIND.ADDRESSES:
      return putAddresses(desk, owner, out, at, limit)
    case KIND.HOST:
      return putHost(desk, owner, out, at, limit)
    case KIND.SERVICE:
      return putService(desk, owner, number, out, at, limit)
    case KIND.RENAMED:
      return putRenamed(desk, owner, number, out, at, limit)
    case KIND.DENIAL:
      return putNothing(desk, number, out, at, limit)
    case KIND.GLUE:
      return putGlue(desk, number, out, at, limit)
    case KIND.CHALLENGE:
      return putChallenge(desk, owner, number, out, at, limit)
    case KIND.WHOAMI:
      return putWhoami(desk, owner, out, at, limit)
    case KIND.CHAOS:
      return putChaos(desk, number, out, at, limit)
    default:
      return putMinimal(desk, owner, out, at, limit)
  }
}

/** Hot. */
function putRrset(
  desk: Desk,
  section: number,
  owner: number,
  rrset: number,
  out: DataView,
  at: number,
  limit: number,
): number {
  const { zones } = desk.world
  const next =
    isQuestion(desk, owner) && nameFields(rrsetWord(zones, rrset, RRSET.TYPE)).names === 0
      ? copyRecords(desk, rrset, out, at, limit)
      : putRecords(desk, owner, rrset, out, at, limit)
  if (next === -1) rewindCompressor(desk.compressor, at)
  else desk.counts[section]! += rrsetWord(zones, rrset, RRSET.COUNT)
  return next
}

/** Ready-made records are owned by the question's name: one copy does. Hot. */
function copyRecords(desk: Desk, rrset: number, out: DataView, at: number, limit: number): number {
  const { zones } = desk.world
  const from = rrsetWord(zones, rrset, RRSET.AT)
  const length = rrsetWord(zones, rrset, RRSET.LENGTH)
  return at + length > limit ? -1 : copyWords(out, at, desk.records, from, length)
}

/** Record by record: another owner, or names to compress. Hot. */
function putRecords(
  desk: Desk,
  owner: number,
  rrset: number,
  out: DataView,
  at: number,
  limit: number,
): number {
  const { zones } = desk.world
  const { names, records } = zones
  const own = owner === OWN
  const name = own ? names : desk.chain[owner]!.octets
  const nameAt = own ? nodeNameAt(zones, rrsetWord(zones, rrset, RRSET.NODE)) : 0
  const type = rrsetWord(zones, rrset, RRSET.TYPE)
  const ttl = rrsetWord(zones, rrset, RRSET.TTL)
  const c = desk.compressor
  const { IN } = CLASS
  let next = at
  let from = rrsetWord(zones, rrset, RRSET.AT)
  for (let record = rrsetWord(zones, rrset, RRSET.COUNT); record > 0 && next !== -1; record -= 1) {
    const rdata = from + RECORD_HEAD
    const length = u16(records, rdata - 2)
    next = putRecord(c, out, next, limit, name, nameAt, type, IN, ttl, records, rdata, length)
    from = rdata + length
  }
  return next
}

/** The SOA: ready-made where nothing but the question is there that it could point at. Hot. */
function putNothing(desk: Desk, soa: number, out: DataView, at: number, limit: number): number {
  const { counts, finding, query, reply, world } = desk
  const { name } = query
  const { zone } = finding
  const { zones } = world
  const above = name.labels - nodeLabels(zones, zones.zoneApex[zone]!) - 1
  const start = name.starts[above + 1]!
  const isFirst = reply.entries === 1 && reply.step === 0
  if (!isFirst || (above >= 0 && isNearSoa(zones, zone, name, start, name.starts[above]!))) {
    return putRrset(desk, SECTION.AUTHORITY, OWN, soa, out, at, limit)
  }
  const next = putDenial(zones, desk.denials, zone, start, out, at, limit)
  if (next !== -1) counts[SECTION.AUTHORITY]! += 1
  return next
}

/** The CNAME that a DNAME makes has the DNAME's TTL. RFC 6672 §3.1. Hot. */
function putRenamed(
  desk: Desk,
  owner: number,
  dname: number,
  out: DataView,
  at: number,
  limit: number,
): number {
  const target = desk.chain[owner + 1]!
  const ttl = rrsetWord(desk.world.zones, dname, RRSET.TTL)
  const { length, octets } = target
  return putOne(desk, owner, TYPE.CNAME, CLASS.IN, ttl, octets, 0, length, out, at, limit)
}

/** Hot. */
function putMinimal(desk: Desk, owner: number, out: DataView, at: number, limit: number): number {
  const { length } = MINIMAL_HINFO
  const { IN } = CLASS
  return putOne(desk, owner, TYPE.HINFO, IN, MINIMAL_TTL, MINIMAL_HINFO, 0, length, out, at, limit)
}

/** Hot. Class CH has no caches to speak of: TTL 0. */
function putChaos(desk: Desk, text: number, out: DataView, at: number, limit: number): number {
  const { rdata } = desk.world.chaos[text]!
  return putOne(desk, 0, TYPE.TXT, CLASS.CH, 0, rdata, 0, rdata.length, out, at, limit)
}

/** Hot. */
function putChallenge(
  desk: Desk,
  owner: number,
  number: number,
  out: DataView,
  at: number,
  limit: number,
): number {
  const { rdata } = desk.challenges[number]!
  const ttl = CHALLENGE_TTL
  return putOne(desk, owner, TYPE.TXT, CLASS.IN, ttl, rdata, 0, rdata.length, out, at, limit)
}

/** Hot. The next one who asks is another: TTL 0. */
function putWhoami(desk: Desk, owner: number, out: DataView, at: number, limit: number): number {
  const { query, told } = desk
  return putOne(desk, owner, query.type, CLASS.IN, 0, told.octets, 0, told.length, out, at, limit)
}

/** One record in the answer section, owned by a name of the chain. Hot. */
function putOne(
  desk: Desk,
  owner: number,
  type: number,
  cls: number,
  ttl: number,
  rdata: Uint8Array,
  from: number,
  length: number,
  out: DataView,
  at: number,
  limit: number,
): number {
  const name = desk.chain[owner]!.octets
  const c = desk.compressor
  const next = putRecord(c, out, at, limit, name, 0, type, cls, ttl, rdata, from, length)
  if (next !== -1) desk.counts[SECTION.ANSWER]! += 1
  return next
}

/**
 * Addresses of a delegation's servers. Hot. Those inside the delegation must all be there, or TC
 * (RFC 9471 §3.1); a sibling's may be left out.
 */
function putGlue(desk: Desk, ns: number, out: DataView, at: number, limit: number): number {
  const { zones } = desk.world
  const counted = desk.counts[SECTION.ADDITIONAL]!
  let next = at
  for (let index = glueFrom(zones, ns); index < glueTo(zones, ns); index += 1) {
    const glue = glueRrset(zones, index)
    const after = putRrset(desk, SECTION.ADDITIONAL, OWN, glue, out, next, limit)
    if (after !== -1) next = after
    else if (glueIsRequired(zones, index)) {
      desk.counts[SECTION.ADDITIONAL] = counted // what was written of it is taken back
      return -1
    }
  }
  return next
}
