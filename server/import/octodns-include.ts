/**
 * The `!include` of octoDNS's YAML (docs, "YAML !include Directive"): one file in place of a value,
 * or several of which mappings are merged and lists put together.
 */
import { isWrong, type Wrong, wrong } from '../fault.ts'
import { listOf, readDocument, type Tree, type TreeEntry } from './document.ts'
import type { ReadOriginal } from './imported.ts'

/** How files are found, and what was wrong with them. */
export type Including = { readonly read: ReadOriginal; readonly wrongs: Wrong[] }

const TAG = '!include'
const MAX_DEPTH = 16

/** The tree with what it includes in place. */
export function withIncludes(including: Including, tree: Tree, depth = 0): Tree {
  if (depth > MAX_DEPTH) return tree
  if (tree.kind !== 'map' && tree.tag === TAG) return included(including, tree, depth)
  if (tree.kind === 'text') return tree
  if (tree.kind === 'list') {
    return { ...tree, items: tree.items.map(item => withIncludes(including, item, depth)) }
  }
  const entries = tree.entries.map(entry => ({
    ...entry,
    value: withIncludes(including, entry.value, depth),
  }))
  return { ...tree, entries }
}

function included(including: Including, tree: Tree, depth: number): Tree {
  const trees = listOf(tree).flatMap(item => {
    const path = item.kind === 'text' ? item.text : ''
    const original = including.read(path, tree.at.file)
    const place = `${tree.at.file}:${tree.at.line}`
    const read =
      original === undefined ? wrong(`${place}: ${path} cannot be read`) : readDocument(original)
    if (!isWrong(read)) return [withIncludes(including, read, depth + 1)]
    including.wrongs.push(read)
    return []
  })
  const [first] = trees
  if (first === undefined) return { kind: 'text', at: tree.at, text: '', tag: '' }
  if (trees.length === 1 || first.kind === 'text') return first
  if (first.kind === 'list') return { ...first, items: trees.flatMap(listOf) }
  return {
    ...first,
    entries: merged(trees.flatMap(one => (one.kind === 'map' ? one.entries : []))),
  }
}

/** Later entries stand in for earlier ones. */
function merged(entries: readonly TreeEntry[]): TreeEntry[] {
  return entries.filter((entry, at) => {
    return !entries.slice(at + 1).some(({ key }) => key === entry.key)
  })
}
