/** What happened, in one line. */
import { overrideLine } from './overrides-text.ts'
import type { Event } from './told.ts'

export function eventText(event: Event): string {
  return `${event.time} ${happening(event)}`
}

function happening(event: Event): string {
  switch (event.kind) {
    case 'verdict':
      return `${event.pool}/${event.target} ${event.now}: ${event.why}`
    case 'reloaded':
      return `reloaded, digest ${event.digest}`
    case 'pool':
      return `pool ${event.pool} ${event.now}: ${event.up} of ${event.all} up`
    case 'reload refused':
      return ['reload refused', ...event.problems].join('\n  ')
    case 'planned':
      return `planned for ${event.at}, digest ${event.digest}`
    case 'override':
      return `override ${event.what}${by(event.by)} · ${overrideLine(event.override)}`
    default:
      return JSON.stringify(event) // of a server that has more to tell
  }
}

function by(whom: string | undefined): string {
  return whom === undefined ? '' : ` by ${whom}`
}
