/**
 * The nodes of a YAML file as plain data. Why not the parser's own way: it looks through all
 * references for each one, and ten thousand of them would take minutes.
 */
import { isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml'
import type { Aliases } from './alias.ts'
import { keyText } from './syntax.ts'

/** What has been made of the nodes so far: references only point back. */
type Made = Map<Node, unknown>

/**
 * Maps become objects; what is referred to twice becomes one value in both places.
 *
 * @param aliases none of which stands inside what it refers to
 */
export function plainOf(node: unknown, aliases: Aliases, made: Made = new Map()): unknown {
  if (isScalar(node)) return node.value
  if (isAlias(node)) return referred(aliases.get(node), made)
  if (isSeq(node)) {
    const list = node.items.map(item => plainOf(item, aliases, made))
    made.set(node, list)
    return list
  }
  if (!isMap(node)) return null
  const entries = node.items.map((pair: Pair): [string, unknown] => [
    keyOf(pair, aliases),
    plainOf(pair.value, aliases, made),
  ])
  const mapping = Object.fromEntries(entries)
  made.set(node, mapping)
  return mapping
}

function referred(node: Node | undefined, made: Made): unknown {
  return isScalar(node) ? node.value : node && made.get(node)
}

/** Keys that are mappings have been refused. */
function keyOf(pair: Pair, aliases: Aliases): string {
  if (!isAlias(pair.key)) return keyText(pair) ?? ''
  const node = aliases.get(pair.key)
  return isScalar(node) ? String(node.value ?? '') : ''
}
