/**
 * What an operator imposes on a running server: pools and targets drained or forced up or down, a
 * name's clients moved from one pool to another, a proof for a certificate. Plain data that outlives Worlds, so things are named,
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
  /** A TXT record at `_acme-challenge` below a name, in the place of those there. RFC 8555 §8.4. */
  | { readonly kind: 'challenge'; readonly name: string; readonly token: string }

/** Tells what was read back from what only looks like it. */
export function isOverride(value: unknown): value is Override {
  const { author, does, from, id, made, reason, until } = fieldsOf(value)
  const areTexts = typeof author === 'string' && typeof reason === 'string'
  const areTimes = [from, made, until ?? 0].every(time => Number.isFinite(time))
  return Number.isSafeInteger(id) && Number(id) > 0 && areTexts && areTimes && isDoes(does)
}

function isDoes(value: unknown): value is Does {
  const does = fieldsOf(value)
  switch (does.kind) {
    case 'drain':
      return typeof does.what === 'string' && Number(does.share) > 0 && Number(does.share) <= 1
    case 'force':
      return typeof does.what === 'string' && (does.to === 'up' || does.to === 'down')
    case 'ramp':
      return [does.name, does.from, does.to].every(isText) && Number(does.seconds) >= 0
    case 'challenge':
      return isText(does.name) && isText(does.token)
    default:
      return false
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
