/** Results as text: one table a workload. */
import { type Column, type Result, type RowOf, rowsOf } from './result.ts'

type Cells = readonly string[]

/** The table of a workload, with its notes. */
export function tableText(result: Result): string {
  const { columns, ratio, workload, title, notes } = result
  const rows = rowsOf(result)
  const bases = ratio === undefined ? [] : ['echo', 'lbdns'].filter(name => hasRow(rows, name))
  const heads = ['server', ...columns.map(column => column.title), ...bases.map(of => `÷ ${of}`)]
  const cells = rows.map(row => [
    row.server,
    ...columns.map(column => cell(row.figures.get(column.key), column.digits)),
    ...bases.map(base => cell(quotient(rows, row, base, ratio ?? ''), 2)),
  ])
  const remarks = notes.map(note => `  ${note}`)
  return [`${workload}: ${title}`, ...aligned([heads, ...cells]), ...remarks, ''].join('\n')
}

function hasRow(rows: readonly RowOf[], name: string): boolean {
  return rows.some(({ server }) => server === name)
}

function quotient(rows: readonly RowOf[], row: RowOf, base: string, key: string): number {
  const below = rows.find(({ server }) => server === base)?.figures.get(key)
  return (row.figures.get(key) ?? Number.NaN) / (below ?? Number.NaN)
}

function cell(figure: number | undefined, digits: Column['digits']): string {
  return figure === undefined || Number.isNaN(figure) ? '–' : figure.toFixed(digits)
}

/** The first column to the left, the others to the right. */
export function aligned(rows: readonly Cells[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map(row => (row[at] ?? '').length)),
  )
  return rows.map(row => {
    const [first = '', ...others] = row
    const rest = others.map((text, at) => text.padStart(widths[at + 1] ?? 0))
    return `  ${[first.padEnd(widths[0] ?? 0), ...rest].join('  ')}`.trimEnd()
  })
}
