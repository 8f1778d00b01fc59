/**
 * Are the scopes finer than the answers need? Every bit too many doubles what resolvers ask and keep.
 * True to the answers all the same: it makes a verdict costly, not false.
 */
import { blockText, contains, flip } from './block.ts'
import { type Classes, compare } from './classes.ts'
import type { Grid } from './grid.ts'
import type { Observation } from './observation.ts'
import { echoState, setOf } from './reply.ts'
import { blocksOf, type Scoped } from './scoped.ts'
import { NEIGHBOURS } from './verify.ts'

/** Finer than this many times is worth saying. */
export const TOO_FINE = 4

/**
 * How many blocks were seen for each that the answers need: of a block with m last bits that make no
 * difference, 2^m are given where one would do. Undefined where no neighbour was asked for.
 */
export function fragmentation(replies: readonly Scoped[], classes: Classes): number | undefined {
  const panel = replies.filter(({ row }) => row >= 0)
  const idle = blocksOf(panel).flatMap(block => {
    const owner = panel.find(reply => blockText(reply.block) === blockText(block))
    return owner === undefined ? [] : idleBits(owner, replies, classes)
  })
  if (idle.length === 0) return undefined
  const needed = idle.reduce((sum, bits) => sum + 2 ** -bits, 0)
  return idle.length / needed
}

/** How many of a block's last bits make no difference; nothing where that was not asked. */
function idleBits(owner: Scoped, replies: readonly Scoped[], classes: Classes): readonly number[] {
  const { block, scope, row } = owner
  const on = classes.ofRow[row] ?? -1
  const neighbours = Array.from({ length: NEIGHBOURS }, (_, up) => {
    const there = block.bits > up ? flip(block, block.bits - 1 - up) : undefined
    return replies.find(({ network }) => there !== undefined && contains(there, network))
  })
  if (neighbours[0] === undefined || on < 0) return []
  const differs = (reply: Scoped | undefined) =>
    reply === undefined || reply.scope !== scope || compare(classes, on, reply.set) !== 'same'
  const first = neighbours.findIndex(differs)
  return [first === -1 ? NEIGHBOURS : first]
}

/** Whether SCOPE repeats SOURCE whatever the source is: at least two lengths, four replies. */
export function copiesSource(grid: Grid, observations: readonly Observation[]): boolean {
  const replies = observations.filter(
    seen =>
      seen.server === grid.server &&
      setOf(seen).length > 0 &&
      (seen.sent?.source ?? 0) > 0 &&
      echoState(seen) === 'exact',
  )
  const sources = new Set(replies.map(({ sent }) => sent?.source))
  return (
    sources.size >= 2 &&
    replies.length >= 4 &&
    replies.every(({ sent, echo }) => echo?.scope === sent?.source)
  )
}
