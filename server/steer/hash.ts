/**
 * Hashes of 32 bits, for choices that must come out alike every time and everywhere: FNV-1a over
 * octets, then the finaliser of MurmurHash3. Signed integers, so that none is ever boxed.
 */
import { embeddedBits } from './special.ts'

const BASIS = 0x811c9dc5 | 0
const PRIME = 0x01000193
/** 2³² ÷ the golden ratio: parts two hashes before they meet. */
const GOLDEN = 0x9e3779b1 | 0

/** Every bit reaches every bit. Hot. */
function settle(hash: number): number {
  let x = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return x ^ (x >>> 16)
}

/** Hashes two hashes, the order of which counts. Hot. */
export function hashPair(one: number, other: number): number {
  return settle(Math.imul(one, GOLDEN) ^ settle(other))
}

/** Hashes the octets from `from` up to `to`. Hot. */
export function hashOctets(octets: Uint8Array, from: number, to: number): number {
  let hash = BASIS
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ octets[at]!, PRIME)
  return settle(hash)
}

/** Hashes a text by its character codes. Hot: makes no octets of it. */
export function hashText(text: string): number {
  let hash = BASIS
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME)
  return settle(hash)
}

/**
 * Hashes the block of so many bits around an address: its base, as no two blocks of a cover share
 * that. Hot.
 *
 * A block of IPv6 that lies where IPv4 is embedded is the block of IPv4 that it stands for.
 */
export function hashBlock(family: 4 | 6, octets: Uint8Array, bits: number): number {
  const embedded = family === 4 ? 0 : embeddedBits(octets)
  if (embedded > 0 && bits >= embedded) {
    return hashBits(4, octets, embedded >> 3, Math.min(bits - embedded, 32))
  }
  return hashBits(family, octets, 0, bits)
}

/** Hot. */
function hashBits(family: 4 | 6, octets: Uint8Array, from: number, bits: number): number {
  let hash = Math.imul(BASIS ^ family, PRIME)
  let at = from
  let left = bits
  for (; left >= 8; left -= 8) {
    hash = Math.imul(hash ^ octets[at]!, PRIME)
    at += 1
  }
  if (left > 0) hash = Math.imul(hash ^ (octets[at]! & (0xff00 >> left)), PRIME)
  return settle(hash)
}
