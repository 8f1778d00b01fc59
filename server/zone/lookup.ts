/**
 * From a name's suffix to its node, over the raw columns: shared by the look-up of queries and by
 * the loader, which enters names while it looks. Everything here is hot.
 */
import { hashLabel, type NameBuffer, ROOT_HASH } from '../dns/name.ts'
import { probe, tableKey } from './table.ts'
import { NODE, NODE_WORDS } from './zones.ts'

/** Hashes the name's suffixes; `hashes[n]` is that of its last `n` labels. Hot. */
export function hashSuffixes(name: NameBuffer, hashes: Int32Array): void {
  let hash = ROOT_HASH
  hashes[0] = hash
  for (let labels = 1; labels <= name.labels; labels += 1) {
    hash = hashLabel(hash, name.octets, name.starts[name.labels - labels]!)
    hashes[labels] = hash
  }
}

/**
 * The node of a zone for the name's last `labels` labels. Hot.
 *
 * @param hash the hash of those labels
 * @returns −1 when there is none
 */
export function findNode(
  table: Int32Array,
  nodes: Int32Array,
  names: Uint8Array,
  zone: number,
  name: NameBuffer,
  labels: number,
  hash: number,
): number {
  const key = tableKey(hash, zone)
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
  // Both end in the root's 0, so the shorter one differs before the other runs out. Length octets
  // are below 64: none looks like a letter.
  for (let i = start; i < name.length; i += 1) {
    let octet = octets[i]!
    if (octet >= 0x41 && octet <= 0x5a) octet += 0x20
    if (octet !== names[shift + i]) return false
  }
  return true
}
