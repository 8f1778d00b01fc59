/**
 * How far a cache tells clients apart: by the leaves of a partition, and inside a leaf whose clients
 * are hashed by the blocks of the rule's quantum.
 */
import { apartBits, embeddedBits } from '../../steer/special.ts'
import type { Steering } from '../../steer/steering.ts'

/** Tells whether the clients of a ranking are hashed, each to one of several targets. */
export function isHashed(steering: Steering, slot: number, ranking: number | 'special'): boolean {
  if (steering.sticky[slot] !== 1 || ranking === 'special') return false
  return steering.rankingSticky[ranking] === 1
}

/**
 * The scope of replies to clients in a leaf: its own length, or that of the hashed blocks in it.
 * Where IPv6 carries IPv4 those are IPv4's; of a leaf that is wider than all of that, the scope is
 * told of the rest.
 */
export function scopeIn(
  steering: Steering,
  slot: number,
  leaf: {
    readonly prefix: Uint8Array
    readonly bits: number
    readonly ranking: number | 'special'
  },
): number {
  const { prefix, bits, ranking } = leaf
  if (!isHashed(steering, slot, ranking)) return bits
  const quantum4 = steering.quantum4[slot] ?? 0
  if (prefix.length === 4) return Math.max(bits, quantum4)
  const carried = embeddedBits(prefix)
  if (carried > 0 && bits >= carried) return Math.max(bits, carried + quantum4)
  return Math.max(bits, apartBits(prefix, steering.quantum6[slot] ?? 0))
}
