/**
 * Lays out the glue of each delegation: the addresses that the zone holds for its name servers.
 * Those at or below the delegated name are required, others of the zone may be left out (RFC 9471
 * §3).
 */
import { nameText } from '../dns/name.ts'
import { u16 } from '../dns/octets.ts'
import { TYPE } from '../dns/rrtype.ts'
import { wrong } from '../fault.ts'
import { type Draft, draftFlags, draftName, draftRrset, draftWord, rrsetPlace } from './draft.ts'
import { appendWord } from './growing.ts'
import { warn } from './reporter.ts'
import { rrsetTotal, shelfWord } from './shelf.ts'
import { encloserOfName, nodeCount, nodeOfName } from './tree.ts'
import { FLAG, NODE, RECORD_HEAD, RRSET } from './zones.ts'

/**
 * Fills the glue table for all RRsets of the zone.
 *
 * @returns by node from the apex on: 1 where it is a name server of some delegation
 */
export function layGlue(draft: Draft): Uint8Array {
  const { shelf } = draft
  const isTarget = new Uint8Array(nodeCount(draft.tree) - draft.apex)
  for (let rrset = draft.firstRrset; rrset < rrsetTotal(shelf); rrset += 1) {
    appendWord(shelf.glueStart, shelf.glue.length)
    const node = shelfWord(shelf, rrset, RRSET.NODE)
    const isNs = shelfWord(shelf, rrset, RRSET.TYPE) === TYPE.NS
    if (isNs && node !== draft.apex && draftWord(draft, node, NODE.COVER) === node) {
      layTargets(draft, rrset, node, isTarget, 'required')
      layTargets(draft, rrset, node, isTarget, 'sibling')
    }
  }
  return isTarget
}

/** Lays out the targets of one cut that are, or are not, at or below it. */
function layTargets(
  draft: Draft,
  rrset: number,
  cut: number,
  isTarget: Uint8Array,
  which: 'required' | 'sibling',
): void {
  const { shelf, tree, zone } = draft
  let at = shelfWord(shelf, rrset, RRSET.AT)
  const end = at + shelfWord(shelf, rrset, RRSET.LENGTH)
  for (; at < end; at += RECORD_HEAD + u16(shelf.records.cells, at + RECORD_HEAD - 2)) {
    const targetAt = at + RECORD_HEAD
    const target = nodeOfName(tree, zone, shelf.records.cells, targetAt)
    const encloser = encloserOfName(tree, zone, shelf.records.cells, targetAt)
    const isRequired = encloser >= 0 && draftWord(draft, encloser, NODE.COVER) === cut
    if (isRequired !== (which === 'required')) continue
    const found = target < 0 ? 0 : layAddresses(draft, target, which)
    if (found > 0) isTarget[target - draft.apex] = 1
    else if (isRequired) warnMissing(draft, rrset, cut, targetAt)
  }
}

/** Lists the address RRsets of a target. Returns how many there are. */
function layAddresses(draft: Draft, target: number, which: 'required' | 'sibling'): number {
  const cover = draftWord(draft, target, NODE.COVER)
  const isRenamed = cover >= 0 && cover !== target && !isCut(draft, cover)
  let found = 0
  for (const type of [TYPE.A, TYPE.AAAA]) {
    const addresses = isRenamed ? -1 : draftRrset(draft, target, type)
    if (addresses < 0) continue
    appendWord(draft.shelf.glue, which === 'required' ? addresses : ~addresses)
    found += 1
  }
  return found
}

function isCut(draft: Draft, node: number): boolean {
  return (draftFlags(draft, node) & FLAG.CUT) !== 0
}

function warnMissing(draft: Draft, rrset: number, cut: number, targetAt: number): void {
  const { shelf, tree, zone } = draft
  nodeOfName(tree, zone, shelf.records.cells, targetAt)
  const target = nameText(tree.name.octets.subarray(0, tree.name.length))
  const what = `${target} serves ${nameText(draftName(draft, cut))} and has no address here`
  warn(draft.reporter, rrsetPlace(draft, rrset), wrong(what, 'add its A or AAAA record as glue'))
}
