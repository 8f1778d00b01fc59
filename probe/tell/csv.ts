/** Rows as CSV: RFC 4180, but for its line ends, which are those of a text file here. */

import { printable } from './number.ts'

export type Cell = string | number | boolean | undefined

/** The head, then the rows; what is absent is an empty cell. */
export function csvText(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map(cells => `${cells.map(cellText).join(',')}\n`).join('')
}

/** §2.6 and 2.7: in quotes where a comma, a quote or a line end is in it, each quote twice. */
function cellText(cell: Cell): string {
  const text = printable(String(cell ?? ''))
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
