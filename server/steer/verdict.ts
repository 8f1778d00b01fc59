/**
 * What checks say of a target: up or down, and for how long that can be relied on. Several checks of
 * one target make one verdict.
 */
import type { Board } from './board.ts'
import type { Policy } from './rule.ts'
import { steadyFor } from './trial.ts'

export type Verdict = {
  readonly up: boolean
  /** In which it cannot change; 0: it is not known yet. */
  readonly seconds: number
}

/** The verdict that is up while at least `need` of these are: it changes when enough of them did. */
export function joined(need: number, verdicts: readonly Verdict[]): Verdict {
  const ups = verdicts.filter(({ up }) => up).length
  const up = ups >= need
  const missing = up ? ups - need + 1 : need - ups
  const seconds = verdicts
    .filter(verdict => verdict.up === up)
    .map(verdict => verdict.seconds)
    .sort((a, b) => a - b)
  return { up, seconds: seconds[missing - 1] ?? 0 }
}

/** Writes on a new board what checks would say if all they try had passed, for long. */
export function assumeSteady(board: Board, { pools }: Policy): void {
  for (const [index, { check }] of pools.entries()) {
    if (check === undefined) continue
    const verdicts = check.of.map(one => ({ up: true, seconds: steadyFor(one) }))
    board.flip[index] = joined(check.need, verdicts).seconds
  }
}
