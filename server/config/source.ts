/**
 * The text of a YAML file as plain data, and where in the text each part of it stands. Knows YAML,
 * and nothing of what the file is about.
 */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
} from 'yaml'
import { type At, problemAt, type Remarks, wrong } from '../fault.ts'
import { type Aliases, aliasesIn, extentFlaw } from './alias.ts'
import { plainOf } from './plain.ts'
import { keyText, reportSyntax } from './syntax.ts'

export type Source = {
  readonly file: string
  /** Maps, lists, texts, numbers, booleans and nulls. */
  readonly value: unknown
  readonly document: Document
  readonly lines: LineCounter
  readonly aliases: Aliases
  /** The pairs of each mapping by key, from when it is first looked into. */
  readonly pairs: WeakMap<YAMLMap, Pairs>
}

type Pairs = ReadonlyMap<PropertyKey | undefined, Pair>

/** Keys and indices from the top of the file down to one value. */
export type Path = readonly PropertyKey[]

/** Reads YAML 1.2. Returns nothing, and Problems, where the text has no reliable structure. */
export function readSource(text: string, file: string, remarks: Remarks): Source | undefined {
  const code = text.replace(/^[ \t]*#.*$/gm, '') // in a comment nothing opens
  if (isTooBracketed(code) || isTooIndented(code)) {
    const reason = wrong('brackets or lines nested without end', 'close every [ and {')
    remarks.problems.push(problemAt({ file, line: 0, column: 0 }, reason))
    return undefined
  }
  const lines = new LineCounter()
  const document = parseDocument(text, {
    version: '1.2',
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    resolveKnownTags: false, // a !!set whose items have values would throw
    logLevel: 'error',
  })
  const aliases = aliasesIn(document)
  const place = (offset: number): At => atOffset(file, lines, offset)
  if (!reportSyntax(document, aliases, place, remarks)) return undefined
  const value = plainOf(document.contents, aliases)
  const flaw = extentFlaw(value)
  if (flaw === undefined) return { file, value, document, lines, aliases, pairs: new WeakMap() }
  remarks.problems.push(problemAt({ file, line: 0, column: 0 }, flaw))
  return undefined
}

/** The parser recurses; this is far past any real file, and far before the end of the stack. */
const TOO_DEEP = 200

function isTooBracketed(code: string): boolean {
  let depth = 0
  for (const bracket of code.match(/[[\]{}]/g) ?? []) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1
    if (depth > TOO_DEEP) return true
  }
  return false
}

/** A line, and each dash before it, stands in all above that begin further left. */
function isTooIndented(code: string): boolean {
  const columns: number[] = []
  for (const [lead] of code.matchAll(/^(?:[ \t]|[-?:](?=[ \t]))*(?=\S)/gm)) {
    for (const { index } of `${lead}.`.matchAll(/\S/g)) {
      while ((columns.at(-1) ?? -1) >= index) columns.pop()
      columns.push(index)
    }
    if (columns.length > TOO_DEEP) return true
  }
  return false
}

/**
 * Finds the place of the value at `path`, or of its key. Where there is no such value, it is the key
 * of what should hold it.
 */
export function placeOf(source: Source, path: Path, spot: 'key' | 'value'): At {
  let node: unknown = source.document.contents
  let key = 0
  let value = startOf(node) ?? 0
  for (const step of path) {
    const held = isAlias(node) ? source.aliases.get(node) : node
    const next = childOf(source, held, step)
    if (next === undefined) return atOffset(source.file, source.lines, key)
    value = startOf(next.value) ?? next.key
    key = next.key
    node = next.value
  }
  return atOffset(source.file, source.lines, spot === 'key' ? key : value)
}

/** Returns the value at `path`, or `undefined`. */
export function valueAt(source: Source, path: Path): unknown {
  return path.reduce<unknown>(
    (held, step) =>
      typeof held === 'object' && held !== null && Object.hasOwn(held, step)
        ? (held as Record<PropertyKey, unknown>)[step]
        : undefined,
    source.value,
  )
}

/** The keys of the mapping at `path`; none where there is no mapping. */
export function keysAt(source: Source, path: Path): readonly string[] {
  const held = valueAt(source, path)
  return isMapping(held) ? Object.keys(held) : []
}

export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Child = { readonly key: number; readonly value: unknown }

function childOf(source: Source, node: unknown, step: PropertyKey): Child | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(step)]
    const start = startOf(item)
    return start === undefined ? undefined : { key: start, value: item }
  }
  if (!isMap(node)) return undefined
  const pair = pairsOf(source, node).get(step)
  const start = startOf(pair?.key)
  return pair === undefined || start === undefined ? undefined : { key: start, value: pair.value }
}

/** A mapping may have ten thousand keys, each looked for: what stands last counts. */
function pairsOf(source: Source, map: YAMLMap): Pairs {
  const known = source.pairs.get(map)
  if (known !== undefined) return known
  const pairs = new Map(map.items.map((pair: Pair) => [keyText(pair), pair]))
  source.pairs.set(map, pairs)
  return pairs
}

/** Offset of a node's first character; undefined for a value that was left empty. */
function startOf(node: unknown): number | undefined {
  const range = (node as Partial<Node> | undefined)?.range
  if (range === undefined || range === null) return undefined
  return range[0] === range[1] && isScalar(node) && node.value === null ? undefined : range[0]
}

function atOffset(file: string, lines: LineCounter, offset: number): At {
  const { line, col } = lines.linePos(offset)
  return { file, line: Math.max(1, line), column: Math.max(1, col) }
}
