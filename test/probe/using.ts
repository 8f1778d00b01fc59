/** One use of lbprobe against servers of the test's own. Knows no command. */
import { program } from '../../probe/program.ts'
import type { World } from '../../probe/world.ts'
import { type Serve, wireOf } from './in-process.ts'
import { labWorld, paper } from './world.ts'

export type Used = { readonly exit: number; readonly out: string; readonly err: string }

/** @param serve answers for every server that is asked */
export async function using(line: string, serve: Serve, over: Partial<World> = {}): Promise<Used> {
  const out = paper()
  const err = paper()
  const system = {
    resolvers: () => ['192.0.2.53'],
    nameServers: async () => [],
    addresses: async () => [],
  }
  const regions = async () => () => undefined
  const world = labWorld({ out, err, wire: wireOf(serve), system, regions, ...over })
  const exit = await program(line.split(' '), world)
  return { exit, out: out.text(), err: err.text() }
}
