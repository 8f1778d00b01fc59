/**
 * From single tries to up or down: what is known of one address under one check. Pure: time is an
 * argument, in milliseconds of a clock that never steps.
 *
 * Damping. A change that comes when three others lie within the last 10 × every doubles the passes
 * that make a target up, to at most 8 × `rise`. Each 10 × every without a change halves them again.
 */
import type { Check } from '../steer/trial.ts'

/** Plain data, which `take` changes in place. */
export type Tally = {
  up: boolean
  /** Whether `fall` failures or `rise` passes in a row have shown it: before that, `up` is a guess. */
  isProven: boolean
  /** In a row, up to the last try. */
  passes: number
  failures: number
  /** When it changed of late, oldest first, at most three. Becoming proven is no change. */
  changes: number[]
  /** By how much `rise` was multiplied when it last changed: 1, 2, 4 or 8. */
  riseFactor: number
  /** When the last try was told of. */
  tried: number
}

/** Changes within 10 × every that are borne before the next one is damped. */
const BORNE = 3
const MOST_FACTOR = 8

/** What is known before the first try: nothing, so `initial` counts. */
export function tally(initial: 'up' | 'down'): Tally {
  return {
    up: initial === 'up',
    isProven: false,
    passes: 0,
    failures: 0,
    changes: [],
    riseFactor: 1,
    tried: 0,
  }
}

/** Takes one more try into account. `flipped`: it was up and is down now, or the other way round. */
export function take(
  tally: Tally,
  check: Check,
  outcome: 'passed' | 'failed',
  now: number,
): 'flipped' | 'same' {
  const up = outcome === 'passed'
  tally.tried = now
  tally.passes = up ? tally.passes + 1 : 0
  tally.failures = up ? 0 : tally.failures + 1
  const needed = up ? check.rise * factorAt(tally, check, now) : check.fall
  if (tally.passes + tally.failures < needed) return 'same'

  const isGuess = !tally.isProven
  tally.isProven = true
  if (tally.up === up) return 'same'
  tally.up = up
  if (!isGuess) damp(tally, check, now)
  return 'flipped'
}

/** Takes a word that decides by itself: it is neither counted nor damped. */
export function settle(tally: Tally, now: 'up' | 'down', at: number): 'flipped' | 'same' {
  const up = now === 'up'
  const change = tally.up === up ? 'same' : 'flipped'
  tally.up = up
  tally.isProven = true
  tally.tried = at
  return change
}

/**
 * Seconds, counted from the last try, until its state could change at the earliest: the sum of the
 * intervals of the tries still missing, were each to contradict it. At least 1; 0 while unproven.
 */
export function secondsToFlip(tally: Tally, check: Check): number {
  if (!tally.isProven) return 0
  const missing = tally.up ? check.fall - tally.failures : passesMissing(tally, check)
  const later = Math.max(0, missing - 1)
  return Math.max(1, Math.floor(interval(tally, check) + later * check.fastEvery))
}

/** Seconds between the last try and the next one. */
export function interval(tally: Tally, check: Check): number {
  return isTroubled(tally) ? check.fastEvery : check.every
}

/** Whether it is failing or down, and so tried faster. */
export function isTroubled(tally: Tally): boolean {
  return !tally.up || tally.failures > 0
}

function damp(tally: Tally, check: Check, now: number): void {
  const factor = factorAt(tally, check, now)
  const recent = tally.changes.filter(at => now - at < windowMs(check))
  tally.riseFactor = recent.length < BORNE ? factor : Math.min(MOST_FACTOR, 2 * factor)
  tally.changes = [...recent, now].slice(-BORNE)
}

/** By how much `rise` is multiplied at a time, if nothing changes until then. */
function factorAt(tally: Tally, check: Check, time: number): number {
  const quiet = time - (tally.changes.at(-1) ?? time)
  return Math.max(1, tally.riseFactor / 2 ** Math.floor(quiet / windowMs(check)))
}

/** How many passes make it up from here. While they come, damping may decay: the fewest count. */
function passesMissing(tally: Tally, check: Check): number {
  const everyMs = 1000 * check.fastEvery
  let from = tally.changes.at(-1) ?? tally.tried
  let fewest = Number.POSITIVE_INFINITY
  for (let factor = tally.riseFactor; factor >= 1; factor /= 2) {
    const untilThen = Math.ceil((from - tally.tried) / everyMs)
    fewest = Math.min(fewest, Math.max(untilThen, check.rise * factor - tally.passes))
    from += windowMs(check)
  }
  return fewest
}

function windowMs(check: Check): number {
  return 10_000 * check.every
}
