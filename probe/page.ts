/** How the page looks that a report is written on: colour or none, and how wide it is. */

import type { OutputOptions } from './options/output.ts'
import type { PersonOptions } from './tell/person.ts'
import { COLOR, PLAIN } from './tell/style.ts'
import type { World } from './world.ts'

/** Lines are cut only where somebody looks at them. */
export function pageFor(options: OutputOptions, world: World): PersonOptions {
  const isCut = options.output === undefined && options.format !== 'plain'
  const width = isCut ? world.out.columns : undefined
  return { style: colorFor(options, world) === 'color' ? COLOR : PLAIN, width }
}

/**
 * What was asked for wins over the environment, that over the terminal. no-color.org: NO_COLOR
 * counts when it is not empty; FORCE_COLOR=0 means none.
 */
export function colorFor(
  options: Pick<OutputOptions, 'color' | 'output' | 'format'>,
  world: Pick<World, 'environment' | 'out'>,
): 'color' | 'plain' {
  if (options.color !== 'auto') return options.color === 'always' ? 'color' : 'plain'
  if (options.format === 'pretty') return 'color'
  if (options.format === 'plain') return 'plain'
  const { NO_COLOR, FORCE_COLOR, TERM } = world.environment
  if (NO_COLOR !== undefined && NO_COLOR !== '') return 'plain'
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '')
    return FORCE_COLOR === '0' ? 'plain' : 'color'
  if (TERM === 'dumb' || options.output !== undefined) return 'plain'
  return world.out.isTerminal ? 'color' : 'plain'
}
