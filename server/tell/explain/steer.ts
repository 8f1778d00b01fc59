/**
 * The third verb, explained: which rule, whose address, which ranking, who of it serves and why the
 * others do not, what was picked, and what TTL, scope and failover follow from that.
 */
import { KIND as ENTRY } from '../../answer/reply.ts'
import { nameText } from '../../dns/name.ts'
import { NO_CAP } from '../../steer/board.ts'
import type { Decision } from '../../steer/decision.ts'
import { poolsOf, RESORT, tiersOf } from '../../steer/steering.ts'
import { decisive } from '../../steer/trial.ts'
import { flipOf } from '../../steer/ttl.ts'
import { poolState } from '../../steer/walk.ts'
import { poolName, tiersNamed } from '../ranking.ts'
import { located } from './client.ts'
import type { FailoverTold, PoolTold, ScopeTold, Steered, TtlTold } from './explanation.ts'
import { expiryOf, failoverOf } from './failover.ts'
import { kindOf, picked } from './pick.ts'
import type { Served } from './served.ts'

/** Explains the decision on a desk. */
export function steered(served: Served): Steered {
  const { desk, policy } = served
  const { decision, world } = desk
  const rule = policy.rules[decision.slot]
  if (rule === undefined) throw new Error(`slot ${decision.slot} has no rule`)
  const { file, line } = rule.at
  const pools = poolsTold(served)
  return {
    rule: nameText(rule.owner),
    at: `${file}:${line}`,
    locate: located(served, rule),
    ranking: tiersNamed(world.steering, decision.ranking),
    pools,
    ...resorted(served, pools),
    picks: decisionsOf(served).map(made => picked(served, made)),
    ttl: ttlTold(served),
    scope: scopeTold(served),
    failover: failoverTold(served),
  }
}

/** A service record may have hints of both families, each chosen for itself. */
function decisionsOf({ desk: { decision, hint6, reply } }: Served): readonly Decision[] {
  const isService = reply.kind.subarray(0, reply.entries).includes(ENTRY.SERVICE)
  return isService && decision.family === 4 && hint6.count > 0 ? [decision, hint6] : [decision]
}

function poolsTold({ desk: { board, decision, world } }: Served): PoolTold[] {
  const { steering } = world
  const { ranking, slot } = decision
  const tiers = tiersOf(steering, ranking)
  return poolsOf(steering, ranking).map(pool => ({
    pool: poolName(steering, pool),
    tier: tiers.findIndex(tier => tier.includes(pool)),
    ...poolState(steering, board, slot, pool, kindOf(decision), decision),
  }))
}

/** A last resort without such targets falls back on the first pool that has some. */
function resorted(
  { desk: { decision, world } }: Served,
  pools: readonly PoolTold[],
): Pick<Steered, 'resort'> {
  const { pool, resort, slot } = decision
  if (!resort) return {}
  const rule = world.steering.resort[slot] ?? RESORT.all
  const anyUp = pools.some(({ up, why }) => why === 'last resort' && up > 0)
  const kind = rule === pool ? 'pool' : rule === RESORT.healthiest && anyUp ? 'healthiest' : 'all'
  return { resort: { rule: kind, pool: poolName(world.steering, pool) } }
}

function ttlTold({ desk: { board, decision, world } }: Served): TtlTold {
  const { slot, ttl } = decision
  const { ttlMax, ttlMin } = world.steering
  const cap = board.cap[slot] ?? NO_CAP
  const flip = flipOf(world.steering, board, decision)
  return {
    ...{ seconds: ttl, max: ttlMax[slot] ?? ttl, min: ttlMin[slot] ?? ttl },
    ...(cap !== NO_CAP && { cap }),
    ...(flip !== NO_CAP && { flip }),
  }
}

function scopeTold({ desk: { decision }, told }: Served): ScopeTold {
  const bits = decision.scope
  return told === undefined ? { bits } : { bits, source: told.bits }
}

function failoverTold({ desk: { decision, world }, policy }: Served): FailoverTold {
  const pool = poolName(world.steering, decision.pool)
  const { check } = policy.pools[decision.pool] ?? {}
  if (check === undefined) return { kind: 'unchecked', pool }
  const most = world.steering.ttlMax[decision.slot] ?? decision.ttl
  const last = decisive(check)
  const named = { pool, check: check.name }
  if (last.trial.kind === 'push') return { kind: 'pushed', ...named, ...expiryOf(last, most) }
  return { kind: 'checked', ...named, ...failoverOf(last, most) }
}
