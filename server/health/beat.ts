/**
 * What becomes of a watch that is pushed: nothing is tried, and it is up for as long as pushes say so
 * and keep coming. Pure: time is an argument, in milliseconds of a clock that never steps.
 */
import type { Check } from '../steer/trial.ts'
import type { Measured } from './measured.ts'
import { settle } from './tally.ts'
import { note, type Watch } from './watch.ts'

/** One push: a heartbeat, or word that it is down. Either decides at once. */
export type Beat = Measured & { readonly now: 'up' | 'down' }

/** In the place of when the last push expires: it has, and there is nothing to wait for. */
export const EXPIRED = Number.POSITIVE_INFINITY

/** What is left may be found by so much longer than it is: how exactly timers are kept. */
const MARGIN_MS = 1
/** Shorter waits are not halved. */
const SHORTEST_MS = 1000

export function isPushed({ trial }: Check): boolean {
  return trial.kind === 'push'
}

/** Those that are pushed, by place. */
export function pushedAt(watches: Iterable<Watch>): ReadonlyMap<string, readonly Watch[]> {
  const made = new Map<string, Watch[]>()
  for (const watch of watches) {
    if (!isPushed(watch.check)) continue
    made.set(watch.place, [...(made.get(watch.place) ?? []), watch])
  }
  return made
}

/** When what is pushed at a time expires. */
export function expiryOf({ every }: Check, now: number): number {
  return now + 1000 * every
}

/** Takes a push. */
export function hearBeat(watch: Watch, beat: Beat, now: number, date: number): void {
  if (settle(watch.tally, beat.now, now) === 'flipped') watch.since = date
  watch.why = `pushed ${beat.now}`
  watch.lastTry = date
  watch.due = expiryOf(watch.check, now)
  note(watch, beat, now)
}

/** Takes that no push came in time. */
export function expire(watch: Watch, now: number, date: number): void {
  if (settle(watch.tally, 'down', now) === 'flipped') watch.since = date
  watch.why = `no push within ${watch.check.every} s`
  watch.due = EXPIRED
}

/** Whether no push came for so long that less than half is left, so that TTLs have to follow. */
export function isLate({ check, due }: Watch, now: number): boolean {
  return due - now <= 500 * check.every + MARGIN_MS
}

/**
 * When it is to be looked at next: most pushes are on time, so when half of it is left; after that, each
 * time when half of that has passed; then when it expires.
 */
export function lookAt(watch: Watch, now: number): number {
  const { check, due } = watch
  const left = isLate(watch, now) ? (due - now) / 2 : 500 * check.every
  return left < SHORTEST_MS ? due : due - left
}
