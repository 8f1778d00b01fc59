/**
 * The admin API over time: ports that cannot be had, reloads that move it, clients that take for ever,
 * and its end. Whatever happens, it answers the next one.
 */
import { readFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { ask, bearer, begun, opened, post, secretFile, TOKEN } from '../kit/admin.ts'
import { closeAll, closing, drip, listening, nobody } from '../kit/health.ts'
import { stopAll } from '../kit/process.ts'
import { until } from '../kit/transport.ts'

afterEach(closeAll)
afterAll(stopAll)

/** What a socket has heard, and whether it is closed. */
type Heard = { readonly socket: Socket; text: string; isClosed: boolean }

function client(port: number): Heard {
  const socket = connect({ host: '127.0.0.1', port })
  const heard: Heard = { socket, text: '', isClosed: false }
  socket.on('data', octets => {
    heard.text += octets.toString('latin1')
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    heard.isClosed = true
  })
  closing(() => socket.destroy())
  return heard
}

const refusedAt = (port: number) =>
  ask(port).then(
    () => 'answered',
    cause => cause.code,
  )

describe('a port', () => {
  test('that another has is warned of, and tried again at the next reload', async () => {
    const { admin, place, warned } = await opened()
    const other = await listening(createServer())
    const taken = { ...place, port: other.port }
    await admin.follow(taken)
    expect([admin.port, warned]).toEqual([
      undefined,
      [
        `lbdns.yaml:1:8: the admin API: listen EADDRINUSE: address already in use 127.0.0.1:${other.port}`,
      ],
    ])
    other.close()
    await until(() => other.open() === 0)
    await admin.follow(taken)
    expect(warned.length).toBe(1)
    expect((await ask(other.port)).status).toBe(200)
  })

  test('of an address that this machine does not have is warned of', async () => {
    const { admin, place, warned } = await opened()
    await admin.follow({ ...place, host: '192.0.2.1' })
    expect([admin.port, warned.length]).toEqual([undefined, 1])
    expect(warned[0]).toContain('EADDRNOTAVAIL')
  })

  test('that a reload leaves as it is, stays open for those who are connected', async () => {
    const { admin, place, port } = await opened()
    const stream = await begun(port, { path: '/events' })
    await admin.follow({ ...place })
    expect(admin.port).toBe(port)
    expect(admin.counts.streams.open).toBe(1)
    stream.destroy()
  })

  test('that a reload takes away is closed, and the new one answers', async () => {
    const { admin, place, port } = await opened()
    const next = await nobody()
    await admin.follow({ ...place, port: next })
    expect(await refusedAt(port)).toBe('ECONNREFUSED')
    expect((await ask(next)).status).toBe(200)
    await admin.follow(undefined)
    expect(await refusedAt(next)).toBe('ECONNREFUSED')
  })

  test('that a reload takes away lets the request end that asked for the reload', async () => {
    const stage = await opened()
    stage.reply = async () => {
      await stage.admin.follow(undefined)
      return { ok: true, value: 'reloaded' }
    }
    const answer = await post(stage.port, '/reload', {})
    expect([answer.status, answer.body]).toEqual([200, { ok: true, value: 'reloaded' }])
  })

  test('that a reload takes away takes no other request of who is connected still', async () => {
    const stage = await opened()
    const { admin, port } = stage
    let go = () => {}
    stage.reply = () =>
      new Promise(resolve => {
        go = () => resolve({ ok: true, value: 1 })
      })
    const heard = client(port)
    const request = 'GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n'
    heard.socket.write(request)
    await until(() => stage.obeyed.length === 1)
    await admin.follow(undefined)
    heard.socket.write(request)
    go()
    await until(() => heard.isClosed || heard.text.split('HTTP/1.1').length > 2)
    expect(stage.obeyed.length).toBe(1)
    expect(heard.text).toMatch(/^HTTP\/1.1 200 OK\r\n/)
  })

  test('is what the last of many reloads says', async () => {
    const { admin, place } = await opened()
    const last = await nobody()
    const ports = [await nobody(), last]
    await Promise.all(ports.map(port => admin.follow({ ...place, port })))
    expect(admin.port).toBe(last)
    expect(await refusedAt(ports[0] ?? 0)).toBe('ECONNREFUSED')
  })
})

describe('tokens', () => {
  // biome-ignore format: table
  const TABLE = [
    ['that a reload takes away',              TOKEN,     'another-token-of-32-characters-x'],
    ['that a reload gives another name',      TOKEN,     `ada ${TOKEN}`],
    ['that are asked for from now on',        undefined, TOKEN],
    ['of which there are none from now on',   TOKEN,     ''],
    ['that are asked for, and there are none', undefined, ''],
  ] as const
  test.each(TABLE)('%s end streams that were opened before', async (_, before, after) => {
    const { admin, place, port } = await opened(before)
    const stream = await begun(port, { path: '/events', headers: bearer() })
    let isOver = false
    stream.resume().on('end', () => {
      isOver = true
    })
    const path = secretFile(after)
    await admin.follow({ ...place, tokenFile: { path, at: place.at } })
    await until(() => isOver)
    expect((await ask(port)).status).toBe(401)
  })

  test('that a reload leaves as they are, end none', async () => {
    const { admin, place, port } = await opened(TOKEN)
    const stream = await begun(port, { path: '/events', headers: bearer() })
    await admin.follow({ ...place })
    expect(admin.counts.streams.open).toBe(1)
    stream.destroy()
  })
})

const IMPATIENT = { headersMs: 300, requestMs: 600, idleMs: 900, lookMs: 50 }

describe('a client that takes for ever', () => {
  const HEAD = 'POST /reload HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'

  // biome-ignore format: table
  const TABLE: readonly (readonly [string, (socket: Socket) => void, RegExp])[] = [
    ['says nothing',                 () => undefined,                                                                /^(HTTP\/1.1 408 .*)?$/s],
    ['drips its header fields',      socket => { socket.write(HEAD); drip(socket, 'a: b\r\n') },                     /^HTTP\/1.1 (408|431) /],
    ['drips its body',               socket => { socket.write(`${HEAD}Content-Length: 60000\r\n\r\n`); drip(socket, ' ') }, /^HTTP\/1.1 408 /],
    ['drips its chunks',             socket => { socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`); drip(socket, '1\r\n \r\n') }, /^HTTP\/1.1 408 /],
    ['does not end its body',        socket => socket.write(`${HEAD}Content-Length: 9\r\n\r\n{`),                    /^HTTP\/1.1 408 /],
  ]
  test.each(TABLE)('%s', async (_, acts, hears) => {
    const { port, obeyed } = await opened(undefined, IMPATIENT)
    const heard = client(port)
    acts(heard.socket)
    await until(() => heard.isClosed, 10_000)
    expect(heard.text).toMatch(hears)
    expect(obeyed).toEqual([])
    expect((await ask(port)).status).toBe(200)
  })

  test('does not read a long answer', async () => {
    const stage = await opened(undefined, IMPATIENT)
    stage.reply = async () => ({ ok: true, value: 'x'.repeat(32 * 1024 * 1024) })
    const heard = client(stage.port)
    heard.socket.write('GET /dump HTTP/1.1\r\nHost: localhost\r\n\r\n')
    heard.socket.pause()
    await until(() => stage.obeyed.length === 1)
    await until(() => stage.admin.counts.connections.open === 0, 10_000)
  })
})

describe('what is no request', () => {
  const GET = 'GET /status HTTP/1.1\r\n'

  // biome-ignore format: table
  const TABLE: readonly (readonly [string, string, RegExp])[] = [
    ['another protocol',                        'SSH-2.0-OpenSSH_9.2\r\n',                                              /^HTTP\/1.1 400 /],
    ['a TLS handshake',                         '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',                /^HTTP\/1.1 400 /],
    ['HTTP/2, by prior knowledge',              'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',                               /^HTTP\/1.1 [45]\d\d /],
    ['RFC 9112 §3.2 no Host',                   `${GET}\r\n`,                                                           /^HTTP\/1.1 400 /],
    ['HTTP/1.0 without a Host',                 'GET /status HTTP/1.0\r\n\r\n',                                       /^HTTP\/1.1 400 .*"problems"/s],
    ['a Host that is none',                     `${GET}Host: a b\r\n\r\n`,                                            /^HTTP\/1.1 400 .*"problems"/s],
    ['header fields of more than 16 KiB',       `${GET}Host: localhost\r\na: ${'b'.repeat(17_000)}\r\n\r\n`,        /^HTTP\/1.1 431 /],
    ['RFC 9112 §6.3 two lengths',               `${GET}Host: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`, /^HTTP\/1.1 400 /],
    ['RFC 9112 §6.1 a length, and chunks',      `POST /reload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, /^HTTP\/1.1 400 /],
    ['chunks of no length',                     `POST /reload HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`, /^HTTP\/1.1 400 /],
    ['a tunnel',                                'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n',    /^$/],
    ['the whole server',                        'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', /^HTTP\/1.1 4\d\d /],
    ['another server',                          'GET https://evil.example/status HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n', /^HTTP\/1.1 403 /],
    ['a URL that is none',                      'GET http://[ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', /^HTTP\/1.1 400 /],
    ['an expectation that nobody meets',        `${GET}Host: localhost\r\nExpect: miracles\r\nConnection: close\r\n\r\n`, /^HTTP\/1.1 417 /],
  ]
  test.each(TABLE)('%s', async (_, text, hears) => {
    const { port, obeyed } = await opened(undefined, IMPATIENT)
    const heard = client(port)
    heard.socket.write(text, 'latin1')
    await until(() => heard.isClosed, 10_000)
    expect(heard.text).toMatch(hears)
    expect(obeyed).toEqual([])
    expect((await ask(port)).status).toBe(200)
  })

  test('an upgrade: it is answered as if it were none', async () => {
    const { port } = await opened()
    const headers = { connection: 'upgrade', upgrade: 'websocket' }
    expect((await ask(port, { headers })).status).toBe(200)
  })
})

describe('a client that is gone', () => {
  test('in its body', async () => {
    const { port, admin, obeyed } = await opened()
    const heard = client(port)
    const head = 'POST /drain HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
    heard.socket.write(`${head}Content-Length: 99\r\n\r\n{"what"`)
    await until(() => admin.counts.requests === 1)
    heard.socket.resetAndDestroy()
    await until(() => admin.counts.connections.open === 0)
    expect((await ask(port)).status).toBe(200)
    expect([obeyed.length, admin.counts.broken]).toEqual([1, 0])
  })

  test('before its answer', async () => {
    const stage = await opened()
    const { admin, obeyed, port } = stage
    let go = () => {}
    stage.reply = () =>
      new Promise(resolve => {
        go = () => resolve({ ok: true, value: 1 })
      })
    const heard = client(port)
    heard.socket.write('GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await until(() => obeyed.length === 1)
    heard.socket.resetAndDestroy()
    await until(() => admin.counts.connections.open === 0)
    go()
    stage.reply = async () => ({ ok: true, value: 2 })
    expect((await ask(port)).status).toBe(200)
    expect(admin.counts.broken).toBe(0)
  })
})

test('more than 64 connections are refused, and those that say nothing make room', async () => {
  const { admin, port } = await opened(undefined, {
    ...IMPATIENT,
    headersMs: 1_000,
    requestMs: 1_000,
  })
  const silent = Array.from({ length: 64 }, () => client(port))
  await until(() => admin.counts.connections.open === 64)
  expect(await refusedAt(port)).toBe('ECONNRESET')
  expect(admin.counts.connections.refused).toBe(1)
  await until(() => silent.every(({ isClosed }) => isClosed), 10_000)
  expect((await ask(port)).status).toBe(200)
})

describe('the end', () => {
  test('comes within a second or so, whatever is open', async () => {
    const stage = await opened()
    const { admin, obeyed, port } = stage
    stage.reply = () => new Promise(() => undefined)
    const hung = client(port)
    hung.socket.write('GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const silent = client(port)
    const stream = client(port)
    stream.socket.write('GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await until(() => obeyed.length === 1 && admin.counts.streams.open === 1)
    const before = performance.now()
    await admin.close()
    expect(performance.now() - before).toBeLessThan(3_000)
    await until(() => hung.isClosed && silent.isClosed && stream.isClosed)
    expect(stream.text).toMatch(/0\r\n\r\n$/)
    expect(await refusedAt(port)).toBe('ECONNREFUSED')
  })

  test('comes at once where nothing is open, and nothing opens it again', async () => {
    const { admin, place, port } = await opened()
    await admin.close()
    await admin.follow(place)
    await admin.close()
    expect([admin.port, await refusedAt(port)]).toEqual([undefined, 'ECONNREFUSED'])
  })
})

/** The packages that are loaded with a file of ours, at once. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return new Set()
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  const packages = new Set<string>()
  for (const [, from = ''] of text.matchAll(
    /^(?:import|export)\b(?! type\b)[^'"]*?from '([^']+)'/gm,
  )) {
    if (!from.startsWith('.')) packages.add(from)
    else for (const one of loadedWith(join(dirname(file), from), seen)) packages.add(one)
  }
  return packages
}

// biome-ignore format: table
const LOADED = [
  ['the admin API',  'server/ops/admin.ts',    'server/ops/admin-routes.ts', 'hono'],
  ['webhooks',       'server/ops/webhooks.ts', 'server/ops/post.ts',         'undici'],
] as const

test.each(LOADED)('a server without %s loads none of its libraries', (_, file, later, name) => {
  const packages = [...loadedWith(file)].filter(one => !one.startsWith('node:'))
  expect(packages).toEqual([])
  expect(loadedWith(later)).toContain(name)
})
