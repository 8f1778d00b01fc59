/** Judges what `dns2` saw of one name and type. */
import type { Judgement } from './judgement.ts'
import type { Observation } from './observation.ts'
import type { RotationOptions } from './options.ts'

export declare function judgeRotation(
  observations: readonly Observation[],
  options: RotationOptions,
): Judgement
