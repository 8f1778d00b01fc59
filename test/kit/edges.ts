/** Addresses drawn where a partition has its edges, as octets: quick enough for millions. */
import { below, type Chance, draw } from '../../server/steer/chance.ts'
import { type Block, leavesOf } from '../../server/steer/leaves.ts'
import type { Steering } from '../../server/steer/steering.ts'

export type Edges = { readonly 4: readonly Block[]; readonly 6: readonly Block[] }

/** The blocks of a slot. */
export function edgesOf(steering: Steering, slot: number): Edges {
  return { 4: [...leavesOf(steering, slot, 4)], 6: [...leavesOf(steering, slot, 6)] }
}

/** An address anywhere, or often the first, the last or any of some block of the partition. */
export function drawAddress(drawn: Chance, edges: Edges, family: 4 | 6, into: Uint8Array): void {
  fill(drawn, into)
  const how = below(drawn, 6)
  if (how === 0) return
  const blocks = edges[family]
  const { bits, prefix } = blocks[below(drawn, blocks.length)]!
  if (how < 3) into.fill(how === 1 ? 0 : 255)
  within(prefix, bits, into)
}

/** Any address of the block of so many bits around another one. */
export function drawWithin(
  drawn: Chance,
  around: Uint8Array,
  bits: number,
  into: Uint8Array,
): void {
  fill(drawn, into)
  within(around, bits, into)
}

function fill(drawn: Chance, into: Uint8Array): void {
  for (let at = 0; at < into.length; at += 4) {
    const word = draw(drawn)
    into[at] = word >>> 24
    into[at + 1] = word >>> 16
    into[at + 2] = word >>> 8
    into[at + 3] = word
  }
}

/** Takes the leading bits of another address. */
export function within(around: Uint8Array, bits: number, into: Uint8Array): void {
  const whole = bits >> 3
  for (let at = 0; at < whole; at += 1) into[at] = around[at]!
  if ((bits & 7) === 0) return
  const mask = 0xff >> (bits & 7)
  into[whole] = (around[whole]! & ~mask) | (into[whole]! & mask)
}
