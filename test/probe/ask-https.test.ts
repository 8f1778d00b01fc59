/** DNS over HTTPS against the lab and against web servers that behave oddly. */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer } from 'node:https'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Secure, Transport } from '../../probe/ask/server.ts'
import { sockets } from '../../probe/ask/sockets.ts'
import type { SecureOpen } from '../../probe/lab/listen-secure.ts'
import { type Certificates, certificates, hasOpenssl } from '../kit/health.ts'
import { portOf, put, secureLab, serverAt } from './secure.ts'

const THREE = ['192.0.2.1', '192.0.2.2', '192.0.2.3']
const NAME = 'www.example.org'
const MESSAGE = 'application/dns-message'

type Seen = {
  readonly version: string
  readonly method: string | undefined
  readonly url: string | undefined
  readonly type: string | undefined
  readonly length: string | undefined
  readonly host: string | undefined
  readonly body: Buffer
}

describe.skipIf(!hasOpenssl)('over HTTPS (openssl makes the certificates)', () => {
  let made: Certificates
  let lab: SecureOpen
  let terms: Partial<Secure>
  beforeAll(async () => {
    made = certificates()
    terms = { name: NAME, ca: { path: 'ca.pem', pem: made.authority } }
    lab = await secureLab({ cert: made.good, key: made.key })
  })
  afterAll(() => lab.close())
  const to = (transport: Transport, over: Partial<Secure> = {}, port = lab.https[0]?.port ?? 0) =>
    serverAt(port, transport, { ...terms, ...over })

  for (const [transport, method] of [
    ['https', 'post'],
    ['https', 'get'],
    ['json', 'get'],
  ] as const) {
    // biome-ignore format: one line
    test(`the lab by ${transport} ${method}`, async () => {
      const wire = sockets()
      const server = to(transport, { method })
      const seen = await put(server, 'fixed-list', { wire })
      expect(seen).toMatchObject({ transport, reply: { error: undefined, answers: THREE, oddities: [] } })
      expect(seen.reply.echo).toEqual({ family: 1, source: 24, scope: 0, address: 'c63364' })
      expect((await put(server, 'closing', { wire })).reply.error).toBe('closed')
      expect((await put(server, 'silence', { wire, timeoutMs: 400 })).reply.error).toBe('timeout')
      expect((await put(server, 'fixed-list', { wire })).reply.answers).toEqual(THREE)
      wire.close?.()
    })
  }

  test('RFC 9110 §4.3.4 a certificate for another name', async () => {
    const { reply } = await put(to('https', { name: undefined }), 'fixed-list')
    expect(reply).toMatchObject({
      error: 'certificate',
      oddities: [`the certificate is for ${NAME}, not for 127.0.0.1`],
    })
  })

  type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void

  /** A web server of HTTP/2 or of HTTP/1.1 alone. */
  async function web(version: 1 | 2, answer: Answer) {
    const seen: Seen[] = []
    const sockets: { readonly destroy: () => void }[] = []
    const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { method, url, headers, httpVersion } = request
      const host = headers.host ?? String(headers[':authority'])
      const body = Buffer.concat(chunks)
      const { 'content-type': type, 'content-length': length } = headers
      seen.push({ version: httpVersion, method, url, type, length, host, body })
      answer(request, response, body)
    }
    const identity = { cert: made.good, key: made.key }
    const server =
      version === 1
        ? createServer(identity, (request, response) => void listener(request, response))
        : createSecureServer(identity, (request, response) => {
            void listener(request as never, response as never)
          })
    server.on('secureConnection', socket => {
      sockets.push(socket)
      socket.on('error', () => undefined)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return { seen, port: portOf(server), sockets, close: () => server.close() }
  }

  const mirror: Answer = (_, response, body) => {
    body[2] = 0x80 | (body[2] ?? 0)
    response.setHeader('content-type', MESSAGE)
    response.end(body)
  }

  for (const version of [2, 1] as const) {
    test(`HTTP/${version}: twenty questions, RFC 8484 §4.1 the same octets each, ID 0`, async () => {
      const { seen, port, sockets: lines, close } = await web(version, mirror)
      const wire = sockets()
      const server = to('https', {}, port)
      const all = await Promise.all(Array.from({ length: 20 }, () => put(server, 'x', { wire })))
      expect(all.map(({ reply }) => reply.error)).toEqual(Array(20).fill(undefined))
      const [first] = seen
      expect(first).toMatchObject({ method: 'POST', url: '/dns-query', type: MESSAGE })
      expect(first?.host).toBe(`${NAME}:${port}`)
      expect(first?.version.startsWith(`${version}`)).toBe(true)
      expect(new Set(seen.map(({ body }) => body.toString('hex'))).size).toBe(1)
      expect(first?.body.readUInt16BE(0)).toBe(0)
      expect((first?.body.length ?? 1) % 128).toBe(0)
      expect(first?.length, 'BIND 9.18 wants it').toBe(`${first?.body.length}`)
      expect(lines.length).toBeLessThanOrEqual(version === 2 ? 1 : 4)
      wire.close?.()
      close()
    })
  }

  test('RFC 8484 §4.1.1 GET: the query in the URL, base64url without padding', async () => {
    const { seen, port, close } = await web(2, (_, response) => response.writeHead(500).end())
    const wire = sockets()
    await put(to('https', { method: 'get', path: '/q?v=1' }, port), 'x', { wire })
    expect(seen[0]).toMatchObject({ method: 'GET', type: undefined })
    expect(seen[0]?.url).toMatch(/^\/q\?v=1&dns=AAAB[\w-]+$/)
    wire.close?.()
    close()
  })

  // biome-ignore format: table
  const REPLIES: readonly (readonly [string, 'https' | 'json', Answer, string | undefined, string[]])[] = [
    ['RFC 8484 §4.2.1 404',               'https', (_, response) => response.writeHead(404).end(),                                   'http', ['HTTP status 404']],
    ['RFC 8484 §4.2.1 503',               'https', (_, response) => response.writeHead(503, { 'content-type': MESSAGE }).end(),      'http', ['HTTP status 503']],
    ['a redirect is not followed',        'https', (_, response) => response.writeHead(301, { location: 'https://127.0.0.1/' }).end(), 'http', ['HTTP status 301']],
    ['RFC 8484 §6 another Content-Type',  'https', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'), 'http', [`HTTP content of text/html instead of ${MESSAGE}`]],
    ['no Content-Type',                   'https', (_, response) => response.writeHead(200).end('x'),                                'http', [`HTTP content of no usable type instead of ${MESSAGE}`]],
    ['a type with parameters is fine',    'https', (_, response, body) => { body[2] = 0x81; response.writeHead(200, { 'content-type': `${MESSAGE}; x=1` }).end(body) }, undefined, []],
    ['more than a message can be',        'https', (_, response) => response.writeHead(200, { 'content-type': MESSAGE }).end(Buffer.alloc(2 << 20)), 'http', ['HTTP reply of more than 1048576 octets']],
    ['no octet',                          'https', (_, response) => response.writeHead(200, { 'content-type': MESSAGE }).end(),      'malformed', ['garbage']],
    ['cut off',                           'https', (_, response) => response.destroy(),                                              'closed', []],
    ['HTML for JSON',                     'json',  (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('{}'), 'http', ['HTTP content of text/html instead of application/dns-json']],
    ['JSON that is none',                 'json',  (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"Status"'), 'malformed', []],
  ]
  for (const version of [2, 1] as const) {
    for (const [rule, transport, answer, error, oddities] of REPLIES) {
      test(`HTTP/${version}: ${rule}`, async () => {
        const { port, close } = await web(version, answer)
        const wire = sockets()
        const { reply } = await put(to(transport, {}, port), 'x', { wire })
        expect(reply).toMatchObject({ error, oddities })
        wire.close?.()
        close()
      })
    }
  }

  test('RFC 8484 §5.1 what a cache has held is so much older', async () => {
    const { port, close } = await web(2, (_, response) => {
      const answer = { name: 'x.lab.test.', type: 1, TTL: 60, data: '192.0.2.1' }
      response.writeHead(200, { 'content-type': 'application/json', age: '25' })
      response.end(JSON.stringify({ Status: 0, Answer: [answer] }))
    })
    const wire = sockets()
    const { reply } = await put(to('json', {}, port), 'x', { wire })
    expect(reply).toMatchObject({ ttl: 35, oddities: ['http-cached'] })
    wire.close?.()
    close()
  })

  for (const version of [2, 1] as const) {
    test(`HTTP/${version}: a server that closes in between is connected to again`, async () => {
      const { port, sockets: lines, close } = await web(version, mirror)
      const wire = sockets()
      const server = to('https', {}, port)
      expect((await put(server, 'x', { wire })).reply.error).toBeUndefined()
      for (const line of lines) line.destroy()
      expect((await put(server, 'x', { wire })).reply.error).toBeUndefined()
      expect(lines).toHaveLength(2)
      wire.close?.()
      close()
    })
  }
})
