/**
 * Do all name servers of the zone agree? One that answers without the option, or with scope 0, soon
 * supplies most of what resolvers keep.
 */
import type { Treatment } from './echoes.ts'
import { type Finding, finding } from './finding.ts'
import { subnetOf } from './grid.ts'
import type { Observation } from './observation.ts'
import { echoState, holdsAnswer } from './reply.ts'

const HABIT: Readonly<Record<Treatment, string>> = {
  none: 'never returns the option',
  some: 'returns the option now and then',
  zero: 'returns scope 0 only',
  tailored: 'returns scopes above 0',
  unknown: 'gave no usable reply',
}

export function serverFindings(
  about: readonly Observation[],
  treatments: ReadonlyMap<string, Treatment>,
): readonly Finding[] {
  const heard = [...treatments].filter(([, treatment]) => treatment !== 'unknown')
  if (new Set(heard.map(([, treatment]) => treatment)).size > 1) {
    const habits = heard.map(([server, treatment]) => `${server} ${HABIT[treatment]}`)
    const odd = heard.filter(([, treatment]) => treatment !== 'tailored').map(([server]) => server)
    return [finding('ECS013', `name servers differ: ${habits.join(', ')}`, odd.join(', '))]
  }
  const split = disagreements(about)
  if (split.length === 0) return []
  const what = `name servers give different scopes for ${split.length} subnets`
  return [finding('ECS013', what, split[0])]
}

/** Subnets for which two name servers gave scopes that have nothing in common. */
export function disagreements(about: readonly Observation[]): readonly string[] {
  const exact = about.filter(seen => holdsAnswer(seen) && echoState(seen) === 'exact')
  const subnets = [...new Set(exact.map(subnetOf))]
  return subnets.filter(subnet => {
    const scopes = new Map<string, Set<number>>()
    for (const { server, echo } of exact.filter(seen => subnetOf(seen) === subnet)) {
      scopes.set(server, (scopes.get(server) ?? new Set()).add(echo?.scope ?? 0))
    }
    const [first, ...rest] = scopes.values()
    return rest.some(other => ![...other].some(scope => first?.has(scope)))
  })
}
