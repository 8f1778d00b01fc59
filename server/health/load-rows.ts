/**
 * The text of a load file: a head line that names its columns, then a row a target. Another program
 * writes it while we read, so a row that cannot be read is a warning, never a refusal: its target
 * counts as unknown.
 */
import { type Line, linesOf } from '../config/lines.ts'
import { addressFrom, looksLikeAddress } from '../config/prefix.ts'
import { addressText } from '../dns/address.ts'
import { isWrong, problemAt, type Remarks, type Wrong, wrong } from '../fault.ts'

/** What a row says of a target. Absent: it says nothing of that. */
export type LoadRow = {
  /** At least 0: any unit, as long as all targets of a pool have the same. */
  readonly load: number | undefined
  /** Above 0. */
  readonly capacity: number | undefined
  /** Milliseconds, above 0. */
  readonly latency: number | undefined
}

const COLUMNS = ['load', 'capacity', 'latency'] as const
const HEAD = 'target,load,capacity,latency'

/** Reads a load file: rows by target, as `targetKey` has it. */
export function loadRows(
  text: string,
  file: string,
  remarks: Remarks,
): ReadonlyMap<string, LoadRow> {
  const rows = new Map<string, LoadRow>()
  const warn = ({ line }: Line, reason: Wrong): void => {
    remarks.warnings.push(problemAt({ file, line, column: 1 }, reason))
  }
  const [head, ...lines] = linesOf(text, /#.*$/)
  if (head === undefined) return rows
  const columns = cellsOf(head)
  if (!isHead(columns)) {
    const fix = `begin the file with ${HEAD}, or fewer of these columns`
    warn(head, wrong(`${head.text} is no head line`, fix))
    return rows
  }
  for (const line of lines) {
    const cells = cellsOf(line)
    const row = cells.length === columns.length ? rowOf(columns, cells) : undefined
    const key = keyOf(cells[0] ?? '')
    if (row === undefined) {
      warn(line, wrong(`${line.text} cannot be read`, `write ${columns.join(',')}`))
    } else if (rows.has(key)) {
      warn(line, wrong(`${cells[0]} stands here twice`, 'name each target once'))
    } else {
      rows.set(key, row)
    }
  }
  return rows
}

function cellsOf({ text }: Line): string[] {
  return text.split(',').map(cell => cell.trim())
}

function isHead([first, ...rest]: readonly string[]): boolean {
  const known: readonly string[] = COLUMNS
  return first === 'target' && rest.length > 0 && rest.every(column => known.includes(column))
}

function rowOf(columns: readonly string[], cells: readonly string[]): LoadRow | undefined {
  const [load, capacity, latency] = COLUMNS.map(column => {
    const cell = cells[columns.indexOf(column)]
    return cell === undefined || cell === '' ? undefined : Number(cell)
  })
  const isGood =
    isAtLeast(load, 0) &&
    isAtLeast(capacity, Number.MIN_VALUE) &&
    isAtLeast(latency, Number.MIN_VALUE)
  return isGood ? { load, capacity, latency } : undefined
}

function isAtLeast(value: number | undefined, least: number): boolean {
  return value === undefined || (value >= least && value < Number.POSITIVE_INFINITY)
}

/** Equal for equal targets, however they are written: an address, or a host name in lower case. */
function keyOf(text: string): string {
  const address = looksLikeAddress(text) ? addressFrom(text) : wrong('a host name')
  if (!isWrong(address)) return addressText(address.octets)
  return text.toLowerCase().replace(/\.?$/, '.')
}
