/**
 * Tells of bugs without flooding: a `Serve` that throws may do so at every packet. Whoever counts
 * them all counts elsewhere.
 */
import type { Clock } from './clock.ts'

/** @param times how often something was thrown since the last call, this one included */
export type OnFault = (cause: unknown, times: number) => void

const QUIET_MS = 10_000

/** Passes on the first at once, and from then on one in ten seconds at most. */
export function complaint(onFault: OnFault, clock: Clock): (cause: unknown) => void {
  let times = 0
  let quietUntil = Number.NEGATIVE_INFINITY

  return cause => {
    times += 1
    if (clock.now() < quietUntil) return
    quietUntil = clock.now() + QUIET_MS
    onFault(cause, times)
    times = 0
  }
}
