/**
 * Whether a reply is right: held against what arithmetic says, octet by octet. Reads messages by itself
 * and shares nothing with any server here.
 */
import type { Questions } from './questions.ts'

/** How much of a reply is looked at; each looks at what those before do, too. */
export const STRICTNESS = { reply: 0, rcode: 1, addresses: 2, scope: 3 } as const
export type Strictness = (typeof STRICTNESS)[keyof typeof STRICTNESS]

/** `OTHER`: the server says that it cannot or will not (SERVFAIL, REFUSED …). */
export const RIGHT = 0
export const WRONG = 1
export const OTHER = 2
export type Outcome = typeof RIGHT | typeof WRONG | typeof OTHER

const HEADER = 12
/** Owner, as a pointer; type, class, TTL, length. */
const FIXED = 12
const ECS = 8

/**
 * Judges one reply, whose id is known to be right. Hot: once per reply, in the generator.
 *
 * @param number the query that it answers
 * @param from   offset of the reply in `octets`
 * @param end    offset after it
 */
export function check(
  set: Questions,
  number: number,
  octets: Uint8Array,
  from: number,
  end: number,
  strictness: Strictness,
): Outcome {
  if (end - from < HEADER || (octets[from + 2]! & 0x80) === 0) return WRONG
  if (strictness === STRICTNESS.reply) return RIGHT
  const rcode = octets[from + 3]! & 15
  if (rcode !== 0 && rcode !== 3) return OTHER
  const isTruncated = (octets[from + 2]! & 2) !== 0
  if (rcode !== set.rcode[number] || isTruncated) return WRONG
  if (!echoesQuestion(set, number, octets, from, end)) return WRONG
  if (strictness === STRICTNESS.rcode) return RIGHT
  const after = afterAddresses(set, number, octets, from, end)
  if (after < 0) return WRONG
  if (strictness === STRICTNESS.addresses || set.scope[number]! < 0) return RIGHT
  return holdsScope(set, number, octets, from, after, end) ? RIGHT : WRONG
}

/** One question, the one asked, its letters in the case they were asked in. Hot. */
function echoesQuestion(
  set: Questions,
  number: number,
  octets: Uint8Array,
  from: number,
  end: number,
): boolean {
  const asked = set.asked[number]!
  const start = set.start[number]!
  if (from + asked > end || u16(octets, from + 4) !== 1) return false
  for (let at = HEADER; at < asked; at += 1) {
    if (octets[from + at] !== set.octets[start + at]) return false
  }
  return true
}

/**
 * Holds the answer section against the row of addresses: all of it, each once, in any order. Hot.
 *
 * @returns offset after the section, or −1
 */
function afterAddresses(
  set: Questions,
  number: number,
  octets: Uint8Array,
  from: number,
  end: number,
): number {
  const count = set.count[number]!
  const first = set.first[number]!
  const step = set.step[number]!
  let at = from + set.asked[number]!
  if (u16(octets, from + 6) !== count) return -1
  let shift = -1
  let seen = 0
  for (let left = count; left > 0; left -= 1) {
    at = skipName(octets, at, end)
    if (at + FIXED + 2 > end || !isAddress(octets, at)) return -1
    const offset = u32(octets, at + 10) - first
    at += FIXED + 2
    if (shift < 0) shift = step === 0 ? 0 : offset - (offset % step)
    if (offset < shift || offset - shift >= count) return -1
    seen |= 1 << (offset - shift)
  }
  return seen === 2 ** count - 1 ? at : -1
}

/** An A of class IN with four octets, behind its owner. Hot. */
function isAddress(octets: Uint8Array, at: number): boolean {
  return u16(octets, at) === 1 && u16(octets, at + 2) === 1 && u16(octets, at + 8) === 4
}

/** Looks for OPT among the records that are left, and in it for the subnet as it was asked. Hot. */
function holdsScope(
  set: Questions,
  number: number,
  octets: Uint8Array,
  from: number,
  after: number,
  end: number,
): boolean {
  let at = after
  let left = u16(octets, from + 8) + u16(octets, from + 10)
  while (left > 0 && at < end) {
    const isOpt = octets[at] === 0 && u16(octets, at + 1) === 41
    at = skipName(octets, at, end)
    const length = u16(octets, at + 8)
    if (isOpt) return holdsSubnet(set, number, octets, at + 10, Math.min(end, at + 10 + length))
    at += 10 + length
    left -= 1
  }
  return false
}

/** The query's subnet is the end of its message: family, source, scope, three octets. Hot. */
function holdsSubnet(
  set: Questions,
  number: number,
  octets: Uint8Array,
  from: number,
  end: number,
): boolean {
  let at = from
  while (at + 4 <= end && u16(octets, at) !== ECS) at += 4 + u16(octets, at + 2)
  if (at + 11 > end || u16(octets, at + 2) !== 7) return false
  const asked = set.start[number]! + set.length[number]! - 11
  for (let i = 4; i < 11; i += 1) {
    const expected = i === 7 ? set.scope[number] : set.octets[asked + i]
    if (octets[at + i] !== expected) return false
  }
  return true
}

/** Hot. @returns offset after a name, compressed or not; `end` or more where it is not whole */
function skipName(octets: Uint8Array, from: number, end: number): number {
  let at = from
  while (at < end) {
    const length = octets[at]!
    if (length === 0) return at + 1
    if (length >= 0xc0) return at + 2
    at += 1 + length
  }
  return end
}

/** Hot. 0 past the end of the buffer. */
function u16(octets: Uint8Array, at: number): number {
  return (octets[at]! << 8) | octets[at + 1]!
}

/** Hot. */
function u32(octets: Uint8Array, at: number): number {
  return ((octets[at]! << 24) | (u16(octets, at + 1) << 8) | octets[at + 3]!) >>> 0
}
