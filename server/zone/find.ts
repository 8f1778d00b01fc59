/**
 * The look-up of RFC 1034 §4.3.2 over compiled zones, with wildcards as RFC 4592 has them, cuts and
 * DNAMEs (RFC 2181 §6.1, RFC 6672). One `find` is one name and one type: chains of CNAME and DNAME
 * are `answer/`'s, which finds again. Everything here is hot and allocates nothing: what a node
 * means was decided when it was compiled.
 */
import type { NameBuffer } from '../dns/name.ts'
import { TYPE } from '../dns/rrtype.ts'
import type { Finding } from './finding.ts'
import { findNode, keyOf } from './lookup.ts'
import { probe } from './table.ts'
import {
  FLAG,
  isSteered,
  NODE,
  NODE_WORDS,
  nodeFlags,
  nodeLabels,
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
  const node = closestNode(zones, name, name.labels)
  if (node < 0) {
    decide(into, 'no-zone', -1, -1, 0)
    into.zone = -1
    into.soa = -1
    return
  }
  if (type === TYPE.DS && isApexOf(zones, node, name)) {
    const above = closestNode(zones, name, name.labels - 1)
    if (above >= 0) findAt(zones, above, name, type, into)
    if (above >= 0 && into.kind !== 'referral') return
  }
  findAt(zones, node, name, type, into)
}

/** Hot. */
function isApexOf(zones: Zones, node: number, name: NameBuffer): boolean {
  return nodeLabels(zones, node) === name.labels && (nodeFlags(zones, node) & FLAG.APEX) !== 0
}

/**
 * The name's node, or its closest encloser's, in the closest enclosing zone. Hot.
 *
 * @param most labels that the zone's apex may have
 * @returns −1 where no hosted zone encloses it
 */
function closestNode(zones: Zones, name: NameBuffer, most: number): number {
  const table = zones.apexTable
  const { least } = zones.apexLabels
  let labels = Math.min(most, zones.apexLabels.most)
  for (; labels >= least; labels -= 1) {
    const key = keyOf(name, labels, 0)
    for (let at = probe(table, key, -1); at >= 0; at = probe(table, key, at)) {
      const node = enclosing(zones, table[at + 1]!, name, labels)
      if (node >= 0) return node
    }
  }
  return -1
}

/**
 * The name's node, or its closest encloser's, in one zone. Hot. Looks for the whole name first, and so
 * never compares the apex by itself where there is more.
 *
 * @returns −1 where the apex is not the name's last `least` labels
 */
function enclosing(zones: Zones, zone: number, name: NameBuffer, least: number): number {
  const { table, nodes, names } = zones
  let labels = Math.min(name.labels, zones.zoneDepth[zone]!)
  for (; labels >= least; labels -= 1) {
    const node = findNode(table, nodes, names, zone, name, labels)
    if (node >= 0) return node
  }
  return -1
}

/** Decides by a name's node, or by that of its closest encloser. Hot. */
function findAt(zones: Zones, node: number, name: NameBuffer, type: number, into: Finding): void {
  const zone = zones.nodes[node * NODE_WORDS + NODE.ZONE]!
  into.zone = zone
  into.soa = zones.zoneNegative[zone]!
  if (nodeLabels(zones, node) === name.labels) decideAt(zones, node, name.labels, type, into)
  else decideBelow(zones, node, name.labels, type, into)
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
