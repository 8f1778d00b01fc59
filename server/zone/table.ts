/**
 * Open addressing over an Int32Array of pairs (key, value), a power of two of them. A key is a
 * mixed hash, not a proof: whoever finds a value compares the name. Value −1 is a free place. Knows
 * nothing of names or nodes.
 */
import { sharedWords } from './growing.ts'

/** Mixes a name's hash with the zone it is looked for in. Hot. */
export function tableKey(hash: number, zone: number): number {
  const mixed = Math.imul(hash ^ Math.imul(zone, 0x9e3779b1), 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}

/**
 * Steps to the next place that holds a key. Hot.
 *
 * @param after the place found last, −1 to begin
 * @returns the offset of the pair, or −1 when there is no further one
 */
export function probe(table: Int32Array, key: number, after: number): number {
  const mask = table.length - 1
  let at = after < 0 ? (key << 1) & mask : (after + 2) & mask
  while (table[at + 1]! >= 0) {
    if (table[at] === key) return at
    at = (at + 2) & mask
  }
  return -1
}

/** A table of `capacity` free places, a power of two. */
export function emptyTable(capacity: number): Int32Array {
  return sharedWords(2 * capacity).fill(-1)
}

/**
 * Puts a pair into the first free place of its key. The table must have one. Hot: once per name
 * loaded.
 */
export function insert(table: Int32Array, key: number, value: number): void {
  const mask = table.length - 1
  let at = (key << 1) & mask
  while (table[at + 1]! >= 0) at = (at + 2) & mask
  table[at] = key
  table[at + 1] = value
}
