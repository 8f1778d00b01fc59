/** What a sweep of address space brings home, as plain data: what `judgeMap` begins with. */
import type { Pools } from './pools.ts'
import type { Sighting } from './sighting.ts'
import type { Range } from './span.ts'

/** Why a sweep ended before the end of the space. */
export type Stop = 'budget' | 'refused' | 'silent' | 'interrupted' | 'deadline'

export type Swept = {
  /** `address#port` */
  readonly server: string
  /** Every reply that could be used, in the order it came. */
  readonly sightings: readonly Sighting[]
  /** How the space was gone through: ranges that do not overlap, and the reply that covers each. */
  readonly stretches: readonly { readonly range: Range; readonly seen: Sighting }[]
  /** Networks drawn at random, where scopes never widen. */
  readonly drawn: readonly Sighting[]
  readonly pools: Pools
  readonly mode: 'swept' | 'sampled'
  readonly stop: Stop | undefined
  /** Addresses gone through, and how many there are to go through. */
  readonly covered: bigint
  readonly space: bigint
  /** Queries of this run, and those that brought no answer. */
  readonly asked: number
  readonly lost: number
}
