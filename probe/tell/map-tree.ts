/**
 * The address space as a tree of so many lines: where most is different inside, it is taken apart
 * further. A node says which groups its addresses are in. Works on parts that do not overlap.
 */
import type { MapJudgement } from '../judge/map.ts'
import {
  endOf,
  greater,
  lesser,
  rangeOf,
  type Span,
  shared,
  sizeOf,
  spanAt,
  spanText,
  WIDTH,
} from '../judge/span.ts'

type Parts = MapJudgement['parts']

export type TreeNode = {
  readonly span: Span
  /** How far from the top, from 0. */
  readonly depth: number
  /** Addresses by group, the most first. */
  readonly groups: readonly { readonly letter: string; readonly share: number }[]
  /** Parts of the space that lie in it. */
  readonly parts: number
}

type Draft = {
  readonly span: Span
  /** Its parts: from … before to, by index. */
  readonly from: number
  readonly to: number
  readonly sizes: ReadonlyMap<string, bigint>
  readonly children: Draft[]
}

/** The tree in order, parents before children. @param lines most nodes */
export function treeOf(parts: Parts, lines: number): readonly TreeNode[] {
  const [first] = parts
  const last = parts.at(-1)
  if (first === undefined || last === undefined) return []
  const { family } = first.range
  const whole = commonSpan(family, first.range.from, last.range.to - 1n)
  const root = draftOf(parts, whole, 0, parts.length)
  const open = [root]
  for (let count = 1; count < lines; ) {
    const most = mostMixed(open)
    if (most === undefined) break
    open.splice(open.indexOf(most), 1)
    const children = splitOf(parts, most)
    most.children.push(...children)
    open.push(...children)
    count += children.length
  }
  return listed(parts, root, 0)
}

function commonSpan(family: 1 | 2, first: bigint, last: bigint): Span {
  let bits: number = WIDTH[family]
  while (bits > 0 && spanAt(family, first, bits).at !== spanAt(family, last, bits).at) bits -= 1
  return spanAt(family, first, bits)
}

function draftOf(parts: Parts, span: Span, from: number, to: number): Draft {
  const sizes = new Map<string, bigint>()
  for (let at = from; at < to; at += 1) {
    const part = parts[at]
    if (part === undefined) continue
    sizes.set(part.letter, (sizes.get(part.letter) ?? 0n) + shared(part.range, rangeOf(span)))
  }
  return { span, from, to, sizes, children: [] }
}

/** The one with the most addresses outside its first group; none where all are of one group. */
function mostMixed(open: readonly Draft[]): Draft | undefined {
  let best: Draft | undefined
  let most = 0n
  for (const draft of open) {
    const sizes = [...draft.sizes.values()]
    const rest = sizes.reduce((sum, size) => sum + size, 0n) - largest(sizes)
    if (rest > most) [best, most] = [draft, rest]
  }
  return best
}

function largest(sizes: readonly bigint[]): bigint {
  return sizes.reduce(greater, 0n)
}

/** Its two halves; one that nothing is known of is left out. */
function splitOf(parts: Parts, { span, from, to }: Draft): readonly Draft[] {
  const half = sizeOf(span.family, span.bits + 1)
  const middle = span.at + half
  const left = { ...span, bits: span.bits + 1 }
  const cutAt = firstAfter(parts, from, to, middle)
  const straddles = (parts[cutAt - 1]?.range.to ?? 0n) > middle ? 1 : 0
  const halves = [
    draftOf(parts, left, from, cutAt),
    draftOf(parts, { ...left, at: middle }, Math.max(from, cutAt - straddles), to),
  ]
  return halves.filter(({ sizes }) => [...sizes.values()].some(size => size > 0n))
}

function firstAfter(parts: Parts, from: number, to: number, address: bigint): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((parts[middle]?.range.from ?? 0n) < address) low = middle + 1
    else high = middle
  }
  return low
}

/** The smallest block that holds all that is known of it. */
function spanOf(parts: Parts, { span, from, to }: Draft): Span {
  const first = parts[from]?.range.from ?? span.at
  const end = parts[to - 1]?.range.to ?? endOf(span)
  return commonSpan(span.family, greater(first, span.at), lesser(end, endOf(span)) - 1n)
}

/** Chains of only children are one node. */
function listed(parts: Parts, draft: Draft, depth: number): readonly TreeNode[] {
  const [only, other] = draft.children
  if (only !== undefined && other === undefined) return listed(parts, only, depth)
  const sizes = [...draft.sizes].filter(([, size]) => size > 0n)
  const all = sizes.reduce((sum, [, size]) => sum + size, 0n)
  const groups = sizes
    .map(([letter, size]) => ({ letter, share: Number((size * 1_000_000n) / all) / 1e6 }))
    .sort((one, two) => two.share - one.share)
  const node = { span: spanOf(parts, draft), depth, groups, parts: draft.to - draft.from }
  return [node, ...draft.children.flatMap(child => listed(parts, child, depth + 1))]
}

/** `1.0.0.0/8`, indented by its depth, with the branches drawn. */
export function branchText(nodes: readonly TreeNode[], at: number): string {
  const { depth, span } = nodes[at] ?? { depth: 0, span: undefined }
  if (span === undefined) return ''
  const text = spanText(span)
  if (depth === 0) return text
  const bars = Array.from({ length: depth - 1 }, (_, level) =>
    goesOn(nodes, at, level + 1) ? '│ ' : '  ',
  )
  return `${bars.join('')}${goesOn(nodes, at, depth) ? '├ ' : '└ '}${text}`
}

/** Whether another node of that depth comes below the same parent. */
function goesOn(nodes: readonly TreeNode[], at: number, depth: number): boolean {
  for (let next = at + 1; next < nodes.length; next += 1) {
    const other = nodes[next]?.depth ?? 0
    if (other < depth) return false
    if (other === depth) return true
  }
  return false
}
