/** The result document, one for every run, also for one that failed. Shape: `schema.ts`. */
import type { Judgement } from '../judge/judgement.ts'
import type { Observation } from '../judge/observation.ts'
import { DOCUMENT } from './documents.ts'
import { queryOf } from './query.ts'
import type { ResultDocument } from './schema.ts'
import { sentenceOf } from './sentence.ts'

export type Outcome = {
  readonly tool: { readonly name: string; readonly version: string }
  /** What was going to be asked; absent where the run never began. */
  readonly plan?: ResultDocument['plan']
  readonly judgements: readonly Judgement[]
  readonly observations: readonly Observation[]
  /** Why less was seen than was wanted. */
  readonly partial?: ResultDocument['partial']
  readonly error?: { readonly code: string; readonly message: string } | undefined
}

export function resultDocument(outcome: Outcome): ResultDocument {
  const { tool, plan, judgements, observations, partial, error } = outcome
  return {
    schema: DOCUMENT.result,
    tool,
    plan,
    results: judgements.map(resultOf),
    queries: observations.map(queryOf),
    partial,
    error,
  }
}

/** The document as one line, with a line end. */
export function resultText(outcome: Outcome): string {
  return `${JSON.stringify(resultDocument(outcome))}\n`
}

type Result = ResultDocument['results'][number]

export function resultOf(one: Judgement): Result {
  return { ...one, sentence: sentenceOf(one) }
}
