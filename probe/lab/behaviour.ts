/**
 * What a name of the lab is: what it does with a query, and what a probe must say of it. Behaviours
 * are functions of the request and the lab's memory; the list of them is `names.ts`.
 */

import { type Chance, shuffled } from '../plan/chance.ts'
import { type Atlas, placeOf } from './map.ts'
import type { Request } from './request.ts'
import type { Sent } from './write.ts'

/** What the lab remembers between queries. */
export type Memory = {
  readonly chance: Chance
  readonly atlas: Atlas
  /** Queries so far, by name and type. */
  readonly counts: Map<string, number>
  /** What a pretended cache holds, by name, type and block. */
  readonly held: Map<string, readonly number[]>
}

export type Behaviour = (request: Request, memory: Memory) => readonly Sent[]

/** One name of the lab. */
export type LabName = {
  /** The label before `.lab.test`. */
  readonly label: string
  /** What it does, in a few words. */
  readonly does: string
  /** The code that `dns2` must give; absent: not meant for it. */
  readonly dns2?: string
  /** The code that `ecs` must give. */
  readonly ecs?: string
  /** What else a probe must notice: all findings of `ecs`, as ids, and other words. */
  readonly notices?: string
  /** Where it must be asked otherwise than for A with the panel, to be noticed. */
  readonly asked?: 'hostile' | 'both-families' | 'both-servers'
  /** Malformed client subnets get FORMERR everywhere else. */
  readonly takes?: 'any-option'
  readonly behave: Behaviour
}

/** How many queries of this name and type came before, counting this one in. */
export function counted(request: Request, memory: Memory): number {
  const key = keyOf(request)
  const before = memory.counts.get(key) ?? 0
  memory.counts.set(key, before + 1)
  return before
}

export function keyOf(request: Request): string {
  return `${request.name.toLowerCase()} ${request.type}`
}

/** `count` numbers from `first` on. */
export function run(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index)
}

/** The list begun at another place: what a counter makes of it. */
export function turned<T>(list: readonly T[], by: number): readonly T[] {
  const start = by % list.length
  return [...list.slice(start), ...list.slice(0, start)]
}

/** Some of a list, in random order. */
export function drawn<T>(memory: Memory, list: readonly T[], count: number): readonly T[] {
  return shuffled(memory.chance, list).slice(0, count)
}

/** Whether the client told of a network at all (SOURCE 0 does not). */
export function clientOf(request: Request): Uint8Array | undefined {
  return request.subnet === undefined || request.subnet.source === 0
    ? undefined
    : request.subnet.octets
}

/** Numbers of the addresses that serve a country. */
export const A_SITE = 3

/** The site for a client: its country's addresses and the honest scope. */
export function siteFor(
  request: Request,
  memory: Memory,
): { readonly site: readonly number[]; readonly scope: number } {
  const client = clientOf(request)
  if (client === undefined) return { site: run(0, A_SITE), scope: 0 }
  const { country, depth } = placeOf(memory.atlas, client)
  return { site: run(country * A_SITE, A_SITE), scope: depth }
}
