/** The findings there are, as a table and as a document. */

import { FINDING_IDS, rule } from '../judge/finding.ts'
import { DOCUMENT } from './documents.ts'
import { tableLines } from './table.ts'

export function checksTable(width: number | undefined): string {
  const rows = FINDING_IDS.map(rule).map(({ id, name, level, section }) => [
    id,
    name,
    level,
    section,
  ])
  return `${tableLines([['id', 'name', 'level', 'section'], ...rows], width).join('\n')}\n`
}

export function checksDocument(): string {
  return `${JSON.stringify({ schema: DOCUMENT.checks, checks: FINDING_IDS.map(rule) })}\n`
}
