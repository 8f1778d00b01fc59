/** What tests of checks share: a world around the lab without sockets, with files in memory. */
import type { Wire } from '../../probe/ask/wire.ts'
import { labOf } from '../../probe/lab/lab.ts'
import { program } from '../../probe/program.ts'
import type { Stream, World } from '../../probe/world.ts'
import { ATLAS, TABLE, wireTo } from './in-process.ts'

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
  const out: string[] = []
  const err: string[] = []
  const world: World = {
    out: streamInto(out),
    err: streamInto(err),
    environment: {},
    wire: deafAtNine(wireTo(labOf(ATLAS, 5))),
    system: {
      resolvers: () => ['127.0.0.1'],
      nameServers: async zone => (zone === 'lab.test' ? ['ns1.lab.test', 'ns2.lab.test'] : []),
      addresses: async host => (host === 'ns1.lab.test' ? ['127.0.0.1'] : ['127.0.0.2']),
    },
    width: 1,
    seed: () => 42,
    table: async () => tableText(),
    regions: async () => address => (address.startsWith('129.') ? 'DE' : 'US'),
    readText: async path => held[path] ?? Promise.reject(missing(path)),
    writeText: async (path, text) => {
      if (path.startsWith('full/')) throw Object.assign(new Error(path), { code: 'ENOSPC' })
      held[path] = text
    },
    interrupt: new AbortController().signal,
    version: '0.1.0',
    ...over,
  }
  const exit = await program(words, world)
  return { exit, out: out.join(''), err: err.join(''), files: held }
}

/** A wire on which 127.0.0.9 never says a word. */
function deafAtNine(wire: Wire): Wire {
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

function streamInto(parts: string[]): Stream {
  return { write: text => void parts.push(text), isTerminal: false, columns: undefined }
}

function missing(path: string): Error {
  return Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' })
}

function tableText(): string {
  const rows = TABLE.map(({ country, prefix }) => `${country},${prefix},someone`)
  return `country,prefix,holder\n${rows.join('\n')}`
}
