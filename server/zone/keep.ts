/**
 * Which records of one RRset are kept: of those that say the same, the first (RFC 2181 §5). A table
 * of what has been kept, by a hash of the data, so that a million of one name end as soon as ten do.
 */
import { LOWER } from '../dns/name.ts'
import { sameRdata } from '../dns/rdata.ts'
import { rdataEnd, rdataStart, recordData, recordType, type ZoneRecords } from './records.ts'

/** Scratch: records by the hash of their data. Open addressing; −1 is a free place. */
export type Keeper = {
  readonly records: Int32Array
  readonly hashes: Int32Array
  /** How many places are in use for this RRset, less one: a power of two less one. */
  mask: number
}

/** @param most as many are kept of one RRset */
export function keeper(most: number): Keeper {
  const places = placesFor(most)
  return { records: new Int32Array(places), hashes: new Int32Array(places), mask: 0 }
}

/** At least one place in two stays free. */
function placesFor(count: number): number {
  return 2 << (32 - Math.clz32(count))
}

/** Begins an RRset of `count` records. Hot: once per RRset loaded that has several. */
export function keepNone(keeper: Keeper, count: number): void {
  const places = Math.min(placesFor(count), keeper.records.length)
  keeper.mask = places - 1
  for (let i = 0; i < places; i += 1) keeper.records[i] = -1
}

/**
 * Keeps a record. Hot: once per record loaded of an RRset that has several.
 *
 * @returns false where another with the same data has been kept
 */
export function keep(keeper: Keeper, of: ZoneRecords, record: number): boolean {
  const hash = rdataHash(of, record)
  let place = hash & keeper.mask
  for (let other = keeper.records[place]!; other >= 0; other = keeper.records[place]!) {
    if (keeper.hashes[place] === hash && isSame(of, other, record)) return false
    place = (place + 1) & keeper.mask
  }
  keeper.records[place] = record
  keeper.hashes[place] = hash
  return true
}

/** Hot. Octet by octet first: only where that fails do names and their case matter. */
function isSame(of: ZoneRecords, a: number, b: number): boolean {
  const { cells } = of.rdata
  const start = rdataStart(of, a)
  const length = rdataEnd(of, a) - start
  const other = rdataStart(of, b)
  if (rdataEnd(of, b) - other !== length) return false
  for (let i = 0; i < length; i += 1) {
    if (cells[start + i] !== cells[other + i]) return isSameData(of, a, b)
  }
  return true
}

function isSameData(of: ZoneRecords, a: number, b: number): boolean {
  return sameRdata(recordType(of, a), recordData(of, a), recordData(of, b))
}

/** Equal data, names blind to case, has an equal hash. Hot. */
function rdataHash(of: ZoneRecords, record: number): number {
  const { cells } = of.rdata
  const end = rdataEnd(of, record)
  let hash = 0
  for (let at = rdataStart(of, record); at < end; at += 1) {
    hash = Math.imul(hash ^ LOWER[cells[at]!]!, 0x01000193)
  }
  return hash ^ (hash >>> 15)
}
