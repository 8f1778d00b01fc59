/** How an explanation is laid out: a verb, what each of its facts is about, and the fact. */

/** What is told of one subject: a word for it, then its lines. */
export type Row = readonly [label: string, ...lines: readonly string[]]

const VERB = 7
const LABEL = 10
const WIDTH = 100

/** The lines of one verb, which stands in front of the first. */
export function verbLines(verb: string, rows: readonly Row[]): string[] {
  const lines = rows.flatMap(([label, ...texts]) => {
    const indent = label === '' ? 0 : LABEL
    const wrapped = texts.flatMap(text => wrap(text, WIDTH - VERB - indent))
    return wrapped.map((line, i) => (i === 0 ? label : '').padEnd(indent) + line)
  })
  return lines.map((line, i) => ((i === 0 ? verb : '').padEnd(VERB) + line).trimEnd())
}

/** Breaks a line at blanks; what goes on is indented. A longer word stays whole. */
function wrap(text: string, width: number): string[] {
  if (text.length <= width) return [text]
  const at = text.lastIndexOf(' ', width)
  const end = at <= 2 ? text.indexOf(' ', width) : at
  if (end < 0) return [text]
  return [text.slice(0, end).trimEnd(), ...wrap(`  ${text.slice(end + 1)}`, width)]
}
