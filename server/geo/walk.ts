/**
 * From the search tree of a database to a prefix tree of values, cut at a depth. A tree may be
 * anything that somebody's file holds: cyclic, endless, pointing nowhere. Each of these ends the
 * walk with a word; none makes it endless. What a record means is the caller's affair.
 */
import { addressText } from '../dns/address.ts'
import { isWrong, type Wrong, wrong } from '../fault.ts'
import { childRecord, type Database, reasonOf } from './mmdb.ts'
import { type Builder, join, leaf } from './tree.ts'

/** Gives the value of a decoded record; `undefined` is a part of the tree that holds none. */
export type Meaning = (record: unknown) => number

/** A tree made of `build`'s cells, or what is wrong with the database. */
export function growTree(
  database: Database,
  family: 4 | 6,
  deepest: number,
  build: Builder,
  meaning: Meaning,
): number | Wrong {
  const root = family === 4 ? database.root4 : database.root6
  if (root === undefined) return leaf(meaning(undefined))
  const walk: Walk = {
    ...{ database, build, meaning, deepest },
    octets: new Uint8Array(family === 4 ? 4 : 16),
    // Wherever the IPv4 tree hangs in the IPv6 one (::/96 and its aliases), IPv6 has nothing to say.
    skipped: family === 6 && database.root4 < database.nodes ? database.root4 : -1,
    values: new Map(),
    recent: new Float64Array(RECENT).fill(-1),
    recentLeaf: new Int32Array(RECENT),
    inside: new Uint8Array(database.nodes),
    budget: 8 * database.nodes + (1 << 16),
    wrong: undefined,
  }
  const cell = grow(walk, root, 0)
  return walk.wrong ?? cell
}

type Walk = {
  readonly database: Database
  readonly build: Builder
  readonly meaning: Meaning
  readonly deepest: number
  /** The first address below where the walk is. */
  readonly octets: Uint8Array
  /** A node that is not entered, or −1. */
  readonly skipped: number
  /** The values of the records met so far: a record is decoded once. */
  readonly values: Map<number, number>
  /** Records met of late, each in the slot of its last bits, and the leaf's cell. */
  readonly recent: Float64Array
  readonly recentLeaf: Int32Array
  /** By node: 1 while the walk is below it. */
  readonly inside: Uint8Array
  /** Nodes that may still be entered: an honest tree shares few, and is a tree all the same. */
  budget: number
  wrong: Wrong | undefined
}

const RECENT = 4096
const FETCH_AGAIN = 'fetch it again'

/** Hot: once per node while compiling. */
function grow(walk: Walk, record: number, depth: number): number {
  if (record >= walk.database.nodes || record === walk.skipped) return leafOf(walk, record)
  if (depth === walk.deepest) return leafOf(walk, firstBelow(walk, record, depth))
  walk.budget -= 1
  if (walk.inside[record] === 1 || walk.budget < 0) return fail(walk, CYCLE)

  const { octets } = walk
  const mask = 0x80 >> (depth & 7)
  walk.inside[record] = 1
  const zero = grow(walk, childRecord(walk.database, record, 0), depth + 1)
  octets[depth >> 3]! |= mask
  const one = walk.wrong ? zero : grow(walk, childRecord(walk.database, record, 1), depth + 1)
  octets[depth >> 3]! &= ~mask
  walk.inside[record] = 0
  return join(walk.build, zero, one)
}

const CYCLE = wrong('has a search tree that runs in circles: damaged', FETCH_AGAIN)

function fail(walk: Walk, reason: Wrong): number {
  walk.wrong ??= reason
  return leaf(0)
}

/** The record of the first address below a node: the value of a block that is not cut finer. */
function firstBelow(walk: Walk, node: number, depth: number): number {
  const { nodes } = walk.database
  let record = node
  let bit = depth
  while (record < nodes && bit < walk.octets.length * 8) {
    record = childRecord(walk.database, record, 0)
    bit += 1
  }
  if (record < nodes) fail(walk, CYCLE)
  return Math.max(record, nodes)
}

/** Hot: once per leaf while compiling. The small table spares most look-ups in the large one. */
function leafOf(walk: Walk, record: number): number {
  const { recent, recentLeaf } = walk
  const slot = record & (RECENT - 1)
  if (recent[slot] === record) return recentLeaf[slot]!
  const value = walk.values.get(record) ?? valueFor(walk, record)
  recent[slot] = record
  recentLeaf[slot] = leaf(value)
  return leaf(value)
}

function valueFor(walk: Walk, record: number): number {
  const found = decode(walk.database, record, walk.octets)
  if (isWrong(found)) {
    walk.wrong ??= found
    return 0
  }
  const value = walk.meaning(found.record)
  walk.values.set(record, value)
  return value
}

/** Decodes what a record points to; `octets` is an address that leads there. */
function decode(
  database: Database,
  record: number,
  octets: Uint8Array,
): { record: unknown } | Wrong {
  const { nodes, dataLength, reader } = database
  if (record <= nodes) return { record: undefined }
  if (record < nodes + 16 || record - nodes - 16 >= dataLength) {
    return wrong('has a search tree that points outside the data: damaged', FETCH_AGAIN)
  }
  try {
    return { record: reader.getWithPrefixLength(addressText(octets))[0] }
  } catch (cause) {
    return wrong(`has a record that cannot be read (${reasonOf(cause)})`, FETCH_AGAIN)
  }
}
