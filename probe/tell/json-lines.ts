/**
 * A run as JSON lines where it is not a recording: a head, each query as it comes, each result, the
 * end. The results of a recording, and its end, look the same.
 */

import type { Observation } from '../judge/observation.ts'
import { queryOf } from './query.ts'

type Head = { readonly schema: string; readonly tool: object; readonly plan: object }
type Failure = { readonly code: string; readonly message: string }

export function headLine(head: Head): string {
  return line(head)
}

export function queryLine(seen: Observation): string {
  return line({ query: queryOf(seen) })
}

/** @param result as in the document of the command */
export function resultLine(result: object): string {
  return line({ result })
}

/** The last line: how it ended, `done` or `partial`. */
export function lastLine(end: { readonly partial?: object | undefined }, error?: Failure): string {
  const { partial } = end
  return line({ end: partial === undefined ? 'done' : 'partial', partial, error })
}

/** The only line of a run that never began. */
export function failedLine(error: Failure): string {
  return line({ end: 'failed', error })
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`
}
