/**
 * Columns that grow while a file is read: octets and 32-bit words, one after the other, without an
 * object a record. They end as exact copies over shared memory. Knows nothing of what they hold.
 */

export type Octets = { cells: Uint8Array; length: number }
export type Words = { cells: Int32Array; length: number }

export function growingOctets(): Octets {
  return { cells: new Uint8Array(256), length: 0 }
}

export function growingWords(): Words {
  return { cells: new Int32Array(64), length: 0 }
}

/** Appends a part of some octets. Hot: once per record loaded. Returns where it stands. */
export function appendOctets(to: Octets, from: Uint8Array, start: number, end: number): number {
  const at = to.length
  reserveOctets(to, end - start)
  for (let i = start; i < end; i += 1) to.cells[at + i - start] = from[i]!
  to.length = at + end - start
  return at
}

/** Makes room for `count` more octets. Hot. */
export function reserveOctets(to: Octets, count: number): void {
  const needed = to.length + count
  if (needed <= to.cells.length) return
  const grown = new Uint8Array(Math.max(needed, grownLength(to.cells.length)))
  grown.set(to.cells)
  to.cells = grown
}

/** Hot. */
export function appendWord(to: Words, word: number): void {
  if (to.length === to.cells.length) reserveWords(to, 1)
  to.cells[to.length] = word
  to.length += 1
}

/** Makes room for `count` more words. Hot. */
export function reserveWords(to: Words, count: number): void {
  const needed = to.length + count
  if (needed <= to.cells.length) return
  const grown = new Int32Array(Math.max(needed, grownLength(to.cells.length)))
  grown.set(to.cells)
  to.cells = grown
}

/** Half as much again: doubling would cost the loader a third more memory at its peak. */
function grownLength(length: number): number {
  return Math.ceil(length * 1.5)
}

/** Moves the octets into shared memory of their exact size, and lets go of the old ones. */
export function sharedOctets(from: Octets): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(from.length))
  shared.set(from.cells.subarray(0, from.length))
  from.cells = new Uint8Array(0)
  return shared
}

/** The same for words. */
export function sharedWords(from: Words): Int32Array {
  const shared = new Int32Array(new SharedArrayBuffer(4 * from.length))
  shared.set(from.cells.subarray(0, from.length))
  from.cells = new Int32Array(0)
  return shared
}
