/**
 * What a rule chose, as octets: addresses, a host name, or a service record with addresses for
 * hints (RFC 9460 §7.3). The decisions are on the desk; what they mean is not known here.
 */
import { putName, putRecord } from '../dns/compress.ts'
import { copyOctets, copyWords } from '../dns/octets.ts'
import { CLASS, TYPE } from '../dns/rrtype.ts'
import type { Decision } from '../steer/decision.ts'
import { RECORD_HEAD } from '../zone/zones.ts'
import type { Desk } from './desk.ts'
import { SECTION } from './reply.ts'

/** A pointer to offset 12, where the question's name always starts. RFC 1035 §4.1.4. */
const QUESTION_NAME = 0xc00c
const ROOT_LENGTH = 1
/** SvcParamKeys. RFC 9460 §14.3.2. */
const IPV4_HINT = 4
const IPV6_HINT = 6
/** Key and length before a parameter's value. RFC 9460 §2.2. */
export const PARAM_HEAD = 4
/** Type, class, TTL and length between an owner and its data. */
const FIXED = 10

/** The addresses chosen, in the order chosen. Hot: once per steered query. */
export function putAddresses(
  desk: Desk,
  owner: number,
  out: DataView,
  at: number,
  limit: number,
): number {
  const { count, family } = desk.decision
  const isPointed = isQuestion(desk, owner)
  if (isPointed && at + count * (RECORD_HEAD + widthOf(family)) > limit) return -1
  const next = isPointed ? putPointed(desk, out, at) : putNamed(desk, owner, out, at, limit)
  if (next !== -1) desk.counts[SECTION.ANSWER]! += count
  return next
}

/** Owned by the question's name: a pointer each. Hot. The caller knows that they fit. */
function putPointed(desk: Desk, out: DataView, at: number): number {
  const { decision, targets: octets, world } = desk
  const { count, family, targets, ttl } = decision
  const { targetStart } = world.steering
  const type = family === 4 ? TYPE.A : TYPE.AAAA
  const width = widthOf(family)
  let next = at
  for (let place = 0; place < count; place += 1) {
    const from = targetStart[targets[place]!]!
    out.setInt16(next, QUESTION_NAME)
    putFixed(out, next + 2, type, ttl, width)
    next += RECORD_HEAD
    for (let octet = 0; octet < width; octet += 4) {
      out.setInt32(next + octet, octets.getInt32(from + octet))
    }
    next += width
  }
  return next
}

/** Owned by another name of the chain. Hot. */
function putNamed(desk: Desk, owner: number, out: DataView, at: number, limit: number): number {
  const { count, family, targets, ttl } = desk.decision
  const { targetStart } = desk.world.steering
  const width = widthOf(family)
  let next = at
  for (let place = 0; place < count; place += 1) {
    next = putOwner(desk, owner, out, next, limit)
    if (next === -1 || next + FIXED + width > limit) return -1
    next = putFixed(out, next, family === 4 ? TYPE.A : TYPE.AAAA, ttl, width)
    next = copyWords(out, next, desk.targets, targetStart[targets[place]!]!, width)
  }
  return next
}

/** Tells whether a pointer at the question stands for a name of the chain: the root has none. Hot. */
export function isQuestion(desk: Desk, owner: number): boolean {
  return owner === 0 && desk.query.name.length > ROOT_LENGTH
}

/** A name of the chain as an owner: a pointer at the question wherever it is that. Hot. */
function putOwner(desk: Desk, owner: number, out: DataView, at: number, limit: number): number {
  if (!isQuestion(desk, owner)) {
    return putName(desk.compressor, out, at, limit, desk.chain[owner]!.octets, 0)
  }
  if (at + 2 > limit) return -1
  out.setInt16(at, QUESTION_NAME)
  return at + 2
}

/** What stands between owner and data. Hot. */
function putFixed(out: DataView, at: number, type: number, ttl: number, length: number): number {
  out.setInt32(at, (type << 16) | CLASS.IN)
  out.setInt32(at + 4, ttl)
  out.setInt16(at + 8, length)
  return at + FIXED
}

/** The CNAME to the host chosen. Hot. */
export function putHost(
  desk: Desk,
  owner: number,
  out: DataView,
  at: number,
  limit: number,
): number {
  const { targets, ttl } = desk.decision
  const { octets, targetStart } = desk.world.steering
  const host = targets[0]!
  const from = targetStart[host]!
  const length = targetStart[host + 1]! - from
  const name = desk.chain[owner]!.octets
  const c = desk.compressor
  const { IN } = CLASS
  const next = putRecord(c, out, at, limit, name, 0, TYPE.CNAME, IN, ttl, octets, from, length)
  if (next !== -1) desk.counts[SECTION.ANSWER]! += 1
  return next
}

/** The one service record, keys ascending, names not compressed (RFC 9460 §2.2). Hot. */
export function putService(
  desk: Desk,
  owner: number,
  service: number,
  out: DataView,
  at: number,
  limit: number,
): number {
  const { decision, hint6, world } = desk
  const { head, middle, tail, type } = world.steering.services[service]!
  const six = decision.family === 6 ? decision : hint6
  const hints = hintOctets(decision, 4) + hintOctets(six, 6)
  const length = head.length + middle.length + tail.length + hints
  let next = putOwner(desk, owner, out, at, limit)
  if (next === -1 || next + FIXED + length > limit) return -1
  next = putFixed(out, next, type, decision.ttl, length)
  next = copyOctets(out, next, head, 0, head.length)
  next = putHint(desk, decision, 4, out, next)
  next = copyOctets(out, next, middle, 0, middle.length)
  next = putHint(desk, six, 6, out, next)
  next = copyOctets(out, next, tail, 0, tail.length)
  desk.counts[SECTION.ANSWER]! += 1
  return next
}

/** Octets of a parameter. Hot. No addresses of a family, no hint: RFC 9460 §7.3 wants some. */
export function hintOctets({ count, family }: Decision, wanted: 4 | 6): number {
  if (family !== wanted || count === 0) return 0
  return PARAM_HEAD + widthOf(family) * count
}

/** Hot. The caller knows that it fits. */
function putHint(desk: Desk, made: Decision, wanted: 4 | 6, out: DataView, at: number): number {
  const { count, family, targets } = made
  if (family !== wanted || count === 0) return at
  const { targetStart } = desk.world.steering
  const width = widthOf(family)
  out.setInt32(at, ((family === 4 ? IPV4_HINT : IPV6_HINT) << 16) | (width * count))
  let next = at + PARAM_HEAD
  for (let place = 0; place < count; place += 1) {
    next = copyWords(out, next, desk.targets, targetStart[targets[place]!]!, width)
  }
  return next
}

/** Octets of an address. Hot. */
export function widthOf(family: 4 | 6): number {
  return family === 4 ? 4 : 16
}
