/**
 * Puts a zone's records together into RRsets, ready-made for the wire: duplicates once (RFC 2181
 * §5), one TTL each, the lowest (RFC 2181 §5.2). Knows records and nodes; not what types mean to
 * each other.
 */
import { nameText } from '../dns/name.ts'
import { sameRdata } from '../dns/rdata.ts'
import { TYPE, typeText } from '../dns/rrtype.ts'
import { wrong } from '../fault.ts'
import { type Draft, draftFlags, draftName, setDraftWord } from './draft.ts'
import { appendWord } from './growing.ts'
import {
  rdataEnd,
  rdataStart,
  recordAt,
  recordCount,
  recordData,
  recordTtl,
  recordType,
} from './records.ts'
import { complain, warn } from './reporter.ts'
import { coverAbove, settleNode } from './settle.ts'
import { putRecord, putRow, rrsetTotal } from './shelf.ts'
import { nodeCount } from './tree.ts'
import { FLAG, NODE } from './zones.ts'

/**
 * What a message of 65,535 octets has besides an answer: header, type and class of the question.
 */
const AROUND = 16

/** A type and a record in one sortable number. */
const TYPE_FACTOR = 2 ** 32

/** Scratch of one zone. */
type Sorter = {
  /** Keys of the records of one node. */
  keys: Float64Array
  /** Hashes of the records kept of one RRset, and which they are. */
  hashes: Int32Array
  kept: Int32Array
}

/**
 * Makes the RRsets of all nodes of the zone, and settles what each node means.
 *
 * @param nodes the node of each record; −1 leaves it out
 */
export function shelve(draft: Draft, nodes: Int32Array): void {
  const total = nodeCount(draft.tree)
  const count = recordCount(draft.records)
  const heads = new Int32Array(total - draft.apex).fill(-1)
  const next = new Int32Array(count)
  for (let record = count - 1; record >= 0; record -= 1) {
    const node = nodes[record] ?? -1
    if (node < 0) continue
    next[record] = heads[node - draft.apex] ?? -1
    heads[node - draft.apex] = record
  }
  const sorter = {
    keys: new Float64Array(64),
    hashes: new Int32Array(64),
    kept: new Int32Array(64),
  }
  for (let node = draft.apex; node < total; node += 1) {
    shelveNode(draft, sorter, node, heads[node - draft.apex] ?? -1, next)
    settleNode(draft, node) // parents come first, so whatever hides a node is known before it
  }
}

/** Hot: once per node loaded. */
function shelveNode(
  draft: Draft,
  sorter: Sorter,
  node: number,
  head: number,
  next: Int32Array,
): void {
  const count = sortRecords(draft, sorter, head, next)
  const first = rrsetTotal(draft.shelf)
  setDraftWord(draft, node, NODE.RRSET, first)
  for (let from = 0; from < count; ) {
    const type = Math.floor(sorter.keys[from]! / TYPE_FACTOR)
    let to = from + 1
    while (to < count && sorter.keys[to]! < (type + 1) * TYPE_FACTOR) to += 1
    if (isReplaced(draft, node, type)) warnReplaced(draft, node, type, recordOf(sorter, from))
    else shelveRrset(draft, sorter, node, type, from, to)
    from = to
  }
  setDraftWord(draft, node, NODE.RRSETS, rrsetTotal(draft.shelf) - first)
}

/**
 * Collects a node's records by type, then in the order of the file. Hot. Returns how many there
 * are.
 */
function sortRecords(draft: Draft, sorter: Sorter, head: number, next: Int32Array): number {
  let count = 0
  for (let record = head; record >= 0; record = next[record]!) {
    if (count === sorter.keys.length) enlarge(sorter)
    sorter.keys[count] = recordType(draft.records, record) * TYPE_FACTOR + record
    count += 1
  }
  if (count > 1) sorter.keys.subarray(0, count).sort()
  return count
}

function enlarge(sorter: Sorter): void {
  const keys = new Float64Array(2 * sorter.keys.length)
  keys.set(sorter.keys)
  sorter.keys = keys
  sorter.hashes = new Int32Array(keys.length)
  sorter.kept = new Int32Array(keys.length)
}

/** Hot. */
function recordOf(sorter: Sorter, index: number): number {
  return sorter.keys[index]! % TYPE_FACTOR
}

/** Steering hands out addresses of its own, but not below a cut, where those here are glue. Hot. */
function isReplaced(draft: Draft, node: number, type: number): boolean {
  if ((type !== TYPE.A && type !== TYPE.AAAA) || coverAbove(draft, node) >= 0) return false
  return (draftFlags(draft, node) & (FLAG.STEERED | FLAG.STEERED_ALIAS)) !== 0
}

function warnReplaced(draft: Draft, node: number, type: number, record: number): void {
  const owner = nameText(draftName(draft, node))
  const what = `${owner} is steered: its ${typeText(type)} records here are not used`
  warn(draft.reporter, recordAt(draft.records, record), wrong(what, 'remove them'))
}

/** Makes one RRset of the records `from` … `to` of the sorter. */
function shelveRrset(
  draft: Draft,
  sorter: Sorter,
  node: number,
  type: number,
  from: number,
  to: number,
): void {
  const { records, shelf } = draft
  const at = shelf.records.length
  const ttl = lowestTtl(draft, sorter, node, type, from, to)
  const limit = 0xffff - AROUND - draftName(draft, node).length
  let count = 0
  for (let index = from; index < to; index += 1) {
    const record = recordOf(sorter, index)
    if (to - from > 1 && isDuplicate(draft, sorter, type, record, count)) continue
    const start = rdataStart(records, record)
    putRecord(shelf, type, ttl, records.rdata.cells, start, rdataEnd(records, record))
    count += 1
    if (shelf.records.length - at > limit) {
      complainLength(draft, node, type, record)
      shelf.records.length = at
      return
    }
  }
  appendWord(draft.origins, recordOf(sorter, from))
  putRow(shelf, type, ttl, count, at, shelf.records.length - at, node)
}

function complainLength(draft: Draft, node: number, type: number, record: number): void {
  const owner = nameText(draftName(draft, node))
  const what = `${owner} has more ${typeText(type)} records than a message holds`
  complain(draft.reporter, recordAt(draft.records, record), wrong(what, 'at most 65535 octets'))
}

/** RFC 2181 §5.2: one TTL an RRset. Hot. */
function lowestTtl(
  draft: Draft,
  sorter: Sorter,
  node: number,
  type: number,
  from: number,
  to: number,
): number {
  const { records } = draft
  const first = recordTtl(records, recordOf(sorter, from))
  let lowest = first
  let other = -1
  for (let index = from + 1; index < to; index += 1) {
    const ttl = recordTtl(records, recordOf(sorter, index))
    if (ttl !== first && other < 0) other = recordOf(sorter, index)
    if (ttl < lowest) lowest = ttl
  }
  if (other >= 0) warnTtl(draft, node, type, other, lowest)
  return lowest
}

function warnTtl(draft: Draft, node: number, type: number, record: number, lowest: number): void {
  const owner = nameText(draftName(draft, node))
  const what = `the ${typeText(type)} records of ${owner} have different TTLs: ${lowest} counts`
  const fix = 'give them one TTL (RFC 2181 §5.2)'
  warn(draft.reporter, recordAt(draft.records, record), wrong(what, fix))
}

/** Tells whether a record is among the `count` kept so far, and says so; else adds it to them. */
function isDuplicate(
  draft: Draft,
  sorter: Sorter,
  type: number,
  record: number,
  count: number,
): boolean {
  const hash = rdataHash(draft, record)
  for (let i = 0; i < count; i += 1) {
    if (sorter.hashes[i] === hash && isSame(draft, type, sorter.kept[i] ?? 0, record)) {
      const reason = wrong(`a second ${typeText(type)} record with the same data`, 'remove it')
      warn(draft.reporter, recordAt(draft.records, record), reason)
      return true
    }
  }
  sorter.hashes[count] = hash
  sorter.kept[count] = record
  return false
}

function isSame(draft: Draft, type: number, a: number, b: number): boolean {
  return sameRdata(type, recordData(draft.records, a), recordData(draft.records, b))
}

/** Equal data, names blind to case, has an equal hash. Hot. */
function rdataHash(draft: Draft, record: number): number {
  const { cells } = draft.records.rdata
  const end = rdataEnd(draft.records, record)
  let hash = 0
  for (let at = rdataStart(draft.records, record); at < end; at += 1) {
    const octet = cells[at]!
    hash = Math.imul(hash ^ (octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet), 0x01000193)
  }
  return hash
}
