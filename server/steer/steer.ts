/**
 * From a client and a slot to targets, in three steps: locate (reads the client, makes the scope),
 * walk the ranking (reads health), pick from the pool (reads health and load). Only the first makes
 * scope, so nothing on the board can ever move it.
 */
import type { Address } from '../dns/address.ts'
import type { ClientSubnet } from '../dns/subnet.ts'
import type { Board } from './board.ts'
import type { Chance } from './chance.ts'
import type { Decision } from './decision.ts'
import { locate } from './locate.ts'
import { pick } from './pick.ts'
import { KIND, type Steering } from './steering.ts'
import { ttlOf } from './ttl.ts'
import type { Turns } from './turns.ts'
import { walk } from './walk.ts'

/**
 * Chooses the targets of one answer. Hot.
 *
 * @param family of the answer: A or AAAA. Whatever it is, an alias is an alias.
 * @param subnet family 0 where none was told
 * @param turns  whose turn it is: this thread's, changed by picking in turn
 */
export function steer(
  steering: Steering,
  board: Board,
  slot: number,
  family: 4 | 6,
  subnet: ClientSubnet,
  peer: Address,
  turns: Turns,
  chance: Chance,
  into: Decision,
): void {
  const kind = place(steering, board, slot, family, subnet, peer, into)
  pick(steering, board, kind, turns, 1, chance, into)
}

/** Chooses as `steer` does, for a hint of such an answer: nobody's turn goes on. Hot. */
export function hint(
  steering: Steering,
  board: Board,
  slot: number,
  family: 4 | 6,
  subnet: ClientSubnet,
  peer: Address,
  turns: Turns,
  chance: Chance,
  into: Decision,
): void {
  const kind = place(steering, board, slot, family, subnet, peer, into)
  pick(steering, board, kind, turns, 0, chance, into)
}

/** Fills all of a decision but its targets. Hot. Returns the kind that these are of. */
function place(
  steering: Steering,
  board: Board,
  slot: number,
  family: 4 | 6,
  subnet: ClientSubnet,
  peer: Address,
  into: Decision,
): number {
  into.slot = slot
  into.family = family
  into.alias = steering.alias[slot] === 1
  const kind = into.alias ? KIND.host : family === 4 ? KIND.ipv4 : KIND.ipv6
  locate(steering, slot, subnet, peer, into)
  walk(steering, board, kind, into)
  into.ttl = ttlOf(steering, board, into)
  return kind
}
