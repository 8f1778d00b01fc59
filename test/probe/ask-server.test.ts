/** `@server` words, and how the servers of a zone are found. */
import { describe, expect, test } from 'vitest'
import { findServers } from '../../probe/ask/find.ts'
import { type System, zonesAbove } from '../../probe/ask/nameservers.ts'
import { demandOf, readServer, serverText, type Transport } from '../../probe/ask/server.ts'
import { isWrong } from '../../probe/plan/wrong.ts'

const host = (name: string, port?: number, transport?: Transport, more: object = {}) => ({
  kind: 'host', host: name, port, transport, ...more,
}) // biome-ignore format: one line

const GOOGLE = { name: 'dns.google' }
const QUAD9 = { name: 'dns11.quad9.net' }
const CLOUDFLARE = { name: 'cloudflare-dns.com' }

// biome-ignore format: table
const WORDS = [
  ['auth',                          { kind: 'auth' }],
  ['system',                        { kind: 'system' }],
  ['google',                        host('8.8.8.8', undefined, undefined, GOOGLE)],
  ['quad9-ecs',                     host('9.9.9.11', undefined, undefined, QUAD9)],
  ['cloudflare',                    host('1.1.1.1', undefined, undefined, CLOUDFLARE)],
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
  ['tls://192.0.2.1',               host('192.0.2.1', undefined, 'tls')],
  ['tls://dns.example#8853',        host('dns.example', 8853, 'tls')],
  ['tls://google',                  host('8.8.8.8', undefined, 'tls', GOOGLE)],
  ['tls://quad9-ecs',               host('9.9.9.11', undefined, 'tls', QUAD9)],
  ['tls://cloudflare',              host('1.1.1.1', undefined, 'tls', CLOUDFLARE)],
  ['https://dns.example',           host('dns.example', undefined, 'https')],
  ['https://dns.example/',          host('dns.example', undefined, 'https')],
  ['https://dns.example:8443/q/a',  host('dns.example', 8443, 'https', { path: '/q/a' })],
  ['https://dns.example/q{?dns}',   host('dns.example', undefined, 'https', { path: '/q' })],
  ['https://[2001:db8::1]/q',       host('2001:db8::1', undefined, 'https', { path: '/q' })],
  ['https://google',                host('8.8.8.8', undefined, 'https', GOOGLE)],
  ['json://dns.example/resolve',    host('dns.example', undefined, 'json', { path: '/resolve' })],
  ['json://google',                 host('8.8.8.8', undefined, 'json', { ...GOOGLE, path: '/resolve' })],
  ['json://cloudflare',             host('1.1.1.1', undefined, 'json', { ...CLOUDFLARE, path: '/dns-query' })],
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
  ['quic://192.0.2.1',           'quic:// is not supported, as Node.js 20 has no QUIC'],
  ['h3://dns.example/query',     'h3:// is not supported, as Node.js 20 has no QUIC'],
  ['ftp://192.0.2.1',            'ftp:// is not known'],
  ['https://',                   'not an address or a host name'],
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

describe('encrypted servers: port, name and path, and what they must show', () => {
  const known = {
    name: 'example.net',
    path: '/q',
    pins: [],
    ca: undefined,
    method: 'post',
  } as const
  const pin = { ...known, name: undefined, pins: ['A'], path: undefined }
  // biome-ignore format: table
  const ROWS = [
    // word, what else is said                                          as it is named                        must show
    ['tls://192.0.2.1',           {},                                   'tls://192.0.2.1#853',                'nothing'],
    ['192.0.2.1',                 { transport: 'tls' },                 'tls://192.0.2.1#853',                'nothing'],
    ['tls://192.0.2.1',           { secure: pin },                      'tls://192.0.2.1#853',                'pin'],
    ['tls://192.0.2.1',           { secure: known },                    'tls://example.net#853',              'name'],
    ['tls://ns1.example.net',     {},                                   'tls://ns1.example.net#853',          'name'],
    ['ns1.example.net',           { transport: 'tls', port: 8853 },     'tls://ns1.example.net#8853',         'name'],
    ['tls://google',              {},                                   'tls://dns.google#853',               'name'],
    ['https://192.0.2.1',         {},                                   'https://192.0.2.1/dns-query',        'name'],
    ['https://ns1.example.net',   {},                                   'https://ns1.example.net/dns-query',  'name'],
    ['https://[2001:db8::1]:8443', {},                                  'https://[2001:db8::1]:8443/dns-query', 'name'],
    ['192.0.2.1',                 { transport: 'https', secure: known }, 'https://example.net/q',             'name'],
    ['https://192.0.2.1/own',     { secure: known },                    'https://example.net/own',            'name'],
    ['json://google',             {},                                   'json://dns.google/resolve',          'name'],
  ] as const
  for (const [word, over, text, demand] of ROWS) {
    test(`@${word} ${JSON.stringify(over)}`, async () => {
      const read = readServer(word)
      if (isWrong(read)) throw new Error(read.wrong)
      const servers = await findServers(read, 'example.com', SYSTEM, { ...ANY, ...over })
      if (isWrong(servers)) throw new Error(servers.wrong)
      expect(servers.map(serverText)).toEqual([text])
      expect(servers.map(demandOf)).toEqual([demand])
    })
  }

  test('RFC 9539 authorities at their addresses, since nothing vouches for their names', async () => {
    const wish = { ...ANY, transport: 'tls', families: 4 } as const
    const servers = await findServers({ kind: 'auth' }, 'example.com', SYSTEM, wish)
    if (isWrong(servers)) throw new Error(servers.wrong)
    expect(servers.map(serverText)).toEqual(['tls://192.0.2.1#853', 'tls://192.0.2.2#853'])
  })
})

test('RFC 1034 §3.1 zones above a name end at the root', () => {
  expect(zonesAbove('a.example')).toEqual(['a.example', 'example', '.'])
  expect(zonesAbove('.')).toEqual(['.'])
})
