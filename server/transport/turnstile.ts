/**
 * Work that keeps the event loop for a while, such as handshakes: so much of it a turn, in the order in
 * which it came, that everybody else gets a turn between. Knows nothing of what is done.
 */

/** @param most works in one turn of the event loop, at least 1 */
export function turnstile(most: number): (work: () => void) => void {
  const waiting = new Set<() => void>()

  const turn = () => {
    let left = most
    for (const work of waiting) {
      waiting.delete(work)
      work()
      left -= 1
      if (left === 0) break
    }
    if (waiting.size > 0) setImmediate(turn)
  }

  return work => {
    waiting.add(work)
    if (waiting.size === 1) setImmediate(turn)
  }
}
