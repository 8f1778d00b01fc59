/**
 * Who is up, as metrics, by pool and target. Where there are more targets than `MOST_TARGETS`, only
 * pools are told of.
 */
import { counter, type Family, gauge, type Sample } from './family.ts'
import type { CheckedFacts, PoolFacts, Source, TargetFacts } from './source.ts'

/** The most targets that are told of one by one. */
export const MOST_TARGETS = 10_000

export const HEALTH: readonly Family[] = [
  gauge(
    'pool_targets',
    'Targets of a pool.',
    ofPools(({ targets }) => targets.length),
  ),
  gauge(
    'pool_usable_targets',
    'Targets of a pool that are up.',
    ofPools(({ targets }) => targets.filter(({ isUp }) => isUp).length),
  ),
  gauge(
    'pool_proven',
    '1: checks have told enough of all targets of the pool. Without checks, nothing.',
    ofChecked(({ isProven }) => (isProven ? 1 : 0)),
  ),
  gauge(
    'pool_next_change_seconds',
    'Seconds, counted from the last checks, in which no target of the pool can go up or down.',
    ofChecked(({ steadySeconds }) => steadySeconds),
  ),
  gauge(
    'target_up',
    '1: the target is up; without a check it is. Only where there are 10000 targets at most.',
    ofTargets(({ isUp }) => (isUp ? 1 : 0)),
  ),
  gauge(
    'target_latency_seconds',
    'Smoothed time of checks of the target, where it is known. Only where there are 10000 targets at most.',
    ofTargets(({ latencySeconds }) => latencySeconds),
  ),
  counter('health_flips_total', 'Times that a target of the pool went up or down.', source =>
    [...source.flips()].map(({ pool, now, count }) => ({ labels: { pool, now }, value: count })),
  ),
]

function ofPools(figure: (pool: PoolFacts) => number | undefined): Family['read'] {
  return source => source.pools().flatMap(one => line({ pool: one.pool }, figure(one)))
}

function ofChecked(figure: (checked: CheckedFacts) => number): Family['read'] {
  return ofPools(({ checked }) => (checked === undefined ? undefined : figure(checked)))
}

function ofTargets(figure: (target: TargetFacts) => number | undefined): Family['read'] {
  return source =>
    told(source).flatMap(({ pool, targets }) =>
      targets.flatMap(one => line({ pool, target: one.target }, figure(one))),
    )
}

/** Pools whose targets are told of. */
function told(source: Source): readonly PoolFacts[] {
  const pools = source.pools()
  const all = pools.reduce((sum, { targets }) => sum + targets.length, 0)
  return all > MOST_TARGETS ? [] : pools
}

function line(labels: Sample['labels'], value: number | undefined): Sample[] {
  return value === undefined ? [] : [{ labels, value }]
}
