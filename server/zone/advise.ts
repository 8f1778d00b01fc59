/**
 * What is unwise in a zone and yet loaded, as BIND, Knot, NSD and PowerDNS load it: data that is
 * never answered, servers without an address, odd timers. Only warns.
 */
import { measureName, nameText } from '../dns/name.ts'
import { u16, u32 } from '../dns/octets.ts'
import { TYPE, typeText } from '../dns/rrtype.ts'
import { type Wrong, wrong } from '../fault.ts'
import { zonePlace } from './check.ts'
import { type Draft, draftFlags, draftName, draftRrset, draftWord, rrsetPlace } from './draft.ts'
import { warn } from './reporter.ts'
import { rrsetTotal, shelfWord } from './shelf.ts'
import { encloserOfName } from './tree.ts'
import { FLAG, NODE, RECORD_HEAD, RRSET } from './zones.ts'

const DAY = 86_400
/** Seconds: so long an absence may stay in caches beside names that change from minute to minute. */
const BESIDE_STEERED = 60

/**
 * Looks over all RRsets and steered owners of the zone.
 *
 * @param isTarget by node from the apex on: 1 where it is a name server of some delegation
 */
export function advise(draft: Draft, isTarget: Uint8Array): void {
  for (let rrset = draft.firstRrset; rrset < rrsetTotal(draft.shelf); rrset += 1) {
    const node = shelfWord(draft.shelf, rrset, RRSET.NODE)
    const cover = draftWord(draft, node, NODE.COVER)
    if (cover >= 0) adviseCovered(draft, rrset, node, cover, isTarget)
    else adviseHosts(draft, rrset)
    adviseService(draft, rrset)
    adviseDigest(draft, rrset, node)
  }
  for (const { node, at } of draft.steered) {
    const cover = draftWord(draft, node, NODE.COVER)
    const isHidden = cover >= 0 && (cover !== node || isCut(draft, node))
    if (isHidden) warn(draft.reporter, at, hiddenBy(draft, node, cover, 'steering'))
  }
  adviseTimers(draft)
}

/** RFC 2181 §6.1, RFC 6672 §2.4: what stands beside or below a cut, or below a DNAME, is hidden. */
function adviseCovered(
  draft: Draft,
  rrset: number,
  node: number,
  cover: number,
  isTarget: Uint8Array,
): void {
  const type = shelfWord(draft.shelf, rrset, RRSET.TYPE)
  if (isCut(draft, cover)) {
    if (node === cover && (type === TYPE.NS || type === TYPE.DS)) return
    const isAddress = type === TYPE.A || type === TYPE.AAAA
    if (isAddress && isTarget[node - draft.apex] === 1) return // glue
  } else if (node === cover) return
  const what = hiddenBy(draft, node, cover, typeText(type))
  warn(draft.reporter, rrsetPlace(draft, rrset), what)
}

function hiddenBy(draft: Draft, node: number, cover: number, what: string): Wrong {
  const by = isCut(draft, cover) ? 'delegation' : 'DNAME'
  const owner = nameText(draftName(draft, node))
  const fix = 'remove it here'
  return wrong(
    `${what} of ${owner} is never answered: the ${by} of ${coverText(draft, cover)} hides it`,
    fix,
  )
}

function coverText(draft: Draft, cover: number): string {
  return nameText(draftName(draft, cover))
}

function isCut(draft: Draft, node: number): boolean {
  return (draftFlags(draft, node) & FLAG.CUT) !== 0
}

/**
 * Hosts that NS, MX and SRV name should exist, have an address and be no alias (RFC 2181 §10.3).
 */
function adviseHosts(draft: Draft, rrset: number): void {
  const { shelf } = draft
  const type = shelfWord(shelf, rrset, RRSET.TYPE)
  const before = beforeHost(type)
  if (before < 0) return
  let at = shelfWord(shelf, rrset, RRSET.AT)
  const end = at + shelfWord(shelf, rrset, RRSET.LENGTH)
  for (; at < end; at += RECORD_HEAD + u16(shelf.records.cells, at + RECORD_HEAD - 2)) {
    const flaw = hostFlaw(draft, at + RECORD_HEAD + before)
    if (flaw === undefined) continue
    const { name } = draft.tree
    const host = nameText(name.octets.subarray(0, name.length))
    const owner = nameText(draftName(draft, shelfWord(shelf, rrset, RRSET.NODE)))
    const reason = wrong(`${host}, of the ${typeText(type)} record of ${owner}, ${flaw}`)
    warn(draft.reporter, rrsetPlace(draft, rrset), reason)
  }
}

/**
 * How many octets of rdata stand before the name of a host that must have addresses; −1 where there is
 * none. Hot: once per RRset loaded.
 */
function beforeHost(type: number): number {
  switch (type) {
    case TYPE.NS:
      return 0
    case TYPE.MX:
      return 2
    case TYPE.SRV:
      return 6
    default:
      return -1
  }
}

/**
 * What is wrong with the host named at an offset of the records. Leaves its name in the tree's
 * scratch.
 */
function hostFlaw(draft: Draft, at: number): string | undefined {
  const { tree, zone, shelf } = draft
  const encloser = encloserOfName(tree, zone, shelf.records.cells, at)
  // Out of the zone, or `.`, which says that there is no such service (RFC 7505, RFC 2782).
  if (encloser < 0 || tree.name.labels === 0) return undefined
  if (draftWord(draft, encloser, NODE.COVER) >= 0) return undefined
  const isThere = draftWord(draft, encloser, NODE.FLAGS) >> 16 === tree.name.labels
  const node = isThere ? encloser : draftWord(draft, encloser, NODE.WILDCARD)
  if (node < 0) return 'does not exist'
  const flags = draftFlags(draft, node)
  if ((flags & (FLAG.ALIAS | FLAG.STEERED_ALIAS)) !== 0) return 'is an alias (RFC 2181 §10.3)'
  if ((flags & FLAG.STEERED) !== 0) return undefined
  const hasAddress = [TYPE.A, TYPE.AAAA].some(type => draftRrset(draft, node, type) >= 0)
  return hasAddress ? undefined : 'has no address'
}

/** RFC 4035 §2.4: a DS is for a delegation of this zone, and the apex's own stands in the zone above. */
function adviseDigest(draft: Draft, rrset: number, node: number): void {
  if (shelfWord(draft.shelf, rrset, RRSET.TYPE) !== TYPE.DS || isCut(draft, node)) return
  const what = `DS of ${nameText(draftName(draft, node))} has no delegation beside it`
  const fix = node === draft.apex ? 'put it in the zone above' : 'add NS records, or remove it'
  warn(draft.reporter, rrsetPlace(draft, rrset), wrong(what, `${fix} (RFC 4035 §2.4)`))
}

/** RFC 9460 §2.4.2: priority 0 is an alias, of which nobody reads more than the target. */
function adviseService(draft: Draft, rrset: number): void {
  const { shelf } = draft
  const type = shelfWord(shelf, rrset, RRSET.TYPE)
  if (type !== TYPE.SVCB && type !== TYPE.HTTPS) return
  const { cells } = shelf.records
  let at = shelfWord(shelf, rrset, RRSET.AT) + RECORD_HEAD
  const end = at - RECORD_HEAD + shelfWord(shelf, rrset, RRSET.LENGTH)
  for (let next = at; at < end; at = next + RECORD_HEAD) {
    next = at + u16(cells, at - 2)
    if (u16(cells, at) !== 0 || measureName(cells, at + 2, next) === next) continue
    const owner = nameText(draftName(draft, shelfWord(shelf, rrset, RRSET.NODE)))
    const what = `${owner} has an ${typeText(type)} alias (priority 0) with parameters: they do nothing`
    const reason = wrong(what, 'remove them, or give a priority from 1 (RFC 9460 §2.4.2)')
    warn(draft.reporter, rrsetPlace(draft, rrset), reason)
  }
}

/** RFC 1912 §2.2, RFC 2308 §5. */
function adviseTimers(draft: Draft): void {
  const soa = draftRrset(draft, draft.apex, TYPE.SOA)
  if (soa < 0) return
  const { cells } = draft.shelf.records
  const at = shelfWord(draft.shelf, soa, RRSET.AT)
  const end = at + RECORD_HEAD + u16(cells, at + RECORD_HEAD - 2)
  const [refresh, retry, expire, minimum] = [16, 12, 8, 4].map(back => u32(cells, end - back))
  const place = zonePlace(draft)
  for (const flaw of timerFlaws(refresh ?? 0, retry ?? 0, expire ?? 0, minimum ?? 0)) {
    warn(draft.reporter, place, flaw)
  }
  const negative = Math.min(minimum ?? 0, shelfWord(draft.shelf, soa, RRSET.TTL))
  if (draft.steered.length === 0 || negative <= BESIDE_STEERED) return
  const what = `the zone has steered names, and an absence in it is kept for ${negative} seconds`
  const fix = `set SOA MINIMUM, or the TTL of the SOA, to ${BESIDE_STEERED} or less (RFC 2308 §5)`
  warn(draft.reporter, place, wrong(what, fix))
}

function timerFlaws(refresh: number, retry: number, expire: number, minimum: number): Wrong[] {
  const flaws: Wrong[] = []
  if (minimum > DAY) {
    const fix = 'an hour or less: so long a new name stays unknown (RFC 2308 §5)'
    flaws.push(wrong(`SOA MINIMUM ${minimum} is more than a day`, fix))
  }
  if (retry >= refresh) {
    flaws.push(wrong(`SOA RETRY ${retry} is not below REFRESH ${refresh} (RFC 1912 §2.2)`))
  }
  if (expire < refresh + retry) {
    flaws.push(wrong(`SOA EXPIRE ${expire} is below REFRESH + RETRY (RFC 1912 §2.2)`))
  }
  return flaws
}
