/**
 * Who is connected, in order of last use, in all and by source: so that a newcomer always gets in, and
 * somebody of the source that takes most places makes room. Knows no sockets and no clock.
 */
import type { Address } from '../dns/address.ts'

/** Somebody who takes up a place. */
export type Guest = {
  /** As `sourceOf` has it, or `UNKNOWN`; `move` changes it. */
  source: string
  /** When last used, in milliseconds of the clock; `touch` keeps it. */
  usedAt: number
}

export type CrowdLimits = { readonly all: number; readonly perSource: number }

export type Crowd<G extends Guest> = {
  limits: CrowdLimits
  /** Idle longest first: a set keeps the order in which its members were added. */
  readonly guests: Set<G>
  readonly bySource: Map<string, Set<G>>
  /** Sources by how many guests they have, from 1; of each number, used least lately first. */
  readonly ranks: Set<string>[]
}

/** Whoever's source is yet to be told: no limit of a source holds for them. */
export const UNKNOWN = ''

export function crowd<G extends Guest>(limits: CrowdLimits): Crowd<G> {
  return { limits, guests: new Set(), bySource: new Map(), ranks: [] }
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
 * At the limit of the source it is the one of that source idle longest. At the limit of all it is the
 * one idle longest of the source that has most, the newcomer counted in: whoever takes many places
 * loses them first, and a flood from many addresses cannot push out who has one and uses it.
 */
export function whoLeaves<G extends Guest>(crowd: Crowd<G>, source: string): G | undefined {
  const { guests, bySource, limits } = crowd
  const same = bySource.get(source)
  const own = same?.size ?? 0
  if (source !== UNKNOWN && own >= limits.perSource) return idleLongest(same ?? guests)
  if (guests.size < limits.all) return undefined
  const most = largest(crowd)
  return idleLongest(same !== undefined && own + 1 >= most.size ? same : most)
}

/** The guests of the source that has most of them. */
function largest<G extends Guest>({ bySource, guests, ranks }: Crowd<G>): ReadonlySet<G> {
  for (const source of ranks.at(-1) ?? []) return bySource.get(source) ?? guests
  return guests
}

export function idleLongest<G extends Guest>(guests: ReadonlySet<G>): G | undefined {
  for (const guest of guests) return guest
  return undefined
}

/** The share of its time that an idle guest has where every place is taken. */
const LEAST_PATIENCE = 0.1

/**
 * For how long somebody may be idle: all of `idleMs` while half of the places are free, and less and
 * less as they fill. RFC 7766 §6.2.3 lets a server that is short of them close early.
 */
export function patienceMs<G extends Guest>({ guests, limits }: Crowd<G>, idleMs: number): number {
  const free = 2 * (1 - guests.size / limits.all)
  return Math.round(idleMs * Math.min(1, Math.max(LEAST_PATIENCE, free)))
}

export function leastPatienceMs(idleMs: number): number {
  return Math.round(idleMs * LEAST_PATIENCE)
}

export function join<G extends Guest>(crowd: Crowd<G>, guest: G): void {
  const { bySource, guests } = crowd
  const same = bySource.get(guest.source) ?? new Set()
  bySource.set(guest.source, same)
  same.add(guest)
  guests.add(guest)
  rank(crowd, guest.source, same.size - 1, same.size)
}

/** Moves somebody to the end of the order. Nothing happens to one who has left. */
export function touch<G extends Guest>(crowd: Crowd<G>, guest: G, now: number): void {
  guest.usedAt = now
  const same = crowd.bySource.get(guest.source)
  if (!moveToEnd(crowd.guests, guest)) return
  moveToEnd(same, guest)
  moveToEnd(crowd.ranks[same?.size ?? 0], guest.source)
}

function moveToEnd<T>(members: Set<T> | undefined, one: T): boolean {
  const isThere = members?.delete(one) ?? false
  if (isThere) members?.add(one)
  return isThere
}

/** May be called again for one who has left already. */
export function leave<G extends Guest>(crowd: Crowd<G>, guest: G): void {
  const { bySource, guests } = crowd
  if (!guests.delete(guest)) return
  const same = bySource.get(guest.source)
  if (!same?.delete(guest)) return
  rank(crowd, guest.source, same.size + 1, same.size)
  if (same.size === 0) bySource.delete(guest.source)
}

/** Notes how many guests a source has now; the last rank is never empty. */
function rank<G extends Guest>(
  { ranks }: Crowd<G>,
  source: string,
  from: number,
  to: number,
): void {
  ranks[0] ??= new Set() // of those who have none: always empty
  ranks[from]?.delete(source)
  if (to > 0) {
    ranks[to] ??= new Set()
    ranks[to].add(source)
  }
  while (ranks.length > 1 && ranks.at(-1)?.size === 0) ranks.pop()
}
