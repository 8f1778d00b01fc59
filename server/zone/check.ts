/**
 * What makes a zone wrong, so that it is not loaded: the rules of RFC 1034 §3.6.2 and §4.2.1, RFC
 * 2181 §10.1, RFC 6672 §2.4, and what steering does not bear beside it. What is merely unwise is
 * `advise.ts`'s.
 */
import { nameText } from '../dns/name.ts'
import { TYPE, typeText } from '../dns/rrtype.ts'
import { type At, type Wrong, wrong } from '../fault.ts'
import {
  type Draft,
  draftName,
  draftRrset,
  draftWord,
  rrsetPlace,
  type SteeredNode,
} from './draft.ts'
import { complain } from './reporter.ts'
import { rrsetTotal, shelfWord } from './shelf.ts'
import { NODE, RRSET } from './zones.ts'

/** What only a signer makes. RFC 4034, RFC 5155. */
const SIGNING: readonly number[] = [TYPE.RRSIG, TYPE.NSEC, TYPE.NSEC3]

/** Checks all RRsets and steered owners of the zone. */
export function check(draft: Draft): void {
  const signing: number[] = []
  for (let rrset = draft.firstRrset; rrset < rrsetTotal(draft.shelf); rrset += 1) {
    const type = shelfWord(draft.shelf, rrset, RRSET.TYPE)
    if (type === TYPE.CNAME) checkAlias(draft, rrset)
    else if (type === TYPE.DNAME) checkSingle(draft, rrset, 'DNAME', 'RFC 6672 §2.4')
    else if (type === TYPE.SOA) checkSoa(draft, rrset)
    else if (SIGNING.includes(type)) signing.push(rrset)
  }
  checkUnsigned(draft, signing)
  checkNameServers(draft)
  for (const owner of draft.steered) checkSteered(draft, owner)
}

function checkAlias(draft: Draft, rrset: number): void {
  const node = shelfWord(draft.shelf, rrset, RRSET.NODE)
  checkSingle(draft, rrset, 'CNAME', 'RFC 2181 §10.1')
  if (node === draft.apex) {
    const fix = 'steer the name, or copy the addresses here (RFC 1034 §3.6.2)'
    const reason = wrong(`${ownerText(draft, node)}, the apex, has a CNAME`, fix)
    complain(draft.reporter, rrsetPlace(draft, rrset), reason)
    return
  }
  const other = otherType(draft, node, [TYPE.CNAME, ...SIGNING])
  if (other === undefined) return
  const what = `${ownerText(draft, node)} has a CNAME and other data (${other})`
  complain(draft.reporter, rrsetPlace(draft, rrset), wrong(what, 'keep one (RFC 1034 §3.6.2)'))
}

/** The word of a type the node has and that is not one of `types`. */
function otherType(draft: Draft, node: number, types: readonly number[]): string | undefined {
  const first = draftWord(draft, node, NODE.RRSET)
  const end = first + draftWord(draft, node, NODE.RRSETS)
  for (let rrset = first; rrset < end; rrset += 1) {
    const type = shelfWord(draft.shelf, rrset, RRSET.TYPE)
    if (!types.includes(type)) return typeText(type)
  }
  return undefined
}

function checkSingle(draft: Draft, rrset: number, type: string, clause: string): void {
  const count = shelfWord(draft.shelf, rrset, RRSET.COUNT)
  if (count === 1) return
  const node = shelfWord(draft.shelf, rrset, RRSET.NODE)
  const what = `${ownerText(draft, node)} has ${count} different ${type} records`
  complain(draft.reporter, rrsetPlace(draft, rrset), wrong(what, `keep one (${clause})`))
}

function checkSoa(draft: Draft, rrset: number): void {
  const node = shelfWord(draft.shelf, rrset, RRSET.NODE)
  if (node === draft.apex) {
    checkSingle(draft, rrset, 'SOA', 'RFC 1035 §5.2')
    return
  }
  const apex = nameText(draft.records.apex)
  const what = `a SOA record at ${ownerText(draft, node)}, and this is the zone ${apex}`
  complain(draft.reporter, rrsetPlace(draft, rrset), wrong(what, 'a file holds one zone'))
}

/** Half-signed answers are worse than none. */
function checkUnsigned(draft: Draft, signing: readonly number[]): void {
  const [first] = signing
  if (first === undefined) return
  const type = typeText(shelfWord(draft.shelf, first, RRSET.TYPE))
  const held = `${type}; ${signing.length} RRsets`
  const what = `the zone holds records of a signer (${held}), and signed zones are not served yet`
  const fix = 'load the zone unsigned: without RRSIG, NSEC and NSEC3; DNSKEY, DS and CDS may stay'
  complain(draft.reporter, rrsetPlace(draft, first), wrong(what, fix))
}

function checkNameServers(draft: Draft): void {
  if (draftRrset(draft, draft.apex, TYPE.NS) >= 0) return
  if (draft.records.brokenTypes.has(TYPE.NS)) return // said already, and where
  const reason = wrong(`${ownerText(draft, draft.apex)} has no NS record`, 'add one: @ NS ns1')
  complain(draft.reporter, zonePlace(draft), reason)
}

/** Where the zone begins: its SOA record, else its file. */
export function zonePlace(draft: Draft): At {
  const soa = draftRrset(draft, draft.apex, TYPE.SOA)
  if (soa >= 0) return rrsetPlace(draft, soa)
  return { file: draft.records.files[0] ?? '', line: 0, column: 0 }
}

function checkSteered(draft: Draft, owner: SteeredNode): void {
  const reason = steeredFlaw(draft, owner)
  if (reason !== undefined) complain(draft.reporter, owner.at, reason)
  if (owner.answers === 'alias') return // other data is said already
  for (const type of owner.types) checkService(draft, owner, type)
}

function steeredFlaw(draft: Draft, owner: SteeredNode): Wrong | undefined {
  const name = ownerText(draft, owner.node)
  if (draftRrset(draft, owner.node, TYPE.CNAME) >= 0) {
    return wrong(`${name} is steered and has a CNAME in the zone`, 'remove one of the two')
  }
  if (owner.answers === 'addresses') return undefined
  if (owner.node === draft.apex) {
    const fix = 'use addresses as targets (RFC 1034 §3.6.2)'
    return wrong(`${name} is an apex and cannot be steered to a host name`, fix)
  }
  const other = otherType(draft, owner.node, SIGNING)
  if (other === undefined) return undefined
  const fix = 'use addresses as targets, or remove the others (RFC 1034 §3.6.2)'
  return wrong(`${name} is steered to a host name and has other data (${other})`, fix)
}

/** Addresses in the zone give way to the rule's; of two service records nobody knows which is meant. */
function checkService(draft: Draft, owner: SteeredNode, type: number): void {
  if (type !== TYPE.HTTPS && type !== TYPE.SVCB) return
  const rrset = draftRrset(draft, owner.node, type)
  if (rrset < 0) return
  const word = typeText(type)
  const { file, line } = rrsetPlace(draft, rrset)
  const what = `${ownerText(draft, owner.node)} has an ${word} record in the zone and one of its rule`
  const fix = `remove that of the zone (${file}:${line}), or ${word.toLowerCase()}: here`
  complain(draft.reporter, owner.at, wrong(what, fix))
}

function ownerText(draft: Draft, node: number): string {
  return nameText(draftName(draft, node))
}
