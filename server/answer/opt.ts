/**
 * The OPT record of a reply and the options in it: each that the query asked for, and what there is
 * to say of a refusal. Room for them is kept before there are records, but for the reason of a
 * refusal and for padding, which take what is left: neither ever cuts an answer short.
 */
import { endOpt, FLAG_DO, OPT_LENGTH, putOpt } from '../dns/edns.ts'
import { copyOctets } from '../dns/octets.ts'
import {
  ASKED,
  BARE_ERROR,
  KEEPALIVE_OPTION,
  OPTION_HEAD,
  putError,
  putKeepalive,
  putPadding,
} from '../dns/options.ts'
import { clientSubnetLength, putClientSubnet } from '../dns/subnet.ts'
import { COOKIE, COOKIE_OPTION, putCookie } from '../guard/cookies.ts'
import type { Desk } from './desk.ts'
import type { Peer } from './peer.ts'
import type { Query } from './query.ts'
import { UDP_LIMIT } from './read.ts'
import { REASON, REASONS } from './reasons.ts'

/** Octets to keep free for OPT and what it must carry; 0: there is none. Hot: once per message. */
export function optLength({ query, world }: Desk, peer: Peer): number {
  if (!query.edns.present) return 0
  let length = OPT_LENGTH + subnetLength(query)
  if (query.cookie !== COOKIE.none) length += COOKIE_OPTION
  if (query.asked === 0) return length
  if ((query.asked & ASKED.NSID) !== 0) length += world.nsid.length
  if (isKept(query, peer)) length += KEEPALIVE_OPTION
  return isPadded(query, peer) ? length + OPTION_HEAD : length
}

/** Hot. */
function subnetLength({ subnet }: Query): number {
  return subnet.family === 0 ? 0 : OPTION_HEAD + clientSubnetLength(subnet)
}

/** RFC 7828 §3.3.2. Hot. */
function isKept({ asked }: Query, { keepalive }: Peer): boolean {
  return (asked & ASKED.KEEPALIVE) !== 0 && keepalive > 0
}

/** RFC 8467 §3: where nobody can read it anyway, size is all there is to see. Hot. */
function isPadded({ asked }: Query, { transport }: Peer): boolean {
  return (asked & ASKED.PADDING) !== 0 && (transport === 'tls' || transport === 'https')
}

/**
 * Writes the record. RFC 6891 §6.1.1: it is there exactly where the query had one. Hot.
 *
 * @param at after the last of all other records
 */
export function putOptRecord(desk: Desk, peer: Peer, out: DataView, at: number): number {
  const { jar, present, query, reply, world } = desk
  const flags = query.edns.flagDo ? FLAG_DO : 0 // RFC 3225 §3
  let end = putOpt(out, at, UDP_LIMIT, reply.rcode >> 4, flags)
  if (query.cookie !== COOKIE.none) {
    end = putCookie(jar, world.cookies, out, end, peer, present)
  }
  if (query.asked !== 0) end = putAsked(desk, peer, out, end)
  if (reply.reason !== REASON.none) end = putReason(desk, peer, out, end)
  if (query.subnet.family !== 0) end = putClientSubnet(out, end, query.subnet, reply.scope)
  if (isPadded(query, peer)) end = putPadding(out, end, query.limit)
  if (end !== at + OPT_LENGTH) endOpt(out, at, end)
  return end
}

/** What some query asks for. Hot. */
function putAsked({ query, world }: Desk, peer: Peer, out: DataView, at: number): number {
  const { nsid } = world
  const isNamed = (query.asked & ASKED.NSID) !== 0
  const end = isNamed ? copyOctets(out, at, nsid, 0, nsid.length) : at
  return isKept(query, peer) ? putKeepalive(out, end, peer.keepalive) : end
}

/**
 * Says why, as far as there is room; where there is none, says nothing and means nothing by it. Hot.
 *
 * A text goes to who has shown that the address is its own; to anybody else where the reply stays as
 * short as the query and an OPT record, not counting what a cookie takes: forged, it must not pay.
 */
function putReason(desk: Desk, { transport }: Peer, out: DataView, at: number): number {
  const { query, reply } = desk
  const { infoCode, text } = REASONS[reply.reason]!
  const rest = subnetLength(query)
  const isProven = transport !== 'udp' || query.cookie === COOKIE.valid
  const whole = at + BARE_ERROR + text.length + rest
  const grown = query.cookie === COOKIE.none ? 0 : COOKIE_GROWS
  const most = isProven ? query.limit : Math.min(query.limit, query.length + OPT_LENGTH + grown)
  const length = whole <= most ? text.length : 0
  if (at + BARE_ERROR + length + rest <= query.limit)
    return putError(out, at, infoCode, text, length)
  reply.reason = REASON.none
  return at
}

/** Octets by which a whole cookie is longer than that of a client. */
const COOKIE_GROWS = 16
