/** Spans of time for a reader, as an operator would write them: `1h30m`. */

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const

/** All of it; `0s` for none. */
export function spanText(seconds: number): string {
  return textIn(seconds, UNITS)
}

/** Two units at most: nobody reads the seconds of a day. */
export function roughSpan(seconds: number): string {
  const at = UNITS.findIndex(([, size]) => seconds >= size)
  return textIn(seconds, at < 0 ? [] : UNITS.slice(at, at + 2))
}

function textIn(seconds: number, units: readonly (typeof UNITS)[number][]): string {
  let left = seconds
  let text = ''
  for (const [unit, size] of units) {
    const count = Math.floor(left / size)
    if (count > 0) text += `${count}${unit}`
    left -= count * size
  }
  return text === '' ? '0s' : text
}
