/**
 * From a name's suffix to its node, over the raw columns: shared by the look-up of queries and by
 * the loader, which enters names while it looks. Everything here is hot.
 */
import { LOWER, type NameBuffer } from '../dns/name.ts'
import { probe, tableKey } from './table.ts'
import { NODE, NODE_WORDS } from './zones.ts'

/** The key under which a zone has a name's last `labels` labels. Hot. */
export function keyOf(name: NameBuffer, labels: number, zone: number): number {
  return tableKey(name.hashes[name.labels - labels]!, zone)
}

/**
 * The node of a zone for the name's last `labels` labels. Hot.
 *
 * @returns −1 when there is none
 */
export function findNode(
  table: Int32Array,
  nodes: Int32Array,
  names: Uint8Array,
  zone: number,
  name: NameBuffer,
  labels: number,
): number {
  const key = keyOf(name, labels, zone)
  for (let at = probe(table, key, -1); at >= 0; at = probe(table, key, at)) {
    const node = table[at + 1]!
    if (nodes[node * NODE_WORDS + NODE.ZONE] === zone) {
      if (isSuffix(names, nodes[node * NODE_WORDS + NODE.NAME]!, name, labels)) return node
    }
  }
  return -1
}

/**
 * Tells whether a canonical name is the last `labels` labels of another, blind to case. Hot.
 *
 * @param at where the canonical name stands in `names`
 */
export function isSuffix(names: Uint8Array, at: number, name: NameBuffer, labels: number): boolean {
  const octets = name.octets
  const start = name.starts[name.labels - labels]!
  const shift = at - start
  // Both end in the root's 0, so the shorter one differs before the other runs out.
  for (let i = start; i < name.length; i += 1) {
    if (LOWER[octets[i]!] !== names[shift + i]) return false
  }
  return true
}
