/**
 * The look-up of RFC 1034 §4.3.2 over compiled zones, with wildcards as RFC 4592 has them, cuts and
 * DNAMEs (RFC 2181 §6.1, RFC 6672). One `find` is one name and one type: chains of CNAME and DNAME
 * are `answer/`'s, which finds again. Everything here is hot and allocates nothing: what a node
 * means was decided when it was compiled.
 */
import type { NameBuffer } from '../dns/name.ts'
import { TYPE } from '../dns/rrtype.ts'
import type { Finding } from './finding.ts'
import { findNode, hashSuffixes, isSuffix } from './lookup.ts'
import { probe, tableKey } from './table.ts'
import {
  FLAG,
  isSteered,
  NODE,
  NODE_WORDS,
  nodeFlags,
  nodeLabels,
  nodeNameAt,
  rrsetOf,
  type Zones,
} from './zones.ts'

/**
 * Finds what the hosted zones have for a name and a type. Hot.
 *
 * The closest enclosing hosted zone answers, but for DS, which the zone above the cut holds (RFC
 * 4035 §3.1.4.1); where no hosted zone above is close enough to have it, the zone itself says no.
 *
 * @param into filled whole, whatever it held
 */
export function find(zones: Zones, name: NameBuffer, type: number, into: Finding): void {
  hashSuffixes(name, into.hashes)
  const zone = closestZone(zones, name, into.hashes, name.labels)
  if (zone < 0) {
    decide(into, 'no-zone', -1, -1, 0)
    into.zone = -1
    into.soa = -1
    return
  }
  if (type === TYPE.DS && nodeLabels(zones, zones.zoneApex[zone]!) === name.labels) {
    const above = closestZone(zones, name, into.hashes, name.labels - 1)
    if (above >= 0) findInZone(zones, above, name, type, into)
    if (above >= 0 && into.kind !== 'referral') return
  }
  findInZone(zones, zone, name, type, into)
}

/** The hosted zone with the longest apex of at most `most` labels; −1 when there is none. Hot. */
function closestZone(zones: Zones, name: NameBuffer, hashes: Int32Array, most: number): number {
  const { least } = zones.apexLabels
  let labels = Math.min(most, zones.apexLabels.most)
  for (; labels >= least; labels -= 1) {
    const zone = findApex(zones, name, labels, hashes[labels]!)
    if (zone >= 0) return zone
  }
  return -1
}

/** The zone whose apex is the name's last `labels` labels; −1. Hot. */
function findApex(zones: Zones, name: NameBuffer, labels: number, hash: number): number {
  const table = zones.apexTable
  const key = tableKey(hash, 0)
  let at = probe(table, key, -1)
  for (; at >= 0; at = probe(table, key, at)) {
    const zone = table[at + 1]!
    const apexAt = nodeNameAt(zones, zones.zoneApex[zone]!)
    if (isSuffix(zones.names, apexAt, name, labels)) return zone
  }
  return -1
}

/** Hot. */
function findInZone(
  zones: Zones,
  zone: number,
  name: NameBuffer,
  type: number,
  into: Finding,
): void {
  into.zone = zone
  into.soa = zones.zoneNegative[zone]!
  let labels = Math.min(name.labels, zones.zoneDepth[zone]!)
  let node = nodeAt(zones, zone, name, labels, into.hashes)
  while (node < 0) {
    labels -= 1 // ends at the apex, which exists
    node = nodeAt(zones, zone, name, labels, into.hashes)
  }
  if (labels === name.labels) decideAt(zones, node, name.labels, type, into)
  else decideBelow(zones, node, name.labels, type, into)
}

/** Hot. */
function nodeAt(
  zones: Zones,
  zone: number,
  name: NameBuffer,
  labels: number,
  hashes: Int32Array,
): number {
  const { table, nodes, names } = zones
  return findNode(table, nodes, names, zone, name, labels, hashes[labels]!)
}

/** The name itself exists. Hot. */
function decideAt(zones: Zones, node: number, labels: number, type: number, into: Finding): void {
  const cover = zones.nodes[node * NODE_WORDS + NODE.COVER]!
  if (cover < 0) decideFrom(zones, node, labels, type, into)
  else if (cover !== node) decideCovered(zones, cover, into)
  else if ((nodeFlags(zones, node) & FLAG.CUT) === 0) {
    decideFrom(zones, node, labels, type, into) // RFC 6672 §2.3: a DNAME spares its owner
  } else if (type === TYPE.DS) {
    decideStored(zones, node, labels, type, into) // RFC 4035 §3.1.4.1: the parent's own
  } else decideCovered(zones, node, into)
}

/** Only an ancestor exists: the closest encloser. Hot. */
function decideBelow(
  zones: Zones,
  encloser: number,
  labels: number,
  type: number,
  into: Finding,
): void {
  const cover = zones.nodes[encloser * NODE_WORDS + NODE.COVER]!
  const wildcard = zones.nodes[encloser * NODE_WORDS + NODE.WILDCARD]!
  if (cover >= 0) decideCovered(zones, cover, into)
  else if (wildcard >= 0)
    decideFrom(zones, wildcard, labels, type, into) // RFC 4592 §3.3.1
  else decide(into, 'no-name', -1, -1, labels)
}

/** A cut or a DNAME above decides. Hot. */
function decideCovered(zones: Zones, cover: number, into: Finding): void {
  const labels = nodeLabels(zones, cover)
  if ((nodeFlags(zones, cover) & FLAG.CUT) !== 0) {
    decide(into, 'referral', cover, rrsetOf(zones, cover, TYPE.NS), labels)
  } else {
    decide(into, 'rename', cover, rrsetOf(zones, cover, TYPE.DNAME), labels)
  }
}

/** The node's own data answers, be it the name's or a wildcard's. Hot. */
function decideFrom(zones: Zones, node: number, labels: number, type: number, into: Finding): void {
  const flags = nodeFlags(zones, node)
  if (isSteered(flags, type)) {
    decide(into, 'steered', node, -1, labels)
    into.slot = zones.nodes[node * NODE_WORDS + NODE.SLOT]!
    return
  }
  if ((flags & FLAG.ALIAS) !== 0 && type !== TYPE.CNAME && type !== TYPE.ANY) {
    decide(into, 'alias', node, rrsetOf(zones, node, TYPE.CNAME), labels)
    return
  }
  decideStored(zones, node, labels, type, into)
}

/** What is stored, and nothing else, answers. Hot. */
function decideStored(
  zones: Zones,
  node: number,
  labels: number,
  type: number,
  into: Finding,
): void {
  if (type === TYPE.ANY) {
    decideAny(zones, node, labels, into)
    return
  }
  const rrset = rrsetOf(zones, node, type)
  decide(into, rrset < 0 ? 'no-data' : 'answer', node, rrset, labels)
}

/** Hot. */
function decideAny(zones: Zones, node: number, labels: number, into: Finding): void {
  const row = node * NODE_WORDS
  const some = zones.nodes[row + NODE.RRSETS]! > 0
  const slot = zones.nodes[row + NODE.SLOT]!
  if (!some && slot < 0) {
    decide(into, 'no-data', node, -1, labels)
    return
  }
  decide(into, 'any', node, some ? zones.nodes[row + NODE.RRSET]! : -1, labels)
  into.slot = slot
}

/** Hot. */
function decide(
  into: Finding,
  kind: Finding['kind'],
  node: number,
  rrset: number,
  labels: number,
): void {
  into.kind = kind
  into.node = node
  into.rrset = rrset
  into.slot = -1
  into.labels = labels
}
