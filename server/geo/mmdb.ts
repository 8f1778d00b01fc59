/**
 * A MaxMind DB file as it lies in memory: its layout, checked before anything walks it, and one node
 * of its search tree at a time (MaxMind DB format 2.0). The data section is left to `maxmind`.
 * Knows neither what a record says of an address nor any meaning of a tree: `walk.ts`, `record.ts`.
 */
import { Reader, type Response } from 'maxmind'
import { u8, u32 } from '../dns/octets.ts'
import { isWrong, problemAt, type Remarks, type Wrong, wrong } from '../fault.ts'

/** The width of a record: half a node. */
export type RecordBits = 24 | 28 | 32

export type Database = {
  readonly file: string
  readonly octets: Uint8Array
  readonly reader: Reader<Response>
  readonly recordBits: RecordBits
  /** A record below this is another node, equal to it "not found", above it a place in the data. */
  readonly nodes: number
  /** Octets of the data section. */
  readonly dataLength: number
  /** The record IPv4 look-ups start from: node 0, or what lies at ::/96 of an IPv6 tree. */
  readonly root4: number
  /** Node 0 of an IPv6 tree; `undefined` in a file of IPv4 only. */
  readonly root6: 0 | undefined
  /** When it was made, as YYYY-MM-DD. */
  readonly built: string
}

/** Sixteen zero octets part the tree from the data. */
const SEPARATOR = 16
const MARKER = [0xab, 0xcd, 0xef, ...Array.from('MaxMind.com', letter => letter.charCodeAt(0))]
/** The metadata stand in the last 128 KiB. */
const METADATA_REACH = 128 * 1024

/**
 * Opens a database.
 *
 * @param octets the whole file as node reads it: `maxmind` takes nothing but a `Buffer`
 * @returns `undefined` where the file cannot serve, with a Problem that says why
 */
export function openDatabase(
  octets: Uint8Array,
  file: string,
  remarks: Remarks,
): Database | undefined {
  const database = misfit(octets) ?? layout(octets, file)
  if (!isWrong(database)) return database
  remarks.problems.push(problemAt({ file, line: 0, column: 0 }, database))
  return undefined
}

const FETCH_AGAIN = 'fetch it again'

/** What the file is, where it is plainly no MaxMind database. */
function misfit(octets: Uint8Array): Wrong | undefined {
  if (octets.length === 0) return wrong('is empty', FETCH_AGAIN)
  if (octets[0] === 0x1f && octets[1] === 0x8b) {
    return wrong('is packed with gzip', 'unpack it first and name the .mmdb file inside')
  }
  if (octets[0] === 0x50 && octets[1] === 0x4b) {
    return wrong('is a zip archive', 'unpack it first and name the .mmdb file inside')
  }
  if (metadataStart(octets) === -1) {
    return wrong('has no MaxMind metadata at its end: cut short, or no .mmdb file', FETCH_AGAIN)
  }
  return undefined
}

/** Where the last marker stands, or −1. */
function metadataStart(octets: Uint8Array): number {
  const first = Math.max(0, octets.length - METADATA_REACH)
  for (let at = octets.length - MARKER.length; at >= first; at -= 1) {
    if (MARKER.every((octet, i) => octets[at + i] === octet)) return at
  }
  return -1
}

function layout(octets: Uint8Array, file: string): Database | Wrong {
  const reader = openReader(octets)
  if (isWrong(reader)) return reader
  const { nodeCount, recordSize, ipVersion, binaryFormatMajorVersion } = reader.metadata
  if (binaryFormatMajorVersion !== 2) {
    return wrong(`is of MaxMind DB format ${binaryFormatMajorVersion}`, 'use a file of format 2')
  }
  if (ipVersion !== 4 && ipVersion !== 6) {
    return wrong(`says it is for IP version ${ipVersion}`, FETCH_AGAIN)
  }
  const dataStart = (nodeCount * recordSize) / 4 + SEPARATOR
  const dataLength = metadataStart(octets) - dataStart
  if (!Number.isSafeInteger(nodeCount) || nodeCount < 1 || dataLength < 0) {
    return wrong('is smaller than its search tree: cut short or damaged', FETCH_AGAIN)
  }
  if (!octets.subarray(dataStart - SEPARATOR, dataStart).every(octet => octet === 0)) {
    return wrong('has its data where it should not be: damaged', FETCH_AGAIN)
  }
  const shape = { octets, recordBits: recordSize as RecordBits, nodes: nodeCount }
  const root4 = ipVersion === 4 ? 0 : ipv4Root(shape)
  const root6 = ipVersion === 6 ? 0 : undefined
  return { ...shape, file, reader, dataLength, root4, root6, built: dayOf(reader) }
}

function openReader(octets: Uint8Array): Reader<Response> | Wrong {
  try {
    return new Reader<Response>(octets as never, { cache: new Map() })
  } catch (cause) {
    return wrong(`has metadata that cannot be read (${reasonOf(cause)})`, FETCH_AGAIN)
  }
}

export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

/** Where 96 zero bits lead: IPv4 lives at ::/96, whatever is aliased elsewhere. */
function ipv4Root(shape: Pick<Database, 'octets' | 'recordBits' | 'nodes'>): number {
  let record = 0
  for (let bit = 0; bit < 96 && record < shape.nodes; bit += 1)
    record = childRecord(shape, record, 0)
  return record
}

function dayOf(reader: Reader<Response>): string {
  const built = reader.metadata.buildEpoch
  return Number.isNaN(built.getTime()) ? 'unknown' : built.toISOString().slice(0, 10)
}

/**
 * Reads one of a node's two records. Hot: twice a node while compiling.
 *
 * @param node below `nodes`
 * @param side 0 for the next bit 0, 1 for 1
 */
export function childRecord(
  shape: Pick<Database, 'octets' | 'recordBits'>,
  node: number,
  side: number,
): number {
  const { octets, recordBits } = shape
  if (recordBits === 24) return u24(octets, 6 * node + 3 * side)
  if (recordBits === 32) return u32(octets, 8 * node + 4 * side)
  // 28: the middle octet of seven lends its upper half to the left record, its lower to the right.
  const at = 7 * node
  if (side === 0) return ((u8(octets, at + 3) >> 4) << 24) | u24(octets, at)
  return ((u8(octets, at + 3) & 0x0f) << 24) | u24(octets, at + 4)
}

/** Hot. */
function u24(octets: Uint8Array, at: number): number {
  return (u8(octets, at) << 16) | (u8(octets, at + 1) << 8) | u8(octets, at + 2)
}
