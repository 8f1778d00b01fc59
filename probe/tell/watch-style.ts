/** The colours of `watch`: those of a report, and one for each group. A letter keeps its colour. */
import { COLOR, PLAIN, type Style } from './style.ts'

export type WatchStyle = Style & { readonly group: (letter: string, text: string) => string }

/** Cyan, yellow, magenta, green, blue, red: neighbours in the alphabet are told apart. */
const COLOURS = [36, 33, 35, 32, 34, 31] as const

export const PLAIN_WATCH: WatchStyle = { ...PLAIN, group: (_letter, text) => text }

export const COLOR_WATCH: WatchStyle = {
  ...COLOR,
  group: (letter, text) => {
    const last = letter.charCodeAt(letter.length - 1) - 65
    const colour = COLOURS[last % COLOURS.length] ?? 39
    return last < 0 || last > 25 ? text : `\u001b[${colour}m${text}\u001b[39m`
  },
}

/** A piece of a line, and how it is painted. */
export type Span = readonly [text: string, paint?: ((text: string) => string) | undefined]

/** Spans as a line of at most so many columns; what is cut off shows as `…`. */
export function spansLine(spans: readonly Span[], columns: number): string {
  const whole = spans.reduce((sum, [text]) => sum + text.length, 0)
  let left = whole > columns ? Math.max(0, columns - 1) : columns
  const drawn = spans.map(([text, paint]) => {
    const kept = text.slice(0, left)
    left -= kept.length
    return paint === undefined || kept === '' ? kept : paint(kept)
  })
  return drawn.join('') + (whole > columns && columns > 0 ? '…' : '')
}
