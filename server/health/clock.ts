/**
 * The clocks that checks go by. Intervals are of the one that never steps: whoever sets the date of a
 * machine neither stops its checks nor makes them fire.
 */
import { performance } from 'node:perf_hooks'

export type Clock = {
  /** Milliseconds, from any beginning, that never step. */
  readonly now: () => number
  /** Milliseconds of the calendar, to be shown. */
  readonly date: () => number
  /** Calls once, so many milliseconds from now or somewhat later. Returns what calls that off. */
  readonly wait: (ms: number, call: () => void) => () => void
}

/** How often what a board shows goes on by the clock alone. */
export const EVERY_MS = 250

/** Node calls at once what is to wait for longer than this: 2³¹ milliseconds. */
const LONGEST_MS = 2 ** 31 - 1

/** The clocks of this machine. What waits on them keeps no process alive. */
export const MACHINE: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  wait: (ms, call) => {
    const timer = setTimeout(call, Math.min(Math.ceil(ms), LONGEST_MS)).unref()
    return () => clearTimeout(timer)
  },
}
