/**
 * Loads on a thread of its own, so that answers go on while zones and maps are read and compiled, and
 * all that reading leaves behind goes with the thread. Here is the process's side, which needs
 * nothing of what a load needs; the thread's is `loader.ts`.
 */
import { Worker } from 'node:worker_threads'
import { Fault, type Problem } from './fault.ts'
import type { Machine, NotLoaded } from './load.ts'
import type { Served } from './served.ts'
import type { Steering } from './steer/steering.ts'

/** What the thread is told to load. */
export type LoadOrder = {
  readonly kind: 'load'
  readonly file: string
  readonly machine: Machine
  /** What is served now; `undefined` for the first load, which moves nobody. */
  readonly old: Steering | undefined
}

/** What was loaded, and which slots' maps it moves. */
export type LoadedAside =
  | {
      readonly ok: true
      readonly value: Served
      readonly moved: Moved
      readonly warnings: readonly Problem[]
    }
  | NotLoaded

/** By slot of the old map, and of the new one. */
export type Moved = { readonly before: Uint8Array; readonly after: Uint8Array }

/** The compiled file. */
const LOADER = new URL('loader.js', import.meta.url)

/**
 * Like `load`, on another thread. Columns of a World are shared memory: none is copied. Rejects with a
 * `Fault` only where the thread itself dies.
 *
 * @param old what is served now; `undefined` for the first load, which moves nobody
 */
export function loadAside(
  file: string,
  machine: Machine,
  old: Steering | undefined,
): Promise<LoadedAside> {
  const order: LoadOrder = { kind: 'load', file, machine, old }
  const thread = new Worker(LOADER, { workerData: order })
  return new Promise((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', cause => reject(new Fault('IMPOSSIBLE', 'the loader died', { cause })))
    thread.once('exit', code => reject(new Fault('IMPOSSIBLE', `the loader left with ${code}`)))
  })
}
