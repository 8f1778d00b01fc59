/** What the HTTP side of operations answers, and that no guest is in another one's way. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type Answers,
  type Limits,
  openEndpoint,
  type Readiness,
} from '../../server/ops/endpoint.ts'
import { until } from '../kit/process.ts'

const closers: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const TEXT = { text: 'lbdns_x_total 1\n', type: 'text/plain; version=0.0.4; charset=utf-8' }

async function opened(answers: Partial<Answers> = {}, limits?: Partial<Limits>) {
  const faults: unknown[] = []
  const whole: Answers = {
    metrics: async () => TEXT,
    isWell: () => true,
    readiness: () => 'ready',
    onFault: cause => faults.push(cause),
    ...answers,
  }
  const usual = { most: 16, lifeMs: 30_000, requestMs: 5_000 }
  const endpoint = await openEndpoint('127.0.0.1', 0, whole, { ...usual, ...limits })
  closers.push(endpoint.close)
  return { ...endpoint, faults, url: `http://127.0.0.1:${endpoint.port}` }
}

/** A connection that says what it is told to, and reads only when it is told to. */
async function guest(port: number, says = ''): Promise<{ socket: Socket; isOver: () => boolean }> {
  const socket = connect({ host: '127.0.0.1', port })
  let over = false
  socket.on('error', () => {})
  socket.on('close', () => (over = true))
  closers.push(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(says)
  return { socket, isOver: () => over }
}

// biome-ignore format: table
const ASKED = [
  // method  path             well   state        status  said
  ['GET',    '/metrics',      true,  'ready',     200,    'lbdns_x_total 1\n'],
  ['HEAD',   '/metrics',      true,  'ready',     200,    ''],
  ['GET',    '/metrics?a=b',  true,  'draining',  200,    'lbdns_x_total 1\n'],
  ['POST',   '/metrics',      true,  'ready',     404,    '404 Not Found'],
  ['GET',    '/healthz',      true,  'ready',     200,    'ok'],
  ['GET',    '/healthz',      true,  'starting',  200,    'ok'],
  ['GET',    '/healthz',      true,  'draining',  200,    'ok'],
  ['GET',    '/healthz',      false, 'ready',     503,    'a worker does not answer'],
  ['GET',    '/readyz',       true,  'ready',     200,    'ready'],
  ['GET',    '/readyz',       true,  'starting',  503,    'starting'],
  ['GET',    '/readyz',       true,  'draining',  503,    'draining'],
  ['GET',    '/readyz',       false, 'ready',     200,    'ready'],
  ['GET',    '/',             true,  'ready',     404,    '404 Not Found'],
  ['GET',    '/metrics/x',    true,  'ready',     404,    '404 Not Found'],
] as const satisfies readonly (readonly [string, string, boolean, Readiness, number, string])[]

describe('what is answered', () => {
  test.each(ASKED)('%s %s, well %s, %s: %i', async (method, path, well, state, status, said) => {
    const { url } = await opened({ isWell: () => well, readiness: () => state })
    const reply = await fetch(`${url}${path}`, { method })
    expect([reply.status, await reply.text()]).toEqual([status, said])
    if (said === TEXT.text) expect(reply.headers.get('content-type')).toBe(TEXT.type)
  })

  test('metrics that cannot be made: 500, it is told, and the others are answered', async () => {
    const cause = new Error('no figures')
    const { faults, url } = await opened({ metrics: () => Promise.reject(cause) })
    expect((await fetch(`${url}/metrics`)).status).toBe(500)
    expect(faults).toEqual([cause])
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })

  test('an address that another has: the system says so', async () => {
    const { port } = await opened()
    const again = openEndpoint('127.0.0.1', port, {} as Answers)
    await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  test('it ends with its connections, and its address is free', async () => {
    const { close, port, url } = await opened()
    await fetch(`${url}/healthz`)
    const idle = await guest(port)
    await close()
    await until('it is cut', idle.isOver)
    const next = await openEndpoint('127.0.0.1', port, {
      onFault: () => {},
    } as Partial<Answers> as Answers)
    await next.close()
  })
})

describe('guests', () => {
  test('one too many: the oldest goes, the newest is heard', async () => {
    const { port, url } = await opened({}, { most: 3 })
    const [oldest, second] = [await guest(port), await guest(port), await guest(port)]
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    await until('the oldest is cut', () => oldest?.isOver() ?? false)
    expect(second?.isOver()).toBe(false)
  })

  test('one that says half a request is not waited for', async () => {
    const { port } = await opened({}, { requestMs: 200 })
    const slow = await guest(port, 'GET /metrics HTTP/1.1\r\nHost: a')
    await until('it is cut', () => {
      slow.socket.resume()
      return slow.isOver()
    })
  })

  test('one that reads nothing is cut off, and others are answered meanwhile', async () => {
    const text = 'x'.repeat(32 << 20)
    const { port, url } = await opened(
      { metrics: async () => ({ ...TEXT, text }) },
      { lifeMs: 500 },
    )
    const slow = await guest(port, 'GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n')
    slow.socket.pause()
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    let octets = 0
    slow.socket.on('data', chunk => (octets += chunk.length))
    slow.socket.pause()
    await new Promise(resolve => setTimeout(resolve, 1_000))
    slow.socket.resume()
    await until('it is cut', slow.isOver)
    expect(octets).toBeLessThan(text.length)
  })

  test('headers without end are refused', async () => {
    const { port, url } = await opened()
    const { socket } = await guest(port, `GET / HTTP/1.1\r\nHost: a\r\nA: ${'a'.repeat(9_000)}`)
    const [said] = await once(socket, 'data')
    expect(String(said)).toMatch(/^HTTP\/1.1 431 /)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })

  test('what is no HTTP is refused', async () => {
    const { port, url } = await opened()
    const { socket } = await guest(port, '\u0000\u0001 nonsense\r\n\r\n')
    const [said] = await once(socket, 'data')
    expect(String(said)).toMatch(/^HTTP\/1.1 400 /)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })
})
