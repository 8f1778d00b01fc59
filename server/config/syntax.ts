/**
 * What can be wrong with YAML itself, in plain words: tabs, brackets, quotes, keys that stand twice,
 * names that begin with a star.
 */
import { type Document, isAlias, isScalar, type Node, type Pair, visit, type YAMLError } from 'yaml'
import { type At, problemAt, type Remarks, type Wrong, wrong } from '../fault.ts'
import type { Aliases } from './alias.ts'

type Flaw = {
  readonly offset: number
  readonly reason: Wrong
  /** What follows cannot be relied on. */
  readonly structural: boolean
  /** Says no more than that the parser is lost since an earlier flaw. */
  readonly echo?: boolean
}
type Place = (offset: number) => At

/**
 * Reports every flaw, at most one a line: what follows on that line follows from it.
 *
 * @returns whether the structure can be relied on, so that it is worth looking into
 */
export function reportSyntax(
  document: Document,
  aliases: Aliases,
  place: Place,
  remarks: Remarks,
): boolean {
  const flaws = [
    ...[...document.errors, ...document.warnings].map(error => flawOf(error, document)),
    ...flawsOfNodes(document, aliases, place),
  ]
  const unclosed =
    flaws.find(({ reason }) => reason === UNCLOSED)?.offset ?? Number.POSITIVE_INFINITY
  const lines = new Set<number>()
  for (const { offset, reason, echo } of flaws.toSorted((a, b) => a.offset - b.offset)) {
    if (offset > unclosed) break
    const at = place(offset)
    if (echo && lines.size > 0) continue
    if (!lines.has(at.line)) remarks.problems.push(problemAt(at, reason))
    lines.add(at.line)
  }
  return !flaws.some(flaw => flaw.structural)
}

const QUOTE_IT = 'put the text in quotes'
const UNCLOSED = wrong('a quoted text that does not end', 'close it with the same quote')
const NO_COLON = wrong('this line has no ": "', 'write key: value')
const BRACKETS = 'close every [ and { that is open, and indent what stands inside'

/** How each mistake of YAML's grammar is said; the rest in the parser's own words. */
const SAID: Readonly<Record<string, Wrong>> = {
  TAB_AS_INDENT: wrong('a tab where a line is indented', 'indent with spaces'),
  BAD_SCALAR_START: wrong('a text cannot begin with this character', QUOTE_IT),
  BAD_DQ_ESCAPE: wrong('an escape that YAML does not have', 'write \\\\ for a backslash'),
  BLOCK_AS_IMPLICIT_KEY: wrong(
    'a mapping where a value should end',
    'put a text that has ": " in it in quotes, and an inner mapping in { } or on lines of its own',
  ),
  MULTILINE_IMPLICIT_KEY: NO_COLON,
  MULTIPLE_DOCS: wrong('a second document in one file', 'keep one, and take --- out'),
  TAG_RESOLVE_FAILED: wrong('a tag, and tags are not used here', 'take the word with ! out'),
}

/** Flaws of single values: what stands around them can be relied on. */
const LOCAL = new Set(['BAD_SCALAR_START', 'BAD_DQ_ESCAPE', 'TAG_RESOLVE_FAILED'])

function flawOf(error: YAMLError, document: Document): Flaw {
  const said = SAID[error.code] ?? bracketFlaw(error) ?? wrong(plain(error.message))
  const offset = error.message.startsWith('Missing closing')
    ? startOfQuoted(document, error.pos[0])
    : error.pos[0]
  return {
    offset,
    reason: said,
    structural: !LOCAL.has(error.code),
    echo: error.message.includes('YAML stream'),
  }
}

function bracketFlaw(error: YAMLError): Wrong | undefined {
  if (error.message.startsWith('Missing closing')) {
    return UNCLOSED
  }
  if (error.message.startsWith('Implicit map keys')) {
    return NO_COLON
  }
  if (error.message.startsWith('Flow')) return wrong('a bracket is not closed here', BRACKETS)
  if (error.code !== 'BAD_INDENT') return undefined
  return wrong(
    'this line is indented unlike its neighbours',
    'let keys of one mapping begin in one column',
  )
}

function plain(message: string): string {
  return `not YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`
}

/** An unclosed quote is noticed at the end of the file; what helps is where it began. */
function startOfQuoted(document: Document, end: number): number {
  let start = end
  visit(document, {
    Scalar(_, node) {
      const range = node.range
      if (range && range[0] < end && range[1] >= end && node.type?.startsWith('QUOTE'))
        start = range[0]
    },
  })
  return start
}

/** What the grammar allows and this file cannot use. */
function flawsOfNodes(document: Document, aliases: Aliases, place: Place): Flaw[] {
  const flaws: Flaw[] = []
  const note = (node: unknown, reason: Wrong, structural: boolean) => {
    flaws.push({ offset: (node as Partial<Node> | undefined)?.range?.[0] ?? 0, reason, structural })
  }
  if (document.directives?.yaml.explicit && document.directives.yaml.version !== '1.2') {
    note(undefined, wrong('another YAML than 1.2', 'take the %YAML line out'), true)
  }
  visit(document, {
    Alias(_, alias, above) {
      const node = aliases.get(alias)
      if (node === undefined) note(alias, strayStar(alias.source), true)
      else if (above.includes(node)) note(alias, endless(alias.source), true)
    },
    Map(_, map) {
      const before = new Map<string, Pair>()
      for (const pair of map.items) {
        const reason = keyFlaw(pair, before, place)
        if (reason !== undefined) note(pair.key, reason, false)
        const key = keyText(pair)
        if (key !== undefined && !before.has(key)) before.set(key, pair)
      }
    },
  })
  return flaws
}

function strayStar(name: string): Wrong {
  const written = `*${name.replace(/:$/, '')}`
  return wrong(`${written} is read as a reference`, `put it in quotes: "${written}"`)
}

function endless(name: string): Wrong {
  return wrong(`*${name} stands inside what it refers to`, 'take it out')
}

function keyFlaw(pair: Pair, before: ReadonlyMap<string, Pair>, place: Place): Wrong | undefined {
  const key = pair.key
  if (!isScalar(key)) {
    if (isAlias(key)) return undefined // a stray star, reported as such, or a name well written
    return wrong('brackets as a key', 'put an address with brackets in quotes, like "[::1]:53"')
  }
  if (key.value === '__proto__') return wrong('__proto__ cannot be a key', 'choose another name')
  const first = before.get(keyText(pair) ?? '')
  if (first === undefined) return undefined
  const { line } = place((first.key as Node).range?.[0] ?? 0)
  return wrong(`${String(key.value)} stands here twice`, `keep one; the first is on line ${line}`)
}

/** The key of a pair as plain data has it: 1 and "1" are one key. */
export function keyText(pair: Pair): string | undefined {
  return isScalar(pair.key) ? String(pair.key.value ?? '') : undefined
}
