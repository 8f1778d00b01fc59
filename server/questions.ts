/**
 * A log of questions, as `diff` reads it: in each line a client's prefix and the name it asked for,
 * blanks between them; `#` begins a comment. Lines that are alike are read once.
 */
import { prefixFrom } from './config/prefix.ts'
import { nameFromText } from './dns/name.ts'
import { isWrong, problemAt, type Remarks, type Wrong, wrong } from './fault.ts'
import type { Prefix } from './steer/rule.ts'

/** Questions of clients in one block for one name. */
export type Question = {
  readonly client: Prefix
  /** Wire octets. */
  readonly name: Uint8Array
  readonly queries: number
}

/** Whoever gave us another file need not be told of every line of it. */
const SHOWN = 20

/** Reads a log. Every line that cannot be read is a Problem, but for those past the first twenty. */
export function readQuestions(text: string, file: string, remarks: Remarks): Question[] {
  const counts = new Map<string, { readonly line: number; queries: number }>()
  for (const { line, words } of linesOf(text)) {
    const count = counts.get(words)
    if (count === undefined) counts.set(words, { line, queries: 1 })
    else count.queries += 1
  }
  let flaws = 0
  const questions: Question[] = []
  for (const [words, { line, queries }] of counts) {
    const question = questionFrom(words)
    if (!isWrong(question)) {
      questions.push({ ...question, queries })
      continue
    }
    flaws += 1
    if (flaws <= SHOWN) remarks.problems.push(problemAt({ file, line, column: 1 }, question))
  }
  if (flaws > SHOWN) {
    const what = `${flaws - SHOWN} more lines cannot be read`
    remarks.problems.push(problemAt({ file, line: 0, column: 0 }, wrong(what, FIX)))
  }
  return questions
}

const FIX = "write a client's prefix, a blank and a name: 192.0.2.0/24 www.example.com"

/** Lines that say something, without their comments. A log may be larger than its lines in a list. */
function* linesOf(text: string): Generator<{ readonly line: number; readonly words: string }> {
  let line = 0
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at)
    const end = found < 0 ? text.length : found
    const words = text
      .slice(at, end)
      .replace(/(^|\s)#.*/, '')
      .trim()
    line += 1
    at = end + 1
    if (words !== '') yield { line, words }
  }
}

function questionFrom(words: string): Omit<Question, 'queries'> | Wrong {
  const [prefix = '', name = '', ...more] = words.split(/\s+/)
  if (name === '' || more.length > 0) {
    return wrong(`${name === '' ? 'one word' : `${2 + more.length} words`} in a line`, FIX)
  }
  const client = prefixFrom(prefix)
  if (isWrong(client)) return client
  const wire = nameFromText(name.endsWith('.') ? name : `${name}.`, undefined)
  return isWrong(wire) ? wire : { client, name: wire }
}
