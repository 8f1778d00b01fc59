/**
 * The verdict so far, weighed at the two looks that `ecs` allows in each window of passes. One that
 * differs from the last is said when something has changed meanwhile, or when two windows running
 * find it: with a window a minute, one in a thousand would come up every day.
 */
import { judgeEcs } from './ecs.ts'
import { looks } from './look.ts'
import { PERMUTATIONS } from './watch-learn.ts'
import type { Change, Said, Step, WatchState } from './watch-state.ts'

/** Weighs where it is time to; the last look ends the window. */
export function weigh(state: WatchState, at: number): Step {
  const [first, last] = looks(state.rows.length)
  if (state.rounds !== first && state.rounds !== last)
    return { state: next(state, last), changes: [] }
  const { name, type, seed, window } = state
  const judgement = judgeEcs(window, { name, type, seed, permutations: PERMUTATIONS })
  const { answer, code } = judgement.verdict
  const isLast = state.rounds === last
  const after = next(state, last)
  if (code === 'data' && (!isLast || state.verdict !== undefined))
    return { state: after, changes: [] }
  return said(after, { answer, code, judgement }, isLast ? 'last' : 'first', at)
}

/** A window that is full begins anew, except while groups are learned from it. */
function next(state: WatchState, last: number): WatchState {
  if (state.phase === 'learning' || state.rounds < last) return state
  return { ...state, window: [], rounds: 0 }
}

function said(state: WatchState, to: Said, look: 'first' | 'last', at: number): Step {
  const { verdict, doubt } = state
  const isSame = verdict?.code === to.code
  const isFound = doubt.kind === 'found' && doubt.code === to.code && look === 'last'
  if (isSame) return { state: { ...state, verdict: to, doubt: { kind: 'none' } }, changes: [] }
  if (verdict === undefined || doubt.kind === 'changed' || isFound) {
    const change: Change = { kind: 'verdict', at, from: verdict?.code, to }
    return { state: { ...state, verdict: to, doubt: { kind: 'none' } }, changes: [change] }
  }
  if (look === 'first') return { state, changes: [] }
  return { state: { ...state, doubt: { kind: 'found', code: to.code } }, changes: [] }
}
