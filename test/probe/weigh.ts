/** How often the sampling plan says what, over simulated runs; and the tail of the binomial. */
import { chance } from '../../probe/judge/chance.ts'
import { judgeEcs } from '../../probe/judge/ecs.ts'
import { gridOf } from '../../probe/judge/grid.ts'
import { type Levels, weighLevels } from '../../probe/judge/levels.ts'
import { looks } from '../../probe/judge/look.ts'
import type { Observation } from '../../probe/judge/observation.ts'
import { observe, panel, type Server, shuffled } from './judge-simulate.ts'
import { ARRANGEMENTS, type Scenario } from './scenarios.ts'

/** Runs out of so many. */
export type Weighed = {
  readonly runs: number
  /** At the look after round 4: answers depend on the subnet. */
  readonly atFour: number
  /** At the look that ended it: the first where that settled it, else after round 8. */
  readonly byEight: number
  /** The same: and they go with the region. */
  readonly regional: number
  /** Controls only: runs that end in `real`. */
  readonly real: number
}

const NONE: Weighed = { runs: 0, atFour: 0, byEight: 0, regional: 0, real: 0 }

/** @param seeds first, and one past the last */
export function weigh(scenario: Scenario, seeds: readonly [number, number]): Weighed {
  let sum = NONE
  for (let seed = seeds[0]; seed < seeds[1]; seed += 1) sum = add(sum, once(scenario, seed))
  return sum
}

export function add(one: Weighed, other: Weighed): Weighed {
  return {
    runs: one.runs + other.runs,
    atFour: one.atFour + other.atFour,
    byEight: one.byEight + other.byEight,
    regional: one.regional + other.regional,
    real: one.real + other.real,
  }
}

const PANEL = panel()
const [FIRST_LOOK, LAST_LOOK] = looks(PANEL.length)

/** One run by the plan: after the first look only where that did not settle it. */
function once({ kind, server, arrangements }: Scenario, seed: number): Weighed {
  const permutations = arrangements ?? ARRANGEMENTS
  const options = { name: 'www.example.com', type: 'A', seed, permutations }
  const seen = roundsOf(server(seed), seed)
  const early = seen.filter(({ round }) => round <= FIRST_LOOK)
  const first = weighLevels(gridOf(early, options), options)
  const settled = first.dependent && (!first.varies || first.geography === 'yes')
  const last = settled ? first : weighLevels(gridOf(seen, options), options)
  const isControl = kind !== 'regional' && kind !== 'faint'
  const answer = isControl ? judgeEcs(settled ? early : seen, options).verdict.answer : undefined
  return {
    runs: 1,
    atFour: Number(first.dependent),
    byEight: Number(last.dependent),
    regional: Number(isRegional(last)),
    real: Number(answer === 'real'),
  }
}

function isRegional({ dependent, geography }: Levels): boolean {
  return dependent && geography === 'yes'
}

/** All rounds there can be, each in an order of its own. */
function roundsOf(server: Server, seed: number): readonly Observation[] {
  const dice = chance(seed ^ 0x5eed)
  const seen: Observation[] = []
  for (let round = 1; round <= LAST_LOOK; round += 1) {
    for (const network of shuffled([...PANEL, undefined], dice)) {
      const sequence = seen.length
      const purpose = network === undefined ? 'control' : 'sample'
      const answered = server({ network, chance: dice, turn: sequence, round })
      seen.push(observe(network, answered, { sequence, at: sequence * 50, round, purpose }))
    }
  }
  return seen
}

/** The chance of at most so many hits in `runs`, each with probability `p`. */
export function atMost(hits: number, runs: number, p: number): number {
  if (hits < 0) return 0
  let term = (1 - p) ** runs
  let sum = term
  for (let at = 1; at <= hits; at += 1) {
    term *= ((runs - at + 1) / at) * (p / (1 - p))
    sum += term
  }
  return Math.min(1, sum)
}
