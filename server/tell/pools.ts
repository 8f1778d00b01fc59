/** Pools by name. */
import { type Steering, tiersOf } from '../steer/steering.ts'

/** The pools of a ranking by name, equally good ones together. */
export function rankingNames(steering: Steering, ranking: number): string[][] {
  return tiersOf(steering, ranking).map(tier => tier.map(pool => poolName(steering, pool)))
}

export function poolName(steering: Steering, pool: number): string {
  return steering.poolNames[pool] ?? ''
}
