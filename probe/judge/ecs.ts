/** Judges what `ecs` saw of one name and type. */
import type { Judgement } from './judgement.ts'
import type { Observation } from './observation.ts'
import type { EcsOptions } from './options.ts'

export declare function judgeEcs(
  observations: readonly Observation[],
  options: EcsOptions,
): Judgement
