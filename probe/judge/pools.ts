/**
 * Answers that stand for each other: what one network is given at different times is one pool, so a
 * name that rotates inside a block does not look like many groups. Grows while a sweep goes on.
 */
import { setKey } from './reply.ts'

/** The pool of each address, by one of its addresses. */
export type Pools = Map<string, string>

/** Takes down that one network was given both sets. */
export function join(pools: Pools, one: readonly string[], other: readonly string[]): void {
  const [first = ''] = one.length === 0 ? other : one
  for (const address of [...one, ...other]) pools.set(rootOf(pools, address), rootOf(pools, first))
}

/** Equal for sets of one pool; without rotation, for equal sets. */
export function classOf(pools: Pools, set: readonly string[]): string {
  return setKey([...new Set(set.map(address => rootOf(pools, address)))].sort())
}

function rootOf(pools: Pools, address: string): string {
  let at = address
  for (let up = pools.get(at); up !== undefined && up !== at; up = pools.get(at)) at = up
  return at
}
