/**
 * A queue from one thread to another that never makes either wait: a ring of words in memory that
 * both see. One thread puts records, one takes them; what does not fit is dropped, and counted. Who
 * dies while putting leaves nothing of it behind. Knows nothing of what records say.
 */

/**
 * A record lies as one word that tells its length, then its words; at the end of the ring it goes on
 * at the beginning. The ends count words and wrap at 2³²: what lies between them is to be taken.
 */
export type Ring = {
  /** Each side's own are in a cache line that the other does not write. */
  readonly ends: Int32Array
  /** A power of two. */
  readonly words: Int32Array
}

/** Where the next record will be put, and how many were dropped: of the one who puts. */
const HEAD = 0
const DROPPED = 1
/** Where the next record is taken: of the one who takes. */
const TAIL = 32
const ENDS = 64

/** @param size words, a power of two */
export function ring(size: number): Ring {
  return { ends: shared(ENDS), words: shared(size) }
}

function shared(size: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * size))
}

/**
 * Puts a record, or drops and counts it where there is no room. Hot: once per sampled query.
 *
 * @param length the record is its first so many words, at least 1
 */
export function put({ ends, words }: Ring, record: Int32Array, length: number): void {
  const last = words.length - 1
  const head = Atomics.load(ends, HEAD)
  const held = (head - Atomics.load(ends, TAIL)) | 0
  if (length >= words.length - held) {
    Atomics.store(ends, DROPPED, (Atomics.load(ends, DROPPED) + 1) | 0)
    return
  }
  words[head & last] = length
  for (let at = 0; at < length; at += 1) words[(head + 1 + at) & last] = record[at]!
  Atomics.store(ends, HEAD, (head + 1 + length) | 0) // whoever sees it sees the words too
}

/**
 * Takes the oldest record. Hot. Whatever lies in the memory, nothing outside it is read; what no
 * `put` can have left there is thrown away, all of it.
 *
 * @returns how many words of `into` it is; 0: there is none
 */
export function take({ ends, words }: Ring, into: Int32Array): number {
  const last = words.length - 1
  const tail = Atomics.load(ends, TAIL)
  const head = Atomics.load(ends, HEAD)
  if (head === tail) return 0
  const held = (head - tail) | 0
  const length = words[tail & last]!
  if (length < 1 || length > into.length || length >= held || held > words.length) {
    Atomics.store(ends, TAIL, head)
    return 0
  }
  for (let at = 0; at < length; at += 1) into[at] = words[(tail + 1 + at) & last]!
  Atomics.store(ends, TAIL, (tail + 1 + length) | 0)
  return length
}

/** How many records were dropped until now; it wraps at 2³². */
export function droppedOf({ ends }: Ring): number {
  return Atomics.load(ends, DROPPED) >>> 0
}
