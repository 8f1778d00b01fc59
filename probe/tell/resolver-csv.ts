/** One row a resolver as CSV: its verdict, every way that was tried, and what has been reported of it. */

import type { Calibration } from '../judge/calibrate.ts'
import { compareKnown } from '../judge/known-resolvers.ts'
import { csvText } from './csv.ts'

const HEAD = [
  'server', 'verdict', 'steadiness', 'path', 'zone', 'echo', 'scope', 'ipv6', 'shorter', 'longer',
  'private', 'documentation', 'host_bits', 'source_0', 'cache', 'lengths', 'substitutes', 'egress',
  'service', 'reported',
] // biome-ignore format: list

/** Empty cells: not tried, or nothing can be said. */
export function resolverCsv(calibrations: readonly Calibration[]): string {
  const rows = calibrations.map(one => {
    const { server, verdict, steadiness, path, zone, ways } = one
    const known = compareKnown(one)
    return [
      server, verdict, steadiness, path, zone, ways.echo, ways.scope, ways.ipv6, ways.shorter, ways.longer,
      ways.private, ways.documentation, ways.hostBits, ways.nobody, ways.cache,
      one.lengths.join(' '), one.substitutes.join(' '), one.egress.join(' '),
      known.service, known.reported.join(' '),
    ] // biome-ignore format: list
  })
  return csvText(HEAD, rows)
}
