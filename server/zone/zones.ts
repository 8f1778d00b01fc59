/**
 * All hosted zones, compiled: flat columns over shared memory, immutable, so that serving threads
 * read the same octets and a reload replaces the whole. Knows where things stand, not how they are
 * found (`find.ts`) or made (`compile.ts`).
 *
 * A node is a name in one zone: where a hosted zone lies inside another, both have a node of that
 * name. Its row in `nodes` is NODE_WORDS words. An RRset is a number, too, with a row in `rrsets`: what
 * one query needs of it comes with one line of the cache. Those of one node follow each other, types
 * ascending.
 */
import type { Name } from '../dns/name.ts'
import { TYPE } from '../dns/rrtype.ts'
import type { Denials } from './denial.ts'

export type Zones = Denials & {
  /** Canonical names of all nodes, one after the other. */
  readonly names: Uint8Array
  readonly nodes: Int32Array
  readonly nodeCount: number
  /** Open addressing, a power of two of pairs (key, node); node −1 is a free place. */
  readonly table: Int32Array
  /** The same for the zones' apexes: pairs (key, zone). */
  readonly apexTable: Int32Array
  /** Labels of the shortest and the longest apex. */
  readonly apexLabels: { readonly least: number; readonly most: number }

  readonly zoneCount: number
  /** The apex's node. */
  readonly zoneApex: Int32Array
  /** The SOA as it answers when asked for. −1 where the zone has none. */
  readonly zoneSoa: Int32Array
  /** The SOA for negative answers: TTL = min(its own, MINIMUM), RFC 2308 §3. */
  readonly zoneNegative: Int32Array
  /** Labels of the zone's longest name: nothing deeper can exist. */
  readonly zoneDepth: Int32Array
  /** The file each zone was read from. */
  readonly zoneFile: readonly string[]

  /**
   * Ready-made wire records. Each is owned by a pointer to offset 12: `c00c type class ttl rdlength
   * rdata`.
   */
  readonly records: Uint8Array
  /** RRSET_WORDS words an RRset. */
  readonly rrsets: Int32Array
  readonly rrsetTotal: number

  /** `glueStart[rrset]` … `glueStart[rrset + 1]`: what a delegation's NS RRset brings along. */
  readonly glueStart: Int32Array
  /**
   * An address RRset; its complement (`~rrset`) where it may be left out: a sibling's (RFC 9471
   * §3).
   */
  readonly glue: Int32Array
}

/** Words of a node's row, and what each holds. PARENT is −1 at an apex. */
export const NODE_WORDS = 8
// biome-ignore format: table
export const NODE = {
  NAME: 0,      // offset in `names`
  ZONE: 1,
  FLAGS: 2,     // low half: FLAG; above it: how many labels the name has
  RRSET: 3,     // the first of its RRsets
  RRSETS: 4,    // how many it has
  COVER: 5,     // the cut or DNAME nearest to the apex, at this node or above; −1: none
  WILDCARD: 6,  // the child `*`; −1: none
  SLOT: 7,      // the steered slot; −1: none
} as const

/** Words of an RRset's row, and what each holds. */
export const RRSET_WORDS = 8
// biome-ignore format: table
export const RRSET = {
  TYPE: 0,
  TTL: 1,       // seconds: the lowest of its records (RFC 2181 §5.2)
  COUNT: 2,     // how many records it has
  AT: 3,        // where they stand in `records`,
  LENGTH: 4,    // and how many octets they take
  NODE: 5,      // its owner
  SIGNATURE: 6, // where its signature stands; 0: there is none
} as const

// biome-ignore format: table
export const FLAG = {
  APEX: 1,
  CUT: 2,        // NS below the apex
  DNAME: 4,
  ALIAS: 8,      // a CNAME
  STEERED: 16,   // A and AAAA are chosen, not stored
  STEERED_ALIAS: 32, // a CNAME is chosen, not stored
  TAILORED: 64,  // what is chosen depends on the client
  WILDCARD: 128, // its first label is `*`
  STEERED_SVCB: 256,  // beside STEERED: an SVCB record is made,
  STEERED_HTTPS: 512, // or an HTTPS record
} as const

/** Hot. */
export function nodeFlags(zones: Zones, node: number): number {
  return zones.nodes[node * NODE_WORDS + NODE.FLAGS]! & 0xffff
}

/** Tells whether what a node answers for a type is chosen, not stored. Hot. */
export function isSteered(flags: number, type: number): boolean {
  return (flags & (FLAG.STEERED_ALIAS | steeredFlag(type))) !== 0
}

/** The flag of a node where a rule makes records of that type; 0 where no rule can. Hot. */
export function steeredFlag(type: number): number {
  if (type === TYPE.A || type === TYPE.AAAA) return FLAG.STEERED
  if (type === TYPE.HTTPS) return FLAG.STEERED_HTTPS
  return type === TYPE.SVCB ? FLAG.STEERED_SVCB : 0
}

/** How many labels a node's name has, the root's not counted. Hot. */
export function nodeLabels(zones: Zones, node: number): number {
  return zones.nodes[node * NODE_WORDS + NODE.FLAGS]! >> 16
}

/** Where a node's name stands in `zones.names`. Hot. */
export function nodeNameAt(zones: Zones, node: number): number {
  return zones.nodes[node * NODE_WORDS + NODE.NAME]!
}

/** One word of an RRset's row. Hot. */
export function rrsetWord({ rrsets }: Zones, rrset: number, word: number): number {
  return rrsets[rrset * RRSET_WORDS + word]!
}

/** A node's RRset of one type. Hot. Returns −1 when it has none. */
export function rrsetOf(zones: Zones, node: number, type: number): number {
  const row = node * NODE_WORDS
  const first = zones.nodes[row + NODE.RRSET]!
  const end = first + zones.nodes[row + NODE.RRSETS]!
  for (let rrset = first; rrset < end; rrset += 1) {
    const found = rrsetWord(zones, rrset, RRSET.TYPE)
    if (found >= type) return found === type ? rrset : -1
  }
  return -1
}

/** Where the glue of an NS RRset begins, as an index for `glueRrset`. Hot. */
export function glueFrom(zones: Zones, nsRrset: number): number {
  return zones.glueStart[nsRrset]!
}

/** Where it ends. Hot. */
export function glueTo(zones: Zones, nsRrset: number): number {
  return zones.glueStart[nsRrset + 1]!
}

/** The address RRset at an index of the glue table. Required ones of a cut come first. Hot. */
export function glueRrset(zones: Zones, index: number): number {
  const entry = zones.glue[index]!
  return entry < 0 ? ~entry : entry
}

/** Tells whether a referral without this glue is incomplete (RFC 9471 §3.1). Hot. */
export function glueIsRequired(zones: Zones, index: number): boolean {
  return zones.glue[index]! >= 0
}

/** A node's name, as a view. */
export function nodeName(zones: Zones, node: number): Name {
  const at = nodeNameAt(zones, node)
  let end = at
  while (zones.names[end] !== 0) end += 1 + (zones.names[end] ?? 0)
  return zones.names.subarray(at, end + 1) as Name
}

/** The name of a zone's apex, as a view. */
export function zoneName(zones: Zones, zone: number): Name {
  return nodeName(zones, zones.zoneApex[zone] ?? 0)
}

/** Octets of a ready-made record before its rdata: pointer, type, class, TTL, length. */
export const RECORD_HEAD = 12
