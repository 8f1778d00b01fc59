/** Tables of GitHub Flavored Markdown §4.10, read as far as cells go: text, with escapes taken back. */

/** Each table as its rows, the head first. */
export function readTables(text: string): string[][][] {
  const blocks = text.split(/\n{2,}/).map(block => block.trim().split('\n'))
  return blocks.filter(([first = '']) => first.startsWith('|')).map(readTable)
}

function readTable(lines: readonly string[]): string[][] {
  const [head, delimiter = [], ...rows] = lines.map(cellsOf)
  if (head === undefined || !delimiter.every(cell => /^:?-+:?$/.test(cell))) {
    throw new Error(`no table: ${lines[0]}`)
  }
  const odd = [delimiter, ...rows].find(row => row.length !== head.length)
  if (odd !== undefined) throw new Error(`a row of ${odd.length} cells: ${odd.join(' | ')}`)
  return [head, ...rows]
}

/** A bar that a backslash stands before is text. */
function cellsOf(line: string): string[] {
  const inner = /^\|((?:[^\\]|\\.)*)\|$/.exec(line)?.[1]
  if (inner === undefined) throw new Error(`no row: ${line}`)
  return [...inner.matchAll(/((?:\\.|[^\\|])*)(?:\||$)/g)]
    .map(([, cell = '']) => cell)
    .slice(0, -1)
    .map(cell => unescaped(cell.trim()))
}

/** @throws {Error} where something that is not escaped would be markup */
function unescaped(cell: string): string {
  const bare = cell.replaceAll(/\\[!-/:-@[-`{-~]/g, '').replaceAll(/&(?:lt|gt);/g, '')
  if (/[`*_[\]<>|~]/.test(bare) && !/^\*\*\w+\*\*$/.test(cell)) throw new Error(`markup: ${cell}`)
  return cell
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
}
