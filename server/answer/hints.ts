/**
 * What a service record hints at (RFC 9460 §7.3): the very addresses that A and AAAA queries of this
 * client are answered with now, all from one pool, and so many of them as leave the reply the size
 * that those may have. Asking for hints moves nobody's turn.
 */
import type { Address } from '../dns/address.ts'
import { OPT_LENGTH } from '../dns/edns.ts'
import type { ClientSubnet } from '../dns/subnet.ts'
import { OPTIONS, ROOM } from '../steer/fits.ts'
import { hint } from '../steer/steer.ts'
import { hasFamily, KIND, KINDS } from '../steer/steering.ts'
import { RECORD_HEAD } from '../zone/zones.ts'
import { hintOctets, PARAM_HEAD, widthOf } from './chosen.ts'
import type { Desk } from './desk.ts'

/**
 * Fills the desk's decisions. Hot.
 *
 * @param service of the slot, by its number
 */
export function chooseHints(
  desk: Desk,
  slot: number,
  service: number,
  subnet: ClientSubnet,
  peer: Address,
): void {
  const { board, chance, decision, hint6, turns, world } = desk
  const { steering } = world
  const first = hasFamily(steering, slot, 4) ? 4 : 6
  hint(steering, board, slot, first, subnet, peer, turns, chance, decision)
  if (first === 4 && hasFamily(steering, slot, 6)) {
    hint(steering, board, slot, 6, subnet, peer, turns, chance, hint6)
    if (hint6.pool !== decision.pool) hint6.count = 0 // the pool that serves has no IPv6
    decision.ttl = Math.min(decision.ttl, hint6.ttl)
  } else {
    hint6.family = 6
    hint6.count = 0
  }
  fit(desk, roomFor(desk, slot, service))
}

/** Octets that both hints may take: no reply grows past 1232, or past the slot's largest other. Hot. */
function roomFor(desk: Desk, slot: number, service: number): number {
  const { most, services } = desk.world.steering
  const { head, middle, tail } = services[service]!
  const datagram = ROOM.datagram - desk.query.questionEnd - OPT_LENGTH - OPTIONS
  const ipv4 = most[KINDS * slot + KIND.ipv4]! * (RECORD_HEAD + widthOf(4))
  const ipv6 = most[KINDS * slot + KIND.ipv6]! * (RECORD_HEAD + widthOf(6))
  const largest = Math.max(datagram, ipv4, ipv6)
  return largest - RECORD_HEAD - head.length - middle.length - tail.length
}

/** Where there is no room for all, IPv4 keeps half of it and IPv6 the rest. Hot. */
function fit({ decision, hint6 }: Desk, room: number): void {
  const half = hint6.count === 0 ? room : room >> 1
  decision.count = Math.min(decision.count, within(half, widthOf(decision.family)))
  const left = room - hintOctets(decision, decision.family)
  hint6.count = Math.min(hint6.count, within(left, widthOf(6)))
}

/** How many addresses a parameter of so many octets holds. Hot. */
function within(room: number, width: number): number {
  return Math.max(0, Math.floor((room - PARAM_HEAD) / width))
}
