/** Writes on a board how loaded a target is, as something outside has told. */
import type { Board } from '../steer/board.ts'
import type { Steering } from '../steer/steering.ts'

export type Measured = {
  /** At least 0. */
  readonly load?: number | undefined
  /** Above 0. */
  readonly capacity?: number | undefined
}

/** How much of a new value counts: the rest is what was known. */
const FRESH = 0.3
/** An idle target is not infinitely better than a nearly idle one. */
const LEAST_LOAD = 1e-3

/** Absent values become what the operator fixed, or unknown. */
export function putMeasured(
  { load, share }: Board,
  { fixedLoad, fixedShare }: Steering,
  target: number,
  told: Measured,
): void {
  const inverse = told.load === undefined ? undefined : 1 / Math.max(told.load, LEAST_LOAD)
  load[target] = told.load ?? fixedLoad[target] ?? Number.NaN
  share[target] = blend(share[target], told.capacity ?? inverse) ?? fixedShare[target] ?? Number.NaN
}

/** A new value, smoothed by what was known; absent stays absent. */
export function blend(old: number | undefined, value: number | undefined): number | undefined {
  if (value === undefined) return undefined
  if (old === undefined || Number.isNaN(old)) return value
  return old + FRESH * (value - old)
}
