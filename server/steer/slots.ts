/**
 * Rules compiled, each as far as it is its own: how it parts its clients, which rankings they get,
 * what its answers are made of. A slot is a rule's place in the policy.
 */

import type { Remarks } from '../fault.ts'
import { type Kinds, kindsOf } from './check.ts'
import type { Lists } from './pools.ts'
import type { Ranking, Rule } from './rule.ts'
import { type Parting, partingOf, type Shapes, shapeOf } from './shapes.ts'
import { SPECIAL } from './steering.ts'

export type Slot = Kinds & {
  readonly rule: Rule
  readonly shape: number
  /** The ranking of each class, by number. */
  readonly classes: readonly number[]
  readonly fallback: number
  readonly sticky: boolean
  /** Every pool that may serve, ascending. */
  readonly pools: readonly number[]
}

/** What all rules are compiled with. */
export type Slotting = {
  readonly shapes: Shapes
  readonly lists: readonly Lists[]
  readonly remarks: Remarks
}

export function slotOf(slotting: Slotting, rule: Rule): Slot {
  const { shapes, lists, remarks } = slotting
  const parting = partingOf(shapes, rule.choose)
  const apart = rule.pick === 'hash' ? stickyClasses(slotting, parting) : NOTHING
  const shape = shapeOf(shapes, parting, apart)
  const fallback = shape === -1 ? (parting.rankings.at(-1) ?? 0) : parting.fallback
  const reached = [...new Set([...parting.rankings.slice(SPECIAL + 1), fallback])]
  const rankings = reached.map(number => shapes.roll.lists[number] ?? [])
  if (rule.lastResort?.kind === 'pool') rankings.push([[rule.lastResort.pool]])
  return {
    rule,
    shape,
    classes: parting.rankings,
    fallback,
    sticky: apart.size > 0,
    pools: [...new Set(rankings.flat(2))].sort((a, b) => a - b),
    ...kindsOf(rule, rankings, shapes.policy, lists, remarks),
  }
}

const NOTHING: ReadonlySet<number> = new Set()

/** Classes whose clients hashing tells apart. */
function stickyClasses({ shapes, lists }: Slotting, { rankings }: Parting): ReadonlySet<number> {
  const classes = [...rankings.keys()].slice(SPECIAL + 1)
  return new Set(
    classes.filter(number => isSticky(shapes.roll.lists[rankings[number] ?? 0] ?? [], lists)),
  )
}

/** Tells whether one of a ranking's pools has several targets of a kind. */
export function isSticky(ranking: Ranking, lists: readonly Lists[]): boolean {
  return ranking.flat().some(pool => lists[pool]?.some(list => list.length > 1) ?? false)
}
