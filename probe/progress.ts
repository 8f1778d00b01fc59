/** How far a measurement is, on one line of stderr that is wiped at the end. */

import type { OutputOptions } from './options/output.ts'
import type { Subject } from './plan/rounds.ts'
import type { World } from './world.ts'

export type Progress = {
  /** Shows how many questions were asked for a name and type, of how many at most. */
  readonly show: (subject: Subject, asked: number, most: number) => void
  readonly wipe: () => void
}

const WIPE = '\r\x1b[K'

/** Nothing is shown where nobody looks: stderr is no terminal, or it was switched off. */
export function progressOf(options: OutputOptions, world: World): Progress {
  const { err, environment } = world
  const seen = err.isTerminal && environment.TERM !== 'dumb' && options.loudness !== 'quiet'
  const on = options.progress === 'on' || (options.progress === 'auto' && seen)
  if (!on) return { show: () => undefined, wipe: () => undefined }
  return {
    show: ({ name, type }, asked, most) =>
      err.write(`${WIPE}${name} ${type}: ${asked} of ${most} at most`),
    wipe: () => err.write(WIPE),
  }
}
