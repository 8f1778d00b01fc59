/** One row a query as CSV: what was asked of whom for which client, and what came back. */

import type { Observation } from '../judge/observation.ts'
import { csvText } from './csv.ts'

const HEAD = [
  'name', 'type', 'server', 'subnet', 'region', 'round', 'purpose', 'rcode', 'scope', 'ttl', 'rtt_ms',
  'answers', 'chain', 'transport', 'nsid', 'seq', 'sent_ms', 'error', 'oddities',
] // biome-ignore format: list

/** Where there are several in a cell, a blank is between them; texts stand in quotes of their own. */
export function queryCsv(observations: readonly Observation[]): string {
  const rows = observations.map(seen => [
    seen.name, seen.type, seen.server, seen.sent?.text, seen.sent?.region, seen.round, seen.purpose,
    seen.rcode, seen.echo?.scope, seen.ttl, seen.milliseconds,
    seen.answers.join(' '), seen.chain.join(' '), seen.transport, seen.instance,
    seen.sequence, seen.at, seen.error, seen.oddities.join(' '),
  ]) // biome-ignore format: list
  return csvText(HEAD, rows)
}
