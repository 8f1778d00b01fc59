/**
 * A metric as data: its name, what it means, and how it is read from what a process says of itself.
 * Knows no exposition format: that is `metrics.ts`'s.
 */
import type { Source } from './source.ts'

export type Labels = Readonly<Record<string, string>>

/** One line. `suffix`: of a histogram, what the line is. */
export type Sample = {
  readonly labels: Labels
  readonly value: number
  readonly suffix?: '_bucket' | '_sum' | '_count'
}

export type Family = {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly name: string
  readonly help: string
  readonly read: (source: Source) => readonly Sample[]
}

/** What only grows. */
export function counter(name: string, help: string, read: Family['read']): Family {
  return { kind: 'counter', name: `lbdns_${name}`, help, read }
}

/** What goes up and down. */
export function gauge(name: string, help: string, read: Family['read']): Family {
  return { kind: 'gauge', name: `lbdns_${name}`, help, read }
}

/** Values in buckets: `read` makes its lines with `bucketed`. */
export function histogram(name: string, help: string, read: Family['read']): Family {
  return { kind: 'histogram', name: `lbdns_${name}`, help, read }
}

/** A metric of one line. */
export function single(value: number): Sample[] {
  return [{ labels: {}, value }]
}

/**
 * The lines of a histogram, for one set of labels.
 *
 * @param counts of values by bucket, one more than bounds: the last is of all that is greater
 */
export function bucketed(
  labels: Labels,
  bounds: readonly number[],
  counts: readonly number[],
  sum: number,
): Sample[] {
  let below = 0
  const buckets = counts.map((count, i): Sample => {
    below += count
    const le = String(bounds[i] ?? '+Inf')
    return { labels: { ...labels, le }, value: below, suffix: '_bucket' }
  })
  return [
    ...buckets,
    { labels, value: sum, suffix: '_sum' },
    { labels, value: below, suffix: '_count' },
  ]
}
