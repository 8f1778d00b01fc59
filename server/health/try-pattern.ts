/**
 * Patterns of an operator over text of a target. The text may be made to keep a regular expression
 * busy for hours, and nothing else would happen meanwhile, so expressions run on a short time of
 * their own.
 */
import { Script } from 'node:vm'
import type { Pattern } from '../steer/trial.ts'

/** Far longer than a harmless expression takes for 64 KiB. */
const MOST_MS = 100

/** Tells whether text holds or matches what it should; `undefined` when that took too long. */
export function fits(pattern: Pattern, text: string): boolean | undefined {
  if (pattern.kind === 'holds') return text.includes(pattern.text)
  const expression = JSON.stringify(pattern.source)
  const script = new Script(`new RegExp(${expression}).test(${JSON.stringify(text)})`)
  try {
    return script.runInThisContext({ timeout: MOST_MS }) === true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === TOO_LONG) return undefined
    return false
  }
}

const TOO_LONG = 'ERR_SCRIPT_EXECUTION_TIMEOUT'

/** As a sentence names it. */
export function patternText(pattern: Pattern): string {
  return pattern.kind === 'holds' ? `"${pattern.text}"` : `match of /${pattern.source}/`
}
