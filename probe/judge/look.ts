/** Decides between rounds whether enough has been seen. */
import type { Observation } from './observation.ts'
import type { EcsOptions } from './options.ts'

export type Look =
  /** Ask one more complete round. */
  | { readonly kind: 'more' }
  | {
      readonly kind: 'enough'
      readonly why: 'no-reply' | 'refused' | 'all-same' | 'decided' | 'last-look'
      /** Whether answers depend on the subnet: then the scopes are worth verifying. */
      readonly dependent: boolean
    }

/** Says after each complete round whether to go on. */
export declare function look(observations: readonly Observation[], options: EcsOptions): Look

/** The round after which nothing more is asked of so many subnets: 8, or 12 for two. */
export declare function lastRound(subnets: number): number
