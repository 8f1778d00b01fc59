/**
 * The text of a latency file: `prefix,pool,ms` a row, with or without that as its head line. Each
 * prefix may stand in as many rows as there are pools.
 */
import { type At, isWrong, problemAt, type Remarks, type Wrong, wrong } from '../fault.ts'
import type { Latency, Prefix } from '../steer/rule.ts'
import { embeddedIpv4, embeddingOf } from '../steer/special.ts'
import { flawOfReference } from './brick.ts'
import { linesOf } from './lines.ts'
import { type PrefixKey, prefixFrom, prefixKey, prefixText } from './prefix.ts'

const HEAD = 'prefix,pool,ms'

type Row = Prefix & { readonly at: At; readonly times: Map<number, number> }

/** A word of a row, and where it stands. */
type Cell = { readonly text: string; readonly at: At }

/** What rows are read against, and into. */
type Table = {
  readonly pools: ReadonlyMap<string, number>
  /** By prefix. */
  readonly rows: Map<PrefixKey, Row>
  readonly say: (cell: Cell, reason: Wrong) => void
}

/**
 * Reads every row; each mistake becomes a Problem at its place.
 *
 * @param pools the number of each pool by its name
 */
export function latencyRows(
  text: string,
  file: string,
  pools: ReadonlyMap<string, number>,
  remarks: Remarks,
): Latency['rows'] {
  const say = ({ at }: Cell, reason: Wrong): void => {
    remarks.problems.push(problemAt(at, reason))
  }
  const table: Table = { pools: asOctetsToo(pools), rows: new Map(), say }
  let isFirst = true
  for (const { text: written, line } of linesOf(text, /#.*$/)) {
    const isHead = isFirst && written.trim() === HEAD
    isFirst = false
    if (!isHead) takeRow(cellsOf(written, file, line), table)
  }
  return [...table.rows.values()]
}

function cellsOf(text: string, file: string, line: number): Cell[] {
  let from = 0
  return text.split(',').map(part => {
    const word = part.trim()
    const column = from + Math.max(0, part.indexOf(word)) + 1
    from += part.length + 1
    return { text: word, at: { file, line, column } }
  })
}

function takeRow(cells: readonly Cell[], { pools, rows, say }: Table): void {
  const [first, second, third, extra] = cells
  if (first === undefined || second === undefined || third === undefined || extra !== undefined) {
    const columns = `${cells.length} column${cells.length === 1 ? '' : 's'}, and a row has 3`
    say(extra ?? first!, wrong(columns, `write ${HEAD}`))
    return
  }
  const prefix = prefixIn(first.text)
  const pool = pools.get(second.text)
  const time = timeIn(third.text)
  if (isWrong(prefix)) say(first, prefix)
  if (pool === undefined) say(second, unknownPool(second.text, pools))
  if (isWrong(time)) say(third, time)
  if (isWrong(prefix) || pool === undefined || isWrong(time)) return

  const key = prefixKey(prefix)
  const row = rows.get(key) ?? { ...prefix, at: first.at, times: new Map() }
  if (row.times.has(pool)) {
    say(first, wrong(`${first.text} and ${second.text} stand here twice`, 'keep one of the rows'))
  }
  row.times.set(pool, time)
  rows.set(key, row)
}

function unknownPool(name: string, pools: Table['pools']): Wrong {
  if (name === '') return wrong('a row without a pool', `write ${HEAD}`)
  return flawOfReference('pool', name, pools) ?? wrong(`no pool is called ${name}`)
}

/** IPv4 inside IPv6 is told by IPv4 rows: a client may come either way. */
function prefixIn(text: string): Prefix | Wrong {
  const prefix = prefixFrom(text)
  if (isWrong(prefix)) return prefix
  const block = embeddingOf(prefix)
  if (block === undefined) return prefix
  const ipv4 = embeddedIpv4(prefix, block)
  const fix = ipv4 ? `write it as IPv4: ${prefixText(ipv4)}` : 'write its address as IPv4 /32'
  return wrong(`${text} is an IPv4 network inside ${prefixText(block)}`, fix)
}

/** Milliseconds. */
function timeIn(text: string): number | Wrong {
  const ms = /^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (Number.isFinite(ms)) return ms
  return wrong(`${text || '""'} is no number of milliseconds`, 'write one, 0 or more, like 12.5')
}

/** Files that are named come as octets, one a character: a name may look like UTF-8 read so. */
function asOctetsToo(pools: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const both = new Map(pools)
  for (const [name, number] of pools) {
    if (/\p{Cs}/u.test(name)) continue // half a character has no octets
    const octets = encodeURIComponent(name).replace(/%(..)/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    both.set(octets, number)
  }
  return both
}
