/**
 * Answers by the texts of name and pool, over all Worlds: what is kept of a matrix when nobody counts
 * in it any more. It never gets less, and not larger than a matrix by much.
 */
import { nameText } from '../dns/name.ts'
import { isByName, MOST_CELLS, type Numbering, rowsOf } from './answers.ts'

/** A name's answers from a pool. A text is '' where it is not told apart from others. */
export type Answered = { readonly name: string; readonly pool: string; readonly count: number }

/** By name and pool together. */
export type AnsweredBy = Map<string, Answered>

/**
 * Adds what was counted while a World was served.
 *
 * @param answers a matrix of that World
 */
export function addAnswers(to: AnsweredBy, answers: Float64Array, world: Numbering): void {
  const { owners, poolNames } = world
  for (let row = 0; row < rowsOf(world); row += 1) {
    const owner = isByName(world) ? owners[row] : undefined
    let name: string | undefined // put into words only where there is something to say
    for (const [number, pool] of poolNames.entries()) {
      const count = answers[row * poolNames.length + number] ?? 0
      if (count === 0) continue
      name ??= owner === undefined ? '' : nameText(owner)
      add(to, { name, pool, count })
    }
  }
}

/** In a map that has grown too large, names and pools that are gone are told apart no longer. */
export function trim(answered: AnsweredBy, world: Numbering): void {
  if (answered.size <= MOST_CELLS) return
  const names = new Set(isByName(world) ? world.owners.map(nameText) : [])
  const pools = new Set(world.poolNames)
  for (const one of [...answered.values()]) {
    const rest = { name: '', pool: pools.has(one.pool) ? one.pool : '' }
    const isTold = names.has(one.name) && rest.pool === one.pool
    if (isTold || keyOf(rest) === keyOf(one)) continue
    answered.delete(keyOf(one))
    add(answered, { ...one, ...rest })
  }
}

function add(to: AnsweredBy, one: Answered): void {
  const before = to.get(keyOf(one))?.count ?? 0
  to.set(keyOf(one), { ...one, count: before + one.count })
}

/** No name has a blank in its text. */
function keyOf({ name, pool }: Pick<Answered, 'name' | 'pool'>): string {
  return `${name} ${pool}`
}
