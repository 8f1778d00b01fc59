/**
 * What the parts of the octoDNS importer share: records as they were read, the draft being made,
 * and what has been found so far.
 */
import type { Wrong } from '../fault.ts'
import type { Tree } from './document.ts'
import type { Draft } from './draft.ts'
import type { Ledger, Spot } from './ledger.ts'

export type Octodns = {
  readonly draft: Draft
  readonly ledger: Ledger
  readonly wrongs: Wrong[]
  /** Checks by what they are made of. */
  readonly checks: Map<string, string>
}

/** A record set of one type. */
export type OctoRecord = {
  readonly at: Spot
  /** Upper case. */
  readonly type: string
  readonly ttl: number
  /** The whole record. */
  readonly tree: Tree
  readonly values: readonly Tree[]
}

/** All records of a name, relative to its zone; empty for the zone itself. */
export type OctoName = {
  readonly name: string
  /** In full, without the last dot. */
  readonly owner: string
  readonly records: readonly OctoRecord[]
}
