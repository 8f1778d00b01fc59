/** `@server` words, and how the servers of a zone are found. */
import { describe, expect, test } from 'vitest'
import { findServers, type System, zonesAbove } from '../../probe/ask/find.ts'
import { readServer } from '../../probe/ask/server.ts'
import { isWrong } from '../../probe/plan/wrong.ts'

const host = (name: string, port?: number, transport?: 'udp' | 'tcp') => ({
  kind: 'host', host: name, port, transport,
}) // biome-ignore format: one line

// biome-ignore format: table
const WORDS = [
  ['auth',                          { kind: 'auth' }],
  ['system',                        { kind: 'system' }],
  ['google',                        host('8.8.8.8')],
  ['quad9-ecs',                     host('9.9.9.11')],
  ['cloudflare',                    host('1.1.1.1')],
  ['192.0.2.1',                     host('192.0.2.1')],
  ['192.0.2.1#5353',                host('192.0.2.1', 5353)],
  ['192.0.2.1:5353',                host('192.0.2.1', 5353)],
  ['[2001:db8::1]:5353',            host('2001:db8::1', 5353)],
  ['[2001:db8::1]#5353',            host('2001:db8::1', 5353)],
  ['[2001:db8::1]',                 host('2001:db8::1')],
  ['2001:db8::1',                   host('2001:db8::1')],
  ['2001:db8::1#5353',              host('2001:db8::1', 5353)],
  ['ns1.example.com',               host('ns1.example.com')],
  ['ns1.example.com:53',            host('ns1.example.com', 53)],
  ['udp://192.0.2.1',               host('192.0.2.1', undefined, 'udp')],
  ['tcp://[2001:db8::1]:5353/',     host('2001:db8::1', 5353, 'tcp')],
] as const

describe('reads', () => {
  for (const [word, expected] of WORDS) {
    test(`@${word}`, () => {
      expect(readServer(word)).toEqual(expected)
    })
  }
})

// biome-ignore format: table
const REFUSED = [
  ['tls://192.0.2.1',            'tls:// is not supported yet'],
  ['https://dns.example/query',  'https:// is not supported yet'],
  ['quic://192.0.2.1',           'quic:// is not supported yet'],
  ['192.0.2.1:0',                '"0" is not a port'],
  ['192.0.2.1#65536',            '"65536" is not a port'],
  ['192.0.2.1:dns',              '"dns" is not a port'],
  ['',                           'not an address or a host name'],
  ['a b',                        'not an address or a host name'],
] as const

describe('refuses', () => {
  for (const [word, why] of REFUSED) {
    test(`@${word}`, () => {
      const read = readServer(word)
      expect(isWrong(read) ? read.wrong : read).toContain(why)
    })
  }
})

/** A system that knows one zone with two name servers. */
const SYSTEM: System = {
  resolvers: () => ['192.0.2.53', '[2001:db8::53]:5353'],
  nameServers: async zone => (zone === 'example.com' ? ['ns1.example.net', 'ns2.example.net'] : []),
  addresses: async (name, families) => {
    const last = name === 'ns1.example.net' ? 1 : 2
    const both = [`192.0.2.${last}`, `2001:db8::${last}`]
    return both.filter(address => families === 'both' || address.includes(':') === (families === 6))
  },
}
const ANY = {
  families: 'both', port: undefined, transport: undefined, recursion: 'desired',
} as const // biome-ignore format: one line

async function found(word: string, name: string, over: object = {}): Promise<unknown> {
  const read = readServer(word)
  if (isWrong(read)) throw new Error(read.wrong)
  const servers = await findServers(read, name, SYSTEM, { ...ANY, ...over })
  if (isWrong(servers)) return servers.wrong
  return servers.map(({ address, port, recursion }) => `${address} ${port} ${recursion}`)
}

describe('finds', () => {
  test('@auth: the name servers of the closest zone above the name, without RD', async () => {
    expect(await found('auth', 'a.b.example.com', { families: 4 })).toEqual([
      '192.0.2.1 53 not-desired',
      '192.0.2.2 53 not-desired',
    ])
  })

  test('@auth of a name in no zone', async () => {
    expect(await found('auth', 'nowhere.test')).toBe('no name servers found for nowhere.test')
  })

  test('@auth when the system has no working resolver', async () => {
    const broken = {
      ...SYSTEM,
      nameServers: () => Promise.reject(Object.assign(new Error(), { code: 'ECONNREFUSED' })),
    }
    const servers = await findServers({ kind: 'auth' }, 'example.com', broken, ANY)
    expect(isWrong(servers) && servers.wrong).toContain('ECONNREFUSED')
  })

  test('@system with RD', async () => {
    expect(await found('system', 'example.com')).toEqual([
      '192.0.2.53 53 desired',
      '2001:db8::53 5353 desired',
    ])
  })

  test('a host name, and -p', async () => {
    expect(await found('ns1.example.net', 'x.test', { port: 5353 })).toEqual([
      '192.0.2.1 5353 desired',
    ])
  })

  test('-6', async () => {
    expect(await found('ns1.example.net', 'x.test', { families: 6 })).toEqual([
      '2001:db8::1 53 desired',
    ])
  })
})

test('RFC 1034 §3.1 zones above a name end at the root', () => {
  expect(zonesAbove('a.example')).toEqual(['a.example', 'example', '.'])
  expect(zonesAbove('.')).toEqual(['.'])
})
