/** Everything that the verdict of `ecs` is decided from, gathered once. Decides nothing. */
import { isAbout, isBeside } from './about.ts'
import { type Classes, classesOf } from './classes.ts'
import { type Echoes, echoesOf, type Treatment, treatments } from './echoes.ts'
import { copiesSource, fragmentation } from './fragment.ts'
import { type Grid, gridOf, isAllSame } from './grid.ts'
import { type Levels, weighLevels } from './levels.ts'
import { looks } from './look.ts'
import type { Observation } from './observation.ts'
import type { About, EcsOptions } from './options.ts'
import { isFrozen, isResolved } from './path.ts'
import { type ScopeReport, scopeReport } from './scope.ts'

export type Facts = {
  readonly about: readonly Observation[]
  /** Asked of the same name beside the measurement; only findings are read from it. */
  readonly beside: readonly Observation[]
  readonly grid: Grid
  readonly levels: Levels
  readonly classes: Classes
  readonly allSame: boolean
  /** Whether so many rounds were asked, and enough of them answered, that no difference means none. */
  readonly isPatient: boolean
  /** Of the server that was sampled. */
  readonly echoes: Echoes
  readonly treatments: ReadonlyMap<string, Treatment>
  readonly scope: ScopeReport
  readonly fragmentation: number | undefined
  readonly copies: boolean
  readonly frozen: boolean
  readonly resolved: boolean
}

export function factsOf(observations: readonly Observation[], options: EcsOptions): Facts {
  const about = observations.filter(seen => isAbout(seen, options))
  const beside = observations.filter(seen => isBeside(seen) && concerns(seen, options))
  const grid = gridOf(about, options)
  const there = about.filter(seen => seen.server === grid.server)
  const classes = classesOf(grid)
  const scope = scopeReport(grid, classes, there)
  const last = looks(grid.asked)[1]
  return {
    about,
    beside,
    grid,
    levels: weighLevels(grid, options),
    classes,
    allSame: isAllSame(grid),
    isPatient: grid.begun >= last && grid.rounds.length >= 0.75 * last,
    echoes: echoesOf(there),
    treatments: treatments(about),
    scope,
    fragmentation: fragmentation(scope.replies, classes),
    copies: copiesSource(grid, there),
    frozen: isFrozen(grid.replies),
    resolved: isResolved(about),
  }
}

/** Types of DNSSEC are asked for whatever type is judged. */
function concerns({ name, type, purpose }: Observation, about: About): boolean {
  return name === about.name && (type === about.type || purpose === 'signing')
}
