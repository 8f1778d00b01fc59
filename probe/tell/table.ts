/** Columns of text, aligned, and fitted into a width by cutting the last column. */

/**
 * @param rows  the head first; cells are printable text without colour
 * @param width of a line; absent: lines are as long as they are
 */
export function tableLines(
  rows: readonly (readonly string[])[],
  width: number | undefined,
): readonly string[] {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const widths = Array.from({ length: columns }, (_, at) =>
    rows.reduce((most, row) => Math.max(most, row[at]?.length ?? 0), 0),
  )
  return rows.map(row => {
    const cells = row.map((cell, at) =>
      at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0),
    )
    return fit(cells.join('  ').trimEnd(), width)
  })
}

/** Cuts a line that is too long, and shows that it was. */
export function fit(line: string, width: number | undefined): string {
  if (width === undefined || line.length <= width) return line
  return `${line.slice(0, Math.max(0, width - 1))}…`
}
