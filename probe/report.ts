/** From what was measured to the text of a report, in the format asked for. */

import type { Color } from './color.ts'
import type { Command, Measured } from './command.ts'
import type { Observation } from './judge/observation.ts'
import type { Options } from './options.ts'
import { outlineDocument } from './outline.ts'

export type Failure = { readonly code: string; readonly message: string }

export function reportText(
  command: Command,
  options: Options,
  measured: Measured,
  color: Color,
  error: Failure | undefined,
): string {
  const document = {
    schema: 'lbprobe.result/1',
    plan: outlineDocument(measured.outline, options),
    results: measured.judgements,
    error,
  }
  if (options.format === 'json')
    return `${JSON.stringify({ ...document, queries: measured.observations })}\n`
  return `${command} ${color} ${JSON.stringify(document, undefined, 1)}\n`
}

/** The result document of a run that never began. */
export function failureText(error: Failure): string {
  return `${JSON.stringify({ schema: 'lbprobe.result/1', results: [], error })}\n`
}

/** One line a query, for `-v`. */
export function tracesOf(observations: readonly Observation[]): string {
  const inOrder = observations.toSorted((one, other) => one.sequence - other.sequence)
  return inOrder.map(seen => `${traceOf(seen)}\n`).join('')
}

function traceOf(seen: Observation): string {
  const { name, type, server, sent, echo, answers } = seen
  const client = sent === undefined ? '' : ` for ${sent.text}`
  const scope = echo === undefined ? '' : ` scope /${echo.scope}`
  const what = seen.error ?? `${seen.rcode} ${answers.join(' ')}`
  const odd = seen.oddities.length === 0 ? '' : ` (${seen.oddities.join(', ')})`
  return `${seen.milliseconds} ms ${name} ${type}${client} @${server}: ${what}${scope}${odd}`
}
