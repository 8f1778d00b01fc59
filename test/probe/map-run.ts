/** `lbprobe map` against the lab, without sockets and without a disk: files are kept in memory. */
import { labOf } from '../../probe/lab/lab.ts'
import { program } from '../../probe/program.ts'
import type { World } from '../../probe/world.ts'
import { ATLAS, wireTo } from './in-process.ts'
import { absent, labWorld, paper } from './world.ts'

export type Mapping = {
  readonly exit: number
  readonly out: string
  readonly err: string
  /** Datagrams that were sent. */
  readonly sent: number
}

/** Files by name. */
export type Disk = Map<string, string>

/**
 * One use of it, for a name of the lab.
 *
 * @param line `geo --samples 0`: the name's label, then flags
 * @param over what the world does otherwise
 */
export async function map(
  line: string,
  disk: Disk = new Map(),
  over: Partial<World> = {},
): Promise<Mapping> {
  const [label = '', ...words] = line.split(' ')
  const name = label === '' ? [] : [`${label}.lab.test`]
  return mapOf(['@127.0.0.1:5300', ...name, ...words], disk, over)
}

/** @param words after `map`, as they are */
export async function mapOf(
  words: readonly string[],
  disk: Disk,
  over: Partial<World> = {},
): Promise<Mapping> {
  const [out, err] = [paper(), paper()]
  const { world, sent } = worldOf(disk, { out, err, ...over })
  const exit = await program(['map', ...words], world)
  return { exit, out: out.text(), err: err.text(), sent: sent() }
}

function worldOf(disk: Disk, over: Partial<World>) {
  const wire = wireTo(labOf(ATLAS, 5))
  let count = 0
  const counting: World['wire'] = {
    ...wire,
    datagram: (...all) => {
      count += 1
      return wire.datagram(...all)
    },
  }
  const world = labWorld({
    wire: counting,
    system: { resolvers: () => [], nameServers: async () => [], addresses: async () => [] },
    readText: async path => disk.get(path) ?? absent(path),
    writeText: async (path, text) => {
      if (path === 'full/disk') throw Object.assign(new Error(path), { code: 'EACCES' })
      disk.set(path, text)
    },
    appendText: async (path, text) => {
      if (path === 'full.jsonl') throw Object.assign(new Error(path), { code: 'ENOSPC' })
      disk.set(path, (disk.get(path) ?? '') + text)
    },
    ...over,
  })
  return { world, sent: () => count }
}
