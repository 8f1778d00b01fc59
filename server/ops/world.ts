/** What runs and what it serves, as metrics: versions, when it was loaded, how much it is. */
import { counter, type Family, gauge, single } from './family.ts'
import type { WorldFacts } from './source.ts'

export const WORLD: readonly Family[] = [
  gauge('build_info', 'Always 1: the versions of what runs.', ({ version }) => [
    { labels: { version, nodeversion: process.version }, value: 1 },
  ]),
  gauge('reload_version_info', 'Always 1: the digest of what is served.', ({ world }) => [
    { labels: { hash: 'sha256', value: world().digest }, value: 1 },
  ]),
  counter('reload_failed_total', 'Reloads that were refused.', ({ refusals }) =>
    single(refusals()),
  ),
  fact(
    'world_loaded_timestamp_seconds',
    'When what is served was loaded, in seconds since 1970.',
    ({ loadedAt }) => loadedAt,
  ),
  fact(
    'world_load_duration_seconds',
    'How long it took to load what is served.',
    ({ loadSeconds }) => loadSeconds,
  ),
  fact('world_zones', 'Zones that are served.', ({ zones }) => zones),
  fact('world_names', 'Names of all zones.', ({ names }) => names),
  fact('world_records', 'Records of all zones.', ({ records }) => records),
  fact('world_steered_names', 'Names that a rule answers for.', ({ steeredNames }) => steeredNames),
  gauge(
    'geo_database_build_timestamp_seconds',
    'The day on which a database of places was made, in seconds since 1970.',
    ({ world }) =>
      world().geo.map(({ database, builtAt }) => ({ labels: { database }, value: builtAt })),
  ),
]

function fact(name: string, help: string, figure: (world: WorldFacts) => number): Family {
  return gauge(name, help, ({ world }) => single(figure(world())))
}
