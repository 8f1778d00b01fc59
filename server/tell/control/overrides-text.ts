/** What operators imposed, and what became of one that has just been. */
import { table } from '../columns.ts'
import type { OverrideTold } from './told.ts'

const HEAD = ['id', 'now', 'does', 'from', 'until', 'author', 'reason', 'but']

export function overridesText(overrides: readonly OverrideTold[]): string[] {
  if (overrides.length === 0) return ['no overrides']
  const rows = overrides.map(told => {
    const { author, does, from, id, now, reason, until } = told
    const but = told.void === undefined ? '' : `does nothing: ${told.void}`
    return [String(id), now, does, from, until ?? 'undone', author, reason, but]
  })
  return table(HEAD, rows, ['id'])
}

/** `3: drain fra 30 %, in force until 2026-12-01T00:00:00Z` */
export function overrideLine(told: OverrideTold): string {
  const { does, from, id, now, until } = told
  const begin = now === 'later' ? `from ${from} ` : 'in force '
  const nothing = told.void === undefined ? '' : ` · it does nothing: ${told.void}`
  return `${id}: ${does}, ${begin}until ${until ?? 'undone'}${nothing}`
}
