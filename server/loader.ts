/**
 * The thread that loads: one order, one answer, and it is gone. Whoever gives the order is `aside.ts`.
 */
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { LoadedAside, LoadOrder, Moved } from './aside.ts'
import { type Loaded, load } from './load.ts'
import { movedSlots } from './steer/compare.ts'
import type { Steering } from './steer/steering.ts'

function isOrder(data: unknown): data is LoadOrder {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'load'
}

if (isOrder(workerData)) {
  const { file, machine, old } = workerData
  if (old !== undefined) giveWay()
  const loaded = load(file, machine)
  parentPort?.postMessage({ ...loaded, moved: movedBy(loaded, old) } satisfies LoadedAside)
}

/** Answers come first: Linux ranks threads one by one, others would rank the process. */
function giveWay(): void {
  if (process.platform === 'linux') setPriority(10)
}

function movedBy(loaded: Loaded, old: Steering | undefined): Moved {
  const nobody = new Uint8Array(0)
  if (!loaded.ok || old === undefined) return { before: nobody, after: nobody }
  const now = loaded.value.world.steering
  return { before: movedSlots(now, old), after: movedSlots(old, now) }
}
