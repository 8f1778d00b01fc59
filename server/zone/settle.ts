/**
 * Settles what each node of a zone means to a look-up: its flags, and the cut or DNAME that covers
 * it. The one nearest to the apex wins (RFC 2181 §6.1, RFC 6672 §2.4): below it nothing is ours.
 */
import { TYPE } from '../dns/rrtype.ts'
import { addDraftFlags, type Draft, draftFlags, draftWord, setDraftWord } from './draft.ts'
import { shelfWord } from './shelf.ts'
import { FLAG, NODE, RRSET } from './zones.ts'

/** Settles a node that has its RRsets, after its parent. Hot: once per node loaded. */
export function settleNode(draft: Draft, node: number): void {
  addDraftFlags(draft, node, flagsOf(draft, node))
  const above = coverAbove(draft, node)
  setDraftWord(draft, node, NODE.COVER, above >= 0 ? above : coverOf(draft, node))
}

/** The cut or DNAME that hides a node, its own aside; −1 when there is none. Hot. */
export function coverAbove(draft: Draft, node: number): number {
  const parent = draft.tree.parents.cells[node]!
  return parent < 0 ? -1 : draftWord(draft, parent, NODE.COVER)
}

/** Hot. */
function flagsOf(draft: Draft, node: number): number {
  const first = draftWord(draft, node, NODE.RRSET)
  const end = first + draftWord(draft, node, NODE.RRSETS)
  let flags = 0
  for (let rrset = first; rrset < end; rrset += 1) {
    const type = shelfWord(draft.shelf, rrset, RRSET.TYPE)
    if (type === TYPE.NS && node !== draft.apex) flags |= FLAG.CUT
    else if (type === TYPE.DNAME) flags |= FLAG.DNAME
    else if (type === TYPE.CNAME) flags |= FLAG.ALIAS
  }
  return flags
}

/** Hot. */
function coverOf(draft: Draft, node: number): number {
  return (draftFlags(draft, node) & (FLAG.CUT | FLAG.DNAME)) === 0 ? -1 : node
}
