/**
 * What comes next: a configuration that is loaded beside the running server, or all that is wrong with
 * it. Changes nothing.
 */
import { loadAside } from './aside.ts'
import type { Next } from './changeover.ts'
import { problemText } from './fault.ts'
import { log, warn } from './log.ts'
import { rankHelpers } from './rank.ts'
import type { Footing } from './served.ts'
import type { Start } from './sockets.ts'
import type { Steering } from './steer/steering.ts'
import { counted } from './tell/figures.ts'

/** What a reload came to. */
export type Reloaded =
  | { readonly kind: 'reloaded'; readonly digest: string; readonly listening: readonly string[] }
  | { readonly kind: 'planned'; readonly digest: string; readonly at: string }
  | Refused

export type Refused = { readonly kind: 'refused'; readonly problems: readonly string[] }

/** Tells whether a configuration is planned for a time to come. */
export function isAhead({ activateAt }: Footing): boolean {
  return activateAt !== undefined && activateAt.ms > Date.now()
}

export const LEAVING: Refused = { kind: 'refused', problems: ['the server is leaving'] }

/** Loads beside the running server; says all that is wrong. */
export async function loadNext(start: Start, old: Steering): Promise<Next | Refused> {
  const { file, helpers, machine } = start
  rankHelpers(helpers) // not before: until now they had to compile what answers
  const loaded = await loadAside(file, machine, old)
  for (const warning of loaded.warnings) warn(warning)
  if (loaded.ok) return { served: loaded.value, moved: loaded.moved }
  const problems = loaded.problems.map(problemText)
  for (const problem of problems) log.error(problem)
  refused(start, counted(problems.length, 'problem'))
  return { kind: 'refused', problems }
}

/** Says that the old configuration stays. */
export function refused({ manager }: Pick<Start, 'manager'>, cause: unknown): Refused {
  const why = cause instanceof Error ? cause.message : String(cause)
  const what = `reload refused, the old configuration keeps serving: ${why}`
  log.error(what)
  manager.status(what)
  return { kind: 'refused', problems: [why] }
}
