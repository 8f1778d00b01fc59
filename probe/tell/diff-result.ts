/** The document of `diff`, one for every run. Shape: `diff-schema.ts`, which is not opened for it. */

import type { DiffJudgement } from '../judge/diff.ts'
import { rotates, type ServerView } from '../judge/diff-view.ts'
import type { Observation } from '../judge/observation.ts'
import { setKey } from '../judge/reply.ts'
import type { DiffDocument } from './diff-schema.ts'
import { diffSentence } from './diff-words.ts'
import { DOCUMENT } from './documents.ts'
import { queryOf } from './query.ts'

export type DiffOutcome = {
  readonly tool: { readonly name: string; readonly version: string }
  readonly plan: DiffDocument['plan']
  readonly judgements: readonly DiffJudgement[]
  readonly observations: readonly Observation[]
  /** Host names of servers, by `address#port`. */
  readonly hosts: ReadonlyMap<string, string>
  /** Name servers without an address. */
  readonly missing: readonly string[]
  readonly partial: DiffDocument['partial']
  readonly error: { readonly code: string; readonly message: string } | undefined
}

/** The document as one line, with a line end. */
export function diffDocumentText(outcome: DiffOutcome): string {
  return `${JSON.stringify(diffDocument(outcome))}\n`
}

export function diffDocument(outcome: DiffOutcome): DiffDocument {
  const { tool, plan, judgements, observations, hosts, missing, partial, error } = outcome
  return {
    schema: DOCUMENT.diff,
    tool,
    plan,
    results: judgements.map(one => diffResult(one, hosts)),
    missing: [...missing],
    queries: observations.map(queryOf),
    partial,
    error,
  }
}

type Result = DiffDocument['results'][number]

export function diffResult(one: DiffJudgement, hosts: DiffOutcome['hosts']): Result {
  return {
    ...one,
    sentence: diffSentence(one),
    servers: one.servers.map(view => serverOf(view, hosts.get(view.server))),
  }
}

function serverOf(view: ServerView, host: string | undefined): Result['servers'][number] {
  return {
    ...view,
    host,
    clients: view.clients.map(row => ({
      subnet: row.client === '' ? undefined : row.client,
      region: row.region,
      scopes: row.scopes,
      answers: setsOf(row.sets),
      rotates: rotates(row),
      replies: row.sets.size,
    })),
  }
}

/** Each distinct set once, in the order first seen. */
function setsOf(sets: ReadonlyMap<number, readonly string[]>): readonly (readonly string[])[] {
  return [...new Map([...sets.values()].map(set => [setKey(set), set])).values()]
}
