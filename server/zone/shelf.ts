/**
 * RRsets and their ready-made records while they are made: rows of numbers over one arena of
 * octets. Knows how a record looks on the wire, not which ones belong together.
 */
import { putOctets, putU16, putU32, u32 } from '../dns/octets.ts'
import { CLASS, TYPE } from '../dns/rrtype.ts'
import {
  appendWord,
  growingOctets,
  growingWords,
  type Octets,
  reserveOctets,
  type Words,
} from './growing.ts'
import { RECORD_HEAD, RRSET, RRSET_WORDS } from './zones.ts'

export type Shelf = {
  readonly records: Octets
  /** RRSET_WORDS words an RRset, as they will be served. */
  readonly rows: Words
  readonly glueStart: Words
  readonly glue: Words
}

/** A pointer to offset 12, where the question's name stands. RFC 1035 §4.1.4. */
const QUESTION_NAME = 0xc00c

/** Where the TTL stands in a record. */
const TTL_AT = 6

export function shelf(): Shelf {
  const octets = { records: growingOctets() }
  return { ...octets, rows: growingWords(), glueStart: growingWords(), glue: growingWords() }
}

export function rrsetTotal(shelf: Shelf): number {
  return shelf.rows.length / RRSET_WORDS
}

/** Hot. */
export function shelfWord(shelf: Shelf, rrset: number, word: number): number {
  return shelf.rows.cells[rrset * RRSET_WORDS + word]!
}

/** Appends an RRset. Hot: once per RRset loaded. */
export function putRow(
  shelf: Shelf,
  type: number,
  ttl: number,
  count: number,
  at: number,
  length: number,
  node: number,
): void {
  const { rows } = shelf
  appendWord(rows, type)
  appendWord(rows, ttl)
  appendWord(rows, count)
  appendWord(rows, at)
  appendWord(rows, length)
  appendWord(rows, node)
  for (let word = RRSET.SIGNATURE; word < RRSET_WORDS; word += 1) appendWord(rows, 0)
}

/**
 * Appends `c00c type class ttl rdlength rdata`. Hot: once per record loaded.
 *
 * @param rdata the data stands from `start` to `end` in it
 */
export function putRecord(
  shelf: Shelf,
  type: number,
  ttl: number,
  rdata: Uint8Array,
  start: number,
  end: number,
): void {
  const { records } = shelf
  const length = end - start
  reserveOctets(records, RECORD_HEAD + length)
  const out = records.cells
  let at = putU16(out, records.length, QUESTION_NAME)
  at = putU16(out, at, type)
  at = putU16(out, at, CLASS.IN)
  at = putU32(out, at, ttl)
  at = putU16(out, at, length)
  records.length = putOctets(out, at, rdata, start, length)
}

/**
 * Makes the SOA RRset for negative answers: TTL = min(its own, MINIMUM), RFC 2308 §3.
 *
 * @param soa the RRset that answers when the SOA is asked for
 * @returns the new one
 */
export function putNegativeSoa(shelf: Shelf, soa: number): number {
  const { records } = shelf
  const from = shelfWord(shelf, soa, RRSET.AT)
  const length = shelfWord(shelf, soa, RRSET.LENGTH)
  const ttl = Math.min(u32(records.cells, from + length - 4), shelfWord(shelf, soa, RRSET.TTL))
  const at = records.length
  reserveOctets(records, length)
  records.cells.copyWithin(at, from, from + length)
  putU32(records.cells, at + TTL_AT, ttl)
  records.length = at + length
  putRow(shelf, TYPE.SOA, ttl, 1, at, length, shelfWord(shelf, soa, RRSET.NODE))
  return rrsetTotal(shelf) - 1
}
