/**
 * The records of one node by type, and of one type in the order of the file. Knows nothing of what a
 * type means.
 */
import { recordType, type ZoneRecords } from './records.ts'

/** The first record of each node, and the one after each record; −1: there is none. */
export type Chains = { readonly heads: Int32Array; readonly next: Int32Array }

/** The records collected last, and the type of each. */
export type Sorter = {
  readonly of: ZoneRecords
  records: Int32Array
  types: Int32Array
}

/** Above so many, moving records one by one is slower than sorting keys. */
const FEW = 64

/** A type and a record in one sortable number. */
const TYPE_FACTOR = 2 ** 32

export function sorterOf(of: ZoneRecords): Sorter {
  return { of, records: new Int32Array(FEW), types: new Int32Array(FEW) }
}

/** Collects a node's records. Hot: once per node loaded. Returns how many there are. */
export function collect(sorter: Sorter, { heads, next }: Chains, node: number): number {
  let count = 0
  let isSorted = true
  for (let record = heads[node]!; record >= 0; record = next[record]!) {
    if (count === sorter.records.length) enlarge(sorter)
    const type = recordType(sorter.of, record)
    if (count > 0 && type < sorter.types[count - 1]!) isSorted = false
    sorter.records[count] = record
    sorter.types[count] = type
    count += 1
  }
  if (isSorted) return count
  if (count <= FEW) sortFew(sorter, count)
  else sortMany(sorter, count)
  return count
}

function enlarge(sorter: Sorter): void {
  const { records, types } = sorter
  sorter.records = new Int32Array(2 * records.length)
  sorter.records.set(records)
  sorter.types = new Int32Array(2 * records.length)
  sorter.types.set(types)
}

/** Moves each record before those of higher types. Hot: once per node loaded. */
function sortFew({ records, types }: Sorter, count: number): void {
  for (let i = 1; i < count; i += 1) {
    const record = records[i]!
    const type = types[i]!
    let at = i
    for (; at > 0 && types[at - 1]! > type; at -= 1) {
      records[at] = records[at - 1]!
      types[at] = types[at - 1]!
    }
    records[at] = record
    types[at] = type
  }
}

function sortMany({ records, types }: Sorter, count: number): void {
  const keys = new Float64Array(count)
  for (let i = 0; i < count; i += 1) keys[i] = (types[i] ?? 0) * TYPE_FACTOR + (records[i] ?? 0)
  keys.sort()
  for (const [i, key] of keys.entries()) {
    records[i] = key % TYPE_FACTOR
    types[i] = Math.floor(key / TYPE_FACTOR)
  }
}
