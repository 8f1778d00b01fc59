import { createServer as createHttpsServer } from 'node:https'
import { createServer, type TLSSocket } from 'node:tls'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { tryOnce } from '../../server/health/try.ts'
import type { Authority, TlsTerms, Trial } from '../../server/steer/trial.ts'
import {
  AMPLE_MS,
  type Certificates,
  certificates,
  closeAll,
  expectOutcome,
  hasOpenssl,
  httpTrial,
  listening,
  nobody,
  opened,
  rawTarget,
  SHORT_MS,
} from '../kit/health.ts'

afterEach(closeAll)

const NAME = 'www.example.org'
const TERMS: TlsTerms = { name: NAME, verify: 'on', ca: undefined, days: 0 }

function tlsTrial(port: number, terms: Partial<TlsTerms> = {}): Trial {
  return { kind: 'tls', port, tls: { ...TERMS, ...terms } }
}

function httpsTrial(port: number, host: string | undefined, terms: Partial<TlsTerms>): Trial {
  const body = { kind: 'holds', text: 'well' } as const
  return httpTrial(port, { host, status: [[200, 200]], body, tls: { ...TERMS, ...terms } })
}

describe.skipIf(!hasOpenssl)('a certificate (openssl makes it)', () => {
  let made: Certificates
  let ca: Authority
  beforeAll(() => {
    made = certificates()
    ca = { path: 'ca.pem', pem: made.authority }
  })

  const day = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
  const nobodyTrusted = 'the certificate is signed by nobody who is trusted'

  // biome-ignore format: table
  const TABLE: readonly (readonly [string, keyof Certificates, Partial<TlsTerms>, string, string | RegExp])[] = [
    ['RFC 6125 §6.4 of the right name', 'good', {}, 'passed', 'handshake of TLSv1.3'],
    ['RFC 6125 §6.4 of another name', 'good', { name: 'mail.example.org' }, 'failed', 'the certificate is of another name'],
    ['no name: the chain still counts', 'good', { name: undefined }, 'passed', 'handshake of TLSv1.3'],
    ['no name, and nobody signed it', 'alone', { name: undefined }, 'failed', 'the certificate is signed by itself'],
    ['another name, but any will do', 'good', { name: 'mail.example.org', verify: 'off' }, 'passed', 'handshake of TLSv1.3'],
    ['signed by itself, but any will do', 'alone', { verify: 'off' }, 'passed', 'handshake of TLSv1.3'],
    ['RFC 5280 §6.1.3 expired', 'expired', {}, 'failed', 'the certificate has expired'],
    ['expired, but any will do', 'expired', { verify: 'off' }, 'passed', 'handshake of TLSv1.3'],
    ['good for 9 days more', 'brief', { days: 9 }, 'passed', 'handshake of TLSv1.3'],
    ['not good for 11 days more', 'brief', { days: 11 }, 'failed', `the certificate ends on ${day}, and must be good for 11 days`],
    ['days count where any will do, too', 'brief', { days: 11, verify: 'off' }, 'failed', /^the certificate ends on /],
  ]
  test.each(TABLE)('%s', async (_, which, terms, verdict, why) => {
    const server = createServer({ key: made.key, cert: made[which] })
    const target = await opened(listening(server))
    const passed = verdict === 'passed'
    await expectOutcome(tlsTrial(target.port, { ca, ...terms }), target, { passed, why })
  })

  // biome-ignore format: table
  const SIGNERS: readonly (readonly [string, 'good' | 'alone', readonly (keyof Certificates)[], string])[] = [
    ['whom this machine trusts',                  'good',  [],                     nobodyTrusted],
    ['another authority',                         'good',  ['alone'],              nobodyTrusted],
    ['one of two authorities',                    'good',  ['alone', 'authority'], 'handshake of TLSv1.3'],
    ['itself, which is signed by nobody else',    'alone', ['alone'],              'handshake of TLSv1.3'],
  ]
  test.each(SIGNERS)('RFC 5280 §6.1.1 signed by %s', async (_, which, signers, why) => {
    const server = createServer({ key: made.key, cert: made[which] })
    const target = await opened(listening(server))
    const pem = signers.map(one => made[one]).join('')
    const terms = { name: undefined, ca: pem === '' ? undefined : { path: 'ca.pem', pem } }
    const passed = why !== nobodyTrusted
    await expectOutcome(tlsTrial(target.port, terms), target, { passed, why })
  })

  // biome-ignore format: table
  const HTTPS: readonly (readonly [string, string | undefined, string | undefined, string | false, string])[] = [
    ['asks for the name of the terms, whatever the host', 'mail.example.org', NAME, NAME, 'status 200'],
    ['for none where they have none', NAME, undefined, false, 'status 200'],
    ['another name', NAME, 'mail.example.org', 'mail.example.org', 'the certificate is of another name'],
  ]
  test.each(HTTPS)('HTTPS %s', async (_, host, name, asked, why) => {
    const names: unknown[] = []
    const options = { key: made.key, cert: made.good, ALPNProtocols: ['http/1.1'] }
    const server = createHttpsServer(options, (_request, response) => response.end('well'))
    server.on('secureConnection', (socket: TLSSocket) => names.push(socket.servername))
    const target = await opened(listening(server))
    const passed = why === 'status 200'
    await expectOutcome(httpsTrial(target.port, host, { ca, name }), target, { passed, why })
    if (passed) expect(names).toEqual([asked])
  })
})

describe('a target that does not behave', () => {
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, Parameters<typeof rawTarget>[0], string | RegExp])[] = [
    ['never shakes hands', () => undefined, `no TLS handshake within ${SHORT_MS} ms`],
    ['hangs up', socket => socket.end(), 'connection reset'],
    ['resets', socket => socket.resetAndDestroy(), 'connection reset'],
    ['speaks something else', socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 'what answers does not speak TLS'],
    ['RFC 8446 §6.2 alerts', socket => socket.end(Buffer.from('15030300020228', 'hex')), /^the TLS handshake failed: /],
    ['sends half a record', socket => socket.write(Buffer.from('160303', 'hex')), `no TLS handshake within ${SHORT_MS} ms`],
  ]
  test.each(TABLE)('%s', async (_, heard, why) => {
    const target = await opened(rawTarget(heard))
    await expectOutcome(tlsTrial(target.port), target, { why })
  })

  test('is not there', async () => {
    const outcome = await tryOnce(tlsTrial(await nobody()), '127.0.0.1', AMPLE_MS)
    expect(outcome).toMatchObject({ passed: false, why: 'connection refused' })
  })
})
