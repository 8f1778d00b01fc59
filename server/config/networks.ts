/**
 * The text of a networks file: one prefix a line; `#` and `;` begin a comment, blank lines count for
 * nothing, a bare address is that one address.
 */
import { type At, isWrong, problemAt, type Remarks } from '../fault.ts'
import type { Network } from '../steer/rule.ts'
import { linesOf } from './lines.ts'
import { prefixFrom } from './prefix.ts'

/** Reads every line; a bad one becomes a Problem at its place. */
export function networkLines(text: string, file: string, remarks: Remarks): Network['prefixes'] {
  const prefixes: Network['prefixes'][number][] = []
  for (const { text: written, line } of linesOf(text, /[#;].*$/)) {
    const word = written.trim()
    const at: At = { file, line, column: written.indexOf(word) + 1 }
    const prefix = prefixFrom(word)
    if (isWrong(prefix)) remarks.problems.push(problemAt(at, prefix))
    else prefixes.push({ ...prefix, at })
  }
  return prefixes
}
