/** How things stand, as plain facts for whoever asks: pools and their targets, and what is served. */
import type { World } from './answer/world.ts'
import type { PoolFacts, WorldFacts } from './ops/source.ts'
import type { Served } from './served.ts'
import { type Board, NO_CAP } from './steer/board.ts'
import type { Steering } from './steer/steering.ts'
import { type Numbered, targetsOf } from './steer/targets.ts'

type NamedPool = { readonly pool: string; readonly targets: readonly Numbered[] }

/** Targets have texts in a World once and for all. */
const named = new WeakMap<Steering, readonly NamedPool[]>()

export function poolFacts(steering: Steering, board: Board): PoolFacts[] {
  const pools = named.get(steering) ?? namedPools(steering)
  named.set(steering, pools)
  return pools.map(({ pool, targets }, number): PoolFacts => {
    const flip = board.flip[number] ?? NO_CAP
    return {
      pool,
      targets: targets.map(([target, text]) => ({
        target: text,
        isUp: board.up[target] === 1,
        latencySeconds: secondsOf(board.latency[target]),
      })),
      checked: flip === NO_CAP ? undefined : { isProven: flip > 0, steadySeconds: flip },
    }
  })
}

function namedPools(steering: Steering): NamedPool[] {
  return steering.poolNames.map((pool, number) => ({ pool, targets: targetsOf(steering, number) }))
}

function secondsOf(ms = Number.NaN): number | undefined {
  return Number.isNaN(ms) ? undefined : ms / 1000
}

export function worldFacts(
  { digest, steering, zones }: World,
  { geo, loaded }: Pick<Served, 'geo' | 'loaded'>,
): WorldFacts {
  return {
    digest,
    loadedAt: loaded.at / 1000,
    loadSeconds: loaded.tookMs / 1000,
    zones: zones.zoneCount,
    names: zones.nodeCount,
    records: loaded.records,
    steeredNames: steering.slots,
    geo: geoFacts(geo),
  }
}

/** Databases and the days they were made; of one whose file does not say, nothing. */
function geoFacts({ built, names }: Served['geo']): WorldFacts['geo'] {
  const days = built.split(', ')
  const facts = names.map((database, i) => {
    return [database, Date.parse(days[i] ?? '') / 1000] as const
  })
  const known = facts.filter(([, builtAt]) => !Number.isNaN(builtAt))
  return [...new Map(known)].map(([database, builtAt]) => ({ database, builtAt }))
}
