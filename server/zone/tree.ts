/**
 * The nodes of all zones while they are compiled: names entered once, with the empty non-terminals
 * above them (RFC 4592 §2.2.2). A parent is always entered before its child, so its number is
 * lower. Knows names and zones; records and what a node means come later.
 */
import { type NameBuffer, nameBuffer, setName } from '../dns/name.ts'
import {
  appendOctets,
  appendWord,
  growingOctets,
  growingWords,
  type Octets,
  type Words,
} from './growing.ts'
import { findNode, keyOf } from './lookup.ts'
import { emptyTable, insert } from './table.ts'
import { FLAG, NODE, NODE_WORDS } from './zones.ts'

export type Tree = {
  readonly names: Octets
  /** NODE_WORDS words a node. */
  readonly rows: Words
  /** The parent of each node; −1 for an apex. */
  readonly parents: Words
  /** Pairs (key, node), see `table.ts`. */
  table: Int32Array
  /** Scratch: the name being entered. */
  readonly name: NameBuffer
}

export function tree(): Tree {
  const columns = { names: growingOctets(), rows: growingWords(), parents: growingWords() }
  return { ...columns, table: emptyTable(16), name: nameBuffer() }
}

export function nodeCount(tree: Tree): number {
  return tree.parents.length
}

/** Enters a zone's apex. Returns its node. */
export function enterApex(tree: Tree, zone: number, apex: Uint8Array): number {
  setName(tree.name, apex, 0)
  return addNode(tree, zone, tree.name.labels, -1, FLAG.APEX)
}

/**
 * Enters a name and what is missing above it. Hot: once per owner loaded.
 *
 * @param at where the canonical name stands in `octets`
 * @param apexLabels how many labels the zone's apex has
 * @returns its node, or −1 when the name lies outside the zone
 */
export function enterName(
  tree: Tree,
  zone: number,
  apexLabels: number,
  octets: Uint8Array,
  at: number,
): number {
  setName(tree.name, octets, at)
  let labels = tree.name.labels
  let node = -1
  for (; labels >= apexLabels; labels -= 1) {
    node = nodeAt(tree, zone, labels)
    if (node >= 0) break
  }
  if (node < 0) return -1
  for (labels += 1; labels <= tree.name.labels; labels += 1) {
    node = addNode(tree, zone, labels, node, 0)
  }
  return node
}

/** The node of a name in a zone; −1 when it has none. Hot. */
export function nodeOfName(tree: Tree, zone: number, octets: Uint8Array, at: number): number {
  setName(tree.name, octets, at)
  return nodeAt(tree, zone, tree.name.labels)
}

/**
 * The node of a name or of the closest encloser it has in a zone. Hot.
 *
 * @returns −1 when the name lies outside the zone
 */
export function encloserOfName(tree: Tree, zone: number, octets: Uint8Array, at: number): number {
  setName(tree.name, octets, at)
  for (let labels = tree.name.labels; labels >= 0; labels -= 1) {
    const node = nodeAt(tree, zone, labels)
    if (node >= 0) return node
  }
  return -1
}

/** Hot. */
function nodeAt(tree: Tree, zone: number, labels: number): number {
  const { table, rows, names, name } = tree
  return findNode(table, rows.cells, names.cells, zone, name, labels)
}

/** Appends a node for the last `labels` labels of the name taken. Hot. */
function addNode(tree: Tree, zone: number, labels: number, parent: number, flags: number): number {
  const { name, rows } = tree
  const node = tree.parents.length
  const start = name.starts[name.labels - labels]!
  const isWildcard = parent >= 0 && name.octets[start] === 1 && name.octets[start + 1] === 0x2a
  const own = isWildcard ? flags | FLAG.WILDCARD : flags
  appendWord(tree.parents, parent)
  appendWord(rows, appendOctets(tree.names, name.octets, start, name.length))
  appendWord(rows, zone)
  appendWord(rows, (labels << 16) | own)
  for (let word = NODE.RRSET; word < NODE_WORDS; word += 1) appendWord(rows, -1)
  rows.cells[node * NODE_WORDS + NODE.RRSETS] = 0
  if (isWildcard) rows.cells[parent * NODE_WORDS + NODE.WILDCARD] = node
  if (2 * tree.parents.length > (tree.table.length >> 1) * RATIO) growTable(tree)
  insert(tree.table, keyOf(name, labels, zone), node)
  return node
}

/** The table grows when two thirds of it are taken. */
const RATIO = 4 / 3

function growTable(tree: Tree): void {
  const old = tree.table
  tree.table = emptyTable(old.length)
  for (let at = 0; at < old.length; at += 2) {
    const node = old[at + 1] ?? -1
    if (node >= 0) insert(tree.table, old[at] ?? 0, node)
  }
}
