/**
 * Where one thread counts while it serves one World: its columns, and a matrix of answers by the name
 * that was steered and the pool that served it. Numbers of names and pools mean something in that
 * World only; what becomes of a matrix afterwards is `answered.ts`'s.
 */
import type { Steering } from '../steer/steering.ts'
import { openCells, sharedNumbers } from './tally.ts'

/** The most cells of a matrix: where names × pools are more, answers are counted by pool only. */
export const MOST_CELLS = 65_536

export type Tallies = {
  /** See `tally.ts`: they stay when the World changes. */
  readonly cells: Float64Array
  /** By slot and pool. */
  readonly answers: Float64Array
  /** Cells from one slot's row to the next; 0: all names share one row. */
  readonly stride: number
}

/** What numbers names and pools. */
export type Numbering = Pick<Steering, 'owners' | 'poolNames'>

/**
 * Tallies at zero, to count in while a World is served.
 *
 * @param cells those that the thread has had before
 */
export function openTallies(world: Numbering, cells: Float64Array = openCells()): Tallies {
  const pools = world.poolNames.length
  const rows = rowsOf(world)
  const answers = sharedNumbers(rows * pools)
  return talliesOf({ cells, answers, stride: isByName(world) ? pools : 0 })
}

/** Whether names are told apart. */
export function isByName({ owners, poolNames }: Numbering): boolean {
  return owners.length * poolNames.length <= MOST_CELLS
}

/** How many rows a matrix has: one a name, or one for all of them. */
export function rowsOf(world: Numbering): number {
  return isByName(world) ? world.owners.length : 1
}

/** The same, of one shape wherever they come from: what another thread has sent has another. */
export function talliesOf({ cells, answers, stride }: Tallies): Tallies {
  return { cells, answers, stride }
}

/** Counts an answer. Hot. */
export function countAnswer({ answers, stride }: Tallies, slot: number, pool: number): void {
  answers[slot * stride + pool]! += 1
}
