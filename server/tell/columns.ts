/** Text in columns, each as wide as its widest cell. */

/** Words beside words: two columns, both flush left. */
export function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `${first.padEnd(width)}  ${second}`.trimEnd())
}

/** The same of the first `most` rows, and how many more there are: `and 3 more rankings`. */
export function firstColumns(
  rows: readonly (readonly [string, string])[],
  most: number,
  noun = '',
): string[] {
  const shown = columns(rows.slice(0, most))
  if (rows.length <= most) return shown
  return [...shown, `and ${rows.length - most} more ${noun}`.trimEnd()]
}

/** Figures beside words: all columns but the first flush right. */
export function figureColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (most, row) => row.map((cell, at) => Math.max(cell.length, most[at] ?? 0)),
    [],
  )
  const line = (row: readonly string[]) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0)))
  return rows.map(row => line(row).join('  ').trimEnd())
}

/**
 * A table with a head. Columns of which only the head says anything are left out.
 *
 * @param figures heads of the columns that stand flush right
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  figures: readonly string[] = [],
): string[] {
  const columns = head.flatMap((title, at) => {
    const cells = rows.map(row => row[at] ?? '')
    if (cells.every(cell => cell === '')) return []
    const width = [title, ...cells].reduce((most, cell) => Math.max(most, cell.length), 0)
    const isRight = figures.includes(title)
    return [[title, ...cells].map(cell => (isRight ? cell.padStart(width) : cell.padEnd(width)))]
  })
  return ['', ...rows].map((_, at) =>
    columns
      .map(column => column[at])
      .join('  ')
      .trimEnd(),
  )
}
