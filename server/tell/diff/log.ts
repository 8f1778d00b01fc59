/**
 * Where the questions of a log fall in two maps, and how many fall alike. Reads no file.
 */
import { leafValue } from '../../geo/tree.ts'
import type { Prefix } from '../../steer/rule.ts'
import { lookUp, rankingOf, SPECIAL, type Steering } from '../../steer/steering.ts'
import type { Asked } from './moves.ts'

/** Questions of clients in one block for one name. */
export type Question = {
  readonly client: Prefix
  /** Wire octets. */
  readonly name: Uint8Array
  readonly queries: number
}

/**
 * The ranking that a client gets, by number; `special` where only the source address of the query
 * could tell. A client told of by a prefix is at its first address, as for the server.
 */
export function rankingAt(
  steering: Steering,
  slot: number,
  { family, octets }: Prefix,
): Asked['from'] {
  const shape = steering.shape.at(slot) ?? -1
  if (shape === -1) return steering.fallback.at(slot) ?? 0
  const number = leafValue(lookUp(steering, shape, family, octets))
  return number === SPECIAL ? 'special' : rankingOf(steering, slot, number)
}
