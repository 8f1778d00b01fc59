/** The conditions of `watch --until`: what they are called and when one is met. */
import { isWish } from './expect.ts'
import { type Change, isChange, type WatchState } from './watch-state.ts'

export type Until =
  /** Any change: of groups, scopes or the verdict; silence too. */
  | { readonly kind: 'change' }
  | { readonly kind: 'silent' }
  /** Every name and type that has records has this answer or code. */
  | { readonly kind: 'verdict'; readonly wish: string }
  /** Nothing has changed, and everything answered, for so long. */
  | { readonly kind: 'stable'; readonly ms: number }

/** Milliseconds in a unit of a duration. */
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `90s`, `5m`, `1.5h`, `2d` or bare seconds, in milliseconds; `undefined` where it is none. */
export function readDuration(text: string): number | undefined {
  const [, count = '', unit = 's'] = /^([0-9]{1,6}(?:\.[0-9]{1,3})?)([smhd]?)$/.exec(text) ?? []
  if (count === '') return undefined
  return Math.round(Number(count) * (UNITS[unit === '' ? 's' : unit] ?? 0))
}

/** Reads one condition; `undefined` where it is none. */
export function readUntil(text: string): Until | undefined {
  const [kind = '', value] = text.split(/=(.*)/s)
  if (value === undefined) return kind === 'change' || kind === 'silent' ? { kind } : undefined
  if (kind === 'verdict') return isWish(value) ? { kind, wish: value } : undefined
  const ms = kind === 'stable' ? readDuration(value) : undefined
  return ms === undefined ? undefined : { kind: 'stable', ms }
}

/**
 * Whether it is met now.
 *
 * @param changes of the latest pass
 * @param at now, milliseconds since 1970
 */
export function isMet(
  until: Until,
  states: readonly WatchState[],
  changes: readonly Change[],
  at: number,
): boolean {
  switch (until.kind) {
    case 'change':
      return changes.some(isChange)
    case 'silent':
      return states.some(({ silent }) => silent !== undefined)
    case 'verdict':
      return hasVerdict(states, until.wish)
    case 'stable':
      return states.every(
        ({ silent, phase, steadySince }) =>
          silent === undefined && phase === 'watching' && at - steadySince >= until.ms,
      )
  }
}

/** A verdict that something has shaken does not count before it is found again. */
function hasVerdict(states: readonly WatchState[], wish: string): boolean {
  const said = states.map(({ verdict, doubt }) => (doubt.kind === 'none' ? verdict : undefined))
  if (said.includes(undefined)) return false
  const some = said.filter(one => one !== undefined && one.code !== 'empty')
  return some.length > 0 && some.every(one => one?.code === wish || one?.answer === wish)
}
