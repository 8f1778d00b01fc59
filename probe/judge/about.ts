/** Picks the observations that a judgement is about. */
import type { Observation } from './observation.ts'
import { countOf } from './odds.ts'
import type { About } from './options.ts'

/** Whether an observation is of this name and type, and of those that a verdict is read from. */
export function isAbout(seen: Observation, about: About): boolean {
  return seen.name === about.name && seen.type === about.type && !isBeside(seen)
}

/** Whether it was asked beside the measurement: no verdict depends on it. */
export function isBeside({ purpose }: Observation): boolean {
  return purpose === 'private' || purpose === 'signing' || purpose === 'hostile'
}

/** The server with the most queries; empty where nothing was asked. */
export function mostAsked(observations: readonly Observation[]): string {
  const counts = [...countOf(observations.map(seen => seen.server))]
  return counts.sort((a, b) => b[1] - a[1])[0]?.[0] ?? ''
}

export function inOrder(observations: readonly Observation[]): readonly Observation[] {
  return [...observations].sort((a, b) => a.sequence - b.sequence)
}
