/** How long ago something was, in few letters: `41s`, `3m12s`, `2h5m`, `9d4h`. */

import { roughSpan } from './span.ts'

/**
 * @param moment RFC 3339
 * @param now    milliseconds; clocks may differ, so what lies ahead is now
 */
export function ageText(moment: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(moment)) / 1000))
  return Number.isNaN(seconds) ? '' : roughSpan(seconds)
}
