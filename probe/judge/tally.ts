/** Counts how the queries of one name and type went. */
import type { Tally } from './judgement.ts'
import type { Observation } from './observation.ts'
import { countOf } from './odds.ts'
import { echoState, holdsAnswer } from './reply.ts'

export function tally(observations: readonly Observation[]): Tally {
  const servers = [...new Set(observations.map(seen => seen.server))]
  const heard = new Set(observations.filter(seen => seen.rcode !== undefined).map(on => on.server))
  return {
    queries: observations.length,
    replies: observations.filter(seen => seen.rcode !== undefined).length,
    timeouts: observations.filter(seen => seen.error === 'timeout').length,
    rcodes: record(observations.flatMap(({ rcode }) => (rcode === undefined ? [] : [rcode]))),
    servers,
    silent: servers.filter(server => !heard.has(server)),
  }
}

/** Why observations could not be used, and how often. */
export function failures(observations: readonly Observation[]): Readonly<Record<string, number>> {
  return record(observations.flatMap(failureOf))
}

function failureOf(seen: Observation): readonly string[] {
  if (seen.error !== undefined) return [seen.error]
  if (echoState(seen) === 'mismatch') return ['echo-mismatch']
  if (holdsAnswer(seen)) return []
  return [seen.flags.tc ? 'truncated' : (seen.rcode ?? 'malformed')]
}

function record(values: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(countOf(values))
}
