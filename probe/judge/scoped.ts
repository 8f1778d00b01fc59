/**
 * A reply that says for which block of addresses its answer holds: what the scope checks work on.
 * Negative answers are left out, as their scope says nothing of where data differ (RFC 7871 §7.4).
 */
import { type Block, blockOf, blockText } from './block.ts'
import type { Grid } from './grid.ts'
import type { Observation } from './observation.ts'
import { countOf } from './odds.ts'
import { echoState, holdsAnswer, setOf } from './reply.ts'

export type Scoped = {
  /** The network asked for. */
  readonly network: Block
  readonly text: string
  /** Its row in the grid, or −1 for a network asked for later. */
  readonly row: number
  /** What the reply covers: SCOPE, but never finer than what was asked for. */
  readonly block: Block
  readonly scope: number
  readonly source: number
  readonly set: readonly string[]
}

/** All scoped replies of the grid's server, equal ones once. */
export function scopedReplies(grid: Grid, observations: readonly Observation[]): readonly Scoped[] {
  const replies = observations.filter(seen => seen.server === grid.server)
  const seen = new Map<string, Scoped>()
  for (const reply of replies) {
    const scoped = scopedOf(grid, reply)
    if (scoped === undefined) continue
    seen.set([scoped.text, scoped.scope, ...scoped.set].join(' '), scoped)
  }
  return [...seen.values()]
}

function scopedOf(grid: Grid, seen: Observation): Scoped | undefined {
  const { sent, echo } = seen
  if (sent === undefined || sent.source === 0 || echo === undefined) return undefined
  if (seen.purpose === 'control' || !holdsAnswer(seen) || echoState(seen) !== 'exact')
    return undefined
  const set = setOf(seen)
  if (set.length === 0) return undefined
  const { family, source, address, text } = sent
  const block = blockOf(family, address, Math.min(echo.scope, source))
  const network = blockOf(family, address, source)
  return { network, text, row: grid.rows.indexOf(text), block, scope: echo.scope, source, set }
}

/** The SOURCE PREFIX-LENGTH that the panel was asked with, by family: the one sent most. */
export function panelSource(scoped: readonly Scoped[], family: 1 | 2): number {
  const own = scoped.filter(({ network, row }) => network.family === family && row >= 0)
  const counts = [...countOf(own.map(({ source }) => source))]
  return counts.sort((a, b) => b[1] - a[1])[0]?.[0] ?? (family === 1 ? 24 : 56)
}

/** Replies that were asked for with the panel's own source length, which alone are comparable. */
export function comparable(scoped: readonly Scoped[]): readonly Scoped[] {
  const source = { 1: panelSource(scoped, 1), 2: panelSource(scoped, 2) }
  return scoped.filter(reply => reply.source === source[reply.network.family])
}

/** The distinct blocks, those of scope 0 left out, in the order first seen. */
export function blocksOf(scoped: readonly Scoped[]): readonly Block[] {
  const some = scoped.filter(({ block }) => block.bits > 0)
  return [...new Map(some.map(({ block }) => [blockText(block), block])).values()]
}
