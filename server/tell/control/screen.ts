/**
 * Lines as a picture on a terminal, drawn over the one before: from the top left corner, each line and
 * the rest of the screen wiped. It holds whatever size the terminal has taken on meanwhile.
 */

/** Until it is first drawn, what stands on the screen is pushed up and stays there to be read. */
export function roomText(rows: number): string {
  return '\n'.repeat(rows)
}

/**
 * @param lines of printable text
 * @param columns, rows of the terminal, at least 1 each; the last row stays free
 */
export function screenText(lines: readonly string[], columns: number, rows: number): string {
  const most = Math.max(1, rows - 1)
  const shown =
    lines.length <= most
      ? lines
      : [...lines.slice(0, most - 1), `and ${lines.length - most + 1} more lines`]
  const drawn = shown.map(line => `${cut(line, columns)}\x1b[K\n`)
  return `\x1b[H${drawn.join('')}\x1b[J`
}

/** A line that would wrap would push the others down. */
function cut(line: string, columns: number): string {
  return line.length <= columns ? line : `${line.slice(0, Math.max(0, columns - 1))}…`
}
