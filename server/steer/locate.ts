/**
 * Whom an answer is for, and how far it holds: the block of the subnet told, else of the peer.
 * RFC 7871 §7.1.2, §7.2.1, §10. Reads the client, never health: the scope is a matter of the map.
 */
import type { Address } from '../dns/address.ts'
import type { ClientSubnet } from '../dns/subnet.ts'
import { leafBits, leafValue } from '../geo/tree.ts'
import type { Decision } from './decision.ts'
import { hashBlock } from './hash.ts'
import { apartBits, embeddedBits } from './special.ts'
import { isTailored, lookUp, rankingOf, SPECIAL, type Steering } from './steering.ts'

/** Of whom nothing is known. */
const NOBODY = 0
/** How much of a source address tells one resolver from another. */
const SOURCE4 = 24
const SOURCE6 = 48

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
  into.key = NOBODY
  into.source = sourceKey(peer)
  into.ranking = steering.fallback[slot]!
  into.special = false
  into.located = 'nobody'
  if (!isTailored(steering, slot)) return
  // §7.1.2: SOURCE 0 is a client that would rather not be located.
  const told = subnet.family !== 0 && subnet.source !== 0
  if (!told || !locateSubnet(steering, slot, subnet, into)) locatePeer(steering, slot, peer, into)
}

/** Hot. */
function sourceKey({ family, octets }: Address): number {
  const bits = family === 4 ? SOURCE4 : clientBits(octets, SOURCE4, SOURCE6)
  return hashBlock(family, octets, bits)
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
  into.key = hashBlock(
    peer.family,
    peer.octets,
    quantumOf(steering, slot, peer.family, peer.octets),
  )
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
  into.key = hashBlock(family, octets, keyBits)
  return true
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

/**
 * Bits of an IPv6 address's block: where it carries an IPv4 address, those of that; elsewhere as
 * many as leave no embedded IPv4 in the block. Hot.
 */
function clientBits(octets: Uint8Array, quantum4: number, quantum6: number): number {
  const embedded = embeddedBits(octets)
  return embedded > 0 ? embedded + quantum4 : apartBits(octets, quantum6)
}
