/** What a measurement comes to, live or from a recording, and what is written down of how it was made. */

import type { DiffJudgement } from './judge/diff.ts'
import type { Judgement } from './judge/judgement.ts'
import type { Observation } from './judge/observation.ts'
import type { Partial } from './judge/partial.ts'
import { agreementsOf, judgeUnits, type Unit, type UnitOptions } from './judge/units.ts'
import type { Options } from './options.ts'
import type { Outline } from './outline.ts'
import { toolOf } from './tell/documents.ts'
import type { RecordingHead } from './tell/recording.ts'
import type { World } from './world.ts'

export type Measured = {
  /** How it was made, and what was going to be asked. */
  readonly head: RecordingHead<UnitOptions>
  /** What it was judged from. */
  readonly units: readonly Unit[]
  readonly judgements: readonly Judgement[]
  readonly observations: readonly Observation[]
  /** Whether name servers that were measured each for itself agree. */
  readonly agreements: readonly DiffJudgement[]
  /** Why less was seen than was wanted; absent where all was. */
  readonly partial: Partial | undefined
}

export function headOf<Options extends RecordingHead['options']>(
  options: Options,
  plan: RecordingHead['plan'],
  world: World,
): RecordingHead<Options> {
  const tool = toolOf(world.version)
  return { tool, began: world.today().toISOString(), options, plan }
}

/** Judged live or from a recording, which is the same. */
export function measuredFrom(
  units: readonly Unit[],
  head: RecordingHead<UnitOptions>,
  partial: Partial | undefined,
): Measured {
  const observations = units.flatMap(unit => unit.observations)
  const judgements = judgeUnits(units, head.options)
  const agreements = agreementsOf(units, head.options)
  return { head, units, judgements, observations, agreements, partial }
}

export function unitOptions(outline: Outline, { alpha }: Options): UnitOptions {
  const { command, samplesABlock, seed, subnets } = outline
  return { command, seed, alpha, samples: samplesABlock, panel: subnets.map(({ text }) => text) }
}
