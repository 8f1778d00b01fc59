/** The clock that operations go by, as an argument: that of the machine is in `health/clock.ts`. */

export type Clock = {
  /** Milliseconds, from any beginning, that never step. */
  readonly now: () => number
  /** Milliseconds of the calendar. */
  readonly date: () => number
  /** Calls once, so many milliseconds from now or somewhat later. Returns what calls that off. */
  readonly wait: (ms: number, call: () => void) => () => void
}
