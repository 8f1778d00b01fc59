/** Spans of time for a reader, as an operator would write them. */

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const

/** `1h30m`; `0s` for none. */
export function spanText(seconds: number): string {
  let left = Math.round(seconds)
  let text = ''
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size)
    if (count > 0) text += `${count}${unit}`
    left -= count * size
  }
  return text === '' ? '0s' : text
}
