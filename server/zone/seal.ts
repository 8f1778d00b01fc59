/**
 * Seals what was made into its final form. It lies in shared memory already; what is made here are the
 * table of apexes and the answers that say no.
 */

import { nameBuffer, setName } from '../dns/name.ts'
import { appendDenial, appendNone, type Denials, denying } from './denial.ts'
import { appendWord, growingWords, sealedOctets, sealedWords, type Words } from './growing.ts'
import { keyOf } from './lookup.ts'
import { rrsetTotal, type Shelf, shelf, shelfWord } from './shelf.ts'
import { emptyTable, insert } from './table.ts'
import { type Tree, tree } from './tree.ts'
import { NODE, NODE_WORDS, RECORD_HEAD, RRSET, type Zones } from './zones.ts'

/** The compiled form while it grows. */
export type Making = {
  readonly tree: Tree
  readonly shelf: Shelf
  readonly apex: Words
  readonly soa: Words
  readonly negative: Words
  readonly depth: Words
  readonly files: string[]
}

export function making(): Making {
  const columns = { apex: growingWords(), soa: growingWords(), negative: growingWords() }
  return { tree: tree(), shelf: shelf(), ...columns, depth: growingWords(), files: [] }
}

/** Notes the next zone: numbers of its apex node and its two SOA RRsets. */
export function noteZone(
  made: Making,
  zone: {
    readonly apex: number
    readonly soa: number
    readonly negative: number
    readonly depth: number
    readonly file: string
  },
): void {
  appendWord(made.apex, zone.apex)
  appendWord(made.soa, zone.soa)
  appendWord(made.negative, zone.negative)
  appendWord(made.depth, zone.depth)
  made.files.push(zone.file)
}

/** Seals everything made. Nothing may be added afterwards. */
export function seal(made: Making): Zones {
  const { tree } = made
  return {
    ...{ nodeCount: tree.parents.length, table: tree.table },
    ...{ nodes: sealedWords(tree.rows), names: sealedOctets(tree.names) },
    ...sealApexes(made),
    ...sealDenials(made),
    ...{ zoneCount: made.files.length, zoneFile: made.files },
    ...{ zoneApex: sealedWords(made.apex), zoneSoa: sealedWords(made.soa) },
    ...{ zoneNegative: sealedWords(made.negative), zoneDepth: sealedWords(made.depth) },
    ...sealShelf(made.shelf),
  }
}

/** The table of apexes, and how many labels they have. */
function sealApexes(made: Making): Pick<Zones, 'apexTable' | 'apexLabels'> {
  const { tree, apex } = made
  const name = nameBuffer()
  let capacity = 2
  while (capacity < 2 * apex.length) capacity *= 2
  const table = emptyTable(capacity)
  let least = 128 // no number of labels is tried where there is no zone
  let most = -1
  for (let zone = 0; zone < apex.length; zone += 1) {
    const node = apex.cells[zone] ?? 0
    setName(name, tree.names.cells, tree.rows.cells[node * NODE_WORDS + NODE.NAME] ?? 0)
    insert(table, keyOf(name, name.labels, 0), zone)
    least = Math.min(least, name.labels)
    most = Math.max(most, name.labels)
  }
  return { apexTable: table, apexLabels: { least, most } }
}

/** The SOA of each zone's negative answers. */
function sealDenials({ apex, negative, shelf, tree }: Making): Denials {
  const made = denying()
  const { cells: names } = tree.names
  for (let zone = 0; zone < apex.length; zone += 1) {
    const rrset = negative.cells[zone] ?? -1
    if (rrset < 0) {
      appendNone(made)
      continue
    }
    const nameAt = tree.rows.cells[(apex.cells[zone] ?? 0) * NODE_WORDS + NODE.NAME] ?? 0
    const ttl = shelfWord(shelf, rrset, RRSET.TTL)
    const rdataAt = shelfWord(shelf, rrset, RRSET.AT) + RECORD_HEAD
    const length = shelfWord(shelf, rrset, RRSET.LENGTH) - RECORD_HEAD
    appendDenial(made, names, nameAt, ttl, shelf.records.cells, rdataAt, length)
  }
  return { denials: sealedOctets(made.octets), denialRows: sealedWords(made.rows) }
}

type Columns = Pick<Zones, 'records' | 'rrsets' | 'rrsetTotal' | 'glueStart' | 'glue'>

function sealShelf(shelf: Shelf): Columns {
  appendWord(shelf.glueStart, shelf.glue.length) // where the last one's glue ends
  const glue = { glueStart: sealedWords(shelf.glueStart), glue: sealedWords(shelf.glue) }
  const rows = { rrsetTotal: rrsetTotal(shelf), rrsets: sealedWords(shelf.rows) }
  return { ...rows, ...glue, records: sealedOctets(shelf.records) }
}
