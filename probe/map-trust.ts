/** Whether a resolver may be believed that a map is made through: it is tried before, as `ecs` does. */

import type { Server } from './ask/server.ts'
import type { Trust } from './judge/trust.ts'
import { endOf, runAlone } from './ledger.ts'
import type { MapOptions } from './options/map.ts'
import { ordinaryNetworks } from './panel.ts'
import { chanceFrom } from './plan/chance.ts'
import { trustIn } from './trust.ts'
import type { World } from './world.ts'

/** What it asks does not count among the queries of the map. */
export async function mapTrust(
  options: MapOptions,
  servers: readonly Server[],
  seed: number,
  world: World,
): Promise<Trust | undefined> {
  const until = endOf(world.wire.now(), options)
  const run = runAlone(options, chanceFrom(seed), { ...world, width: 1 }, () => undefined, until)
  const networks = () => ordinaryNetworks(world)
  const trust = await trustIn(new Map(), run, options, servers.slice(0, 1), options, networks)
  if (trust !== undefined && options.loudness !== 'quiet') {
    world.err.write(`calibration: ${trust.server} ${trust.reason}\n`)
  }
  return trust
}
