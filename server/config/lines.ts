/**
 * The lines of a text file that an operator names, without what counts for nothing.
 */

/** As UTF-8 reads it, or as the octets stand. */
const BYTE_ORDER_MARK = /^(?:\uFEFF|\u00EF\u00BB\u00BF)/

export type Line = {
  /** Without its comment; never blank. Columns count from its first character. */
  readonly text: string
  /** Counts from 1. */
  readonly line: number
}

/** @param comment matches it to the end of the line */
export function* linesOf(text: string, comment: RegExp): Generator<Line> {
  const lines = text.replace(BYTE_ORDER_MARK, '').split(/\r\n|\n|\r/)
  for (const [index, line] of lines.entries()) {
    const written = line.replace(comment, '')
    if (written.trim() !== '') yield { text: written, line: index + 1 }
  }
}
