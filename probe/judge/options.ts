/**
 * What a judge may be told beside the observations. Everything else is read out of those.
 */

import type { Trust } from './trust.ts'

/** Which name and type is judged; observations of others are ignored or only counted. */
export type About = { readonly name: string; readonly type: string }

export type RotationOptions = About & {
  /** For the sampled tests. */
  readonly seed: number
  /** A p-value at or below it speaks. Default 0.001. */
  readonly alpha?: number
}

export type EcsOptions = About & {
  /** For the sampled permutations and the samples inside blocks. */
  readonly seed: number
  /** Per level, over both looks. Default 0.001. */
  readonly alpha?: number
  /** Sampled permutations a test. Default 19,999. */
  readonly permutations?: number
  /** Samples inside each distinct returned block. Default 5; `--thorough` 29. */
  readonly samples?: number
  /** What calibration of a resolver on the path showed. Absent: not calibrated, or no resolver. */
  readonly trust?: Trust | undefined
}
