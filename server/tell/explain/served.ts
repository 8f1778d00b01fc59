/** What an explanation is read from: one reply, the desk it was made at, and what the operator wrote. */
import type { Desk } from '../../answer/desk.ts'
import type { Peer } from '../../answer/peer.ts'
import type { Site } from '../../steer/choose.ts'
import type { Policy, Prefix } from '../../steer/rule.ts'
import type { Supposed } from './explanation.ts'

export type Served = {
  readonly desk: Desk
  readonly peer: Peer
  /** The reply that `serve` wrote. */
  readonly octets: Uint8Array
  /** The client subnet that the query told. */
  readonly told?: Prefix | undefined
  readonly supposed?: Supposed | undefined
  readonly policy: Policy
  /** By number: what the ground says there. */
  readonly sites: readonly Site[]
  /** Files of the geo databases. */
  readonly databases: readonly string[]
}
