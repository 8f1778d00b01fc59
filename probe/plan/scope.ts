/**
 * Scope checks: a reply that says "good for this block" is tried at other places of the block, the
 * first, the last and some drawn ones. A block no wider than what may be sent has no other place.
 */

import { below, type Chance } from './chance.ts'
import type { Question, Subnet } from './question.ts'
import type { Subject } from './rounds.ts'
import { cleared, subnetOf, USUAL_BITS } from './subnet.ts'

/** A block that a reply announced: FAMILY, ADDRESS and SCOPE PREFIX-LENGTH. */
export type Block = {
  readonly family: 1 | 2
  /** 4 or 16 octets, bits past `bits` zero. */
  readonly octets: Uint8Array
  readonly bits: number
  readonly region: string | undefined
}

/** Samples in each block: a wrong half is found with 95 %, with 29 a wrong tenth. */
export const SCOPE_SAMPLES = { usual: 5, thorough: 29 } as const

/** The odds, in per cent, to meet a wrong share of a block (0 … 1) with so many random samples. */
export function detection(share: number, samples: number): number {
  return 100 * (1 - (1 - share) ** samples)
}

/**
 * Questions inside each block, at most `each` in one and `most` in all.
 *
 * @param round the round they are made after
 */
export function scopeQuestions(
  subject: Subject,
  blocks: readonly Block[],
  each: number,
  most: number,
  round: number,
  chance: Chance,
): readonly Question[] {
  const fair = blocks.length === 0 ? 0 : Math.min(each, Math.floor(most / blocks.length))
  return blocks.flatMap(block =>
    placesIn(block, fair, chance).map(
      (subnet): Question => ({ ...subject, subnet, round, purpose: 'scope' }),
    ),
  )
}

/** Subnets inside a block: its first, its last, then drawn ones, none twice. */
export function placesIn(block: Block, count: number, chance: Chance): readonly Subnet[] {
  const source = USUAL_BITS[block.family]
  if (block.bits >= source || count === 0) return []
  const ends = [block.octets, lastOf(block)]
  const places = new Map<string, Subnet>()
  for (let tried = 0; places.size < count && tried < 4 * count; tried += 1) {
    const octets = ends[tried] ?? drawnIn(block, chance)
    const subnet = subnetOf(block.family, octets, source, block.region)
    places.set(subnet.text, subnet)
  }
  return [...places.values()]
}

function lastOf(block: Block): Uint8Array {
  const host = cleared(new Uint8Array(block.octets.length).fill(255), block.bits)
  return block.octets.map((octet, index) => octet | (0xff ^ (host[index] ?? 0)))
}

function drawnIn(block: Block, chance: Chance): Uint8Array {
  const host = cleared(new Uint8Array(block.octets.length).fill(255), block.bits)
  return block.octets.map(
    (octet, index) => octet | (below(chance, 256) & (0xff ^ (host[index] ?? 0))),
  )
}
