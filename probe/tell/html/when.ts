/** Moments as a person reads them. Knows no clock. */
import { el, type Markup } from './markup.ts'

/** `2026-12-01 10:00:00 UTC`, from ISO 8601 in UTC, as recordings have it. */
export function moment(iso: string): Markup {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(iso)
  if (parts === null) return el('span', {}, iso)
  return el('time', { datetime: iso }, `${parts[1]} ${parts[2]} UTC`)
}
