/**
 * The options of a query: which of them want an answer, and whether each that we know is as its RFC
 * wants it. All are looked at, whatever is wrong with one, so that a refusal can answer the others.
 * What is unknown is passed over (RFC 6891 §6.1.2).
 */
import { OPTION } from '../dns/edns.ts'
import { u16 } from '../dns/octets.ts'
import { ASKED, OPTION_HEAD } from '../dns/options.ts'
import { FLAW, readClientSubnet, subnetFlaw } from '../dns/subnet.ts'
import { COOKIE, isCookieLength, takeCookie } from '../guard/cookies.ts'
import type { Desk } from './desk.ts'
import type { Peer } from './peer.ts'
import { REASON } from './reasons.ts'

/** No option has this code: stands for one that is switched off (RFC 7871 §7.2.1). */
const UNREAD = -1

/** By `FLAW`. */
const SUBNET_REASONS = new Uint8Array(6)
SUBNET_REASONS[FLAW.length] = REASON.subnetLength
SUBNET_REASONS[FLAW.family] = REASON.subnetFamily
SUBNET_REASONS[FLAW.source] = REASON.subnetSource
SUBNET_REASONS[FLAW.scope] = REASON.subnetScope
SUBNET_REASONS[FLAW.bits] = REASON.subnetBits

/**
 * Reads the options of the desk's query; their framing was checked with the OPT. Hot.
 *
 * @returns false, and the reply has the reason, where one of them asks for FORMERR
 */
export function readOptions(desk: Desk, octets: Uint8Array, peer: Peer): boolean {
  const { query, reply, world } = desk
  const { optionsAt, optionsEnd } = query.edns
  const ecs = world.ecs.enabled && peer.ecs ? OPTION.ECS : UNREAD
  const cookie = world.cookies.enabled ? OPTION.COOKIE : UNREAD
  let isTold = false // the first subnet is used: RFC 7871 is silent on several
  for (let at = optionsAt; at < optionsEnd; at += OPTION_HEAD + u16(octets, at + 2)) {
    const code = u16(octets, at)
    if (code === ecs) {
      keepSubnet(desk, octets, at, isTold)
      isTold = true
    } else if (code === cookie) keepCookie(desk, octets, at, peer)
    else if (code === OPTION.NSID)
      query.asked |= ASKED.NSID // RFC 5001 §2.1: its data is ignored
    else if (code === OPTION.PADDING) query.asked |= ASKED.PADDING
    else if (code === OPTION.KEEPALIVE) keepAlive(desk, u16(octets, at + 2), peer)
  }
  return reply.reason === REASON.none
}

/** All are checked; where one is malformed none is echoed. Hot. */
function keepSubnet({ query, reply }: Desk, octets: Uint8Array, at: number, isTold: boolean): void {
  const size = u16(octets, at + 2)
  if (readClientSubnet(octets, at + OPTION_HEAD, size, isTold ? query.spare : query.subnet)) return
  query.subnet.family = 0
  reply.reason = SUBNET_REASONS[subnetFlaw(octets, at + OPTION_HEAD, size)]!
}

/** RFC 7873 §5.2: of several, the first is considered. Hot. */
function keepCookie(desk: Desk, octets: Uint8Array, at: number, peer: Peer): void {
  const { jar, present, query, reply, world } = desk
  if (query.cookie !== COOKIE.none) return
  const size = u16(octets, at + 2)
  if (!isCookieLength(size)) reply.reason = REASON.cookie
  else {
    const from = at + OPTION_HEAD
    query.cookie = takeCookie(jar, world.cookies, octets, from, size, peer, present)
  }
}

/** RFC 7828 §3.2.1: empty in queries; §3.3.1: ignored over UDP. HTTP keeps its own connections. Hot. */
function keepAlive({ query, reply }: Desk, size: number, { transport }: Peer): void {
  if (transport !== 'tcp' && transport !== 'tls') return
  if (size === 0) query.asked |= ASKED.KEEPALIVE
  else reply.reason = REASON.keepalive
}
