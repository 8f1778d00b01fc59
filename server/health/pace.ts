/**
 * When tries start. Pure: chance and time are arguments, times are milliseconds of a clock that never
 * steps.
 *
 * Each watch has a phase, and is tried once in each interval, at that point of it. Phases lie a golden
 * section apart, so any number of them are spread evenly, also after some have gone. First tries of a
 * few come at once, fifty a second; those of many take the whole interval. So no second has more
 * starts than 2 × the larger of fifty and the sum of 1 ÷ interval.
 */
import type { Check } from '../steer/trial.ts'
import { interval, isTroubled, type Tally } from './tally.ts'

/** Where in its interval a watch is tried: 0 … 1, without 1. */
export type Phase = number

/** First tries a second, where they need not be fewer: a handful. */
const FIRST_A_SECOND = 50
/** (√5 − 1) ÷ 2: multiples of it, without their whole part, never come near each other. */
const GOLDEN = 0.618_033_988_749_894_9
/** A point of time that is now, give or take how exactly numbers are kept, is not the next one. */
const MARGIN_MS = 1

/** The phase of the watch that comes after the one with this phase. */
export function nextPhase(phase: Phase): Phase {
  return (phase + GOLDEN) % 1
}

/** When a watch is tried first. @param newcomers how many begin at this moment */
export function firstDue(now: number, phase: Phase, check: Check, newcomers: number): number {
  const everyMs = 1000 * check.every
  const roundMs = (1000 * newcomers) / FIRST_A_SECOND
  return now + (pointAfter(now, phase, everyMs) - now) * Math.min(1, roundMs / everyMs)
}

/**
 * When it is tried next. Troubled: `fastEvery` after the last one was due. Else at its point of the
 * interval, so once it is well again that may be sooner than `every`, never later; but unproven not
 * before half of it, as two tries at one moment prove no more than one.
 *
 * @param last when the last try was due
 */
export function nextDue(last: number, phase: Phase, check: Check, tally: Tally): number {
  if (isTroubled(tally)) return last + 1000 * check.fastEvery
  const everyMs = 1000 * check.every
  return pointAfter(last + (tally.isProven ? MARGIN_MS : everyMs / 2), phase, everyMs)
}

/** When a watch that was due then is tried under a check whose numbers are new. */
export function newDue(due: number, now: number, phase: Phase, check: Check, tally: Tally): number {
  return Math.min(due, pointAfter(now, phase, 1000 * interval(tally, check)))
}

/** The first point of this phase after a time. */
function pointAfter(time: number, phase: Phase, everyMs: number): number {
  const point = phase * everyMs
  return point + everyMs * (Math.floor((time - point) / everyMs) + 1)
}
