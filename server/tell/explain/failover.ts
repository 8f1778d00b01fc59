/**
 * How long clients may still be sent to a target after it died: until the checks have seen it, the
 * verdict is out, and the last answer handed out before is gone from caches.
 */
import { type Check, downAfter } from '../../steer/trial.ts'

/** How a target is checked. Seconds, but for the count. */
type Pace = Pick<Check, 'every' | 'fall' | 'fastEvery' | 'timeout'>

/** From a verdict to the first answer that heeds it, seconds. */
const PUBLISH = 1

/** The worst case and its parts, in seconds. */
export type Failover = Pace & {
  readonly publish: number
  readonly ttl: number
  readonly seconds: number
}

/**
 * Adds up the worst case: it dies right after a check, and a cache took its answer right before the
 * verdict came out.
 *
 * @param ttl the greatest that answers have: shortening it afterwards calls no answer back
 */
export function failoverOf(check: Pace, ttl: number): Failover {
  const { every, fall, fastEvery, timeout } = check
  const seconds = downAfter(check) + PUBLISH + ttl
  return { every, fall, fastEvery, timeout, publish: PUBLISH, ttl, seconds }
}
