/**
 * From a policy and places to Steering: each part is compiled in its own file, here they are put
 * side by side in memory that threads share. Everything wrong is remarked in one pass.
 */
import type { Remarks } from '../fault.ts'
import type { Places } from '../geo/places.ts'
import type { Site } from './choose.ts'
import { checkClashes } from './clash.ts'
import { type Ground, layGround } from './ground.ts'
import { jumpTables } from './jump.ts'
import { checkNetworks } from './networks.ts'
import { compilePools } from './pools.ts'
import { rankingRoll } from './rankings.ts'
import { checkReads } from './reads.ts'
import type { Policy } from './rule.ts'
import { newShapes, type Shapes } from './shapes.ts'
import { slotOf } from './slots.ts'
import type { Steering } from './steering.ts'
import { poolColumns, rankingColumns, slotColumns } from './tables.ts'

export type Compiled = {
  readonly steering: Steering
  /** By number: what holds in each leaf of the ground. */
  readonly sites: readonly Site[]
}

/** Compiles a policy. Only without problems may the result be served. */
export function compileSteering(policy: Policy, places: Places, remarks: Remarks): Compiled {
  checkNetworks(policy, remarks)
  checkReads(policy, places, remarks)
  const lists = compilePools(policy, remarks)
  const ground = layGround(policy, places)
  checkClashes(policy, ground.layers, remarks)
  const roll = rankingRoll()
  const shapes = newShapes(policy, ground, roll)
  const slots = policy.rules.map(rule => slotOf({ shapes, lists, remarks }, rule))
  const steering = {
    ...groundColumns(ground, shapes),
    ...slotColumns(slots),
    ...rankingColumns(roll.lists, lists),
    ...poolColumns(policy.pools, lists),
    owners: policy.rules.map(rule => rule.owner),
    poolNames: policy.pools.map(pool => pool.name),
  }
  return { steering, sites: ground.sites }
}

type GroundColumn =
  | 'cells'
  | 'root4'
  | 'root6'
  | 'sites'
  | 'merged'
  | 'mergedWords'
  | 'siteClass'
  | 'jump'

function groundColumns(ground: Ground, { covers }: Shapes): Pick<Steering, GroundColumn> {
  const { cells, root4, root6 } = ground
  const sites = ground.sites.length
  const mergedWords = (cells.length / 2 + 31) >>> 5
  const merged = new Uint32Array(new SharedArrayBuffer(4 * mergedWords * covers.length))
  const siteClass = new Uint32Array(new SharedArrayBuffer(4 * sites * covers.length))
  covers.forEach((cover, shape) => {
    merged.set(cover.merged, shape * mergedWords)
    siteClass.set(cover.classes, shape * sites)
  })
  const jump = jumpTables(ground, covers)
  return { cells, root4, root6, sites, merged, mergedWords, siteClass, jump }
}
