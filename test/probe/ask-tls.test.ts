/** DNS over TLS against the lab: who is let in and who is not, and how lines are kept. */
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createPlain } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pinOf } from '../../probe/ask/certificate.ts'
import { framed } from '../../probe/ask/frame.ts'
import type { Secure } from '../../probe/ask/server.ts'
import { sockets } from '../../probe/ask/sockets.ts'
import type { SecureOpen } from '../../probe/lab/listen-secure.ts'
import { type Certificates, certificates, hasOpenssl } from '../kit/health.ts'
import { portOf, put, secureLab, serverAt } from './secure.ts'

const THREE = ['192.0.2.1', '192.0.2.2', '192.0.2.3']
const NAME = 'www.example.org'
const OTHER_PIN = `${'A'.repeat(43)}=`

describe.skipIf(!hasOpenssl)('over TLS (openssl makes the certificates)', () => {
  let made: Certificates
  let ca: Secure['ca']
  let pin: string
  const labs = new Map<string, SecureOpen>()
  beforeAll(async () => {
    made = certificates()
    ca = { path: 'ca.pem', pem: made.authority }
    pin = pinOf(new X509Certificate(made.good))
    for (const which of ['good', 'expired', 'alone'] as const) {
      labs.set(which, await secureLab({ cert: made[which], key: made.key }))
    }
  })
  afterAll(async () => {
    await Promise.all([...labs.values()].map(lab => lab.close()))
  })
  const portFor = (which: string): number => labs.get(which)?.tls[0]?.port ?? 0

  const nobody = 'the certificate is signed by nobody who is trusted'
  type Said = { readonly trusts?: 'ca'; readonly name?: string; readonly pins?: readonly string[] }
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, 'good' | 'expired' | 'alone', () => Said, string | RegExp | readonly string[]])[] = [
    ['RFC 8310 §5 strict, the right name',          'good',    () => ({ name: NAME, trusts: 'ca' }),        []],
    ['RFC 8310 §8 another name',                    'good',    () => ({ name: 'dns.example', trusts: 'ca' }), `the certificate is for ${NAME}, not for dns.example`],
    ['RFC 8310 §8 authorities, but an address',     'good',    () => ({ trusts: 'ca' }),                    `the certificate is for ${NAME}, not for 127.0.0.1`],
    ['RFC 5280 §6 an authority nobody knows',       'good',    () => ({ name: NAME }),                      nobody],
    ['RFC 5280 §6.1.3 expired',                     'expired', () => ({ name: NAME, trusts: 'ca' }),        /^the certificate ended on 20\d\d-\d\d-\d\d$/],
    ['signed by itself',                            'alone',   () => ({ name: NAME }),                      'the certificate is signed by itself'],
    ['RFC 8310 §5 opportunistic',                   'good',    () => ({}),                                  ['unauthenticated']],
    ['RFC 8310 §5 opportunistic, expired',          'expired', () => ({}),                                  ['unauthenticated']],
    ['RFC 8310 §5 opportunistic, signed by itself', 'alone',   () => ({}),                                  ['unauthenticated']],
    ['RFC 7858 §4.2 the pinned key',                'good',    () => ({ pins: [pin] }),                     []],
    ['RFC 7858 §4.2 … one of two',                  'good',    () => ({ pins: [OTHER_PIN, pin] }),          []],
    ['RFC 7858 §4.2 … expired or not',              'expired', () => ({ pins: [pin] }),                     []],
    ['RFC 7858 §4.2 another key',                   'good',    () => ({ pins: [OTHER_PIN] }),               /^no key of its certificates is pinned; its own is [\w+/]{43}=$/],
    ['the pinned key, but another name',            'good',    () => ({ pins: [pin], name: 'dns.example', trusts: 'ca' }), /not for dns\.example$/],
    ['the right name, but another key',             'good',    () => ({ pins: [OTHER_PIN], name: NAME, trusts: 'ca' }), /^no key/],
  ]
  test.each(TABLE)('%s', async (_, which, said, outcome) => {
    const { trusts, ...terms } = said()
    const server = serverAt(portFor(which), 'tls', { ...terms, ca: trusts && ca })
    const { reply, transport } = await put(server, 'fixed-list')
    expect(transport).toBe('tls')
    if (typeof outcome === 'object' && !(outcome instanceof RegExp)) {
      expect(reply).toMatchObject({ error: undefined, answers: THREE, oddities: outcome })
    } else {
      expect(reply).toMatchObject({ error: 'certificate', answers: [] })
      expect(reply.oddities).toEqual([expect.stringMatching(outcome)])
    }
  })

  test('BC-177 another ID is ignored, and the right one waited for', async () => {
    const { reply } = await put(serverAt(portFor('good'), 'tls'), 'wrong-id')
    expect(reply).toMatchObject({ answers: THREE, oddities: ['unauthenticated', 'wrong-id'] })
  })

  test('silence ends with the time, and the next question has a new line', async () => {
    const wire = sockets()
    const server = serverAt(portFor('good'), 'tls')
    const silent = await put(server, 'silence', { wire, timeoutMs: 400 })
    expect(silent.reply.error).toBe('timeout')
    expect((await put(server, 'fixed-list', { wire })).reply.answers).toEqual(THREE)
    wire.close?.()
  })

  test('an end before the message', async () => {
    const { reply } = await put(serverAt(portFor('good'), 'tls'), 'closing')
    expect(reply.error).toBe('closed')
  })

  test('nobody listens there', async () => {
    const server = createPlain().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const port = portOf(server)
    server.close()
    await once(server, 'close')
    expect((await put(serverAt(port, 'tls'), 'fixed-list')).reply.error).toBe('unreachable')
  })

  test('what is there is no TLS', async () => {
    const server = createPlain(socket => socket.end('220 mail.example ESMTP\r\n'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { reply } = await put(serverAt(portOf(server), 'tls'), 'fixed-list')
    expect(reply).toMatchObject({ error: 'handshake' })
    expect(reply.oddities).toEqual(['TLS does not come about: what is there is no TLS'])
    server.close()
  })

  /** A server that gives each query back as its reply, and closes after so many. */
  async function echoing(closesAfter: number) {
    const seen = {
      lines: 0,
      names: [] as unknown[],
      protocols: [] as unknown[],
      sizes: [] as number[],
    }
    const identity = { cert: made.good, key: made.key, ALPNProtocols: ['dot'] }
    const server = createServer(identity, (socket: TLSSocket & { servername?: unknown }) => {
      seen.lines += 1
      seen.names.push(socket.servername)
      seen.protocols.push(socket.alpnProtocol)
      let heard = Buffer.alloc(0)
      let left = closesAfter
      socket.on('error', () => socket.destroy())
      socket.on('data', chunk => {
        heard = Buffer.concat([heard, chunk])
        while (left > 0 && heard.length >= 2 && heard.length >= 2 + heard.readUInt16BE(0)) {
          const end = 2 + heard.readUInt16BE(0)
          const query = Buffer.from(heard.subarray(2, end))
          heard = heard.subarray(end)
          seen.sizes.push(query.length)
          query[2] = 0x80 | (query[2] ?? 0)
          socket.write(framed(query))
          left -= 1
        }
        if (left === 0) socket.end()
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return { server, seen, port: portOf(server) }
  }

  test('RFC 7858 §3.4 one line for all questions; SNI, ALPN and RFC 8467 padding', async () => {
    const { server, seen, port } = await echoing(1000)
    const wire = sockets()
    const to = serverAt(port, 'tls', { name: NAME, ca })
    const all = await Promise.all(Array.from({ length: 20 }, () => put(to, 'x', { wire })))
    expect(all.map(({ reply }) => reply.error)).toEqual(Array(20).fill(undefined))
    expect(seen).toMatchObject({ lines: 1, names: [NAME], protocols: ['dot'] })
    expect(new Set(seen.sizes)).toEqual(new Set([128]))
    wire.close?.()
    server.close()
    await once(server, 'close')
  })

  test('RFC 7766 §6.2.4 a server that closes after each reply is asked anew', async () => {
    const { server, seen, port } = await echoing(1)
    const wire = sockets()
    const to = serverAt(port, 'tls')
    const together = await Promise.all(Array.from({ length: 5 }, () => put(to, 'x', { wire })))
    const after = await put(to, 'x', { wire })
    expect([...together, after].map(({ reply }) => reply.error)).toEqual(Array(6).fill(undefined))
    expect(seen.lines).toBe(6)
    wire.close?.()
    server.close()
    await once(server, 'close')
  })
})
