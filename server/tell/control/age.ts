/** How long ago something was, in few letters: `41s`, `3m12s`, `2h5m`, `9d4h`. */

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const

/**
 * @param moment RFC 3339
 * @param now    milliseconds; clocks may differ, so what lies ahead is now
 */
export function ageText(moment: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(moment)) / 1000))
  return Number.isNaN(seconds) ? '' : spanText(seconds)
}

/** Two units at most: nobody reads the seconds of a day. */
export function spanText(seconds: number): string {
  const at = UNITS.findIndex(([, size]) => seconds >= size)
  if (at < 0) return '0s'
  let left = seconds
  const parts = UNITS.slice(at, at + 2).map(([unit, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count === 0 ? '' : `${count}${unit}`
  })
  return parts.join('')
}
