/**
 * The straight line and what is wrapped around it: every message that a transport shows is let in or
 * turned away here, answered, held against limits, and counted. What is counted and limited is read
 * off the desk afterwards; the line itself knows nothing of it.
 */
import { FLAG, HEADER, RCODE } from '../dns/message.ts'
import { ASKED } from '../dns/options.ts'
import { CLASS } from '../dns/rrtype.ts'
import { countAnswer, type Tallies } from '../guard/answers.ts'
import { COOKIE } from '../guard/cookies.ts'
import { meet, sourceHash, trust } from '../guard/known.ts'
import { admit, isMeeting, OVER_SHARE, SERVE, STRANGER, TRUNCATE } from '../guard/overload.ts'
import { limit, PASS, SLIP, TELLS } from '../guard/rrl.ts'
import {
  CUT,
  countCookie,
  countCut,
  countDnssecOk,
  countDrop,
  countError,
  countNsid,
  countRequest,
  countResponse,
  countScope,
  DROP,
  OTHERS,
  OVER,
  TYPES,
} from '../guard/tally.ts'
import type { Desk } from './desk.ts'
import type { Peer } from './peer.ts'
import type { Query } from './query.ts'
import { REASON, REASONS } from './reasons.ts'
import { isSteered, KIND } from './reply.ts'
import { serve, serveTruncated, truncate } from './serve.ts'

/** Answers one message, and counts it. Hot. See `serve`. */
export function attend(
  desk: Desk,
  tallies: Tallies,
  octets: Uint8Array,
  length: number,
  out: Uint8Array,
  peer: Peer,
): number {
  if (peer.transport !== 'udp') {
    meetProven(desk, peer)
    return told(desk, tallies, length, out, serve(desk, octets, length, out, peer), peer)
  }
  const entrance = enter(desk, peer)
  if (entrance === OVER_SHARE || entrance === STRANGER) {
    countDrop(tallies.cells, entrance === STRANGER ? DROP.stranger : DROP.share)
    return 0
  }
  if (entrance === TRUNCATE) {
    countCut(tallies.cells, CUT.stranger)
    return told(desk, tallies, length, out, serveTruncated(desk, octets, length, out, peer), peer)
  }
  const written = serve(desk, octets, length, out, peer)
  if (desk.query.cookie === COOKIE.valid) meetProven(desk, peer)
  const left =
    desk.world.guard.rrl.kind === 'off' ? written : held(desk, tallies, out, written, peer)
  return left === 0 && written > 0 ? 0 : told(desk, tallies, length, out, left, peer)
}

/** Who asks is where it says: it has made a connection, or brings a cookie of ours. Hot. */
function meetProven({ guard }: Desk, peer: Peer): void {
  const { known } = guard.limits
  trust(known, sourceHash(known, peer))
}

/** Who may enter; in quiet times all, of whom some are met. Hot: once per datagram. */
function enter({ guard, world }: Desk, peer: Peer): number {
  const { limits, overload } = guard
  if (overload.isShedding && world.guard.shedding === 'on') {
    return admit(overload, sourceHash(limits.known, peer))
  }
  if (isMeeting(overload)) meet(limits.known, sourceHash(limits.known, peer))
  return SERVE
}

/**
 * Holds a reply against the rate limits. Hot: where there are any.
 *
 * @returns octets that are left of it
 */
function held(
  desk: Desk,
  { cells }: Tallies,
  out: Uint8Array,
  written: number,
  peer: Peer,
): number {
  const { guard, query, world } = desk
  if (written === 0 || query.cookie === COOKIE.valid) return written // RFC 7873 §5.2.4: no forged source
  const { rrl: policy } = world.guard
  const what = tellsOf(desk)
  const verdict = limit(guard.rrl, policy, peer, what, numberOf(desk, what), guard.ticks)
  if (verdict === PASS) return written
  if (policy.kind === 'log-only') {
    countCut(cells, CUT.shown)
    return written
  }
  if (verdict === SLIP) {
    countCut(cells, CUT.rate)
    return truncate(desk, out, peer)
  }
  countDrop(cells, DROP.rate)
  return 0
}

/** What the reply tells, as limits see it. Hot. */
function tellsOf({ reply }: Desk): number {
  if (reply.rcode === RCODE.NXDOMAIN) return TELLS.nxdomain
  if (reply.rcode !== RCODE.NOERROR) return TELLS.error
  if (reply.entries === 0) return TELLS.nodata
  const last = reply.kind[reply.entries - 1]!
  if (last === KIND.DENIAL) return TELLS.nodata
  return last === KIND.GLUE ? TELLS.referral : TELLS.answer
}

/** The same for replies that are alike: of a wildcard, of all that is not in a zone, of a cut. Hot. */
function numberOf({ finding, query }: Desk, what: number): number {
  if (what === TELLS.error || query.class !== CLASS.IN) return -1
  if (what === TELLS.nxdomain) return finding.soa
  return what === TELLS.answer ? Math.imul(query.type, 0x9e3779b1) ^ finding.node : finding.node
}

/** Counts what became of a message. Hot. @returns octets that are sent */
function told(
  desk: Desk,
  tallies: Tallies,
  length: number,
  out: Uint8Array,
  written: number,
  peer: Peer,
): number {
  if (written === 0) countDrop(tallies.cells, length < HEADER ? DROP.short : DROP.response)
  else count(desk, tallies, length, out, written, peer)
  return written
}

/** Hot: once per message that is answered. */
function count(
  { decision, query, reply }: Desk,
  tallies: Tallies,
  length: number,
  out: Uint8Array,
  written: number,
  peer: Peer,
): void {
  const { cells } = tallies
  const over = overOf(peer)
  countRequest(cells, over, peer.family, typeOf(query), length)
  if (query.edns.present && query.edns.flagDo) countDnssecOk(cells)
  countResponse(cells, over, reply.rcode, written)
  if (query.cookie !== COOKIE.none) countCookie(cells, query.cookie)
  if ((query.asked & ASKED.NSID) !== 0) countNsid(cells)
  if (query.edns.present && reply.reason !== REASON.none) {
    countError(cells, REASONS[reply.reason]!.infoCode)
  }
  const { family } = query.subnet
  if (family !== 0) countScope(cells, family, reply.scope)
  if (!isSteered(reply) || decision.pool < 0 || (out[2]! & TRUNCATED) !== 0) return
  countAnswer(tallies, decision.slot, decision.pool)
}

/** Of the third octet: what did not fit is no answer yet. */
const TRUNCATED = FLAG.TC >> 8

/** Hot. */
function overOf({ transport }: Peer): number {
  if (transport === 'udp') return OVER.udp
  if (transport === 'tcp') return OVER.tcp
  return transport === 'tls' ? OVER.dot : OVER.doh
}

/** A type, or one of `OTHERS`. Hot. */
function typeOf({ class: asked, questionEnd, type }: Query): number {
  if (questionEnd === HEADER) return OTHERS.none
  if (asked !== CLASS.IN) return OTHERS.notIn
  return type < TYPES ? type : OTHERS.other
}
