/**
 * The straight line: read, find, steer, reply, write. Octets in, octets out; nothing else happens
 * here. Every transport, `explain` and every test go through this one function.
 */

import { RCODE } from '../dns/message.ts'
import { holdsName } from '../dns/name.ts'
import { CLASS, TYPE } from '../dns/rrtype.ts'
import { COOKIE } from '../guard/cookies.ts'
import type { Desk } from './desk.ts'
import { follow } from './follow.ts'
import type { Peer } from './peer.ts'
import { ASK, DROP, read } from './read.ts'
import { REASON } from './reasons.ts'
import { add, KIND, resetReply, SECTION } from './reply.ts'
import { write } from './write.ts'

/**
 * Answers one message. Hot.
 *
 * @param octets the message is its first `length` octets
 * @param out    at least 65,535 octets, from 0
 * @returns octets written; 0: say nothing
 */
export function serve(
  desk: Desk,
  octets: Uint8Array,
  length: number,
  out: Uint8Array,
  peer: Peer,
): number {
  const outcome = take(desk, octets, length, peer)
  if (outcome === DROP) return 0
  if (outcome !== ASK) return write(desk, out, peer)
  if (isUnproven(desk, peer)) demandProof(desk)
  else if (desk.query.class === CLASS.CH) tellOfSelf(desk)
  else follow(desk, peer)
  return write(desk, out, peer)
}

/** Reads a message for a new reply, which has the code of a refusal then. Hot. */
function take(desk: Desk, octets: Uint8Array, length: number, peer: Peer): number {
  resetReply(desk.reply)
  const outcome = read(desk, octets, length, peer)
  if (outcome !== ASK && outcome !== DROP) desk.reply.rcode = outcome
  return outcome
}

/** Whether who asks has to show first that the address is its own: TCP has shown it. Hot. */
function isUnproven({ guard, query, world }: Desk, { transport }: Peer): boolean {
  const { enabled, require: demand } = world.cookies
  if (demand === 'never' || !enabled || transport !== 'udp') return false
  if (query.cookie === COOKIE.valid) return false
  return demand === 'always' || guard.overload.isShedding
}

/** Hot. BADCOOKIE brings the cookie that is wanted (RFC 7873 §5.2.3); who has none gets TC. */
function demandProof({ query, reply }: Desk): void {
  if (query.cookie === COOKIE.none) reply.isCut = true
  else reply.rcode = RCODE.BADCOOKIE
}

/**
 * Answers that the client should come over TCP, without looking for what it asks. Hot.
 *
 * @returns octets written; 0: say nothing
 */
export function serveTruncated(
  desk: Desk,
  octets: Uint8Array,
  length: number,
  out: Uint8Array,
  peer: Peer,
): number {
  const outcome = take(desk, octets, length, peer)
  if (outcome === DROP) return 0
  return outcome === ASK ? truncate(desk, out, peer) : write(desk, out, peer)
}

/** Writes the reply without records: the client should come over TCP. Hot. */
export function truncate(desk: Desk, out: Uint8Array, peer: Peer): number {
  desk.reply.entries = 0
  desk.reply.isCut = true
  return write(desk, out, peer)
}

/** Class CH: what we say of ourselves, and nothing else. Hot. */
function tellOfSelf(desk: Desk): void {
  const { query, reply, world } = desk
  reply.rcode = RCODE.REFUSED
  reply.reason = REASON.notOurs
  if (query.type !== TYPE.TXT && query.type !== TYPE.ANY) return
  for (let text = 0; text < world.chaos.length; text += 1) {
    const { owner } = world.chaos[text]!
    if (!holdsName(query.name, owner, owner.length)) continue
    reply.rcode = RCODE.NOERROR
    reply.reason = REASON.none
    reply.authoritative = true
    add(reply, SECTION.ANSWER, KIND.CHAOS, 0, text)
    return
  }
}
