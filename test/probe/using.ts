/** One use of lbprobe without sockets, files or a clock of its own. Knows no command. */
import { program } from '../../probe/program.ts'
import type { Stream, World } from '../../probe/world.ts'
import { type Serve, TABLE, wireOf } from './in-process.ts'

export type Used = { readonly exit: number; readonly out: string; readonly err: string }

/** @param serve answers for every server that is asked */
export async function using(line: string, serve: Serve, over: Partial<World> = {}): Promise<Used> {
  const out = gathering()
  const err = gathering()
  const rows = TABLE.map(({ country, prefix }) => `${country},${prefix},someone`)
  const world: World = {
    out,
    err,
    environment: {},
    wire: wireOf(serve),
    system: {
      resolvers: () => ['192.0.2.53'],
      nameServers: async () => [],
      addresses: async () => [],
    },
    width: 1,
    seed: () => 42,
    table: async () => ['country,prefix,holder', ...rows].join('\n'),
    regions: async () => () => undefined,
    readText: () => Promise.reject(new Error('no file')),
    writeText: () => Promise.resolve(),
    interrupt: new AbortController().signal,
    version: '0.1.0',
    ...over,
  }
  const exit = await program(line.split(' '), world)
  return { exit, out: out.parts.join(''), err: err.parts.join('') }
}

function gathering(): Stream & { readonly parts: string[] } {
  const parts: string[] = []
  return { write: text => void parts.push(text), isTerminal: false, columns: undefined, parts }
}
