/**
 * What comes soonest, of many: a binary heap. The children of entry `i` are `2i + 1` and `2i + 2`, and
 * neither comes before it; so a sorted array is one too.
 */

export type Timed = { readonly at: number }

/** Adds an entry. */
export function enter<T extends Timed>(heap: T[], entry: T): void {
  let hole = heap.length
  heap.push(entry)
  while (hole > 0) {
    const above = (hole - 1) >> 1
    const parent = heap[above]!
    if (parent.at <= entry.at) break
    heap[hole] = parent
    hole = above
  }
  heap[hole] = entry
}

/** Takes out the entry that comes soonest: the first one. */
export function leave<T extends Timed>(heap: T[]): T | undefined {
  const soonest = heap[0]
  const last = heap.pop()
  if (last !== undefined && heap.length > 0) sink(heap, last)
  return soonest
}

/** Puts an entry into the place of the first. */
function sink<T extends Timed>(heap: T[], entry: T): void {
  let hole = 0
  for (;;) {
    let below = 2 * hole + 1
    if (below >= heap.length) break
    if (below + 1 < heap.length && heap[below + 1]!.at < heap[below]!.at) below += 1
    const child = heap[below]!
    if (child.at >= entry.at) break
    heap[hole] = child
    hole = below
  }
  heap[hole] = entry
}
