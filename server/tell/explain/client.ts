/**
 * Whose address chose a ranking and how far that holds: the block of equal ranking around it, and
 * what stands beside that block, which is why it is no wider.
 */
import { believes } from '../../answer/ecs.ts'
import { u8 } from '../../dns/octets.ts'
import { bitAt, leafBits, leafValue } from '../../geo/tree.ts'
import type { Rule } from '../../steer/rule.ts'
import { isTailored, lookUp, rankingOf, SPECIAL, type Steering } from '../../steer/steering.ts'
import { blockText, masked } from '../prefix.ts'
import { rankingNamed } from '../ranking.ts'
import type { Located } from './explanation.ts'
import { reasonsTold } from './reason.ts'
import type { Served } from './served.ts'

/** Explains how the decision on a desk got its ranking. */
export function located(served: Served, rule: Rule): Located {
  const { decision, world } = served.desk
  const address = addressOf(served)
  const passed = passedOver(served)
  return {
    tailored: isTailored(world.steering, decision.slot),
    by: decision.located === 'peer' ? 'source' : decision.located,
    ...(passed === undefined ? {} : { passed }),
    ...specials(served),
    because: reasonsTold(served, rule, address),
    ...(address === undefined ? {} : leafAround(served, address)),
  }
}

/** The address that chose, 4 or 16 octets; absent where nobody's did. */
function addressOf({ desk: { decision, query }, peer }: Served): Uint8Array | undefined {
  if (decision.located === 'nobody') return undefined
  const { family, octets } =
    decision.located === 'peer'
      ? peer
      : { family: query.subnet.family, octets: query.subnet.address }
  return octets.slice(0, family === 6 ? 16 : 4)
}

function passedOver({ desk: { decision, world }, peer, told }: Served): Located['passed'] {
  if (decision.located === 'subnet') return undefined
  if (!isTailored(world.steering, decision.slot)) return 'not tailored'
  if (told === undefined) return 'not told'
  if (!world.ecs.enabled) return 'off'
  if (!believes(world.ecs, peer)) return 'not believed'
  return told.bits === 0 ? 'source 0' : 'special'
}

/** The special blocks met on the way: the subnet's, and where nobody chose, the source's. */
function specials({ desk: { decision, query, world }, peer }: Served): Pick<Located, 'special'> {
  const { located: by, slot, special } = decision
  const block = (octets: Uint8Array, family: 0 | 4 | 6): string | undefined => {
    const own = octets.slice(0, family === 6 ? 16 : 4)
    const found = leafOf(world.steering, slot, own)
    return found?.class === SPECIAL ? blockText(own, found.bits) : undefined
  }
  const subnet = special ? block(query.subnet.address, query.subnet.family) : undefined
  const source = by === 'nobody' ? block(peer.octets, peer.family) : undefined
  if (subnet === undefined && source === undefined) return {}
  return { special: { ...(subnet && { subnet }), ...(source && { source }) } }
}

/** A leaf of a slot's partition; absent where the slot has none. */
type Leaf = { readonly bits: number; readonly class: number }

function leafOf(steering: Steering, slot: number, octets: Uint8Array): Leaf | undefined {
  const shape = steering.shape[slot] ?? -1
  if (shape < 0) return undefined
  const found = lookUp(steering, shape, octets.length === 4 ? 4 : 6, octets)
  return { bits: leafBits(found), class: leafValue(found) }
}

/** The block of one ranking around an address. */
function leafAround({ desk: { decision, world } }: Served, octets: Uint8Array): Partial<Located> {
  const { steering } = world
  const { blockBits, slot } = decision
  const leaf = leafOf(steering, slot, octets)
  const prefix = blockText(octets, blockBits)
  if (blockBits > (leaf?.bits ?? 0)) return { leaf: { prefix, quantum: blockBits } }
  const beside = leaf && besideOf(steering, slot, octets, leaf)
  return { leaf: beside === undefined ? { prefix } : { prefix, beside } }
}

type Beside = NonNullable<NonNullable<Located['leaf']>['beside']>

/** How many leaves of the other half are looked at: it may have hundreds of thousands. */
const LOOKED_AT = 4096

/** What keeps a leaf from being one bit wider: a leaf of another class in the other half. */
function besideOf(
  steering: Steering,
  slot: number,
  octets: Uint8Array,
  leaf: Leaf,
): Beside | undefined {
  let at: Uint8Array | undefined = otherHalf(octets, leaf.bits)
  for (let looked = 0; at !== undefined && looked < LOOKED_AT; looked += 1) {
    const next = leafOf(steering, slot, at)
    if (next === undefined) return undefined
    if (next.class !== leaf.class) return besideTold(steering, slot, at, next)
    at = after(at, next.bits, leaf.bits)
  }
  return undefined
}

function besideTold(
  steering: Steering,
  slot: number,
  octets: Uint8Array,
  { bits, class: number }: Leaf,
): Beside {
  const prefix = blockText(octets, bits)
  const ranking = number === SPECIAL ? 'special' : rankingOf(steering, slot, number)
  return { prefix, ranking: rankingNamed(steering, ranking) }
}

/** The first address of the other half of the block one bit wider; absent where there is none. */
function otherHalf(octets: Uint8Array, bits: number): Uint8Array | undefined {
  if (bits === 0) return undefined
  const at = (bits - 1) >> 3
  const bit = 0x80 >> ((bits - 1) & 7)
  return masked(octets, bits).map((octet, i) => (i === at ? octet ^ bit : octet))
}

/** The first address after a block, as long as its first `within` bits stay; absent past them. */
function after(octets: Uint8Array, bits: number, within: number): Uint8Array | undefined {
  const next = octets.slice()
  for (let bit = bits - 1; bit >= within; bit -= 1) {
    const at = bit >> 3
    next[at] = u8(next, at) ^ (0x80 >> (bit & 7))
    if (bitAt(next, bit) === 1) return next
  }
  return undefined
}
