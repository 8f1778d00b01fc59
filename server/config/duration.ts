/**
 * Spans of time as operators write them: `30s`, `1h30m`, or a plain number of seconds.
 */
import { type Wrong, wrong } from '../fault.ts'

/** The longest TTL there is. RFC 2181 §8. */
export const MAX_SECONDS = 2 ** 31 - 1

const UNITS = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 } as const
const ORDER = 'wdhms'
const FIX = 'write whole seconds, or a span such as 30s, 5m or 1h30m'

/** Reads a span, in seconds, 0 … 2³¹ − 1. */
export function secondsFrom(written: string | number): number | Wrong {
  const seconds = typeof written === 'number' ? written : secondsOf(written)
  if (seconds === undefined || !Number.isInteger(seconds)) {
    return wrong(`${written} is not a span of time`, FIX)
  }
  if (seconds < 0) return wrong(`${written} is less than nothing`, FIX)
  if (seconds > MAX_SECONDS)
    return wrong(`${written} is too long`, `at most ${MAX_SECONDS} seconds`)
  return seconds
}

/** Each unit at most once, the larger first. */
function secondsOf(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text)
  if (!/^(?:\d+[wdhms])+$/.test(text)) return undefined
  let seconds = 0
  let last = -1
  for (const [part] of text.matchAll(/\d+[wdhms]/g)) {
    const unit = part.slice(-1) as keyof typeof UNITS
    const rank = ORDER.indexOf(unit)
    if (rank <= last) return undefined
    last = rank
    seconds += Number(part.slice(0, -1)) * UNITS[unit]
  }
  return seconds
}
