/**
 * Picking by the client: weighted rendezvous hashing. Every target draws a number for every client,
 * by its octets, and the first ones in that order are taken: a target that leaves moves only its own
 * clients, and one that returns takes back only those.
 */
import type { Board } from './board.ts'
import type { Decision } from './decision.ts'
import { clientKey } from './draws.ts'
import { hashOctets, hashPair } from './hash.ts'
import { swap, weightOf } from './pick-weight.ts'
import type { Steering } from './steering.ts'

/** Takes the candidates that the decision's key draws first. Hot. */
export function takeByHash(
  steering: Steering,
  board: Board,
  into: Decision,
  size: number,
  count: number,
): void {
  const { scores, targets } = into
  const key = clientKey(into)
  const { octets, targetStart } = steering
  const end = into.count + size
  for (let at = into.count; at < end; at += 1) {
    const target = targets[at]!
    const own = hashOctets(octets, targetStart[target]!, targetStart[target + 1]!)
    const drawn = ((hashPair(key, own) >>> 0) + 0.5) / 0x1_0000_0000
    // Exponential with the weight as its rate: the least of such numbers falls to each in proportion.
    scores[at] = -Math.log(drawn) / (weightOf(steering, target) * board.warm[target]!)
  }
  for (let place = into.count; place < into.count + count; place += 1) {
    let first = place
    for (let at = place + 1; at < end; at += 1) if (scores[at]! < scores[first]!) first = at
    swap(into, place, first)
  }
}
