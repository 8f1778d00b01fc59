/**
 * References inside a YAML file: what each stands for, and whether what they unfold to has an end.
 */
import { type Alias, type Document, type Node, visit } from 'yaml'
import { type Wrong, wrong } from '../fault.ts'

/** The node each reference stands for; one that stands for nothing is left out. */
export type Aliases = ReadonlyMap<Alias, Node>

/** Finds them in one walk: asking each by itself would walk the whole file each time. */
export function aliasesIn(document: Document): Aliases {
  const anchors = new Map<string, Node>()
  const aliases = new Map<Alias, Node>()
  visit(document, {
    Alias(_, alias) {
      const node = anchors.get(alias.source)
      if (node !== undefined) aliases.set(alias, node)
    },
    Value(_, node) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node)
    },
  })
  return aliases
}

/** Far past any real file, and far before memory or the stack ends. */
const MOST_VALUES = 10_000_000
const DEEPEST = 100

/** How many values something holds, and how many levels of them; itself counted. */
type Extent = { readonly values: number; readonly levels: number }

/** Says that what a file unfolds to is too much, or nothing. No reference stands in itself. */
export function extentFlaw(value: unknown): Wrong | undefined {
  const { values, levels } = extentOf(value, new Map(), 1)
  if (levels > DEEPEST) return wrong(`more than ${DEEPEST} levels inside each other`, 'flatten it')
  if (values <= MOST_VALUES) return undefined
  return wrong(`references unfold to more than ${MOST_VALUES} values`, 'use fewer of them')
}

/**
 * @param known what has been measured: what many references stand for, only once
 * @param level on which the value stands
 */
function extentOf(value: unknown, known: Map<object, Extent>, level: number): Extent {
  if (typeof value !== 'object' || value === null || level > DEEPEST)
    return { values: 1, levels: 1 }
  const before = known.get(value)
  if (before !== undefined) return before
  let values = 1
  let levels = 0
  for (const inner of Object.values(value)) {
    const extent = extentOf(inner, known, level + 1)
    values += extent.values
    levels = Math.max(levels, extent.levels)
  }
  const extent = { values, levels: levels + 1 }
  known.set(value, extent)
  return extent
}
