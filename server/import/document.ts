/**
 * YAML and JSON documents as trees with places: what importers read the originals from that are
 * written in them. Every scalar is text, as it is written; aliases and merged keys are resolved.
 */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseAllDocuments,
} from 'yaml'
import { type Wrong, wrong } from '../fault.ts'
import type { Original } from './imported.ts'
import type { Spot } from './ledger.ts'

export type Tree = TreeText | TreeList | TreeMap
export type TreeText = {
  readonly kind: 'text'
  readonly at: Spot
  readonly text: string
  /** A tag such as `!include`. */
  readonly tag: string
}
export type TreeList = {
  readonly kind: 'list'
  readonly at: Spot
  readonly items: readonly Tree[]
  readonly tag: string
}
export type TreeMap = {
  readonly kind: 'map'
  readonly at: Spot
  readonly entries: readonly TreeEntry[]
}
export type TreeEntry = { readonly key: string; readonly at: Spot; readonly value: Tree }

type Reading = {
  readonly file: string
  readonly lines: LineCounter
  readonly document: Document.Parsed
  readonly depth: number
}

/** Aliases may lead so deep. */
const MAX_DEPTH = 64

/** Reads the first document of a file. */
export function readDocument({ file, text }: Original): Tree | Wrong {
  const lines = new LineCounter()
  const [document] = parseAllDocuments(text, { lineCounter: lines, version: '1.1', strict: false })
  if (document === undefined || !('contents' in document)) return wrong(`${file} is empty`)
  const [error] = document.errors
  if (error !== undefined) {
    const { line } = lines.linePos(error.pos[0])
    return wrong(`${file}:${line}: ${error.message.split('\n')[0]}`)
  }
  return treeOf({ file, lines, document, depth: 0 }, document.contents)
}

function treeOf(reading: Reading, node: ParsedNode | null | undefined): Tree {
  const { file, lines, document, depth } = reading
  const at = { file, line: node?.range ? lines.linePos(node.range[0]).line : 0 }
  const deeper = { ...reading, depth: depth + 1 }
  if (isAlias(node) && depth < MAX_DEPTH) {
    return treeOf(deeper, node.resolve(document) as ParsedNode | undefined)
  }
  if (isSeq(node)) {
    const items = node.items.map(item => treeOf(deeper, item as ParsedNode))
    return { kind: 'list', at, items, tag: node.tag ?? '' }
  }
  if (isMap(node)) return { kind: 'map', at, entries: entriesOf(deeper, node.items) }
  if (!isScalar(node)) return { kind: 'text', at, text: '', tag: '' }
  const text = node.source ?? (node.value === null ? '' : String(node.value))
  const nothing = node.type === 'PLAIN' && (text === '~' || text === 'null')
  return { kind: 'text', at, text: nothing ? '' : text, tag: node.tag ?? '' }
}

function entriesOf(
  reading: Reading,
  pairs: readonly { key: unknown; value: unknown }[],
): TreeEntry[] {
  const own: TreeEntry[] = []
  const merged: TreeEntry[] = []
  for (const pair of pairs) {
    const key = treeOf(reading, pair.key as ParsedNode)
    const value = treeOf(reading, pair.value as ParsedNode | null)
    const name = key.kind === 'text' ? key.text : ''
    if (name !== '<<') own.push({ key: name, at: key.at, value })
    else merged.push(...listOf(value).flatMap(item => (item.kind === 'map' ? item.entries : [])))
  }
  const lacking = merged.filter(({ key }) => !own.some(entry => entry.key === key))
  return [...own, ...lacking]
}

/** One value counts as a list of one. */
export function listOf(tree: Tree | undefined): readonly Tree[] {
  if (tree === undefined) return []
  if (tree.kind === 'list') return tree.items
  return tree.kind === 'text' && tree.text === '' ? [] : [tree]
}

/** The entries of a mapping; none where it is something else. */
export function entriesIn(tree: Tree | undefined): readonly TreeEntry[] {
  return tree?.kind === 'map' ? tree.entries : []
}

export function valueAt(tree: Tree | undefined, key: string): Tree | undefined {
  return entriesIn(tree).find(entry => entry.key === key)?.value
}

/** A scalar as text, or `undefined`. */
export function textAt(tree: Tree | undefined, key: string): string | undefined {
  const value = valueAt(tree, key)
  return value?.kind === 'text' ? value.text : undefined
}

/** A whole number of at least 0, or `undefined`. */
export function numberAt(tree: Tree | undefined, key: string): number | undefined {
  const text = textAt(tree, key)
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined
}

/** The texts among the items of a list, or the one text. */
export function textsOf(tree: Tree | undefined): string[] {
  return listOf(tree).flatMap(item => (item.kind === 'text' ? [item.text] : []))
}
