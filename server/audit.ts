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
    case 'pool': {
      const { kind: _, now, pool, ...told } = event
      const so = 'its clients go to the next pool, or to the last resort'
      if (now === 'usable') log.info(told, `pool ${pool} is usable`)
      else log.warn(told, `pool ${pool} is unusable: ${so}`)
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
