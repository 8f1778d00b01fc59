/** Which blocks to verify next. */
import type { Observation } from './observation.ts'
import type { EcsOptions } from './options.ts'

/** A client network to ask for; the same shape as a question's. */
export type Network = {
  readonly text: string
  readonly family: 1 | 2
  readonly source: number
  readonly octets: Uint8Array
  readonly region: string | undefined
}

/** Networks to ask for once each, with purpose `scope`. */
export type Verification = { readonly block: string; readonly samples: readonly Network[] }

export declare function blocksToVerify(
  observations: readonly Observation[],
  options: EcsOptions,
): readonly Verification[]
