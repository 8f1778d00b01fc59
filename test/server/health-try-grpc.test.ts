import { createSecureServer, createServer, type ServerHttp2Stream } from 'node:http2'
import { createServer as createTlsServer } from 'node:tls'
import fc from 'fast-check'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hexText } from '../../server/dns/octets.ts'
import { tryOnce } from '../../server/health/try.ts'
import { checkRequest, servingStatus } from '../../server/health/try-grpc-message.ts'
import type { GrpcTrial, TlsTerms } from '../../server/steer/trial.ts'
import {
  AMPLE_MS,
  type Certificates,
  certificates,
  closeAll,
  expectOutcome,
  flood,
  hasOpenssl,
  httpTarget,
  listening,
  nobody,
  opened,
  rawTarget,
  SHORT_MS,
} from '../kit/health.ts'

afterEach(closeAll)

function trialOf(port: number, more: Partial<GrpcTrial> = {}): GrpcTrial {
  return { kind: 'grpc', port, service: '', tls: undefined, ...more }
}

const octets = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
const CLOSED = 'connection closed before a whole answer'

/** Answers 200, with a body, and fields behind it where there are any. */
function says(body: string, trailers: Record<string, string> = { 'grpc-status': '0' }) {
  return (stream: ServerHttp2Stream): void => {
    stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers(trailers))
    stream.end(octets(body))
  }
}

/** Fields alone, which is a whole answer too: gRPC calls it Trailers-Only. */
function only(status: number, fields: Record<string, string> = {}) {
  return (stream: ServerHttp2Stream): void => {
    stream.respond({ ':status': status, ...fields }, { endStream: true })
  }
}

const SERVING = '00 00000002 0801'
const NO_MESSAGE = 'the answer is no HealthCheckResponse'

// biome-ignore format: table
const ANSWERS: readonly (readonly [string, (stream: ServerHttp2Stream) => void, string, string | RegExp])[] = [
  ['SERVING', says(SERVING), 'passed', 'SERVING'],
  ['NOT_SERVING', says('00 00000002 0802'), 'failed', 'NOT_SERVING'],
  ['SERVICE_UNKNOWN', says('00 00000002 0803'), 'failed', 'SERVICE_UNKNOWN'],
  ['UNKNOWN is 0, and 0 is left out', says('00 00000000'), 'failed', 'UNKNOWN'],
  ['a status of later times', says('00 00000002 0804'), 'failed', 'status 4'],
  ['fields of other numbers are skipped', says('00 00000010 1203616263 1d00000000 0801 20ffff03'), 'passed', 'SERVING'],
  ['a service that is not known: NOT_FOUND', only(200, { 'grpc-status': '5' }), 'failed', 'grpc-status 5 NOT_FOUND'],
  ['no health service: UNIMPLEMENTED', only(200, { 'grpc-status': '12' }), 'failed', 'grpc-status 12 UNIMPLEMENTED'],
  ['a status without a word', only(200, { 'grpc-status': '99' }), 'failed', 'grpc-status 99'],
  ['SERVING, then a status that is not 0', says(SERVING, { 'grpc-status': '14' }), 'failed', 'grpc-status 14 UNAVAILABLE'],
  ['SERVING without grpc-status', says(SERVING, {}), 'failed', 'no grpc-status'],
  ['a grpc-status that is no number', says(SERVING, { 'grpc-status': '0x0' }), 'failed', 'no grpc-status'],
  ['status 0 and no message', only(200, { 'grpc-status': '0' }), 'failed', NO_MESSAGE],
  ['a proxy in between', only(502), 'failed', 'status 502'],
  ['a compressed message', says('01 00000002 0801'), 'failed', NO_MESSAGE],
  ['a message cut short', says('00 00000003 0801'), 'failed', NO_MESSAGE],
  ['two messages', says(`${SERVING} ${SERVING}`), 'failed', NO_MESSAGE],
  ['a reset stream', stream => stream.close(7), 'failed', /REFUSED_STREAM/],
  ['a session that ends', stream => stream.session?.destroy(), 'failed', /^(connection closed|connection reset|the answer is not)/],
  ['no end', stream => stream.respond({}), 'failed', `no answer within ${SHORT_MS} ms`],
  ['an endless body', stream => { stream.respond({}); stream.on('error', () => undefined); stream.write(Buffer.alloc(9000)) }, 'failed', 'an answer of more than 4 KiB'],
  ['more fields than anybody needs', stream => stream.respond(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`x-${i}`, 'y'])), { endStream: true }), 'failed', /./],
]

describe('judges an answer', () => {
  test.each(ANSWERS)('%s', async (_, answer, verdict, why) => {
    const server = createServer()
    server.on('sessionError', () => undefined)
    server.on('stream', stream => {
      stream.on('error', () => undefined)
      answer(stream)
    })
    const target = await opened(listening(server))
    await expectOutcome(trialOf(target.port), target, { passed: verdict === 'passed', why })
    expect(target.ever()).toBe(1)
  })

  test('asks for a service, and says how long it waits', async () => {
    const heard: unknown[] = []
    const server = createServer()
    server.on('stream', (stream, headers) => {
      stream.on('data', data => heard.push(headers, data.toString('hex')))
      says(SERVING)(stream)
    })
    const target = await opened(listening(server))
    const trial = trialOf(target.port, { service: 'a.b' })
    await expectOutcome(trial, target, { passed: true, why: 'SERVING' })
    expect(heard).toEqual([
      expect.objectContaining({
        ':method': 'POST',
        ':scheme': 'http',
        ':path': '/grpc.health.v1.Health/Check',
        ':authority': `127.0.0.1:${target.port}`,
        'content-type': 'application/grpc',
        te: 'trailers',
        'grpc-timeout': `${AMPLE_MS}m`,
      }),
      '00000000050a03612e62',
    ])
  })
})

describe('a target that does not behave', () => {
  const SETTINGS = octets('000000 04 00 00000000')

  // biome-ignore format: table
  const TABLE: readonly (readonly [string, Parameters<typeof rawTarget>[0], string | RegExp])[] = [
    ['never answers', () => undefined, `no answer within ${SHORT_MS} ms`],
    ['hangs up', socket => socket.end(), CLOSED],
    ['resets', socket => socket.resetAndDestroy(), /^connection (reset|closed)/],
    ['RFC 9113 §3.4 begins without SETTINGS', socket => socket.write('SSH-2.0-OpenSSH_9.2\r\n'), /^the answer is not as HTTP\/2 wants it/],
    ['RFC 9113 §4.2 sends a frame that is too long', socket => socket.write(Buffer.concat([SETTINGS, octets('ffffff 00 00 00000001')])), `no answer within ${SHORT_MS} ms`],
    ['RFC 9113 §10.5 pings without end', socket => { socket.write(SETTINGS); flood(socket, octets('000008 06 00 00000000 0000000000000000')) }, /./],
    ['RFC 9113 §6.10 continues without end', socket => { socket.write(Buffer.concat([SETTINGS, octets('000001 01 00 00000001 88')])); flood(socket, octets('000001 09 00 00000001 88')) }, /./],
  ]
  test.each(TABLE)('%s', async (_, heard, why) => {
    const target = await opened(rawTarget(heard))
    await expectOutcome(trialOf(target.port), target, { why })
  })

  test('speaks HTTP/1.1', async () => {
    const target = await opened(httpTarget((_, response) => response.end()))
    await expectOutcome(trialOf(target.port), target, { why: /./ })
  })

  test('is not there', async () => {
    const outcome = await tryOnce(trialOf(await nobody()), '127.0.0.1', AMPLE_MS)
    expect(outcome).toMatchObject({ passed: false, why: 'connection refused' })
  })
})

describe.skipIf(!hasOpenssl)('with TLS (openssl makes the certificate)', () => {
  let made: Certificates
  let terms: TlsTerms
  beforeAll(() => {
    made = certificates()
    const ca = { path: 'ca.pem', pem: made.authority }
    terms = { name: 'www.example.org', verify: 'on', ca, days: 0 }
  })

  test('RFC 9113 §3.2 HTTP/2 by ALPN', async () => {
    const server = createSecureServer({ key: made.key, cert: made.good })
    const names: unknown[] = []
    server.on('stream', (stream, headers) => {
      names.push(headers[':scheme'], headers[':authority'])
      says(SERVING)(stream)
    })
    const target = await opened(listening(server))
    const trial = trialOf(target.port, { tls: terms })
    await expectOutcome(trial, target, { passed: true, why: 'SERVING' })
    expect(names).toEqual(['https', `www.example.org:${target.port}`])
  })

  test.each([
    ['without ALPN', {}],
    ['RFC 7301 §3.2 with other protocols', { ALPNProtocols: ['http/1.1'] }],
  ])('a server %s', async (_, options) => {
    const server = createTlsServer({ key: made.key, cert: made.good, ...options })
    server.on('tlsClientError', () => undefined)
    const target = await opened(listening(server))
    const why = 'the server does not offer HTTP/2'
    await expectOutcome(trialOf(target.port, { tls: terms }), target, { why })
  })
})

describe('messages', () => {
  test('a long name has a length of two octets', () => {
    const head = hexText(checkRequest('x'.repeat(300)).subarray(0, 8))
    expect(head).toBe('000000012f0aac02')
  })

  test('any octets: no throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), message => {
        const head = [0, 0, 0, 0, message.length]
        const status = servingStatus(Uint8Array.from([...head, ...message]))
        expect(status === undefined || status >= 0).toBe(true)
        servingStatus(message)
      }),
    )
  })
})
