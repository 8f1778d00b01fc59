/**
 * How long clients may still be sent to a target after it died: until the checks have seen it, the
 * verdict is out, and the last answer handed out before is gone from caches.
 */
import { type Check, downAfter } from '../../steer/trial.ts'

/** How a target is checked. Seconds, but for the count. */
type Pace = Pick<Check, 'every' | 'fall' | 'fastEvery' | 'timeout'>

/** From a verdict to the first answer that heeds it, seconds. */
const PUBLISH = 1

/** What comes after the check, and the worst case with it, in seconds. */
type Rest = { readonly publish: number; readonly ttl: number; readonly seconds: number }

/** The worst case and its parts. */
export type Failover = Pace & Rest

/** Likewise where nothing is tried: how long a push counts. */
export type Expiry = { readonly expires: number } & Rest

/**
 * Adds up the worst case: it dies right after a check, and a cache took its answer right before the
 * verdict came out.
 *
 * @param ttl the greatest that answers have: shortening it afterwards calls no answer back
 */
export function failoverOf(check: Pace, ttl: number): Failover {
  const { every, fall, fastEvery, timeout } = check
  return { every, fall, fastEvery, timeout, ...restOf(check, ttl) }
}

/** The same where it dies right after a push. */
export function expiryOf(check: Pace, ttl: number): Expiry {
  return { expires: downAfter(check), ...restOf(check, ttl) }
}

function restOf(check: Pace, ttl: number): Rest {
  return { publish: PUBLISH, ttl, seconds: downAfter(check) + PUBLISH + ttl }
}
