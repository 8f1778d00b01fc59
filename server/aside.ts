/**
 * Loads on a thread of its own, so that answers go on while zones and maps are read and compiled.
 * This file is both sides: the process calls `loadAside`, the thread runs the end of it.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { Fault } from './fault.ts'
import { type Loaded, load, type Machine } from './load.ts'
import { movedSlots } from './steer/compare.ts'
import type { Steering } from './steer/steering.ts'

type Order = {
  readonly kind: 'load'
  readonly file: string
  readonly machine: Machine
  readonly old: Steering | undefined
}

/** What was loaded, and which slots' maps it moves: by slot of the old map, and of the new one. */
export type LoadedAside = Loaded & { readonly moved: Moved }
export type Moved = { readonly before: Uint8Array; readonly after: Uint8Array }

/**
 * Like `load`, on another thread, whose garbage goes with it. Rejects with a `Fault` only where the
 * thread itself dies.
 *
 * @param old what is served now; `undefined` for the first load, which moves nobody
 */
export function loadAside(
  file: string,
  machine: Machine,
  old: Steering | undefined,
): Promise<LoadedAside> {
  const order: Order = { kind: 'load', file, machine, old }
  const thread = new Worker(new URL(import.meta.url), { workerData: order })
  return new Promise((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', cause => reject(new Fault('IMPOSSIBLE', 'the loader died', { cause })))
    thread.once('exit', code => reject(new Fault('IMPOSSIBLE', `the loader left with ${code}`)))
  })
}

function isOrder(data: unknown): data is Order {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'load'
}

if (!isMainThread && isOrder(workerData)) {
  const { file, machine, old } = workerData
  const loaded = load(file, machine)
  parentPort?.postMessage({ ...loaded, moved: movedBy(loaded, old) } satisfies LoadedAside)
}

function movedBy(loaded: Loaded, old: Steering | undefined): Moved {
  if (!loaded.ok || old === undefined)
    return { before: new Uint8Array(0), after: new Uint8Array(0) }
  const now = loaded.value.world.steering
  return { before: movedSlots(now, old), after: movedSlots(old, now) }
}
