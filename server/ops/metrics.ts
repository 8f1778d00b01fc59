/**
 * All metrics of the process as text, in the format that Prometheus reads: ours, and what prom-client
 * tells of any Node process. This file and what it imports is loaded only where somebody may ask.
 */
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client'
import { BESIDE } from './beside.ts'
import { CARRIED } from './carried.ts'
import type { Family } from './family.ts'
import { HEALTH } from './health.ts'
import { QUERIES } from './queries.ts'
import type { Source } from './source.ts'
import { WORLD } from './world.ts'

/** Gauges that prom-client names as if they were counters; what they sum up is there without them. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/**
 * How often the delay of the event loop is looked at, in milliseconds; prom-client counts them in, so
 * that a loop with nothing to do has this much. At 10, its default, idling costs a quarter of a percent.
 */
const LOOK_MS = 50

/** Call it once in a process: from then on it watches the event loop and the collector. */
export function openRegistry(source: Source): Registry {
  const registry = new Registry()
  for (const family of [...WORLD, ...QUERIES, ...CARRIED, ...HEALTH, ...BESIDE]) {
    registry.registerMetric(metricOf(family, source))
  }
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOK_MS })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  return registry
}

/**
 * A metric that is read when it is asked for. Why not prom-client's own: they count by themselves, a
 * histogram one value after the other, and keep labels that are gone.
 */
function metricOf({ kind: type, name, help, read }: Family, source: Source): Metric {
  const get = async () => {
    const values = read(source).map(({ labels, suffix = '', value }) => ({
      labels,
      metricName: name + suffix,
      value,
    }))
    return { name, help, type, aggregator: 'sum', values }
  }
  return { name, help, type, get } as unknown as Metric
}
