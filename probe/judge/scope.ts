/**
 * Are the scopes true? A scope promises that the whole block gets this answer and this scope: so
 * blocks are equal or disjoint, all inside one is answered alike, and 0 means everybody. Looks at
 * the panel's replies and at those asked for by `verify.ts`.
 */
import { type Block, blockText, contains } from './block.ts'
import { type Classes, compare } from './classes.ts'
import type { Grid } from './grid.ts'
import type { Observation } from './observation.ts'
import { unseenShare } from './odds.ts'
import { blocksOf, comparable, type Scoped, scopedReplies } from './scoped.ts'

export type ScopeReport = {
  readonly replies: readonly Scoped[]
  /** Scope 0 from the panel, by network. */
  readonly zero: readonly string[]
  /** Two blocks of which one holds the other. */
  readonly overlaps: readonly { readonly outer: Block; readonly inner: Block }[]
  /** Blocks that hold networks which are answered differently. */
  readonly short: readonly TooShort[]
  /** Blocks that hold networks with answers never seen before, too few to be more than chance. */
  readonly doubtful: readonly TooShort[]
  readonly blocks: number
  readonly samples: number
  /** The wrong share of a block that its samples miss once in twenty. */
  readonly detectable: number | undefined
}

export type TooShort = { readonly block: Block; readonly networks: readonly string[] }

/** Below this chance, answers never seen before are not of the same pool. */
const STRANGE = 0.001

export function scopeReport(
  grid: Grid,
  classes: Classes,
  observations: readonly Observation[],
): ScopeReport {
  const replies = comparable(scopedReplies(grid, observations))
  const panel = replies.filter(({ row }) => row >= 0)
  const blocks = blocksOf(panel)
  const counts = blocks.map(block => samplesIn(block, replies).length).filter(count => count > 0)
  const found = blocks.map(block => strangersIn(block, replies, classes))
  return {
    replies,
    zero: panel.filter(({ scope }) => scope === 0).map(({ text }) => text),
    overlaps: overlapsOf(blocksOf(replies)),
    short: found.flatMap(({ wrong }) => wrong),
    doubtful: found.flatMap(({ doubtful }) => doubtful),
    blocks: counts.length,
    samples: counts.reduce((sum, count) => sum + count, 0),
    detectable: counts.length === 0 ? undefined : unseenShare(Math.min(...counts)),
  }
}

function samplesIn(block: Block, replies: readonly Scoped[]): readonly Scoped[] {
  return replies.filter(({ row, network }) => row < 0 && contains(block, network))
}

function overlapsOf(blocks: readonly Block[]): ScopeReport['overlaps'] {
  return blocks.flatMap(outer =>
    blocks
      .filter(inner => inner.bits > outer.bits && contains(outer, inner))
      .map(inner => ({ outer, inner })),
  )
}

/**
 * The networks of one block that are answered unlike it. With rotation an answer may be of the pool
 * and yet new: one such proves nothing, several together do, each being of chance at most
 * `unseenShare` of the replies that the pool is known from.
 */
function strangersIn(block: Block, replies: readonly Scoped[], classes: Classes): Strangers {
  const inside = replies.filter(({ network }) => contains(block, network))
  const owner = inside.find(reply => reply.row >= 0 && blockText(reply.block) === blockText(block))
  const on = classes.ofRow[owner?.row ?? -1] ?? -1
  if (on < 0) return { wrong: [], doubtful: [] }
  const now = current(inside, classes, on)
  const others = inside.filter(reply => differs(reply, now, on))
  const strange = inside.filter(({ row, set }) => row < 0 && compare(now, on, set) === 'new')
  const isChance = unseenShare(now.replies[on] ?? 0) ** strange.length > STRANGE
  return {
    wrong: tooShort(block, isChance ? others : [...others, ...strange]),
    doubtful: tooShort(block, isChance ? strange : []),
  }
}

type Strangers = { readonly wrong: readonly TooShort[]; readonly doubtful: readonly TooShort[] }

function tooShort(block: Block, replies: readonly Scoped[]): readonly TooShort[] {
  const networks = [...new Set(replies.map(({ text }) => text))]
  return networks.length === 0 ? [] : [{ block, networks }]
}

/** A network of the panel is unlike another where their whole classes differ and both are known. */
function differs(reply: Scoped, classes: Classes, on: number): boolean {
  if (reply.row < 0) return compare(classes, on, reply.set) === 'other'
  const other = classes.ofRow[reply.row] ?? -1
  return other >= 0 && other !== on && known(classes, on) && known(classes, other)
}

function known(classes: Classes, on: number): boolean {
  return classes.covered[on] ?? false
}

/**
 * The classes as they are now. Where a network of the panel was asked again and answered anew, time
 * has passed, not a border: what it was given then belongs to its class too.
 */
function current(inside: readonly Scoped[], classes: Classes, on: number): Classes {
  const own = inside.filter(({ row }) => row >= 0 && classes.ofRow[row] === on)
  const sets = own.map(({ set }) => set)
  if (sets.every(set => compare(classes, on, set) === 'same')) return classes
  const grown = new Set([...(classes.members[on] ?? []), ...sets.flat()])
  const members = classes.members.map((was, at) => (at === on ? grown : was))
  return { ...classes, members, varies: true }
}
