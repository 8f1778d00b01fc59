import { connect as connect2, constants } from 'node:http2'
import { request } from 'node:https'
import { connect } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Peer, Serve } from '../../server/answer/peer.ts'
import { Certificates, type PairFiles } from '../../server/transport/certificates.ts'
import { type Manner, PROTOCOLS } from '../../server/transport/connection.ts'
import { PLAIN, type TcpOptions, tcpService } from '../../server/transport/tcp.ts'
import { type Made, madePairs, secured } from '../kit/secure.ts'
import { echo, framed, handClock, query, until } from '../kit/transport.ts'

let made: Made
beforeAll(() => {
  made = madePairs()
})
afterAll(() => made.remove())

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const at = { file: 'lbdns.yaml', line: 1, column: 1 }
const filesOf = (cert: string, key: string): PairFiles => ({
  cert: { path: cert, at },
  key: { path: key, at },
})

type Opening = Partial<TcpOptions> & { readonly serve?: Serve; readonly manner?: Partial<Manner> }

async function open({ serve = echo, manner, ...options }: Opening = {}) {
  const certificates = new Certificates(() => undefined)
  const service = tcpService(serve, { onFault: () => undefined, ...options })
  const { over = 'tls' } = manner ?? {}
  const protocols = over === 'dns' ? [] : PROTOCOLS[over]
  const handshakes = certificates.hold(filesOf(made.cert, made.key), protocols)
  const whole = { ...PLAIN, over, handshakes, path: '/dns-query', ...manner } as const
  const listener = await service.open('127.0.0.1', 0, { ecs: true, manner: whole })
  closers.push(() => certificates.stop())
  closers.push(() => listener.close(0))
  return { listener, port: listener.port, counts: service.counts }
}

/** Asks over TLS, each message behind its length; resolves with as many replies. */
async function asked(socket: TLSSocket, ...queries: readonly Uint8Array[]): Promise<Buffer> {
  const wanted = framed(...queries).length
  let heard = Buffer.alloc(0)
  socket.on('data', chunk => {
    heard = Buffer.concat([heard, chunk])
  })
  socket.write(framed(...queries))
  await until(() => heard.length >= wanted)
  return heard
}

describe('DNS over TLS', () => {
  test('RFC 7858 §3.3 several queries over one connection, and who asked', async () => {
    const seen: Peer[] = []
    const { counts, port } = await open({
      serve: (octets, length, reply, peer) => {
        seen.push({ ...peer })
        return echo(octets, length, reply, peer)
      },
    })
    const socket = await secured(port, { ALPNProtocols: ['dot'] })
    closers.push(() => socket.destroy())
    const heard = await asked(socket, query(1), query(2, 300), query(3, 20_000))
    expect(heard.equals(framed(query(1), query(2, 300), query(3, 20_000)))).toBe(true)
    expect(socket.alpnProtocol).toBe('dot')
    expect(socket.getProtocol()).toBe('TLSv1.3')
    expect(seen[0]).toMatchObject({ transport: 'tls', family: 4, keepalive: 100 })
    expect(counts).toMatchObject({ handshakes: 1, unsecured: 0, received: 3, answered: 3 })
  })

  // biome-ignore format: table
  const HANDSHAKES = [
    // rule                                               client                                                       outcome
    ['RFC 7858 §3.1 without ALPN',                        {},                                                          'TLSv1.3'],
    ['TLS 1.2',                                           { maxVersion: 'TLSv1.2' },                                   'TLSv1.2'],
    ['RFC 7301 §3.2 an ALPN that is none of ours',        { ALPNProtocols: ['http/1.1'] },                             'refused'],
    ['RFC 8996 TLS 1.1',                                  { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }, 'refused'],
  ] as const

  for (const [rule, options, outcome] of HANDSHAKES) {
    test(`${rule}: ${outcome}`, async () => {
      const { counts, port } = await open()
      const socket = await secured(port, { ...options } as object).catch(() => undefined)
      if (socket !== undefined) closers.push(() => socket.destroy())
      expect(socket?.getProtocol() ?? 'refused').toBe(outcome)
      if (outcome === 'refused') {
        await until(() => counts.open === 0)
        expect(counts).toMatchObject({ unsecured: 1, handshakes: 0 })
      } else expect(await asked(socket as TLSSocket, query(1))).toHaveLength(42)
    })
  }

  test('octets that are no TLS: closed', async () => {
    const { counts, port } = await open()
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => undefined)
    closers.push(() => socket.destroy())
    socket.write(framed(query(1)))
    await until(() => counts.unsecured === 1 && counts.open === 0)
    await until(() => socket.closed)
  })

  test('who connects and says nothing, or half a hello, is closed when its time is up', async () => {
    const clock = handClock()
    const { counts, port } = await open({ clock })
    const mute = connect({ port, host: '127.0.0.1' }).on('error', () => undefined)
    const half = connect({ port, host: '127.0.0.1' }).on('error', () => undefined)
    half.write(Uint8Array.of(0x16, 3, 1, 0, 200, 1))
    await until(() => counts.open === 2)
    await new Promise(resolve => setTimeout(resolve, 30))
    clock.pass(10_000)
    await until(() => counts.open === 0 && mute.closed && half.closed)
    expect(counts.idle).toBe(2)
  })

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'RFC 8446 §2.2 a session is resumed: %s',
    async version => {
      const { port } = await open()
      const first = await secured(port, { maxVersion: version })
      await asked(first, query(1)) // in TLS 1.3 tickets come after the handshake
      const session = first.getSession()
      first.destroy()
      const second = await secured(port, { maxVersion: version, session })
      closers.push(() => second.destroy())
      expect(second.isSessionReused()).toBe(true)
    },
  )

  test('half-close: who has said its last gets its replies, and a goodbye', async () => {
    const { counts, port } = await open()
    const socket = await secured(port, { allowHalfOpen: true } as object)
    let heard = 0
    let isOver = false
    socket.on('data', chunk => {
      heard += chunk.length
    })
    socket.on('end', () => {
      isOver = true
      socket.destroy()
    })
    socket.end(framed(query(1), query(2)))
    await until(() => isOver && counts.open === 0)
    expect(heard).toBe(84)
  })

  test('draining: answered, then a goodbye', async () => {
    const { listener, port } = await open()
    const socket = await secured(port)
    let isOver = false
    socket.on('end', () => {
      isOver = true
    })
    await asked(socket, query(1))
    await listener.close(2000)
    await until(() => isOver)
  })
})

type Got = { readonly status: number; readonly headers: object; readonly body: Buffer }

/** Asks over HTTP/2, or HTTP/1.1 where told to. */
function get(port: number, version: 'h2' | 'http/1.1', ask: Ask): Promise<Got> {
  return version === 'h2' ? getTwo(port, ask) : getOne(port, ask)
}

type Ask = {
  readonly method?: string
  readonly path: string
  readonly headers?: object
  readonly body?: Uint8Array
}

function getOne(port: number, { body, headers = {}, method = 'GET', path }: Ask): Promise<Got> {
  return new Promise((resolve, reject) => {
    const options = {
      port,
      host: '127.0.0.1',
      path,
      method,
      rejectUnauthorized: false,
      agent: false,
    }
    const asking = request({ ...options, headers: { ...headers } }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      )
    })
    asking.on('error', reject)
    asking.end(body)
  })
}

function getTwo(port: number, { body, headers = {}, method = 'GET', path }: Ask): Promise<Got> {
  const session = connect2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  return new Promise<Got>((resolve, reject) => {
    session.on('error', reject)
    const stream = session.request(
      { ':path': path, ':method': method, ...headers },
      { endStream: body === undefined },
    )
    const chunks: Buffer[] = []
    let got: object = {}
    stream.on('response', head => {
      got = head
    })
    stream.on('error', reject)
    stream.on('data', chunk => chunks.push(chunk))
    stream.on('end', () =>
      resolve({
        status: Number((got as { ':status'?: number })[':status']),
        headers: got,
        body: Buffer.concat(chunks),
      }),
    )
    if (body !== undefined) stream.end(body)
  }).finally(() => session.destroy())
}

const TYPE = { 'content-type': 'application/dns-message' }
const inPath = (message: Uint8Array) =>
  `/dns-query?dns=${Buffer.from(message).toString('base64url')}`

describe.each(['h2', 'http/1.1'] as const)('DNS over HTTPS, %s', version => {
  const over = { manner: { over: 'https' } } as const

  // biome-ignore format: table
  const REQUESTS: readonly (readonly [string, Ask, number, Uint8Array])[] = [
    // rule                                   request                                                                            status  body
    ['RFC 8484 §4.1 GET',                     { path: inPath(query(0)) },                                                        200,    query(0)],
    ['RFC 8484 §4.1 POST',                    { path: '/dns-query', method: 'POST', headers: TYPE, body: query(1) },             200,    query(1)],
    ['the longest message',                   { path: '/dns-query', method: 'POST', headers: TYPE, body: query(2, 65_535) },     200,    query(2, 65_535)],
    ['RFC 9110 §9.3.2 HEAD',                  { path: inPath(query(0)), method: 'HEAD' },                                        200,    new Uint8Array(0)],
    ['too long a message',                    { path: '/dns-query', method: 'POST', headers: TYPE, body: query(3, 70_000) },     413,    new Uint8Array(0)],
    ['too short a message',                   { path: '/dns-query', method: 'POST', headers: TYPE, body: query(4, 11) },         400,    new Uint8Array(0)],
    ['another type',                          { path: '/dns-query', method: 'POST', headers: { 'content-type': 'text/plain' }, body: query(5) }, 415, new Uint8Array(0)],
    ['another method',                        { path: '/dns-query', method: 'PUT', headers: TYPE, body: query(6) },              405,    new Uint8Array(0)],
    ['another path',                          { path: '/' },                                                                     404,    new Uint8Array(0)],
    ['no message',                            { path: '/dns-query' },                                                            400,    new Uint8Array(0)],
  ]

  for (const [rule, ask, status, body] of REQUESTS) {
    test(`${rule}: ${status}`, async () => {
      const { counts, port } = await open(over)
      const got = await get(port, version, ask)
      expect([got.status, Buffer.compare(got.body, body)]).toEqual([status, 0])
      if (status === 405) expect(got.headers).toMatchObject({ allow: 'GET, HEAD, POST' })
      if (status === 200) {
        expect(got.headers).toMatchObject(TYPE)
        expect(counts.answered).toBe(1)
      }
      await until(() => counts.open === 0)
    })
  }

  test('nothing is said to what is no query: 400', async () => {
    const { port } = await open({ ...over, serve: () => 0 })
    expect((await get(port, version, { path: inPath(query(0)) })).status).toBe(400)
  })

  test('a fault of ours: 500, and the connection goes on', async () => {
    const serve: Serve = () => {
      throw new Error('a bug')
    }
    const { counts, port } = await open({ ...over, serve })
    expect((await get(port, version, { path: inPath(query(0)) })).status).toBe(500)
    expect(counts.faults).toBe(1)
  })

  test('one after the other over one connection: who, and no keepalive of DNS', async () => {
    const seen: Peer[] = []
    const serve: Serve = (octets, length, reply, peer) => {
      seen.push({ ...peer })
      return echo(octets, length, reply, peer)
    }
    const { port } = await open({ ...over, serve })
    await get(port, version, { path: inPath(query(0)) })
    expect(seen[0]).toMatchObject({ transport: 'https', keepalive: 0, family: 4 })
  })
})

describe('DNS over HTTPS under attack', () => {
  const over = { manner: { over: 'https' } } as const

  function session(port: number) {
    const made = connect2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
    made.on('error', () => undefined)
    closers.push(() => made.destroy())
    return made
  }

  test('CVE-2023-44487: whoever resets streams without end is sent away', async () => {
    const { port } = await open(over)
    const attacker = session(port)
    await new Promise(resolve => attacker.once('connect', resolve))
    const post = { ':path': '/dns-query', ':method': 'POST', ...TYPE }
    for (let round = 0; round < 40 && !attacker.destroyed; round += 1) {
      const streams = Array.from({ length: 80 }, () => attacker.request(post))
      for (const stream of streams) stream.on('error', () => undefined)
      await new Promise(resolve => setTimeout(resolve, 10))
      for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL)
    }
    await until(() => attacker.destroyed || attacker.closed, 8000)
    expect((await get(port, 'h2', { path: inPath(query(0)) })).status).toBe(200)
  })

  test('bodies that never end are closed when their time is up', async () => {
    const clock = handClock()
    const { counts, port } = await open({ ...over, clock })
    const attacker = session(port)
    const stream = attacker.request({ ':path': '/dns-query', ':method': 'POST', ...TYPE })
    stream.on('error', () => undefined)
    stream.write(query(0))
    await until(() => counts.open === 1)
    await new Promise(resolve => setTimeout(resolve, 50))
    clock.pass(10_000)
    await until(() => counts.open === 0 && attacker.destroyed)
    expect(counts).toMatchObject({ idle: 1, received: 0 })
  })

  test('draining: a request under way is answered, and the session ends', async () => {
    const { listener, port } = await open(over)
    const client = session(port)
    const stream = client.request({ ':path': '/dns-query', ':method': 'POST', ...TYPE })
    let status = 0
    stream.on('response', head => {
      status = head[':status'] ?? 0
    })
    stream.resume()
    stream.write(query(1))
    await new Promise(resolve => setTimeout(resolve, 100))
    const drained = listener.close(3000)
    await new Promise(resolve => setTimeout(resolve, 50))
    stream.end()
    await drained
    await until(() => status === 200 && client.destroyed)
  })
})
