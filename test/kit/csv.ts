/** A strict reader of CSV, RFC 4180, but for line ends: rows of cells, or an error where it is none. */

const CELL = /(?:"((?:[^"]|"")*)"|([^",\n\r]*))(,|\r?\n)/gy

/** Every row has as many cells as the first, and the last one its line end. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  CELL.lastIndex = 0
  while (CELL.lastIndex < text.length) {
    const at = CELL.lastIndex
    const found = CELL.exec(text)
    if (found === null) throw new Error(`not CSV: ${text.slice(at, at + 60)}`)
    const [, quoted, plain = '', end] = found
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end !== ',') rows.push([])
  }
  rows.pop()
  const odd = rows.find(row => row.length !== rows[0]?.length)
  if (odd !== undefined) throw new Error(`a row of ${odd.length} cells: ${odd.join(',')}`)
  return rows
}

/** Rows by the names of the first. */
export function readRecords(text: string): Readonly<Record<string, string>>[] {
  const [head = [], ...rows] = readCsv(text)
  return rows.map(row => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ''])))
}
