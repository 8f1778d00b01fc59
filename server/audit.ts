/** Writes what happened to the log: who did what to a running server can be read there afterwards. */
import { log } from './log.ts'
import type { Event } from './tell/control/told.ts'

export function audit({ id: _, time: __, ...event }: Event): void {
  switch (event.kind) {
    case 'verdict': {
      const { kind, now, ...told } = event
      if (now === 'up') log.info(told, now)
      else log.warn(told, now)
      return
    }
    case 'override': {
      const { by, override, what } = event
      const { does, from, id, reason, until } = override
      log.info({ audit: what, by, id, does, from, until, reason }, `${does}: ${what}`)
      return
    }
    case 'reload refused':
      return // whoever refused it has said more of it
    default: {
      const { kind, ...told } = event
      log.info(told, kind)
    }
  }
}
