/**
 * A log of questions, as `diff` reads it. A line is one of the server's own query log, a JSON document,
 * and counts for as many queries as it stands for; or it is a client's prefix and the name that it
 * asked for, with blanks between them and `#` before a comment. Lines that are alike are read once.
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
  /** A sampled log stands for more than there are lines in it: perhaps for no whole number. */
  readonly queries: number
}

/** Whoever gave us another file need not be told of every line of it. */
const SHOWN = 20

/** Reads a log. Every line that cannot be read is a Problem, but for those past the first twenty. */
export function readQuestions(text: string, file: string, remarks: Remarks): Question[] {
  const counted = new Map<string, Counted | 'told'>()
  let flaws = 0
  for (const { line, words } of linesOf(text)) {
    const asked = words.startsWith('{') ? logged(words) : written(words)
    if (asked === undefined) continue
    const key = isWrong(asked) ? words : keyOf(asked)
    const known = counted.get(key) ?? questionFrom(asked)
    if (isWrong(known)) {
      flaws += 1
      if (flaws <= SHOWN) remarks.problems.push(problemAt({ file, line, column: 1 }, known))
      counted.set(key, 'told')
    } else if (known !== 'told' && !isWrong(asked)) {
      known.queries += asked.queries
      counted.set(key, known)
    }
  }
  if (flaws > SHOWN) {
    const what = `${flaws - SHOWN} more lines cannot be read`
    remarks.problems.push(problemAt({ file, line: 0, column: 0 }, wrong(what, FIX)))
  }
  return [...counted.values()].filter(known => known !== 'told')
}

type Counted = Omit<Question, 'queries'> & { queries: number }

const FIX = "write a client's prefix, a blank and a name: 192.0.2.0/24 www.example.com"

/** Lines that say something. A log may be larger than its lines in a list. */
function* linesOf(text: string): Generator<{ readonly line: number; readonly words: string }> {
  let line = 0
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at)
    const end = found < 0 ? text.length : found
    const words = text.slice(at, end).trim()
    line += 1
    at = end + 1
    if (words !== '') yield { line, words }
  }
}

/** What stands in a line, as text. */
type Asked = { readonly client: string; readonly name: string; readonly queries: number }

/** No two questions have the same. */
function keyOf({ client, name }: Asked): string {
  return `${client.length} ${client} ${name}`
}

/** `undefined`: nothing but a comment. */
function written(words: string): Asked | Wrong | undefined {
  const said = words.replace(/(^|\s)#.*/, '').trim()
  if (said === '') return undefined
  const [client = '', name = '', ...more] = said.split(/\s+/)
  if (name !== '' && more.length === 0) return { client, name, queries: 1 }
  return wrong(`${name === '' ? 'one word' : `${2 + more.length} words`} in a line`, FIX)
}

/** A line of the query log; `undefined`: no question could be read. See `QueryLine`. */
function logged(words: string): Asked | Wrong | undefined {
  const { client, name, rcode, sample = 1 } = documentIn(words)
  if (name === undefined && typeof rcode === 'string') return undefined
  if (typeof client !== 'string' || typeof name !== 'string') {
    return wrong('a document without client and name', 'take lines of a query log as they are')
  }
  if (typeof sample === 'number' && sample > 0 && sample <= 1) {
    return { client, name, queries: 1 / sample }
  }
  return wrong(`${JSON.stringify(sample)} is no sample`, 'write a number above 0, up to 1')
}

type Document = { readonly [key: string]: unknown }

/** Nothing where it is none: a line may have been cut short. */
function documentIn(words: string): Document {
  try {
    return JSON.parse(words)
  } catch {
    return {}
  }
}

function questionFrom(asked: Asked | Wrong): Counted | Wrong {
  if (isWrong(asked)) return asked
  const { client, name } = asked
  const prefix = prefixFrom(client)
  if (isWrong(prefix)) return prefix
  const wire = nameFromText(name.endsWith('.') ? name : `${name}.`, undefined)
  return isWrong(wire) ? wire : { client: prefix, name: wire, queries: 0 }
}
