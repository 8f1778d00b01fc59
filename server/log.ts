/** What the process says while it serves: a JSON document a line on stderr. Never once per query. */
import { pino } from 'pino'

export const log = pino({ base: {}, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2))
