/**
 * Sweeps the heap of the thread that calls, so that the memory of a World it has left is given back. V8
 * does not count shared memory, and a thread that allocates nothing never collects by itself: every
 * reload would leave a World behind. Called when a World is changed, never while one is served.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// The one way to ask for a collection that every thread has: what a new context calls `gc`.
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Takes some milliseconds: heaps here are small, as what is large is shared memory. */
export function sweep(): void {
  collect()
}
