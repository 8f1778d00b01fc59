/**
 * From a client and a slot to targets, in three steps: locate (reads the client, makes the scope),
 * walk the ranking, pick from the pool. Only the first makes scope, so neither health nor weights
 * can ever move it.
 */
import type { Address } from '../dns/address.ts'
import type { ClientSubnet } from '../dns/subnet.ts'
import type { Chance } from './chance.ts'
import type { Decision } from './decision.ts'
import { locate } from './locate.ts'
import { pick } from './pick.ts'
import { KIND, KINDS, type Steering } from './steering.ts'

/**
 * Chooses the targets of one answer. Hot.
 *
 * @param family of the answer: A or AAAA. Whatever it is, an alias is an alias.
 * @param subnet family 0 where none was told
 * @param turns  whose turn it is in each rotation: this thread's, changed by rotating
 */
export function steer(
  steering: Steering,
  slot: number,
  family: 4 | 6,
  subnet: ClientSubnet,
  peer: Address,
  turns: Uint32Array,
  chance: Chance,
  into: Decision,
): void {
  into.slot = slot
  into.rule = slot
  into.family = family
  into.alias = steering.alias[slot] === 1
  into.ttl = steering.ttl[slot]!
  const kind = into.alias ? KIND.host : family === 4 ? KIND.ipv4 : KIND.ipv6
  locate(steering, slot, subnet, peer, into)
  into.pool = walk(steering, into.ranking, kind)
  pick(steering, kind, turns, chance, into)
}

/** The first pool of a ranking with targets of a kind, or −1. Hot. */
export function walk(steering: Steering, ranking: number, kind: number): number {
  const { rankingStart, rankingPools, listStart } = steering
  for (let at = rankingStart[ranking]!; at < rankingStart[ranking + 1]!; at += 1) {
    const pool = rankingPools[at]!
    const list = KINDS * pool + kind
    if (listStart[list + 1]! > listStart[list]!) return pool
  }
  return -1
}
