/**
 * The verdict so far, weighed at the two looks that `ecs` allows in each window of passes. One that
 * differs from the last is said when something has changed meanwhile, or when two windows running
 * find real or fake where it was not: with a window a minute, one in a thousand would come up every day.
 */
import { judgeEcs } from './ecs.ts'
import { looks } from './look.ts'
import type { Answer } from './verdict.ts'
import { PERMUTATIONS } from './watch-learn.ts'
import { untrueReplies } from './watch-samples.ts'
import type { Change, Said, Step, WatchState } from './watch-state.ts'

/** Weighs where it is time to; the last look ends the window. */
export function weigh(state: WatchState, at: number): Step {
  const [first, last] = looks(state.rows.length)
  if (!isTime(state, first, last)) return { state: next(state, last), changes: [] }
  const { name, type, seed, trust, window } = state
  const judgement = judgeEcs([...window, ...untrueReplies(state)], {
    name,
    type,
    seed,
    permutations: PERMUTATIONS,
    trust,
  })
  const { answer, code } = judgement.verdict
  const isLast = state.rounds === last
  const after = next(state, last)
  if (code === 'data' && (!isLast || state.verdict !== undefined))
    return { state: after, changes: [] }
  return said(after, { answer, code, judgement }, isLast ? 'last' : 'first', at)
}

/** The first look is for what is not known yet. */
function isTime({ rounds, verdict, doubt }: WatchState, first: number, last: number): boolean {
  if (rounds === last) return true
  return rounds === first && (verdict === undefined || doubt.kind === 'changed')
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
  if (look === 'first' || !isGrave(verdict.answer, to.answer)) return { state, changes: [] }
  return { state: { ...state, doubt: { kind: 'found', code: to.code } }, changes: [] }
}

/** Rotation may not show in a window, and a cache may or may not have fetched anew: that is no news. */
function isGrave(one: Answer, other: Answer): boolean {
  const steers = (answer: Answer): boolean => answer === 'real' || answer === 'fake'
  return one !== other && (steers(one) || steers(other))
}
