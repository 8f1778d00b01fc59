/** Time as an argument: what the transports need of a clock, so that tests need not wait. */
export type Clock = {
  /** Milliseconds from any fixed point; never goes back. */
  readonly now: () => number
  /** Acts once, later. @returns calls it off */
  readonly after: (ms: number, act: () => void) => () => void
}

export const machineClock: Clock = {
  now: () => performance.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
}
