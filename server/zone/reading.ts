/**
 * The state of reading one zone: what outlives a file (records, $TTL, problems) and what belongs to
 * one file of it (origin, last owner). RFC 1035 §5.1. Knows no syntax.
 */
import { MAX_NAME } from '../dns/name.ts'
import type { At, Wrong } from '../fault.ts'
import type { ZoneRecords } from './records.ts'
import type { Reporter } from './reporter.ts'
import type { Stream } from './stream.ts'
import type { Words } from './word.ts'

/** Opens another file. `path` stands as written in `fromFile`, as latin1: one character, one octet. */
export type Include = (
  path: string,
  fromFile: string,
) => { readonly file: string; readonly stream: Stream } | Wrong

/**
 * What stands before a record's data: scratch, filled anew for each. `ttl` −1: not stated; `next`: the
 * token after the type.
 */
export type Head = { ttl: number; type: number; next: number }

export type Reading = {
  readonly records: ZoneRecords
  readonly reporter: Reporter
  readonly include: Include
  /** As many octets of names, or of data, there may be. */
  readonly most: number
  readonly head: Head
  readonly words: Words
  /**
   * Seconds of the last $TTL, and of the TTL stated last; −1: none yet. They outlive their file.
   */
  defaultTtl: number
  lastTtl: number
  hasApex: boolean
  /** Includes that may still follow. */
  includesLeft: number
  /** Something makes reading on useless. */
  isStopped: boolean
}

/** One file being read. */
export type Source = {
  readonly file: string
  /** Its number in `records.files`. */
  readonly fileNumber: number
  /** The files that are including this one, itself last. */
  readonly chain: readonly string[]
  origin: Uint8Array | undefined
  /** The owner stated last, as an offset in `records.owners`, or NO_OWNER or BROKEN_OWNER. */
  owner: number
  /**
   * How that owner was written, `ownerLength` octets of text (−1: unknown), and under which origin:
   * the same again needs no reading.
   */
  readonly ownerText: Uint8Array
  ownerLength: number
  ownerOrigin: Uint8Array | undefined
}

export const NO_OWNER = -1
/** The owner stated last cannot be read: records that lean on it are checked and left out. */
export const BROKEN_OWNER = -2

export function source(
  reading: Reading,
  file: string,
  origin: Uint8Array | undefined,
  chain: readonly string[],
): Source {
  const fileNumber = reading.records.files.push(file) - 1
  const own = { file, fileNumber, chain: [...chain, file], origin }
  const text = { ownerText: new Uint8Array(MAX_NAME), ownerLength: -1, ownerOrigin: undefined }
  return { ...own, owner: NO_OWNER, ...text }
}

/** The beginning of a file. */
export function fileAt(file: string): At {
  return { file, line: 0, column: 0 }
}
