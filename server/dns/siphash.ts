/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012): 64 bits that nobody tells from random ones who lacks
 * the key. By hand, as `node:crypto` does not have it; numbers of 64 bits are two words of 32, the
 * lower one first, as no JavaScript number holds them. Knows nothing of what is hashed.
 */

/** Four numbers of 64 bits, and afterwards the hash: scratch, one a desk. */
export type Sip = Int32Array

export function sip(): Sip {
  return new Int32Array(8)
}

/** Words of a key. */
export const KEY_WORDS = 4

const V0 = 0
const V1 = 2
const V2 = 4
const V3 = 6

/** "somepseudorandomlygeneratedbytes": what a key is mixed with. */
// biome-ignore format: table
const BEGIN = Int32Array.of(
  0x70736575, 0x736f6d65, 0x6e646f6d, 0x646f7261, 0x6e657261, 0x6c796765, 0x79746573, 0x74656462,
)

/** The words of a key of 16 octets. */
export function keyWords(key: Uint8Array): number[] {
  return [0, 4, 8, 12].map(at => wordAt(key, at))
}

/** The four octets from `at` on, the lowest first. Hot. Signed, so that it is never boxed. */
export function wordAt(octets: Uint8Array, at: number): number {
  return octets[at]! | (octets[at + 1]! << 8) | (octets[at + 2]! << 16) | (octets[at + 3]! << 24)
}

/**
 * Hashes octets. Hot: once per cookie. The hash is left in the first two words of `v`, and is written
 * lowest octet first.
 *
 * @param keys  words of keys, of which one begins at `keyAt`
 * @param length of what is hashed: the first so many octets, a multiple of 4
 */
export function siphash24(
  v: Sip,
  keys: Int32Array,
  keyAt: number,
  octets: Uint8Array,
  length: number,
): void {
  for (let word = 0; word < 8; word += 1) v[word] = BEGIN[word]! ^ keys[keyAt + (word & 3)]!
  let at = 0
  for (; at + 8 <= length; at += 8) take(v, wordAt(octets, at), wordAt(octets, at + 4))
  take(v, at < length ? wordAt(octets, at) : 0, length << 24)
  v[V2]! ^= 0xff
  for (let round = 0; round < 4; round += 1) mix(v)
  v[0] = v[V0]! ^ v[V1]! ^ v[V2]! ^ v[V3]!
  v[1] = v[V0 + 1]! ^ v[V1 + 1]! ^ v[V2 + 1]! ^ v[V3 + 1]!
}

/** Takes in 64 bits. Hot. */
function take(v: Sip, low: number, high: number): void {
  v[V3]! ^= low
  v[V3 + 1]! ^= high
  mix(v)
  mix(v)
  v[V0]! ^= low
  v[V0 + 1]! ^= high
}

/** One SipRound. Hot. */
function mix(v: Sip): void {
  add(v, V0, V1, 13, 1)
  add(v, V2, V3, 16, 0)
  add(v, V0, V3, 21, 0)
  add(v, V2, V1, 17, 1)
}

/**
 * Adds one number to another, turns it left by less than 32 bits, and takes the sum into it. Hot. All
 * of it at once takes half the time of step by step: each word is read and written but once.
 *
 * @param turned 1: the sum is turned by 32 bits afterwards; else 0
 */
function add(v: Sip, to: number, from: number, bits: number, turned: number): void {
  const low = v[from]!
  const high = v[from + 1]!
  const sum = (v[to]! + low) | 0
  const carry = sum >>> 0 < low >>> 0 ? 1 : 0 // where the sum is less than what was added
  const upper = (v[to + 1]! + high + carry) | 0
  v[to + turned] = sum
  v[to + 1 - turned] = upper
  v[from] = ((low << bits) | (high >>> (32 - bits))) ^ sum
  v[from + 1] = ((high << bits) | (low >>> (32 - bits))) ^ upper
}
