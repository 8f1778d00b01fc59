/** One POST to receivers on loopback that behave, or not; and what stays open of it. */
import type { IncomingMessage, RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { afterEach, describe, expect, test } from 'vitest'
import { type Outcome, post } from '../../server/ops/post.ts'
import {
  certificates,
  closeAll,
  drip,
  flood,
  hasOpenssl,
  httpTarget,
  listening,
  nobody,
  opened,
  rawTarget,
  type Target,
} from '../kit/health.ts'
import { until } from '../kit/transport.ts'

afterEach(closeAll)

const BODY = '{"id":1,"kind":"reloaded","digest":"ü"}'

/** Posts once, with so much time. */
async function posted(url: string, ms = 5_000): Promise<Outcome> {
  const signal = AbortSignal.timeout(ms)
  return post({ url, fields: { 'content-type': 'application/json' }, body: BODY }, signal)
}

const at = ({ port }: Target, path = '/') => `http://127.0.0.1:${port}${path}`

describe('a status', () => {
  const taken: Outcome = { kind: 'taken' }
  const refused = (status: number): Outcome => ({ kind: 'refused', why: `status ${status}` })
  const later = (status: number, askedMs?: number): Outcome => ({
    ...{ kind: 'later', why: `status ${status}`, askedMs },
  })

  // biome-ignore format: table
  const TABLE: readonly (readonly [string, number, Record<string, string>, Outcome])[] = [
    ['RFC 9110 §15.3.1 OK',                       200, {},                                taken],
    ['RFC 9110 §15.3.5 No Content',               204, {},                                taken],
    ['the last that is a success',                299, {},                                taken],
    ['RFC 9110 §15.4 a redirect is not followed', 302, { location: '/elsewhere' },        refused(302)],
    ['RFC 9110 §15.4.8 nor one that keeps POST',  307, { location: '/elsewhere' },        refused(307)],
    ['RFC 9110 §15.5.1 Bad Request',              400, {},                                refused(400)],
    ['RFC 9110 §15.5.2 Unauthorized',             401, {},                                refused(401)],
    ['RFC 9110 §15.5.11 Gone',                    410, { 'retry-after': '7' },            refused(410)],
    ['RFC 6585 §4 Too Many Requests',             429, {},                                later(429)],
    ['RFC 6585 §4 Too Many Requests, until then', 429, { 'retry-after': '7' },            later(429, 7_000)],
    ['RFC 9110 §15.6.1 Internal Server Error',    500, {},                                later(500)],
    ['RFC 9110 §15.6.4 Service Unavailable',      503, { 'retry-after': '120' },          later(503, 120_000)],
    ['RFC 9110 §10.2.3 after no time at all',     503, { 'retry-after': '0' },            later(503)],
    ['RFC 9110 §10.2.3 after less than that',     503, { 'retry-after': '-7' },           later(503)],
    ['RFC 9110 §10.2.3 after words',              503, { 'retry-after': 'soon' },         later(503)],
    ['RFC 9110 §10.2.3 after a date gone by',     503, { 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT' }, later(503)],
    ['RFC 9110 §15 past all',                     599, {},                                later(599)],
  ]
  test.each(TABLE)('%s', async (_, status, headers, outcome) => {
    const asked: IncomingMessage[] = []
    const answer: RequestListener = (request, response) => {
      asked.push(request)
      response.writeHead(status, headers).end()
    }
    const target = await opened(httpTarget(answer))
    expect(await posted(at(target))).toEqual(outcome)
    await until(() => target.open() === 0)
    expect([target.ever(), asked.length]).toEqual([1, 1])
  })

  test('RFC 9110 §10.2.3 after a date to come', async () => {
    const date = new Date(Date.now() + 90_000).toUTCString()
    const answer: RequestListener = (_, response) => {
      response.writeHead(503, { 'retry-after': date }).end()
    }
    const outcome = await posted(at(await opened(httpTarget(answer))))
    const askedMs = outcome.kind === 'later' ? (outcome.askedMs ?? 0) : 0
    expect(askedMs).toBeGreaterThan(60_000)
    expect(askedMs).toBeLessThanOrEqual(90_000)
  })
})

test('what is posted gets there as it is', async () => {
  let heard: { method?: string; url?: string; headers: object; body: string } | undefined
  const answer: RequestListener = async (request, response) => {
    const pieces: Uint8Array[] = []
    for await (const piece of request) pieces.push(piece)
    const { headers, method = '', url = '' } = request
    heard = { method, url, headers, body: Buffer.concat(pieces).toString() }
    response.end()
  }
  const target = await opened(httpTarget(answer))
  expect(await posted(at(target, '/a/b?c=d'))).toEqual({ kind: 'taken' })
  expect(heard).toMatchObject({ method: 'POST', url: '/a/b?c=d', body: BODY })
  expect(heard?.headers).toEqual({
    ...{ host: `127.0.0.1:${target.port}`, connection: 'close' },
    ...{ 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(BODY)}` },
  })
})

describe('a receiver that does not behave', () => {
  const HEAD = 'HTTP/1.1 200 OK\r\n'
  const LONG = 'x'.repeat(70_000)

  // biome-ignore format: table
  const TABLE: readonly (readonly [string, Parameters<typeof rawTarget>[0], Outcome['kind']])[] = [
    ['never answers',                 () => undefined,                                                               'later'],
    ['hangs up',                      socket => socket.end(),                                                        'later'],
    ['resets',                        socket => socket.resetAndDestroy(),                                            'later'],
    ['speaks something else',         socket => socket.end('SSH-2.0-OpenSSH_9.2\r\n'),                               'later'],
    ['drips its head',                socket => { socket.write(HEAD); drip(socket, 'a: b\r\n') },                    'later'],
    ['has an endless head',           socket => { socket.write(HEAD); flood(socket, `a: ${'b'.repeat(1000)}\r\n`) }, 'later'],
    ['goes on saying 100',            socket => drip(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),                       'later'],
    ['changes its protocol',          socket => socket.write('HTTP/1.1 101 x\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'), 'later'],
    ['has an endless body',           socket => { socket.write(`${HEAD}\r\n`); flood(socket, LONG) },                'taken'],
    ['drips its body',                socket => { socket.write(`${HEAD}\r\n`); drip(socket, '.') },                  'taken'],
    ['lies about its length',         socket => socket.end(`${HEAD}content-length: 99\r\n\r\nx`),                    'taken'],
  ]
  test.each(TABLE)('%s', async (_, heard, kind) => {
    const target = await opened(rawTarget(heard))
    expect(await posted(at(target), 500)).toMatchObject({ kind })
    await until(() => target.open() === 0)
    expect(target.ever()).toBe(1)
  })

  test('is not there', async () => {
    const outcome = await posted(`http://127.0.0.1:${await nobody()}/`)
    expect(outcome).toEqual({ kind: 'later', why: expect.stringMatching(/ECONNREFUSED/) })
  })

  test('has a name that there is not', async () => {
    const outcome = await posted('http://nobody.invalid/')
    expect(outcome).toEqual({ kind: 'later', why: expect.stringMatching(/nobody\.invalid/) })
  })

  test('that we have no time for, is not waited for', async () => {
    const target = await opened(rawTarget(() => undefined))
    const controller = new AbortController()
    controller.abort()
    const parcel = { url: at(target), fields: {}, body: BODY }
    expect(await post(parcel, controller.signal)).toMatchObject({ kind: 'later' })
  })

  test.runIf(hasOpenssl)('has a certificate of nobody that we know', async () => {
    const { alone, key } = certificates()
    let asked = 0
    const server = createServer({ cert: alone, key }, (_, response) => {
      asked += 1
      response.end()
    })
    const { port } = await opened(listening(server))
    const outcome = await posted(`https://127.0.0.1:${port}/`)
    expect(outcome).toEqual({ kind: 'later', why: expect.stringMatching(/self.signed/) })
    expect(asked).toBe(0)
  })
})
