/**
 * The records of one zone as they were read: rows of numbers over two arenas of octets, nothing
 * checked against each other yet. Knows where each record stands in its file.
 */
import { MAX_NAME, measureName, type Name } from '../dns/name.ts'
import type { At } from '../fault.ts'
import {
  appendOctets,
  growingOctets,
  growingWords,
  MOST_CELLS,
  type Octets,
  reserveOctets,
  reserveWords,
  type Words,
} from './growing.ts'

export type ZoneRecords = {
  /** The owner of the first SOA record. */
  apex: Name
  /** Files read, the zone's own first. */
  readonly files: string[]
  /** Canonical names; consecutive records of one owner share one. */
  readonly owners: Octets
  readonly rdata: Octets
  /** RECORD_WORDS words a record. */
  readonly rows: Words
  /** Types of which a record could not be read: no use to complain that there is none. */
  readonly brokenTypes: Set<number>
}

const RECORD_WORDS = 6
const OWNER = 0
const TYPE = 1
const TTL = 2
const RDATA = 3
const LINE = 4
/** The file's number in the upper half, the column in the lower one. */
const PLACE = 5

const MAX_COLUMN = 0xffff

export function zoneRecords(apex: Name): ZoneRecords {
  return {
    ...{ apex, files: [], owners: growingOctets(), rdata: growingOctets(), rows: growingWords() },
    brokenTypes: new Set(),
  }
}

/** Makes room for the records of a file: lines of 16 octets, all of them owners or data. */
export function reserveRecords(records: ZoneRecords, octets: number): void {
  const most = Math.min(octets, MOST_CELLS)
  reserveWords(records.rows, RECORD_WORDS * Math.ceil(most / 16))
  reserveOctets(records.owners, most)
  reserveOctets(records.rdata, most)
}

/** Tells whether there is room for one more record where columns hold so many cells. Hot. */
export function hasRoom({ owners, rdata, rows }: ZoneRecords, most: number): boolean {
  return owners.length < most && rdata.length < most && rows.length < most
}

export function recordCount(records: ZoneRecords): number {
  return records.rows.length / RECORD_WORDS
}

/**
 * Appends a record. Hot: once per record loaded.
 *
 * @param owner an offset in `owners`
 * @param rdata where its data begins in `rdata`, of which it is the end
 */
export function appendRecord(
  records: ZoneRecords,
  owner: number,
  type: number,
  ttl: number,
  rdata: number,
  line: number,
  place: number,
): void {
  const { rows } = records
  reserveWords(rows, RECORD_WORDS)
  const row = rows.length
  rows.cells[row + OWNER] = owner
  rows.cells[row + TYPE] = type
  rows.cells[row + TTL] = ttl
  rows.cells[row + RDATA] = rdata
  rows.cells[row + LINE] = line
  rows.cells[row + PLACE] = place
  rows.length = row + RECORD_WORDS
}

/** File and column in one word. */
export function placeWord(file: number, column: number): number {
  return (file << 16) | Math.min(column, MAX_COLUMN)
}

/** Appends an owner in lower case. Returns its offset in `owners`. */
export function appendOwner(records: ZoneRecords, name: Uint8Array): number {
  const at = appendOctets(records.owners, name, 0, name.length)
  records.owners.length = at
  return foldOwner(records, at + name.length)
}

/** Makes room for an owner with what may be written before it is known to be none. Hot. */
export function roomForOwner(records: ZoneRecords): number {
  reserveOctets(records.owners, 2 * MAX_NAME)
  return records.owners.length
}

/**
 * Takes what was written behind the owners, up to `to`, for one more, in lower case. Hot: once per
 * owner loaded. Returns its offset.
 */
export function foldOwner(records: ZoneRecords, to: number): number {
  const { owners } = records
  const at = owners.length
  for (let i = at; i < to; i += 1) {
    const octet = owners.cells[i]!
    if (octet >= 0x41 && octet <= 0x5a) owners.cells[i] = octet + 0x20
  }
  owners.length = to
  return at
}

/** The owner at an offset of `records.owners`, as a copy. */
export function ownerName(records: ZoneRecords, at: number): Name {
  const { cells, length } = records.owners
  return cells.slice(at, measureName(cells, at, length)) as Name
}

/** Offset of the owner in `records.owners`. Hot. */
export function recordOwner(records: ZoneRecords, record: number): number {
  return records.rows.cells[record * RECORD_WORDS + OWNER]!
}

/** Hot. */
export function recordType(records: ZoneRecords, record: number): number {
  return records.rows.cells[record * RECORD_WORDS + TYPE]!
}

/** Seconds, 0 … 2³¹ − 1. Hot. */
export function recordTtl(records: ZoneRecords, record: number): number {
  return records.rows.cells[record * RECORD_WORDS + TTL]!
}

/** Offset of the rdata in `records.rdata`. Hot. */
export function rdataStart(records: ZoneRecords, record: number): number {
  return records.rows.cells[record * RECORD_WORDS + RDATA]!
}

/** The offset after it: rdata stands in the order of the records. Hot. */
export function rdataEnd(records: ZoneRecords, record: number): number {
  const next = (record + 1) * RECORD_WORDS
  return next < records.rows.length ? records.rows.cells[next + RDATA]! : records.rdata.length
}

/** The rdata as a view. */
export function recordData(records: ZoneRecords, record: number): Uint8Array {
  return records.rdata.cells.subarray(rdataStart(records, record), rdataEnd(records, record))
}

/** Where a record begins. */
export function recordAt(records: ZoneRecords, record: number): At {
  const row = record * RECORD_WORDS
  const place = records.rows.cells[row + PLACE] ?? 0
  const file = records.files[place >>> 16] ?? ''
  return { file, line: records.rows.cells[row + LINE] ?? 0, column: place & MAX_COLUMN }
}
