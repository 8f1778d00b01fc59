/** The map document, `lbprobe.map/1`. What is here once stays: later versions add keys. */

import type { MapJudgement } from '../judge/map.ts'
import { spanText } from '../judge/span.ts'
import { DOCUMENT } from './documents.ts'
import { mapSentence, partialText } from './map-words.ts'

export type MapFailure = { readonly code: string; readonly message: string }

export type MapOutcome = {
  readonly tool: { readonly name: string; readonly version: string }
  readonly plan?: Readonly<Record<string, unknown>>
  readonly judgement?: MapJudgement
  readonly error?: MapFailure | undefined
}

/** One document with a line end; a line of its own for every block. */
export function mapJson({ tool, plan, judgement, error }: MapOutcome): string {
  const head = JSON.stringify({ schema: DOCUMENT.map, tool, plan, error, ...aboutOf(judgement) })
  const leaves = judgement === undefined ? [] : leavesOf(judgement)
  return `${head.slice(0, -1)},"leaves":[${leaves.map(leaf => `\n${leaf}`).join(',')}\n]}\n`
}

function leavesOf({ leaves }: MapJudgement): readonly string[] {
  return leaves.map(({ span, letters, tried }) =>
    JSON.stringify({ prefix: spanText(span), scope: span.bits, groups: letters, tried }),
  )
}

function aboutOf(one: MapJudgement | undefined): Readonly<Record<string, unknown>> {
  if (one === undefined) return {}
  const { swept, oracle, findings, scopes } = one
  const count = (purpose: string): number =>
    swept.sightings.filter(seen => seen.purpose === purpose).length
  return {
    name: one.name,
    type: one.type,
    server: swept.server,
    kind: one.kind,
    sentence: mapSentence(one),
    partial: partialText(one),
    stop: swept.stop,
    coverage: one.coverage,
    missable: one.missable,
    queries: { asked: swept.asked, unanswered: swept.lost },
    replies: { blocks: count('leaf'), samples: count('sample'), repeats: count('again') },
    groups: one.groups,
    scopes: Object.fromEntries(scopes),
    fragmentation: one.fragmentation,
    samples: one.samples,
    leastSamples: one.least,
    overlaps: one.overlaps.map(({ inner, outer }) => {
      return { outer: spanText(outer), inner: spanText(inner) }
    }),
    mixed: one.short.map(spanText),
    oracle,
    findings,
    calibration: one.calibration,
  }
}
