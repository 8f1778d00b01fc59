/**
 * Whom an answer is for, and how far it holds: the block of the subnet told, else of the peer.
 * RFC 7871 §7.1.2, §7.2.1, §10. Reads the client, never health: the scope is a matter of the map.
 */
import type { Address } from '../dns/address.ts'
import type { ClientSubnet } from '../dns/subnet.ts'
import { leafBits, leafValue } from '../geo/tree.ts'
import type { Decision } from './decision.ts'
import { clientBits } from './draws.ts'
import { isTailored, lookUp, rankingOf, SPECIAL, type Steering } from './steering.ts'

/**
 * Finds ranking, scope, and what later choices are drawn by. Hot.
 *
 * A subnet shorter than its block gets the block of its zero-padded address: the scope then says
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
  into.blockFamily = 0
  into.blockBits = 0
  into.keyFamily = 0
  into.peer = peer
  into.ranking = steering.fallback[slot]!
  into.special = false
  into.located = 'nobody'
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
  const isPlace = locateBy(steering, slot, family, subnet.address, into)
  into.scope = into.blockBits
  into.special = !isPlace
  if (isPlace) into.located = 'subnet'
  return isPlace
}

/** The peer's own block, or the default branch where its address is special. Hot. */
function locatePeer(steering: Steering, slot: number, peer: Address, into: Decision): void {
  if (locateBy(steering, slot, peer.family, peer.octets, into)) {
    into.located = 'peer'
    return
  }
  into.blockFamily = 0
  into.blockBits = 0
  if (!isSticky(steering, slot, into.ranking)) return
  setKey(into, peer.family, peer.octets, quantumOf(steering, slot, peer.family, peer.octets))
}

/**
 * Hot.
 *
 * @returns false where the address is in a special block, and then nothing but that block
 */
function locateBy(
  steering: Steering,
  slot: number,
  family: 4 | 6,
  octets: Uint8Array,
  into: Decision,
): boolean {
  const found = lookUp(steering, steering.shape[slot]!, family, octets)
  const bits = leafBits(found)
  into.blockFamily = family
  into.blockBits = bits
  if (leafValue(found) === SPECIAL) return false
  into.ranking = rankingOf(steering, slot, leafValue(found))
  let keyBits = bits
  if (isSticky(steering, slot, into.ranking)) {
    keyBits = quantumOf(steering, slot, family, octets)
    into.blockBits = Math.max(bits, keyBits)
  }
  setKey(into, family, octets, keyBits)
  return true
}

/** Hot. */
function setKey(into: Decision, family: 4 | 6, octets: Uint8Array, bits: number): void {
  into.keyFamily = family
  into.keyOctets = octets
  into.keyBits = bits
}

/** Tells whether the clients of a ranking are kept at their targets. Hot. */
function isSticky(steering: Steering, slot: number, ranking: number): boolean {
  return steering.sticky[slot] === 1 && steering.rankingSticky[ranking] === 1
}

/** Bits of the block whose clients share a target. Hot. */
function quantumOf(steering: Steering, slot: number, family: 4 | 6, octets: Uint8Array): number {
  const quantum4 = steering.quantum4[slot]!
  return family === 4 ? quantum4 : clientBits(octets, quantum4, steering.quantum6[slot]!)
}
