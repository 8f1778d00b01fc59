/** From what was measured to the text of a report, in the format asked for. */

import type { DiffJudgement } from './judge/diff.ts'
import type { Observation } from './judge/observation.ts'
import { type Partial, partialText } from './judge/partial.ts'
import type { Measured } from './measured.ts'
import type { Options } from './options.ts'
import { diffSentence } from './tell/diff-words.ts'
import { toolOf } from './tell/documents.ts'
import { printable } from './tell/number.ts'
import { type PersonOptions as Page, personText } from './tell/person.ts'
import { resultText } from './tell/result.ts'
import { shortText } from './tell/short.ts'

export type Failure = { readonly code: string; readonly message: string }

export function reportText(
  options: Options,
  measured: Measured,
  page: Page,
  version: string,
  error: Failure | undefined,
): string {
  const { judgements, observations, agreements, partial, plan } = measured
  const cut = partial && { reason: partial.reason, message: partialText(partial) }
  switch (options.format) {
    case 'person':
      return personText(judgements, page) + agreementText(agreements) + partialLine(partial)
    case 'short':
      return shortText(judgements)
    case 'json':
      return resultText({
        tool: toolOf(version),
        plan,
        judgements,
        observations,
        partial: cut,
        error,
      })
  }
}

/** A line for each name and type whose name servers were measured each for itself. */
function agreementText(agreements: readonly DiffJudgement[]): string {
  const lines = agreements.map(one => `${printable(one.name)} ${one.type}: ${diffSentence(one)}\n`)
  return lines.length === 0 ? '' : `\n${lines.join('')}`
}

function partialLine(partial: Partial | undefined): string {
  return partial === undefined ? '' : `\npartial: ${printable(partialText(partial))}\n`
}

/** The result document of a run that never began. */
export function failureText(error: Failure, version: string): string {
  return resultText({ tool: toolOf(version), judgements: [], observations: [], error })
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
