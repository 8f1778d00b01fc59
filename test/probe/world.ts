/**
 * The world that a command of the probe is run in by tests: the lab on a wire without waiting, streams
 * that keep what is written to them, and a system whose resolver knows the lab's name servers.
 */
import { labOf } from '../../probe/lab/lab.ts'
import type { Stream, World } from '../../probe/world.ts'
import { ATLAS, TABLE, wireTo } from './in-process.ts'

/** A stream that keeps what is written to it. */
export type Paper = Stream & { readonly text: () => string }

export function paper(isTerminal = false): Paper {
  const parts: string[] = []
  const write = (text: string): void => {
    parts.push(text)
  }
  return { write, isTerminal, columns: undefined, text: () => parts.join('') }
}

/** What the lab's world says where no test says otherwise. 127.0.0.1 and .2 serve lab.test. */
export function labWorld(over: Partial<World> = {}): World {
  const rows = TABLE.map(({ country, prefix, preset }) => `${country},${prefix},someone,${preset}`)
  return {
    out: paper(),
    err: paper(),
    environment: {},
    wire: wireTo(labOf(ATLAS, 5)),
    system: {
      resolvers: () => ['127.0.0.1'],
      nameServers: async zone => (zone === 'lab.test' ? ['ns1.lab.test', 'ns2.lab.test'] : []),
      addresses: async host => (host === 'ns1.lab.test' ? ['127.0.0.1'] : ['127.0.0.2']),
    },
    width: 1,
    seed: () => 42,
    table: async () => ['country,prefix,holder,preset', ...rows].join('\n'),
    regions: async () => address => (address.startsWith('129.') ? 'DE' : 'US'),
    readText: path => absent(path),
    writeText: path => (path === 'full/disk' ? Promise.reject(new Error(path)) : Promise.resolve()),
    appendText: () => Promise.resolve(),
    today: () => new Date(0),
    interrupt: new AbortController().signal,
    version: '0.1.0',
    ...over,
  }
}

/** What `readText` does where there is no such file. */
export function absent(path: string): Promise<string> {
  return Promise.reject(Object.assign(new Error(path), { code: 'ENOENT' }))
}
