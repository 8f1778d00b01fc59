/**
 * Whom an answer is for, and how far it holds: the leaf of the subnet told, else of the peer.
 * RFC 7871 §7.1.2, §7.2.1, §10. Reads the client, never health: the scope is a matter of the map.
 */
import type { Address } from '../dns/address.ts'
import type { ClientSubnet } from '../dns/subnet.ts'
import { leafBits, leafValue, lookup } from '../geo/tree.ts'
import type { Decision } from './decision.ts'
import { isTailored, rankingOf, rootOf, SPECIAL, type Steering } from './steering.ts'

/**
 * Finds ranking and scope. Hot.
 *
 * A subnet shorter than its leaf gets the leaf of its zero-padded address: the scope then says
 * that more bits were wanted.
 */
export function locate(
  steering: Steering,
  slot: number,
  subnet: ClientSubnet,
  peer: Address,
  into: Decision,
): void {
  into.scope = 0
  into.special = false
  into.located = 'nobody'
  into.ranking = steering.fallback[slot]!
  if (!isTailored(steering, slot)) return
  // §7.1.2: SOURCE 0 is a client that would rather not be located.
  const told = subnet.family !== 0 && subnet.source !== 0
  if (!told || !locateSubnet(steering, slot, subnet, into)) locatePeer(steering, slot, peer, into)
}

/**
 * Hot.
 *
 * @returns false where the subnet is in a special block: such an address tells nothing of its
 *   client (§10), but the scope keeps the block apart from its neighbours
 */
function locateSubnet(
  steering: Steering,
  slot: number,
  subnet: ClientSubnet,
  into: Decision,
): boolean {
  const family = subnet.family === 4 ? 4 : 6
  const found = lookup(steering.cells, rootOf(steering, slot, family), subnet.address)
  into.scope = leafBits(found)
  into.special = leafValue(found) === SPECIAL
  if (into.special) return false
  into.ranking = rankingOf(steering, slot, leafValue(found))
  into.located = 'subnet'
  return true
}

/** The peer's own leaf, or the default branch where its address is special. Hot. */
function locatePeer(steering: Steering, slot: number, peer: Address, into: Decision): void {
  const found = lookup(steering.cells, rootOf(steering, slot, peer.family), peer.octets)
  if (leafValue(found) === SPECIAL) return
  into.ranking = rankingOf(steering, slot, leafValue(found))
  into.located = 'peer'
}
