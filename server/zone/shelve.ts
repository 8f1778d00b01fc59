/**
 * Puts a zone's records together into RRsets, ready-made for the wire: duplicates once (RFC 2181
 * §5), one TTL each, the lowest (RFC 2181 §5.2). Knows records and nodes; not what types mean to
 * each other.
 */
import { MAX_NAME, nameText } from '../dns/name.ts'
import { TYPE, typeText } from '../dns/rrtype.ts'
import { wrong } from '../fault.ts'
import { type Draft, draftFlags, draftName, setDraftWord } from './draft.ts'
import { appendWord, sharedWords } from './growing.ts'
import { type Keeper, keep, keeper, keepNone } from './keep.ts'
import { rdataEnd, rdataStart, recordAt, recordTtl } from './records.ts'
import { complain, isWarned, warn } from './reporter.ts'
import { coverAbove, settleNode } from './settle.ts'
import { putRecord, putRow, rrsetTotal } from './shelf.ts'
import { type Chains, collect, type Sorter, sorterOf } from './sort.ts'
import { nodeCount } from './tree.ts'
import { FLAG, NODE, RECORD_HEAD } from './zones.ts'

/**
 * What a message of 65,535 octets has besides an answer: header, type and class of the question.
 */
const AROUND = 16
/** Octets of an RRset with the name that it answers; below SHORT, no name is too long. */
const LONGEST = 0xffff - AROUND
const SHORT = LONGEST - MAX_NAME

/** As many records fit in a message, whatever their data: none takes less than 12 octets. */
const MOST = Math.floor(0xffff / RECORD_HEAD)

/**
 * Makes the RRsets of all nodes of the zone, and settles what each node means.
 *
 * @param nodes the node of each record; −1 leaves it out; used up
 */
export function shelve(draft: Draft, nodes: Int32Array): void {
  const total = nodeCount(draft.tree)
  const chains = chainRecords(draft, nodes, total)
  const sorter = sorterOf(draft.records)
  const kept = keeper(MOST)
  for (let node = draft.apex; node < total; node += 1) {
    const count = collect(sorter, chains, node - draft.apex)
    shelveNode(draft, sorter, kept, node, count)
    settleNode(draft, node) // parents come first, so whatever hides a node is known before it
  }
}

/**
 * The records of each node from the apex on, in the order of the file. Hot: once per record loaded. The
 * column of nodes becomes that of what comes next: one less of ten million words.
 */
function chainRecords(draft: Draft, nodes: Int32Array, total: number): Chains {
  const heads = sharedWords(total - draft.apex).fill(-1)
  for (let record = nodes.length - 1; record >= 0; record -= 1) {
    const node = nodes[record]!
    if (node < 0) continue
    nodes[record] = heads[node - draft.apex]!
    heads[node - draft.apex] = record
  }
  return { heads, next: nodes }
}

/** Hot: once per node loaded. */
function shelveNode(draft: Draft, sorter: Sorter, kept: Keeper, node: number, count: number): void {
  const { records, types } = sorter
  const first = rrsetTotal(draft.shelf)
  setDraftWord(draft, node, NODE.RRSET, first)
  for (let from = 0; from < count; ) {
    const type = types[from]!
    let to = from + 1
    while (to < count && types[to] === type) to += 1
    if (isReplaced(draft, node, type)) warnReplaced(draft, node, type, records[from]!)
    else shelveRrset(draft, sorter, kept, node, from, to)
    from = to
  }
  setDraftWord(draft, node, NODE.RRSETS, rrsetTotal(draft.shelf) - first)
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

/** Makes one RRset of the records `from` … `to` of the sorter. Hot: once per RRset loaded. */
function shelveRrset(
  draft: Draft,
  sorter: Sorter,
  kept: Keeper,
  node: number,
  from: number,
  to: number,
): void {
  const { records, shelf } = draft
  const type = sorter.types[from]!
  const at = shelf.records.length
  const ttl = lowestTtl(draft, sorter, node, from, to)
  let count = 0
  if (to - from > 1) keepNone(kept, to - from)
  for (let index = from; index < to; index += 1) {
    const record = sorter.records[index]!
    if (to - from > 1 && !keep(kept, records, record)) {
      warnDuplicate(draft, type, record)
      continue
    }
    const start = rdataStart(records, record)
    putRecord(shelf, type, ttl, records.rdata.cells, start, rdataEnd(records, record))
    count += 1
    if (shelf.records.length - at > SHORT && isTooLong(draft, node, at)) {
      complainLength(draft, node, type, record)
      shelf.records.length = at
      return
    }
  }
  appendWord(draft.origins, sorter.records[from]!)
  putRow(shelf, type, ttl, count, at, shelf.records.length - at, node)
}

/** Tells whether the records from `at` on are more than a message holds. */
function isTooLong(draft: Draft, node: number, at: number): boolean {
  return draft.shelf.records.length - at > LONGEST - draftName(draft, node).length
}

function complainLength(draft: Draft, node: number, type: number, record: number): void {
  const owner = nameText(draftName(draft, node))
  const what = `${owner} has more ${typeText(type)} records than a message holds`
  complain(draft.reporter, recordAt(draft.records, record), wrong(what, 'at most 65535 octets'))
}

/** RFC 2181 §5.2: one TTL an RRset. Hot. */
function lowestTtl(draft: Draft, sorter: Sorter, node: number, from: number, to: number): number {
  const { records } = draft
  const first = recordTtl(records, sorter.records[from]!)
  let lowest = first
  let other = -1
  for (let index = from + 1; index < to; index += 1) {
    const ttl = recordTtl(records, sorter.records[index]!)
    if (ttl !== first && other < 0) other = sorter.records[index]!
    if (ttl < lowest) lowest = ttl
  }
  if (other >= 0) warnTtl(draft, node, sorter.types[from]!, other, lowest)
  return lowest
}

function warnTtl(draft: Draft, node: number, type: number, record: number, lowest: number): void {
  const owner = nameText(draftName(draft, node))
  const what = `the ${typeText(type)} records of ${owner} have different TTLs: ${lowest} counts`
  const fix = 'give them one TTL (RFC 2181 §5.2)'
  warn(draft.reporter, recordAt(draft.records, record), wrong(what, fix))
}

function warnDuplicate(draft: Draft, type: number, record: number): void {
  if (isWarned(draft.reporter)) return
  const reason = wrong(`a second ${typeText(type)} record with the same data`, 'remove it')
  warn(draft.reporter, recordAt(draft.records, record), reason)
}
