/**
 * A server that limits its response rate: it answers over UDP, but lets some replies slip as TC with
 * nothing in them, or drops them, and answers the same over TCP. A large answer is none of that.
 */
import { type Finding, finding, many } from './finding.ts'
import type { Observation } from './observation.ts'

/** Once may be the network. */
const OFTEN = 3

export function rateLimits(observations: readonly Observation[]): readonly Finding[] {
  const servers = [...new Set(observations.map(({ server }) => server))]
  return servers.flatMap(server => limitsOf(observations.filter(seen => seen.server === server)))
}

function limitsOf(seen: readonly Observation[]): readonly Finding[] {
  const answered = seen.filter(({ error }) => error === undefined)
  const limited = answered.filter(isLimited)
  const whole = answered.some(({ transport }) => transport === 'udp')
  // drops alone may be the network's: it takes an empty TC as well, which only a limit makes
  const slipped = limited.some(({ oddities }) => oddities.includes('rate-slip'))
  if (limited.length < OFTEN || !slipped || !whole) return []
  const count = many(limited.length, 'reply', 'replies')
  const what = `the server limits its response rate: ${count} of ${answered.length} came over TCP only`
  return [finding('DNS008', what, seen[0]?.server)]
}

function isLimited({ oddities }: Observation): boolean {
  return oddities.includes('rate-slip') || oddities.includes('tcp-after-drop')
}
