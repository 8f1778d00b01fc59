/**
 * Compiles zones as they were read, and the steered owners laid over them, into the flat form that
 * look-ups use. Zone after zone: names become nodes, records become RRsets, then what each node
 * means is settled, checked and remarked on. Knows the order of these steps and little else.
 */
import { nameText } from '../dns/name.ts'
import { TYPE } from '../dns/rrtype.ts'
import { type At, problemAt, type Remarks, wrong } from '../fault.ts'
import { advise } from './advise.ts'
import { check } from './check.ts'
import { type Draft, draftRrset, draftWord, type SteeredOwner } from './draft.ts'
import { layGlue } from './glue.ts'
import {
  appendWord,
  growingWords,
  MOST_CELLS,
  reserveOctets,
  reserveWords,
  sharedWords,
} from './growing.ts'
import { assignOwners, hostedZones, overlay } from './overlay.ts'
import { fileAt } from './reading.ts'
import { recordAt, recordCount, recordOwner, type ZoneRecords } from './records.ts'
import { complain, isFull, reporter } from './reporter.ts'
import { type Making, making, noteZone, seal } from './seal.ts'
import { putNegativeSoa, rrsetTotal } from './shelf.ts'
import { shelve } from './shelve.ts'
import { enterApex, enterName, nodeCount } from './tree.ts'
import { NODE, NODE_WORDS, RECORD_HEAD, RRSET_WORDS, type Zones } from './zones.ts'

export type { SteeredOwner } from './draft.ts'

/**
 * Compiles zones. What is wrong goes to `remarks`; where there are problems, what comes back is not
 * meant to be served.
 *
 * @param zones   as `parseZone` read them; their memory may be let go afterwards
 * @param steered names that a rule answers for; each is laid over the closest zone
 * @param most    as many octets of names, or of ready-made records, all zones together may have
 */
export function compileZones(
  zones: readonly ZoneRecords[],
  steered: readonly SteeredOwner[],
  remarks: Remarks,
  most: number = MOST_CELLS,
): Zones {
  const hosted = hostedZones(zones, remarks)
  const owners = assignOwners(hosted, steered, remarks)
  const made = making()
  for (const [zone, records] of hosted.entries()) {
    const own: Remarks = { problems: [], warnings: [] }
    if (!fits(made, records, most)) {
      const what = `zones up to ${nameText(records.apex)} take more than ${most} octets together`
      remarks.problems.push(problemAt(fileAt(records.files[0] ?? ''), wrong(what)))
      break
    }
    compileZone(made, zone, records, owners[zone] ?? [], own)
    remarks.problems.push(...own.problems.sort(byPlace))
    remarks.warnings.push(...own.warnings.sort(byPlace))
  }
  return seal(made)
}

/** Tells whether one more zone has room, even if none of its records stands twice. */
function fits({ tree, shelf }: Making, records: ZoneRecords, most: number): boolean {
  const made = records.rdata.length + (recordCount(records) + 1) * RECORD_HEAD
  return shelf.records.length + made < most && tree.names.length + records.owners.length < most
}

/** The order of the file, where steps and nodes have another. */
function byPlace(a: At, b: At): number {
  if (a.file === b.file) return a.line - b.line
  return a.file < b.file ? -1 : 1
}

function compileZone(
  made: Making,
  zone: number,
  records: ZoneRecords,
  owners: readonly SteeredOwner[],
  remarks: Remarks,
): void {
  const { tree, shelf } = made
  const apex = enterApex(tree, zone, records.apex)
  const apexLabels = draftLabels({ tree }, apex)
  const place = { zone, records, apex, apexLabels, firstRrset: rrsetTotal(shelf) }
  const own = { origins: growingWords(), steered: [], reporter: reporter(remarks) }
  const draft: Draft = { tree, shelf, ...place, ...own }

  reserve(draft)
  const nodes = enterRecords(draft)
  overlay(draft, owners)
  shelve(draft, nodes)
  check(draft)
  const soa = draftRrset(draft, apex, TYPE.SOA)
  const negative = soa < 0 ? -1 : putNegativeSoa(shelf, soa)
  appendWord(draft.origins, draft.origins.cells[soa - draft.firstRrset] ?? 0)
  advise(draft, layGlue(draft))
  noteZone(made, { apex, soa, negative, depth: depthOf(draft), file: records.files[0] ?? '' })
}

/**
 * Makes room for what the records will need at most. Memory that is not written to costs nothing;
 * growing step by step would copy, and hold twice what is there.
 */
function reserve(draft: Draft): void {
  const { tree, shelf, records } = draft
  const count = recordCount(records)
  reserveOctets(tree.names, records.owners.length)
  reserveWords(tree.rows, count * NODE_WORDS)
  reserveWords(tree.parents, count)
  reserveWords(shelf.rows, count * RRSET_WORDS)
  reserveOctets(shelf.records, records.rdata.length + count * RECORD_HEAD)
  reserveWords(draft.origins, count)
}

/** Enters the owners of all records. Returns the node of each; −1 for those out of the zone. */
function enterRecords(draft: Draft): Int32Array {
  const { tree, zone, apexLabels, records } = draft
  const nodes = sharedWords(recordCount(records))
  let owner = -1
  let node = -1
  for (let record = 0; record < nodes.length; record += 1) {
    const next = recordOwner(records, record)
    if (next !== owner) node = enterName(tree, zone, apexLabels, records.owners.cells, next)
    owner = next
    nodes[record] = node
    if (node < 0) complainOutside(draft, record)
  }
  return nodes
}

/** RFC 1035 §5.2: data outside the zone. */
function complainOutside(draft: Draft, record: number): void {
  if (isFull(draft.reporter)) return
  const { cells } = draft.records.owners
  const owner = nameText(cells.subarray(recordOwner(draft.records, record)))
  const what = `${owner} is not in the zone ${nameText(draft.records.apex)}`
  const fix = 'remove it, or check the dots at the end of names and $ORIGIN'
  complain(draft.reporter, recordAt(draft.records, record), wrong(what, fix))
}

/** The labels of the zone's longest name. */
function depthOf(draft: Draft): number {
  let depth = 0
  for (let node = draft.apex; node < nodeCount(draft.tree); node += 1) {
    depth = Math.max(depth, draftLabels(draft, node))
  }
  return depth
}

function draftLabels(draft: Pick<Draft, 'tree'>, node: number): number {
  return draftWord(draft, node, NODE.FLAGS) >> 16
}
