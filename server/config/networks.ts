/**
 * The text of a networks file: one prefix a line; `#` and `;` begin a comment, blank lines count for
 * nothing, a bare address is that one address.
 */
import { type At, isWrong, problemAt, type Remarks } from '../fault.ts'
import type { Network } from '../steer/rule.ts'
import { prefixFrom } from './prefix.ts'

/** As UTF-8 reads it, or as the octets stand. */
const BYTE_ORDER_MARK = /^(?:\uFEFF|\u00EF\u00BB\u00BF)/

/** Reads every line; a bad one becomes a Problem at its place. */
export function networkLines(text: string, file: string, remarks: Remarks): Network['prefixes'] {
  const prefixes: Network['prefixes'][number][] = []
  const lines = text.replace(BYTE_ORDER_MARK, '').split(/\r\n|\n|\r/)
  for (const [index, line] of lines.entries()) {
    const written = line.replace(/[#;].*$/, '').trim()
    if (written === '') continue
    const at: At = { file, line: index + 1, column: line.indexOf(written) + 1 }
    const prefix = prefixFrom(written)
    if (isWrong(prefix)) remarks.problems.push(problemAt(at, prefix))
    else prefixes.push({ ...prefix, at })
  }
  return prefixes
}
