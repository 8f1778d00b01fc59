/** What `dns2` and `ecs` found, in each format that they have. */

import type { Texts } from './deliver.ts'
import type { DiffJudgement } from './judge/diff.ts'
import type { Observation } from './judge/observation.ts'
import { type Partial, partialDocument, partialText } from './judge/partial.ts'
import type { Measured } from './measured.ts'
import { type Format, isPage } from './options/formats.ts'
import { diffSentence } from './tell/diff-words.ts'
import { toolOf } from './tell/documents.ts'
import { lastLine, resultLine } from './tell/json-lines.ts'
import { printable } from './tell/number.ts'
import { personText } from './tell/person.ts'
import { resultOf, resultText } from './tell/result.ts'
import { shortText } from './tell/short.ts'
import type { World } from './world.ts'

export function measuredTexts(measured: Measured, version: string): Texts {
  const { agreements, judgements, observations, partial, head } = measured
  const cut = partialDocument(partial)
  const document = { tool: toolOf(version), plan: head.plan, judgements, observations }
  return {
    page: page => personText(judgements, page) + agreementText(agreements) + partialLine(partial),
    short: () => shortText(judgements),
    json: error => resultText({ ...document, partial: cut, error }),
    jsonl: error =>
      judgements.map(one => resultLine(resultOf(one))).join('') + lastLine({ partial }, error),
    csv: async () => (await import('./tell/query-csv.ts')).queryCsv(observations),
    html: async () => {
      const end = partial === undefined ? 'done' : 'partial'
      return (await import('./html.ts')).htmlText({ ...measured, end })
    },
  }
}

/** A line for each name and type whose name servers were measured each for itself. */
function agreementText(agreements: readonly DiffJudgement[]): string {
  const lines = agreements.map(one => `${printable(one.name)} ${one.type}: ${diffSentence(one)}\n`)
  return lines.length === 0 ? '' : `\n${lines.join('')}`
}

export function partialLine(partial: Partial | undefined): string {
  return partial === undefined ? '' : `\npartial: ${printable(partialText(partial))}\n`
}

/** The same on stderr, where the report is no page that says it. */
export function cutLine(
  partial: Partial | undefined,
  { format }: { readonly format: Format },
): readonly string[] {
  return partial === undefined || isPage(format) ? [] : [partialText(partial)]
}

/** Why a run ended early of which all must have ended at `until`: its time was over. */
export function lateAt(
  { wire }: Pick<World, 'wire'>,
  until: number,
  { deadlineMs = 0 }: { readonly deadlineMs?: number | undefined },
): Partial | undefined {
  return wire.now() < until ? undefined : { reason: 'deadline', seconds: deadlineMs / 1000 }
}

/** One line a query, for `-v`. */
export function tracesOf(observations: readonly Observation[]): string {
  return observations.map(seen => `${traceOf(seen)}\n`).join('')
}

function traceOf(seen: Observation): string {
  const { name, type, server, sent, echo, answers } = seen
  const client = sent === undefined ? '' : ` for ${sent.text}`
  const scope = echo === undefined ? '' : ` scope /${echo.scope}`
  const what = seen.error ?? `${seen.rcode} ${answers.join(' ')}`
  const odd = seen.oddities.length === 0 ? '' : ` (${seen.oddities.join(', ')})`
  return `${seen.milliseconds} ms ${name} ${type}${client} @${server}: ${what}${scope}${odd}`
}
