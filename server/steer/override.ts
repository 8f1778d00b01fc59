/**
 * What an operator imposes on a running server: pools and targets drained or forced up or down, and a
 * name's clients moved from one pool to another. Plain data that outlives Worlds, so things are named,
 * not numbered. Knows nothing of what it does to a board: that is `impose.ts`.
 */

export type Override = {
  /** Counts from 1; not given twice. */
  readonly id: number
  /** Who imposed it, why, and when. Times are milliseconds of the calendar. */
  readonly author: string
  readonly reason: string
  readonly made: number
  readonly from: number
  /** When it ends by itself; absent: when it is undone. */
  readonly until?: number | undefined
  readonly does: Does
}

/** `what` names a pool, a target in all its pools (`192.0.2.10`), or in one (`fra/192.0.2.10`). */
export type Does =
  /** A share of clients, above 0 and at most 1, is kept away. Health is still found out and shown. */
  | { readonly kind: 'drain'; readonly what: string; readonly share: number }
  /** Whatever checks say. */
  | { readonly kind: 'force'; readonly what: string; readonly to: 'up' | 'down' }
  /**
   * Clients of a steered name whom pool `from` would serve go to pool `to`: none when it begins, all
   * of them `seconds` later, and so it stays.
   */
  | {
      readonly kind: 'ramp'
      readonly name: string
      readonly from: string
      readonly to: string
      readonly seconds: number
    }
