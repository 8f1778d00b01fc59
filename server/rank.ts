/**
 * Who waits for whom where several threads want one processor: answers come first, then V8's own
 * threads, which compile and collect for all of ours, then loading. Linux ranks threads one by one;
 * elsewhere, where the process would be ranked as a whole, nothing is done.
 */
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Nice values: beside a thread that answers, one of these has a tenth of its time, or a thirtieth. */
const HELPING = 10
const LOADING = 15

/** `setPriority` takes it for the thread that calls. */
const OURSELVES = 0

/** The threads that this process has besides its first one; none where the system does not say. */
export function otherThreads(): number[] {
  try {
    const all = readdirSync('/proc/self/task').map(Number)
    return all.filter(thread => thread !== process.pid)
  } catch {
    return [] // it is another system, or there is no /proc here
  }
}

/** Ranks V8's own threads behind those that answer. There is no way back. */
export function rankHelpers(threads: readonly number[]): void {
  for (const thread of threads) rank(thread, HELPING)
}

/** Ranks the calling thread behind all others. There is no way back. */
export function rankLoader(): void {
  if (process.platform === 'linux') rank(OURSELVES, LOADING)
}

function rank(thread: number, nice: number): void {
  try {
    setPriority(thread, nice)
  } catch {
    // it is gone, or a sandbox forbids it: then it ranks as it did
  }
}
