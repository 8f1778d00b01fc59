import type { IncomingMessage, RequestListener } from 'node:http'
import { createServer } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { tryOnce } from '../../server/health/try.ts'
import type { HttpTrial } from '../../server/steer/trial.ts'
import {
  AMPLE_MS,
  closeAll,
  drip,
  expectOutcome,
  flood,
  httpTarget,
  httpTrial,
  listening,
  nobody,
  opened,
  rawTarget,
  SHORT_MS,
} from '../kit/health.ts'

afterEach(closeAll)

const says =
  (status: number, body = '', headers: Record<string, string | string[]> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, headers).end(body)
  }

const holds = (text: string) => ({ kind: 'holds', text }) as const
const matches = (source: string) => ({ kind: 'matches', source }) as const
const LONG = 'x'.repeat(70_000)

describe('judges a response', () => {
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, RequestListener, Partial<HttpTrial>, string, string])[] = [
    ['a status in the range', says(204), {}, 'passed', 'status 204'],
    ['both ends of a range are in it', says(299), {}, 'passed', 'status 299'],
    ['a status past the range', says(300), {}, 'failed', 'status 300'],
    ['one of several ranges', says(401), { status: [[200, 200], [401, 403]] }, 'passed', 'status 401'],
    ['RFC 9110 §15.4 a redirect is not followed', says(302, '', { location: '/' }), {}, 'failed', 'status 302'],
    ['a redirect may be what is wanted', says(302, '', { location: '/' }), { status: [[302, 302]] }, 'passed', 'status 302'],
    ['the body holds a text', says(200, 'all is well'), { body: holds('well') }, 'passed', 'status 200'],
    ['the body lacks a text', says(200, 'all is lost'), { body: holds('well') }, 'failed', 'no "well" in the body'],
    ['the body matches', says(200, 'load 17'), { body: matches('load \\d+$') }, 'passed', 'status 200'],
    ['the body does not match', says(200, 'load'), { body: matches('load \\d+$') }, 'failed', 'no match of /load \\d+$/ in the body'],
    ['what stands in the first 64 KiB counts', says(200, `ok${LONG}`), { body: holds('ok') }, 'passed', 'status 200'],
    ['what stands behind them does not', says(200, `${LONG}ok`), { body: holds('ok') }, 'failed', 'no "ok" in the body'],
    ['a field holds a text, its name in any case', says(200, '', { 'X-State': 'up' }), { fields: [['x-sTATE', holds('up')]] }, 'passed', 'status 200'],
    ['one of several fields of a name will do', says(200, '', { state: ['a', 'b'] }), { fields: [['state', matches('^b$')]] }, 'passed', 'status 200'],
    ['a field of another text', says(200, '', { state: 'down' }), { fields: [['state', holds('up')]] }, 'failed', 'no "up" in the field state'],
    ['a field that is not there', says(200), { fields: [['state', holds('')]] }, 'failed', 'no "" in the field state'],
    ['a status that fails, whatever the body', says(503, 'well'), { body: holds('well') }, 'failed', 'status 503'],
    ['RFC 9110 §9.3.2 HEAD has no body', says(200, 'well'), { method: 'HEAD' }, 'passed', 'status 200'],
    ['POST', says(200), { method: 'POST' }, 'passed', 'status 200'],
    ['OPTIONS', says(200), { method: 'OPTIONS' }, 'passed', 'status 200'],
  ]
  test.each(TABLE)('%s', async (_, answer, more, verdict, why) => {
    const target = await opened(httpTarget(answer))
    const passed = verdict === 'passed'
    await expectOutcome(httpTrial(target.port, more), target, { passed, why })
    expect(target.ever()).toBe(1)
  })
})

describe('tells of load and capacity', () => {
  const field = (name: string) => ({ kind: 'field', name }) as const
  const json = (...path: string[]) => ({ kind: 'json', path }) as const
  const state = says(200, '{"a":[{"load":3.5}],"most":"40","none":0}', { 'X-Load': ' 0.5 ' })

  // biome-ignore format: table
  const TABLE: readonly (readonly [string, Partial<HttpTrial>, number | undefined, number | undefined])[] = [
    ['a field, and a path into the body', { load: field('x-load'), capacity: json('most') }, 0.5, 40],
    ['an index into a list', { load: json('a', '0', 'load') }, 3.5, undefined],
    ['a load of 0', { load: json('none') }, 0, undefined],
    ['no capacity of 0', { capacity: json('none') }, undefined, undefined],
    ['what is not there', { load: json('b'), capacity: field('x-most') }, undefined, undefined],
  ]
  test.each(TABLE)('%s', async (_, more, load, capacity) => {
    const target = await opened(httpTarget(state))
    const outcome = await expectOutcome(httpTrial(target.port, more), target, {
      passed: true,
      why: 'status 200',
    })
    expect(outcome).toMatchObject({ load, capacity })
  })

  test('nothing, where it failed', async () => {
    const target = await opened(httpTarget(says(500, '', { 'x-load': '1' })))
    const trial = httpTrial(target.port, { load: field('x-load') })
    const outcome = await expectOutcome(trial, target, { why: 'status 500' })
    expect(outcome.load).toBeUndefined()
  })
})

describe('asks', () => {
  async function asked(more: Partial<HttpTrial>, place = '127.0.0.1') {
    const requests: IncomingMessage[] = []
    const server = createServer((request, response) => {
      requests.push(request)
      response.end()
    })
    const target = await opened(listening(server, place))
    const outcome = await tryOnce(httpTrial(target.port, more), place, AMPLE_MS)
    expect(outcome).toMatchObject({ passed: true, why: 'status 200' })
    expect(requests.length).toBe(1)
    return { ...target, request: requests[0] }
  }

  test('RFC 9110 §7.2 for the address and the port, where there is no name', async () => {
    const { request, port } = await asked({ path: '/health?deep=1' })
    expect(request).toMatchObject({ method: 'GET', url: '/health?deep=1', httpVersion: '1.1' })
    expect(request?.headers).toEqual({ host: `127.0.0.1:${port}`, connection: 'close' })
  })

  test('for the name, as it stands', async () => {
    const { request } = await asked({ host: 'www.example.org', headers: [['X-Who', 'lbdns']] })
    expect(request?.headers).toMatchObject({ host: 'www.example.org', 'x-who': 'lbdns' })
  })

  // biome-ignore format: table
  test.each([
    ['RFC 9110 §8.6 POST says that nothing comes', 'POST', '0'],
    ['others need not', 'OPTIONS', undefined],
  ] as const)('%s', async (_, method, length) => {
    const { request } = await asked({ method })
    expect(request?.method).toBe(method)
    expect(request?.headers['content-length']).toBe(length)
    expect(request?.headers['transfer-encoding']).toBeUndefined()
  })

  test('RFC 3986 §3.2.2 for an IPv6 address in brackets', async () => {
    const { request, port } = await asked({}, '::1')
    expect(request?.headers.host).toBe(`[::1]:${port}`)
  })
})

describe('a target that does not behave', () => {
  const HEAD = 'HTTP/1.1 200 OK\r\n'
  const wants = { body: holds('well') }

  // biome-ignore format: table
  const TABLE: readonly (readonly [string, Parameters<typeof rawTarget>[0], Partial<HttpTrial>, string | RegExp])[] = [
    ['never answers', () => undefined, {}, `no answer within ${SHORT_MS} ms`],
    ['hangs up', socket => socket.end(), {}, 'connection closed before a whole answer'],
    ['resets', socket => socket.resetAndDestroy(), {}, 'connection reset'],
    ['speaks something else', socket => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), {}, /^the answer is not HTTP: /],
    ['drips its head', socket => { socket.write(HEAD); drip(socket, 'a: b\r\n') }, {}, `no answer within ${SHORT_MS} ms`],
    ['has an endless head', socket => { socket.write(HEAD); flood(socket, `a: ${'b'.repeat(1000)}\r\n`) }, {}, 'header fields longer than 16 KiB'],
    ['has an endless field', socket => { socket.write(`${HEAD}a: `); flood(socket, LONG) }, {}, 'header fields longer than 16 KiB'],
    ['has an endless first line', socket => flood(socket, LONG), {}, /^the answer is not HTTP: /],
    ['RFC 9110 §15.2 says 100 before it fails', socket => socket.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 x\r\n\r\n'), {}, 'status 503'],
    ['RFC 9110 §15.2 goes on saying 100', socket => drip(socket, 'HTTP/1.1 100 Continue\r\n\r\n'), {}, `no answer within ${SHORT_MS} ms`],
    ['changes its protocol', socket => socket.write('HTTP/1.1 101 x\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'), {}, 'status 101'],
    ['drips its body', socket => { socket.write(`${HEAD}\r\n`); drip(socket, '.') }, wants, `no whole body within ${SHORT_MS} ms`],
    ['breaks off its body', socket => socket.end(`${HEAD}content-length: 9\r\n\r\nwell`), wants, 'connection closed before a whole answer'],
    ['resets in its body', socket => socket.write(`${HEAD}content-length: 9\r\n\r\nwell`, () => setTimeout(() => socket.resetAndDestroy(), 20)), wants, /^connection (reset|closed)/],
    ['has chunks of no length', socket => socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\nzz\r\n`), wants, /^the answer is not HTTP: /],
    ['has an endless body without what is wanted', socket => { socket.write(`${HEAD}\r\n`); flood(socket, LONG) }, wants, 'no "well" in the body'],
    ['keeps an expression busy', socket => socket.end(`${HEAD}\r\n${'a'.repeat(60)}!`), { body: matches('^(a+)+$') }, 'looking for a match of /^(a+)+$/ in the body takes too long'],
  ]
  test.each(TABLE)('%s', async (_, heard, more, why) => {
    const target = await opened(rawTarget(heard))
    await expectOutcome(httpTrial(target.port, more), target, { why })
    expect(target.ever()).toBe(1)
  })

  test('has an endless body that nobody asked for: the head passes', async () => {
    const target = await opened(
      rawTarget(socket => {
        socket.write(`${HEAD}\r\n`)
        flood(socket, LONG)
      }),
    )
    await expectOutcome(httpTrial(target.port), target, { passed: true, why: 'status 200' })
  })

  test('has an endless body that begins well', async () => {
    const target = await opened(
      rawTarget(socket => {
        socket.write(`${HEAD}\r\nwell`)
        flood(socket, LONG)
      }),
    )
    await expectOutcome(httpTrial(target.port, wants), target, { passed: true, why: 'status 200' })
  })

  test('is not there', async () => {
    const outcome = await tryOnce(httpTrial(await nobody()), '127.0.0.1', AMPLE_MS)
    expect(outcome).toMatchObject({ passed: false, why: 'connection refused' })
  })
})
