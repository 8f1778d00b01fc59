/**
 * What is checked of a World, as plain data that one thread may hand to another: the addresses to
 * watch, equal ones once, and which targets hang on which of them.
 */
import type { Policy, Pool } from '../steer/rule.ts'
import type { Steering } from '../steer/steering.ts'
import { targetKey, targetsOf } from '../steer/targets.ts'
import type { Check, Trial } from '../steer/trial.ts'
import { keyed } from './key.ts'
import type { Wanted } from './watch.ts'

export type Checks = {
  readonly wanted: readonly Wanted[]
  readonly targets: readonly CheckedTarget[]
  /** Pools whose targets start slowly when they come back, and for how many seconds. */
  readonly slow: readonly (readonly [pool: number, seconds: number])[]
}

export type CheckedTarget = {
  /** Numbered as in the Steering. */
  readonly target: number
  readonly pool: number
  /** How it is called. */
  readonly name: string
  /** How many of the watches must say that it is up. */
  readonly need: number
  /** Keys of `wanted`. */
  readonly keys: readonly string[]
  /** A load file tells of it, so what its checks tell of load does not count. */
  readonly loads: 'of a file' | 'of checks'
}

/** @param beside from a path as it is written to where it leads */
export function checksOf(
  { pools }: Policy,
  steering: Steering,
  beside: (path: string) => string,
): Checks {
  const placed = pools.flatMap((pool, index) => placesIn(pool, index, steering))
  const all = placed.flatMap(({ place, of }) =>
    of.map(check => ({ place, check: { ...check, trial: led(check.trial, beside) } })),
  )
  const wanted = keyed(all)
  let next = 0
  const targets = placed.map(({ of, place: _, ...target }): CheckedTarget => {
    const from = next
    next += of.length
    return { ...target, keys: wanted.slice(from, next).map(({ key }) => key) }
  })
  const slow = pools.flatMap(({ slowStart = 0 }, pool) =>
    slowStart > 0 ? [[pool, slowStart] as const] : [],
  )
  return { wanted: [...new Map(wanted.map(one => [one.key, one])).values()], targets, slow }
}

/** The trial with its own files where the operator meant them. */
function led(trial: Trial, beside: (path: string) => string): Trial {
  if (trial.kind === 'file') return { ...trial, path: beside(trial.path) }
  if (trial.kind !== 'exec') return trial
  const [program = '', ...words] = trial.command
  return { ...trial, command: [beside(program), ...words] }
}

type Placed = Omit<CheckedTarget, 'keys'> & {
  readonly place: string
  readonly of: readonly Check[]
}

/** The targets of a pool that is checked, and where each of them is. */
function placesIn({ check, loads, targets }: Pool, pool: number, steering: Steering): Placed[] {
  if (check === undefined) return []
  const places = new Map(targets.map(target => [targetKey(target), target.checkAt]))
  return targetsOf(steering, pool).map(([target, name]) => ({
    ...{ target, pool, name, need: check.need, of: check.of },
    loads: loads === undefined ? 'of checks' : 'of a file',
    place: places.get(name) ?? name.replace(/\.$/, ''),
  }))
}
