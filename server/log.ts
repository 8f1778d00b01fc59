/** What the process says while it serves: a JSON document a line on stderr. Never once per query. */
import { pino } from 'pino'
import { type Problem, problemText } from './fault.ts'

export const log = pino({ base: {}, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2))

/** Says what is wrong, and is no reason to stop. */
export function warn(problem: Problem): void {
  log.warn(problemText(problem))
}
