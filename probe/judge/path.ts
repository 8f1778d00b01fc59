/**
 * Is something between us and the authority? A resolver answers from its cache, and may drop, replace
 * or invent the option. Told by the flags and the TTLs of replies.
 */
import { subnetOf } from './grid.ts'
import type { Observation } from './observation.ts'
import { holdsAnswer, setOf } from './reply.ts'
import { falls, moments, resets } from './ttl.ts'

/** Whether no positive reply is authoritative, and recursion is on offer. */
export function isResolved(observations: readonly Observation[]): boolean {
  const held = observations.filter(seen => holdsAnswer(seen) && setOf(seen).length > 0)
  return held.length > 0 && held.every(({ flags }) => !flags.aa && flags.ra)
}

/**
 * Whether the same cached records were seen again and again, so that rotation is frozen: through a
 * resolver, where for most subnets nothing was ever fetched anew; or wherever TTLs fall and never
 * rise.
 */
export function isFrozen(samples: readonly Observation[]): boolean {
  const bySubnet = new Map<string, Observation[]>()
  for (const seen of samples) {
    const row = bySubnet.get(subnetOf(seen)) ?? []
    bySubnet.set(subnetOf(seen), [...row, seen])
  }
  const series = [...bySubnet.values()].map(moments).filter(({ length }) => length >= 2)
  if (series.length === 0) return false
  const fetched = series.filter(resets).length
  const falling = series.filter(falls).length
  const seldom = fetched < series.length / 2
  return (isResolved(samples) && seldom) || (falling > series.length / 2 && fetched === 0)
}
