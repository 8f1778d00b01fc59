/** Whether output gets colour: what was asked for wins over the environment, that over the terminal. */

import type { Options } from './options.ts'
import type { World } from './world.ts'

export type Color = 'color' | 'plain'

/** no-color.org: NO_COLOR counts when it is not empty; FORCE_COLOR=0 means none. */
export function colorFor(options: Options, world: World): Color {
  if (options.color !== 'auto') return options.color === 'always' ? 'color' : 'plain'
  const { NO_COLOR, FORCE_COLOR, TERM } = world.environment
  if (NO_COLOR !== undefined && NO_COLOR !== '') return 'plain'
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '')
    return FORCE_COLOR === '0' ? 'plain' : 'color'
  if (TERM === 'dumb' || options.output !== undefined) return 'plain'
  return world.out.isTerminal ? 'color' : 'plain'
}
