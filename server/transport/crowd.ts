/**
 * Who is connected, in order of last use, in all and by source: so that a newcomer always gets in
 * and whoever was idle longest makes room. Knows no sockets and no clock.
 */
import type { Address } from '../dns/address.ts'

/** Somebody who takes up a place. */
export type Guest = {
  /** As `sourceOf` has it. */
  readonly source: string
  /** When last used, in milliseconds of the clock; `touch` keeps it. */
  usedAt: number
}

export type CrowdLimits = { readonly all: number; readonly perSource: number }

export type Crowd<G extends Guest> = {
  readonly limits: CrowdLimits
  /** Idle longest first: a set keeps the order in which its members were added. */
  readonly guests: Set<G>
  readonly bySource: Map<string, Set<G>>
}

export function crowd<G extends Guest>(limits: CrowdLimits): Crowd<G> {
  return { limits, guests: new Set(), bySource: new Map() }
}

/**
 * Names where somebody comes from: the IPv4 address, or the IPv6 /64, since one host easily has all
 * addresses of such a network.
 */
export function sourceOf(address: Address): string {
  return address.octets.subarray(0, address.family === 4 ? 4 : 8).join('.')
}

/**
 * Finds who must leave before somebody from `source` comes.
 *
 * At the limit of the source it is the one of that source idle longest; at the limit of all, the same
 * where the source has any, else the one idle longest of all.
 */
export function whoLeaves<G extends Guest>(crowd: Crowd<G>, source: string): G | undefined {
  const { guests, bySource, limits } = crowd
  const same = bySource.get(source)
  const isFull = guests.size >= limits.all || (same?.size ?? 0) >= limits.perSource
  return isFull ? idleLongest(same ?? guests) : undefined
}

export function idleLongest<G extends Guest>(guests: ReadonlySet<G>): G | undefined {
  for (const guest of guests) return guest
  return undefined
}

export function join<G extends Guest>(crowd: Crowd<G>, guest: G): void {
  const same = crowd.bySource.get(guest.source)
  if (same === undefined) crowd.bySource.set(guest.source, new Set([guest]))
  else same.add(guest)
  crowd.guests.add(guest)
}

/** Moves somebody to the end of the order. Nothing happens to one who has left. */
export function touch<G extends Guest>(crowd: Crowd<G>, guest: G, now: number): void {
  guest.usedAt = now
  moveToEnd(crowd.guests, guest)
  moveToEnd(crowd.bySource.get(guest.source), guest)
}

function moveToEnd<G>(guests: Set<G> | undefined, guest: G): void {
  if (guests?.delete(guest)) guests.add(guest)
}

/** May be called again for one who has left already. */
export function leave<G extends Guest>(crowd: Crowd<G>, guest: G): void {
  crowd.guests.delete(guest)
  const same = crowd.bySource.get(guest.source)
  same?.delete(guest)
  if (same?.size === 0) crowd.bySource.delete(guest.source)
}
