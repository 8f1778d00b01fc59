/**
 * Collects what is wrong with one zone, up to a bound, so that a file of another kind given by
 * mistake does not fill the memory with complaints. Knows nothing of zones.
 */
import { type At, problemAt, type Remarks, type Wrong, wrong } from '../fault.ts'

export type Reporter = {
  readonly remarks: Remarks
  problems: number
  warnings: number
  /** Added to what is wrong: which text was generated. */
  context: string
}

/** As many problems, and as many warnings, are told of one zone in one stage of its loading. */
export const MAX_REMARKS = 1000

/** Characters of what is wrong that are shown. */
const MAX_SHOWN = 300

export function reporter(remarks: Remarks): Reporter {
  return { remarks, problems: 0, warnings: 0, context: '' }
}

/** Tells whether enough is known to be wrong: reading on is of no use. */
export function isFull(reporter: Reporter): boolean {
  return reporter.problems >= MAX_REMARKS
}

/** Tells whether no more warnings are told: none need be made. */
export function isWarned(reporter: Reporter): boolean {
  return reporter.warnings >= MAX_REMARKS
}

export function complain(reporter: Reporter, at: At, reason: Wrong): void {
  if (isFull(reporter)) return
  reporter.problems += 1
  const whole = { ...reason, wrong: shown(reason.wrong) + shown(reporter.context) }
  reporter.remarks.problems.push(problemAt(at, whole))
  if (isFull(reporter)) reporter.remarks.problems.push(problemAt(at, enough('problems')))
}

export function warn(reporter: Reporter, at: At, reason: Wrong): void {
  if (isWarned(reporter)) return
  reporter.warnings += 1
  reporter.remarks.warnings.push(problemAt(at, reason))
  if (!isWarned(reporter)) return
  reporter.remarks.warnings.push(problemAt(at, enough('warnings')))
}

/** Text of a file may be long and hold anything: only so much is shown, and no control characters. */
function shown(text: string): string {
  const short = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
  return short.replace(/\p{Cc}/gu, octet => `\\${String(octet.charCodeAt(0)).padStart(3, '0')}`)
}

function enough(what: string): Wrong {
  return wrong(`${MAX_REMARKS} ${what} in this zone: no more are told`)
}
