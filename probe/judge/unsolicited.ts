/** An option that nobody asked for. */
import { type Finding, finding } from './finding.ts'
import type { Observation } from './observation.ts'

/** RFC 7871 §7.2.1: no option in a reply to a query that had none. */
export function unsolicited(observations: readonly Observation[]): readonly Finding[] {
  const rude = observations.find(seen => seen.sent === undefined && seen.echo !== undefined)
  if (rude === undefined) return []
  return [finding('ECS003', 'a client subnet came back though none was sent', rude.server)]
}
