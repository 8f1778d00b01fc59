/**
 * Loads on a thread of its own, so that answers go on while zones and maps are read and compiled.
 * This file is both sides: the process calls `loadAside`, the thread runs the end of it.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { Fault } from './fault.ts'
import { type Loaded, load, type Machine } from './load.ts'

type Order = { readonly kind: 'load'; readonly file: string; readonly machine: Machine }

/** Like `load`, on another thread. Rejects with a `Fault` only where the thread itself dies. */
export function loadAside(file: string, machine: Machine): Promise<Loaded> {
  const order: Order = { kind: 'load', file, machine }
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
  parentPort?.postMessage(load(workerData.file, workerData.machine))
}
