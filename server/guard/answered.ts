/**
 * Answers by the texts of name and pool, over all Worlds: what is kept of a matrix when nobody counts
 * in it any more. It never gets less, and not larger than a matrix by much.
 */
import { nameText } from '../dns/name.ts'
import { isByName, MOST_CELLS, type Numbering, rowsOf } from './answers.ts'

/** By name, then by pool. A text is '' where it is not told apart from others. */
export type Answered = Map<string, Map<string, number>>

/**
 * Adds what was counted while a World was served.
 *
 * @param answers a matrix of that World
 */
export function addAnswers(to: Answered, answers: Float64Array, world: Numbering): void {
  const { owners, poolNames } = world
  for (let row = 0; row < rowsOf(world); row += 1) {
    const counts = answers.subarray(row * poolNames.length, (row + 1) * poolNames.length)
    if (counts.every(count => count === 0)) continue // no name is put into words for nothing
    const owner = isByName(world) ? owners[row] : undefined
    const name = owner === undefined ? '' : nameText(owner)
    for (const [pool, count] of counts.entries()) add(to, name, poolNames[pool] ?? '', count)
  }
}

/** Adds what was added up before. */
export function addAnswered(to: Answered, from: Answered): void {
  for (const [name, pools] of from) {
    for (const [pool, count] of pools) add(to, name, pool, count)
  }
}

/** In what has grown too large, names and pools that are gone are told apart no longer. */
export function trim(answered: Answered, world: Numbering): void {
  const size = [...answered.values()].reduce((sum, pools) => sum + pools.size, 0)
  if (size <= MOST_CELLS) return
  const names = new Set(isByName(world) ? world.owners.map(nameText) : [])
  const pools = new Set(world.poolNames)
  const before = [...answered]
  answered.clear()
  for (const [name, counts] of before) {
    for (const [pool, count] of counts) {
      const isPool = pools.has(pool)
      add(answered, isPool && names.has(name) ? name : '', isPool ? pool : '', count)
    }
  }
}

function add(to: Answered, name: string, pool: string, count: number): void {
  if (count === 0) return
  const pools = to.get(name) ?? new Map<string, number>()
  pools.set(pool, (pools.get(pool) ?? 0) + count)
  to.set(name, pools)
}
