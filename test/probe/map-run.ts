/** `lbprobe map` against the lab, without sockets and without a disk: files are kept in memory. */
import { mapCommand } from '../../probe/commands/map.ts'
import { labOf } from '../../probe/lab/lab.ts'
import { MAP_FLAGS, type MapFlags } from '../../probe/options/map.ts'
import type { World } from '../../probe/world.ts'
import { ATLAS, wireTo } from './in-process.ts'

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
  const out: string[] = []
  const err: string[] = []
  const { world, sent } = worldOf(disk, out, err, over)
  const append = async (path: string, text: string): Promise<void> => {
    if (path === 'full/disk') throw Object.assign(new Error(path), { code: 'ENOSPC' })
    disk.set(path, (disk.get(path) ?? '') + text)
  }
  const name = label === '' ? [] : [`${label}.lab.test`]
  const exit = await mapCommand(['@127.0.0.1:5300', ...name], flagsOf(words), world, append)
  return { exit, out: out.join(''), err: err.join(''), sent: sent() }
}

/** As commander reads them. */
function flagsOf(words: readonly string[]): MapFlags {
  const flags: Record<string, unknown> = {}
  const left = words.values()
  for (const word of left) {
    const known = MAP_FLAGS.find(([flag]) => flag.split(/[ ,]+/).includes(word))
    if (known === undefined) throw new Error(`no flag ${word}`)
    const [spec, , gather] = known
    const long = /--([a-z0-9-]+)/.exec(spec)?.[1] ?? ''
    const key = long.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
    const value = spec.includes('<') ? (left.next().value ?? '') : true
    flags[key] = gather === undefined ? value : gather(String(value), flags[key] as string[])
  }
  return flags as MapFlags
}

function worldOf(disk: Disk, out: string[], err: string[], over: Partial<World>) {
  const wire = wireTo(labOf(ATLAS, 5))
  let count = 0
  const streamTo = (parts: string[]): World['out'] => {
    return { write: text => void parts.push(text), isTerminal: false, columns: undefined }
  }
  const readText = async (path: string): Promise<string> => {
    const text = disk.get(path)
    if (text === undefined) throw Object.assign(new Error(path), { code: 'ENOENT' })
    return text
  }
  const world: World = {
    out: streamTo(out),
    err: streamTo(err),
    environment: {},
    wire: {
      ...wire,
      datagram: (...all) => {
        count += 1
        return wire.datagram(...all)
      },
    },
    system: { resolvers: () => [], nameServers: async () => [], addresses: async () => [] },
    width: 1,
    seed: () => 42,
    table: async () => '',
    regions: async () => () => undefined,
    readText,
    writeText: async (path, text) => void disk.set(path, text),
    appendText: async (path, text) => void disk.set(path, (disk.get(path) ?? '') + text),
    today: () => new Date(0),
    interrupt: new AbortController().signal,
    version: '0.1.0',
    ...over,
  }
  return { world, sent: () => count }
}
