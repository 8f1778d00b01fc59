/** A change as one line of JSON, `lbprobe.watch/1`: when, of what, which kind, and what belongs to it. */

import type { Change, WatchState } from '../judge/watch-state.ts'
import { DOCUMENT } from './documents.ts'
import { momentText } from './watch-words.ts'

export function changeJson(about: { name: string; type: string }, change: Change): string {
  const { at, ...rest } = change
  const { name, type } = about
  return `${JSON.stringify({ schema: DOCUMENT.watch, at: momentText(at), name, type, ...plain(rest as Change) })}\n`
}

/** A verdict brings all it rests on; its words are enough here. */
function plain(change: Change): object {
  if (change.kind === 'back') return { ...change, since: momentText(change.since) }
  if (change.kind !== 'verdict') return change
  return {
    kind: change.kind,
    from: change.from,
    to: { answer: change.to.answer, code: change.to.code },
  }
}

/** The last line: what stands at the end. */
export function summaryJson(state: WatchState, at: number, changes: number): string {
  const { name, type, verdict, passes, silent } = state
  const said = verdict === undefined ? undefined : { answer: verdict.answer, code: verdict.code }
  const groups = state.groups.map(({ letter }) => ({
    letter,
    subnets: state.rows.filter(row => row.letter === letter).map(({ subnet }) => subnet),
  }))
  const rest = { verdict: said, passes, changes, silent: silent !== undefined, groups }
  return `${JSON.stringify({ schema: DOCUMENT.watch, at: momentText(at), name, type, kind: 'summary', ...rest })}\n`
}
