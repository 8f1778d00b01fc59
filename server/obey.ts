/** What the loader does: loads, and keeps of it what a running server needs. */
import type { LoadedAside, LoadOrder, Moved } from './aside.ts'
import { load } from './load.ts'
import { type Served, servedOf } from './served.ts'
import { movedSlots } from './steer/compare.ts'
import type { Steering } from './steer/steering.ts'

export function obey({ file, machine, old }: LoadOrder): LoadedAside {
  const began = performance.now()
  const loaded = load(file, machine)
  if (!loaded.ok) return loaded
  const value = servedOf(loaded.value, file, performance.now() - began)
  return { ok: true, value, moved: movedBy(value, old), warnings: loaded.warnings }
}

function movedBy({ world: { steering } }: Served, old: Steering | undefined): Moved {
  const nobody = new Uint8Array(0)
  if (old === undefined) return { before: nobody, after: nobody }
  return { before: movedSlots(steering, old), after: movedSlots(old, steering) }
}
