/**
 * One watch: an address under a check, what its tries have told, and the verdict on it. Knows no timer
 * and tries nothing.
 */
import type { Check, Trial } from '../steer/trial.ts'
import type { Measured } from './measured.ts'
import type { Phase } from './pace.ts'
import { secondsToFlip, type Tally, take, tally } from './tally.ts'
import type { Outcome } from './try.ts'

/** Tries what stands at a place: an address, as text. */
export type Try = (trial: Trial, place: string, timeoutMs: number) => Promise<Outcome>

/** What is to be watched. Equal keys are one watch. */
export type Wanted = { readonly key: string; readonly place: string; readonly check: Check }

export type Watch = {
  readonly key: string
  readonly place: string
  readonly phase: Phase
  readonly tally: Tally
  /** Its tally began with what was known before a restart. */
  readonly isRecalled: boolean
  check: Check
  /** When the next try starts, or the one under way was to start; of what is pushed, when it expires. */
  due: number
  isTrying: boolean
  /** Counts what it was entered for; whatever waits on an earlier turn is void. */
  turn: number
  latencyMs: number | undefined
  load: Amount | undefined
  capacity: Amount | undefined
  why: string | undefined
  since: number
  lastTry: number | undefined
}

/** What was told last, and when, in milliseconds of a clock that never steps. */
type Amount = { readonly value: number; readonly at: number }

export type Verdict = {
  readonly up: boolean
  readonly isProven: boolean
  /**
   * Counted from the last try: before that, it cannot flip. 0 while unproven. Of what is pushed: what
   * is left until it expires; 1 while it is down, as a push may come at any time.
   */
  readonly seconds: number
  /** Of tries that passed, smoothed. Absent before the first. */
  readonly latencyMs: number | undefined
  /** What was told last, unless that is too old. */
  readonly load: number | undefined
  readonly capacity: number | undefined
  /** Of the last try or push. */
  readonly why: string | undefined
  /** When it became what it is, in milliseconds of the calendar: the last flip, or the begin. */
  readonly since: number
  /** When the last try started, or the last push came, likewise. */
  readonly lastTry: number | undefined
}

/** How much of a new latency counts: the rest is what was known. */
const FRESH = 0.3

/**
 * A watch of which nothing is known yet, but perhaps what it was before a restart.
 *
 * @param date milliseconds of the calendar
 */
export function begin(
  { key, place, check }: Wanted,
  phase: Phase,
  date: number,
  before?: Tally,
): Watch {
  const last = check.initial === 'last' ? before : undefined
  return {
    key,
    place,
    phase,
    tally: last ?? tally(check.initial === 'down' ? 'down' : 'up'),
    isRecalled: last !== undefined,
    check,
    due: 0,
    isTrying: false,
    turn: 0,
    latencyMs: undefined,
    load: undefined,
    capacity: undefined,
    why: undefined,
    since: date,
    lastTry: undefined,
  }
}

/** Takes what came of its last try. */
export function hear(watch: Watch, outcome: Outcome, now: number, date: number): void {
  const change = take(watch.tally, watch.check, outcome.passed ? 'passed' : 'failed', now)
  if (change === 'flipped') watch.since = date
  watch.why = outcome.why
  if (!outcome.passed) return
  const before = watch.latencyMs ?? outcome.ms
  watch.latencyMs = before + FRESH * (outcome.ms - before)
  note(watch, outcome, now)
}

/** Seconds until the last push expires, were it the last. */
function secondsLeft({ due, tally }: Watch, now: number): number {
  if (!tally.isProven) return 0
  return tally.up ? Math.max(1, Math.floor(Math.round(due - now) / 1000)) : 1
}

/** Keeps what was told; of what was not, what is known still counts for a while. */
export function note(watch: Watch, { load, capacity }: Measured, now: number): void {
  if (load !== undefined) watch.load = { value: load, at: now }
  if (capacity !== undefined) watch.capacity = { value: capacity, at: now }
}

/** @param now of the clock that the watch goes by */
export function verdictOf(watch: Watch, now: number): Verdict {
  const { tally, check, latencyMs, why, since, lastTry } = watch
  const { up, isProven } = tally
  const seconds =
    check.trial.kind === 'push' ? secondsLeft(watch, now) : secondsToFlip(tally, check)
  const load = recent(watch.load, check, now)
  const capacity = recent(watch.capacity, check, now)
  return { up, isProven, seconds, latencyMs, load, capacity, why, since, lastTry }
}

function recent(told: Amount | undefined, { maxAge }: Check, now: number): number | undefined {
  return told !== undefined && now < told.at + 1000 * maxAge ? told.value : undefined
}
