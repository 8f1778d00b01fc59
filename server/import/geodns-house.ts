/**
 * What the parts of the geodns importer share: a zone as it was read, the draft being made, and
 * what has been found so far.
 */
import type { Wrong } from '../fault.ts'
import type { Tree } from './document.ts'
import type { Draft, DraftTarget } from './draft.ts'
import type { Ledger, Spot } from './ledger.ts'

export type Geodns = {
  readonly draft: Draft
  readonly ledger: Ledger
  readonly wrongs: Wrong[]
}

export type GeoZone = {
  readonly at: Spot
  /** Without the last dot. */
  readonly name: string
  readonly ttl: number
  readonly serial: number
  readonly contact: string
  /** What labels are looked up by, besides their own names. */
  readonly targeting: ReadonlySet<string>
  readonly labels: ReadonlyMap<string, Label>
}

/** A name of a zone, and what may stand behind it for clients of one place. */
export type Label = {
  readonly at: Spot
  readonly name: string
  readonly ttl: number
  readonly maxHosts: number
  readonly targets: readonly DraftTarget[]
  /** The label that answers for it. */
  readonly alias: string | undefined
  /** The name of a check; empty: checked, but not by anything here; `undefined`: never down. */
  readonly check: string | undefined
  /** All record types but addresses and aliases, in lower case. */
  readonly others: readonly { readonly type: string; readonly at: Spot; readonly values: Tree }[]
}
