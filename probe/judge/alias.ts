/** Where CNAME chains lead, as modifiers. */
import type { Observation } from './observation.ts'

/** More ends than this are not listed: the name hands out aliases as others hand out addresses. */
const MOST = 4

/** `cname-to:edge.example.net` for each end that chains were seen to have. */
export function aliasModifiers(observations: readonly Observation[]): readonly string[] {
  const ends = new Set(observations.flatMap(({ chain }) => chain.slice(-1)))
  const names = [...ends].map(name => name.toLowerCase().replace(/(?<=.)\.$/, ''))
  return [...new Set(names)]
    .sort()
    .slice(0, MOST)
    .map(name => `cname-to:${name}`)
}
