/**
 * One zone on its way into the compiled form: the shared columns and which part of them is the zone's
 * own. The steps (`overlay`, `shelve`, `check`, `glue`, `advise`) work on it one after the other.
 */
import type { Name } from '../dns/name.ts'
import type { At } from '../fault.ts'
import type { Words } from './growing.ts'
import { recordAt, type ZoneRecords } from './records.ts'
import type { Reporter } from './reporter.ts'
import { type Shelf, shelfWord } from './shelf.ts'
import type { Tree } from './tree.ts'
import { NODE, NODE_WORDS, RRSET } from './zones.ts'

/** A name whose addresses and service records, or whose CNAME, are chosen by a rule. */
export type SteeredOwner = {
  readonly owner: Name
  /** The rule's number, handed on to whoever steers. */
  readonly slot: number
  readonly answers: 'addresses' | 'alias'
  /**
   * What is answered so: A and AAAA, and HTTPS and SVCB where the rule makes them. An alias answers
   * every type.
   */
  readonly types: readonly number[]
  /** What is chosen depends on the client. */
  readonly tailored: boolean
  readonly at: At
}

export type Draft = {
  readonly tree: Tree
  readonly shelf: Shelf
  readonly reporter: Reporter
  readonly zone: number
  readonly records: ZoneRecords
  readonly apexLabels: number
  /** The apex: the first node of the zone. Nodes from here to the tree's end are the zone's. */
  readonly apex: number
  /** The first RRset of the zone. */
  readonly firstRrset: number
  /** By RRset from `firstRrset` on: the record it begins with. */
  readonly origins: Words
  /** Steered owners that were entered. */
  readonly steered: SteeredNode[]
}

/** A steered owner and the node it got. */
export type SteeredNode = SteeredOwner & { readonly node: number }

/** Hot: many times per node loaded. */
export function draftWord(draft: Pick<Draft, 'tree'>, node: number, word: number): number {
  return draft.tree.rows.cells[node * NODE_WORDS + word]!
}

/** Hot. */
export function setDraftWord(draft: Draft, node: number, word: number, value: number): void {
  draft.tree.rows.cells[node * NODE_WORDS + word] = value
}

/** Hot. */
export function draftFlags(draft: Draft, node: number): number {
  return draftWord(draft, node, NODE.FLAGS) & 0xffff
}

/** Hot. */
export function addDraftFlags(draft: Draft, node: number, flags: number): void {
  draft.tree.rows.cells[node * NODE_WORDS + NODE.FLAGS]! |= flags
}

/** A node's RRset of one type; −1 when it has none. Hot. */
export function draftRrset(draft: Draft, node: number, type: number): number {
  const first = draftWord(draft, node, NODE.RRSET)
  const end = first + draftWord(draft, node, NODE.RRSETS)
  for (let rrset = first; rrset < end; rrset += 1) {
    if (shelfWord(draft.shelf, rrset, RRSET.TYPE) === type) return rrset
  }
  return -1
}

/** A node's name, as a view. */
export function draftName(draft: Draft, node: number): Name {
  const { names } = draft.tree
  const at = draftWord(draft, node, NODE.NAME)
  let end = at
  while (names.cells[end] !== 0) end += 1 + (names.cells[end] ?? 0)
  return names.cells.subarray(at, end + 1) as Name
}

/** Where the first record of an RRset stands in its file. */
export function rrsetPlace(draft: Draft, rrset: number): At {
  return recordAt(draft.records, draft.origins.cells[rrset - draft.firstRrset] ?? 0)
}
