/** The document of `resolver`, one for every run. Shape: `resolver-schema.ts`, not opened for it. */

import type { Calibration } from '../judge/calibrate.ts'
import { compareKnown } from '../judge/known-resolvers.ts'
import type { Observation } from '../judge/observation.ts'
import { DOCUMENT } from './documents.ts'
import { queryOf } from './query.ts'
import type { ResolverDocument } from './resolver-schema.ts'
import { resolverSentence } from './resolver-words.ts'

export type ResolverOutcome = {
  readonly tool: { readonly name: string; readonly version: string }
  readonly plan: ResolverDocument['plan']
  readonly calibrations: readonly Calibration[]
  readonly observations: readonly Observation[]
  readonly partial: ResolverDocument['partial']
  readonly error: { readonly code: string; readonly message: string } | undefined
}

export function resolverDocument(outcome: ResolverOutcome): ResolverDocument {
  const { tool, plan, calibrations, observations, partial, error } = outcome
  return {
    schema: DOCUMENT.resolver,
    tool,
    plan,
    results: calibrations.map(resolverResult),
    queries: observations.map(queryOf),
    partial,
    error,
  }
}

export function resolverResult(one: Calibration): ResolverDocument['results'][number] {
  return { ...one, sentence: resolverSentence(one), known: compareKnown(one) }
}

/** The document as one line, with a line end. */
export function resolverDocumentText(outcome: ResolverOutcome): string {
  return `${JSON.stringify(resolverDocument(outcome))}\n`
}
