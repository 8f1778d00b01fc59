/**
 * The blocks that replies claimed to hold for, as a partition ought to be: where one lies in another,
 * which hold more than one answer, and how many there would be if equal neighbours were one.
 */
import type { Sighting } from './sighting.ts'
import { covers, type Span, WIDTH } from './span.ts'

/** A block that at least one reply claimed. */
export type Leaf = {
  readonly span: Span
  /** Keys of the groups that networks in it are answered with; one where the block is true. */
  readonly groups: readonly string[]
  /** Networks in it that were asked for. */
  readonly tried: number
}

export type Overlap = { readonly outer: Span; readonly inner: Span }

/**
 * All blocks, by their first address, the wider first.
 *
 * @param longest the longest SOURCE there is: shorter ones of which more was wanted are no leaves
 */
export function leavesOf(
  sightings: readonly Sighting[],
  groupOf: (set: readonly string[]) => string,
  longest: number,
): readonly Leaf[] {
  const drafts = new Map<bigint, { span: Span; groups: Set<string>; networks: Set<bigint> }>()
  for (const { claim, network, scope, set } of sightings) {
    if ((scope ?? 0) > network.bits && network.bits < longest) continue
    const key = (claim.at << 8n) | BigInt(claim.bits)
    const draft = drafts.get(key) ?? { span: claim, groups: new Set(), networks: new Set() }
    drafts.set(key, draft)
    draft.groups.add(groupOf(set))
    draft.networks.add(network.at)
  }
  const leaves = [...drafts.values()].map(({ span, groups, networks }) => {
    return { span, groups: [...groups], tried: networks.size }
  })
  return leaves.sort((one, other) => inOrder(one.span, other.span))
}

function inOrder(one: Span, other: Span): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1
  return one.bits - other.bits
}

/** Every block that lies in another, with the narrowest that holds it. */
export function overlapsOf(leaves: readonly Leaf[]): readonly Overlap[] {
  const around: Span[] = []
  const found: Overlap[] = []
  for (const { span: inner } of leaves) {
    let outer = around.at(-1)
    while (outer !== undefined && !covers(outer, inner)) {
      around.pop()
      outer = around.at(-1)
    }
    if (outer !== undefined) found.push({ outer, inner })
    around.push(inner)
  }
  return found
}

/** How many blocks are left when equal siblings are made one, and their parents in turn. */
export function mergedCount(leaves: readonly Leaf[]): number {
  const merged: { span: Span; group: string }[] = []
  for (const { span, groups } of leaves) {
    let last = { span, group: groups.join('|') }
    for (let before = merged.at(-1); before !== undefined; before = merged.at(-1)) {
      if (before.group !== last.group || !areSiblings(before.span, last.span)) break
      merged.pop()
      last = { span: { ...before.span, bits: before.span.bits - 1 }, group: last.group }
    }
    merged.push(last)
  }
  return merged.length
}

function areSiblings(left: Span, right: Span): boolean {
  if (left.bits !== right.bits || left.bits === 0 || left.family !== right.family) return false
  const size = 1n << BigInt(WIDTH[left.family] - left.bits)
  return (left.at ^ right.at) === size && left.at < right.at
}
