/**
 * The thread that loads: one order, one answer, and it is gone. Whoever gives the order is `aside.ts`.
 * Where somebody is served already it ranks itself last before it reads anything, its own program
 * included.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { LoadOrder } from './aside.ts'
import { rankLoader } from './rank.ts'
import { inlineLess, inlineMore } from './v8.ts'

function isOrder(data: unknown): data is LoadOrder {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'load'
}

if (isOrder(workerData)) {
  if (workerData.old !== undefined) rankLoader()
  inlineLess()
  const { obey } = await import('./obey.ts')
  parentPort?.postMessage(obey(workerData))
  inlineMore()
}
