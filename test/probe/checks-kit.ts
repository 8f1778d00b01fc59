/** What tests of checks share: a world around the lab without sockets, with files in memory. */
import type { Wire } from '../../probe/ask/wire.ts'
import { labOf } from '../../probe/lab/lab.ts'
import { program } from '../../probe/program.ts'
import type { World } from '../../probe/world.ts'
import { ATLAS, wireTo } from './in-process.ts'
import { absent, labWorld, paper } from './world.ts'

export type Ran = {
  readonly exit: number
  readonly out: string
  readonly err: string
  /** Files as they were given and as they were written. */
  readonly files: Readonly<Record<string, string>>
}

export const NS1 = '@127.0.0.1:5300'
export const NS2 = '@127.0.0.2:5300'

/** One use of lbprobe, whose lab is a new one unless the wire is given. */
export async function lbprobe(
  words: readonly string[],
  files: Readonly<Record<string, string>> = {},
  over: Partial<World> = {},
): Promise<Ran> {
  const held: Record<string, string> = { ...files }
  const out = paper()
  const err = paper()
  const readText = async (path: string) => held[path] ?? absent(path)
  const writeText = async (path: string, text: string) => {
    if (path.startsWith('full/')) throw Object.assign(new Error(path), { code: 'ENOSPC' })
    held[path] = text
  }
  const wire = deafAtNine(wireTo(labOf(ATLAS, 5)))
  const world = labWorld({ out, err, wire, readText, writeText, ...over })
  const exit = await program(words, world)
  return { exit, out: out.text(), err: err.text(), files: held }
}

/** A wire on which 127.0.0.9 never says a word. */
export function deafAtNine(wire: Wire): Wire {
  return {
    ...wire,
    datagram: async (...all) => {
      const [server, , forMs] = all
      if (server.address !== '127.0.0.9') return wire.datagram(...all)
      await wire.sleep(forMs)
      return 'timeout'
    },
  }
}
