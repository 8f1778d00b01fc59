/** How the addresses of a family share the rankings of slots, by one walk over the leaves of a shape. */
import { classOf, isLeaf } from '../../steer/leaves.ts'
import { rankingOf, SPECIAL, type Steering } from '../../steer/steering.ts'
import { addTo, sharesOf, type Weights } from '../weights.ts'

/** Works each shape out once: names that part clients alike have the same one. */
export class Shares {
  readonly #steering: Steering
  readonly #known = new Map<string, ReadonlyMap<number, number>>()

  constructor(steering: Steering) {
    this.#steering = steering
  }

  /** By ranking: 0 … 1, together 1. Addresses that tell nothing of a client are left out. */
  ofRankings(slot: number, family: 4 | 6): ReadonlyMap<number, number> {
    const shape = this.#steering.shape[slot] ?? -1
    if (shape < 0) return new Map([[this.#steering.fallback[slot] ?? 0, 1]])
    const shares: Weights<number> = new Map()
    for (const [number, share] of this.#ofClasses(shape, family)) {
      addTo(shares, rankingOf(this.#steering, slot, number), share)
    }
    return shares
  }

  #ofClasses(shape: number, family: 4 | 6): ReadonlyMap<number, number> {
    const key = `${shape} ${family}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const shares = sharesOfClasses(this.#steering, shape, family)
    this.#known.set(key, shares)
    return shares
  }
}

function sharesOfClasses(steering: Steering, shape: number, family: 4 | 6): Weights<number> {
  const { cells, root4, root6 } = steering
  const found: Weights<number> = new Map()
  const visit = (cell: number, share: number): void => {
    if (family === 6 && cell === root4) return // IPv4 that IPv6 carries
    if (isLeaf(steering, shape, cell)) {
      const number = classOf(steering, shape, cell)
      if (number !== SPECIAL) addTo(found, number, share)
      return
    }
    visit(cells[2 * cell] ?? -1, share / 2)
    visit(cells[2 * cell + 1] ?? -1, share / 2)
  }
  visit(family === 4 ? root4 : root6, 1)
  return sharesOf(found)
}
