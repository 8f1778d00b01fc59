/** What is wrong with a file of the user's, as lines for stderr. Knows no file. */

import type { Mistake } from './checks/source.ts'
import { wrongText } from './plan/wrong.ts'
import { printable } from './tell/number.ts'
import { placeText } from './tell/reporters/report.ts'

/** One line each: `file:line:column: what · how to fix`. */
export function mistakeLines(mistakes: readonly Mistake[]): readonly string[] {
  return mistakes.map(({ at, reason }) => printable(`${placeText(at)}: ${wrongText(reason)}`))
}
