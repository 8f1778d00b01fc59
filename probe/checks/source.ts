/**
 * The text of a YAML file as plain data, and where in the text each part of it stands. Knows YAML,
 * and nothing of what the file is about.
 */
import {
  type Document,
  type ErrorCode,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
} from 'yaml'
import type { Place } from '../judge/ruling.ts'
import { type Wrong, wrong } from '../plan/wrong.ts'

/** What is wrong with a file, and where. */
export type Mistake = { readonly at: Place; readonly reason: Wrong }

export type Source = {
  readonly file: string
  readonly value: unknown
  readonly document: Document
  readonly lines: LineCounter
}

/** Keys and indices from the top of the file down to one value. */
export type Path = readonly PropertyKey[]

/** References that one value may be copied by; more is an attack, not a list of checks. */
const MOST_ALIASES = 100

const LOOK = 'look at the line above it too; odd text goes in quotes'

/** What to do about the mistakes of grammar that are made most. */
const FIXES: Readonly<Partial<Record<ErrorCode, string>>> = {
  TAB_AS_INDENT: 'indent with spaces',
  DUPLICATE_KEY: 'keep one of the two',
  MULTIPLE_DOCS: 'keep one document, without ---',
}

/** Reads YAML 1.2; every mistake of its grammar comes back. */
export function readSource(text: string, file: string): Source | readonly Mistake[] {
  const lines = new LineCounter()
  try {
    const document = parseDocument(text, {
      version: '1.2',
      lineCounter: lines,
      prettyErrors: false,
      logLevel: 'error',
    })
    const flaws = document.errors.map(({ code, pos: [offset], message }) => ({
      at: placeAt(file, lines, offset),
      reason: wrong(`YAML: ${firstLine(message)}`, FIXES[code] ?? LOOK),
    }))
    if (flaws.length > 0) return flaws
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES })
    return { file, value, document, lines }
  } catch (cause) {
    // nested past the end of the stack, or references without end
    if (!(cause instanceof RangeError || cause instanceof ReferenceError)) throw cause
    const reason = wrong('brackets or references without end', 'write it out, less deep')
    return [{ at: { file, line: 1, column: 1 }, reason }]
  }
}

/** As one reads. */
export function inOrder(mistakes: readonly Mistake[]): readonly Mistake[] {
  return mistakes.toSorted((a, b) => a.at.line - b.at.line || a.at.column - b.at.column)
}

/**
 * Finds the value at `path`, or its key. Where there is no such value, it is what should hold it.
 */
export function placeOf(source: Source, path: Path, spot: 'key' | 'value' = 'value'): Place {
  let node: unknown = source.document.contents
  let key = 0
  let value = startOf(node) ?? 0
  for (const step of path) {
    const child = childOf(node, step)
    if (child === undefined) return placeAt(source.file, source.lines, key)
    key = child.key
    value = startOf(child.value) ?? child.key
    node = child.value
  }
  return placeAt(source.file, source.lines, spot === 'key' ? key : value)
}

type Child = { readonly key: number; readonly value: unknown }

function childOf(node: unknown, step: PropertyKey): Child | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(step)]
    const start = startOf(item)
    return start === undefined ? undefined : { key: start, value: item }
  }
  if (!isMap(node)) return undefined
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
  const start = startOf(pair?.key)
  return pair === undefined || start === undefined ? undefined : { key: start, value: pair.value }
}

/** Offset of a node's first character; undefined for a value that was left empty. */
function startOf(node: unknown): number | undefined {
  const range = (node as Partial<Node> | undefined)?.range
  if (range === undefined || range === null) return undefined
  return range[0] === range[1] ? undefined : range[0]
}

function placeAt(file: string, lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset)
  return { file, line: Math.max(1, line), column: Math.max(1, col) }
}

function firstLine(message: string): string {
  const [line = ''] = message.split('\n')
  return line.charAt(0).toLowerCase() + line.slice(1).replace(/[.:]$/, '')
}
