/**
 * What a client and its resolver draw by: hashes, so that the same ones draw alike every time and
 * everywhere. Made where something is drawn and not before: most answers draw nothing by hash.
 */
import type { Decision } from './decision.ts'
import { hashBlock, hashPair } from './hash.ts'
import { apartBits, embeddedBits } from './special.ts'

/** Of whom nothing is known. */
const NOBODY = 0
/** How much of a source address tells one resolver from another. */
const SOURCE4 = 24
const SOURCE6 = 48

/** A hash of the client's block, or of the quantum in it: 32 bits, signed. Hot. */
export function clientKey({ keyBits, keyFamily, keyOctets }: Decision): number {
  return keyFamily === 0 ? NOBODY : hashBlock(keyFamily, keyOctets, keyBits)
}

/** A hash of the query's source at /24 or /48: 32 bits, signed. Hot. */
export function sourceKey({ peer: { family, octets } }: Decision): number {
  return hashBlock(family, octets, family === 4 ? SOURCE4 : clientBits(octets, SOURCE4, SOURCE6))
}

/** A hash of client and source together. Hot. */
export function pairKey(made: Decision): number {
  return hashPair(clientKey(made), sourceKey(made))
}

/**
 * Bits of an IPv6 address's block: where it carries an IPv4 address, those of that; elsewhere as
 * many as leave no embedded IPv4 in the block. Hot.
 */
export function clientBits(octets: Uint8Array, quantum4: number, quantum6: number): number {
  const embedded = embeddedBits(octets)
  return embedded > 0 ? embedded + quantum4 : apartBits(octets, quantum6)
}
