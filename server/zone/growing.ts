/**
 * Columns that grow while a file is read: octets and 32-bit words, one after the other, without an
 * object a record. They live in shared memory from the start, so that sealing them copies nothing;
 * the room left at their end is never written to, and so costs no memory. Knows nothing of what
 * they hold.
 */

/**
 * As many octets, or words, a column may hold: offsets are signed words of 32 bits. What is appended at
 * once is far below what is left.
 */
export const MOST_CELLS = 0x7fff_ffff - (1 << 20)

export type Octets = { cells: Uint8Array; length: number }
export type Words = { cells: Int32Array; length: number }

export function growingOctets(): Octets {
  return { cells: sharedOctets(256), length: 0 }
}

export function growingWords(): Words {
  return { cells: sharedWords(64), length: 0 }
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
  const grown = sharedOctets(Math.max(needed, grownLength(to.cells.length)))
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
  const grown = sharedWords(Math.max(needed, grownLength(to.cells.length)))
  grown.set(to.cells)
  to.cells = grown
}

function grownLength(length: number): number {
  return Math.ceil(length * 1.5)
}

/**
 * What has been appended, as a view: it shares the memory, and nothing may be appended any more.
 */
export function sealedOctets(from: Octets): Uint8Array {
  return from.cells.subarray(0, from.length)
}

export function sealedWords(from: Words): Int32Array {
  return from.cells.subarray(0, from.length)
}

/** Octets of zero in shared memory. */
export function sharedOctets(count: number): Uint8Array {
  return new Uint8Array(sharedMemory(count), 0, count)
}

/** Words of zero in shared memory. */
export function sharedWords(count: number): Int32Array {
  return new Int32Array(sharedMemory(4 * count), 0, count)
}

/** From here on, memory is worth being given back. */
const LARGE = 1 << 18
/** So much at once is mapped by itself, whatever C library there is. */
const MAPPED = 33 << 20

/**
 * Shared memory for at least so many octets. What is mapped by itself goes back to the system when it
 * is let go; less comes out of a heap with holes, of which each reload would leave more. So what is
 * large is made larger still: what is not written to takes no memory.
 */
export function sharedMemory(octets: number): SharedArrayBuffer {
  return new SharedArrayBuffer(octets < LARGE ? octets : Math.max(octets, MAPPED))
}
