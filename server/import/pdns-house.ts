/**
 * What the parts of the PowerDNS importer share: the domains as they were read, the draft being
 * made, and what has been found so far. All names are plain: lower case, absolute, without the last
 * dot.
 */
import type { Wrong } from '../fault.ts'
import type { Attribute } from './branching.ts'
import type { Draft } from './draft.ts'
import type { Ledger, Spot } from './ledger.ts'

export type Pdns = {
  readonly draft: Draft
  readonly ledger: Ledger
  readonly wrongs: Wrong[]
  /** Pools by what they are made of. */
  readonly pools: Map<string, string>
  /** What clients are like for whom a format comes to a name of a domain, by both. */
  readonly fits: Map<string, readonly ReadonlyMap<Attribute, string>[]>
}

export type Domain = {
  readonly name: string
  readonly at: Spot
  readonly ttl: number
  readonly records: ReadonlyMap<string, readonly PdnsRecord[]>
  readonly services: ReadonlyMap<string, Service>
  /** What `%mp` is looked up by. */
  readonly formats: readonly string[]
  readonly mapping: ReadonlyMap<string, string>
}

export type PdnsRecord = {
  readonly at: Spot
  /** Upper case. */
  readonly type: string
  readonly content: string
  readonly ttl: number
  readonly weight: number | undefined
}

/** Formats by network; `default` for those that no network holds. */
export type Service = {
  readonly at: Spot
  readonly masks: readonly {
    readonly mask: string
    readonly at: Spot
    readonly formats: readonly string[]
  }[]
}
