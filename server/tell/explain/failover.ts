/**
 * How long clients may still be sent to a target after it died: until the checks have seen it, the
 * verdict is out, and the last answer handed out before is gone from caches.
 */

/** How a target is checked. Seconds, but for the counts. */
export type Checked = {
  readonly every: number
  readonly timeout: number
  /** Failures in a row that make it down. */
  readonly fall: number
}

/** From a verdict to the first answer that heeds it, seconds. */
const PUBLISH = 1

/** The worst case and its parts, in seconds. */
export type Failover = Checked & {
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
export function failoverOf(checked: Checked, ttl: number): Failover {
  const { every, timeout, fall } = checked
  const seconds = fall * every + timeout + PUBLISH + ttl
  return { every, timeout, fall, publish: PUBLISH, ttl, seconds }
}
