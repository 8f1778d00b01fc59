import { describe, expect, test } from 'vitest'
import { judge } from '../kit/config.ts'

const TLS = 'tls: {cert: c.pem, key: k.pem}'

// biome-ignore format: table
const PLACES = [
  // listen                                                              over      port   path          certificate
  ['{address: 192.0.2.1, over: tls}',                                    'tls',    853,   '/dns-query', 'c.pem'],
  ['{address: "192.0.2.1:8853", over: tls}',                             'tls',    8853,  '/dns-query', 'c.pem'],
  ['{address: "2001:db8::1", over: https}',                              'https',  443,   '/dns-query', 'c.pem'],
  ['{address: 192.0.2.1, over: https, path: /q}',                        'https',  443,   '/q',         'c.pem'],
  ['{address: 192.0.2.1, over: tls, tls: {cert: d.pem, key: d.key}}',    'tls',    853,   '/dns-query', 'd.pem'],
  ['{address: 192.0.2.1, over: dns}',                                    'dns',    53,    '/dns-query', undefined],
  ['192.0.2.1',                                                          'dns',    53,    '/dns-query', undefined],
] as const

describe('what is spoken at an address', () => {
  for (const [written, over, port, path, cert] of PLACES) {
    test(`${written}: port ${port}`, () => {
      const { config, problems } = judge(`listen: [${written}]\n${TLS}`)
      expect(problems).toEqual([])
      const [one] = config?.listen ?? []
      expect(one).toMatchObject({ over, port, path })
      expect(one?.tls?.cert.path).toBe(cert)
    })
  }

  test('balancers are prefixes', () => {
    const { config } = judge(
      'listen: [{address: 192.0.2.1, proxy: [198.51.100.0/24, "2001:db8::1"]}]',
    )
    expect(config?.listen[0]?.proxy.map(({ bits, family }) => [family, bits])).toEqual([
      [4, 24],
      [6, 128],
    ])
  })

  test('what connections may take, and without a word of it', () => {
    const { config } = judge('tcp: {idle: 30s, connections: 5000, per_source: 7}')
    expect(config?.tcp).toMatchObject({
      idleMs: 30_000,
      perSource: 7,
      connections: { count: 5000 },
    })
    expect(judge('').config?.tcp).toEqual({
      idleMs: 10_000,
      perSource: 100,
      connections: undefined,
    })
  })
})

// biome-ignore format: table
const MISTAKES = [
  ['listen: [{address: 192.0.2.1, over: tls}]',                                      /over: tls has no certificate · add tls:/],
  [`listen: [{address: 192.0.2.1, over: quic}]\n${TLS}`,                             /over|quic/],
  [`listen: [{address: 192.0.2.1, over: tls, path: /q}]\n${TLS}`,                    /only https has a path · /],
  ['listen: [{address: 192.0.2.1, tls: {cert: c.pem, key: k.pem}}]',                 /over: dns is not encrypted · /],
  [`listen: [{address: 192.0.2.1, over: https, path: q}]\n${TLS}`,                   /q is no path · write one like \/dns-query/],
  [`listen: [{address: "192.0.2.1:853", over: tls}, "192.0.2.1:853"]\n${TLS}`,       /stands in listen twice/],
  ['tls: {cert: c.pem}',                                                             /key/],
  ['tcp: {idle: 0s}',                                                                /an idle time is 1s to 1h/],
  ['tcp: {idle: 2h}',                                                                /an idle time is 1s to 1h/],
  ['tcp: {connections: 3}',                                                          /50/],
  ['listen: [{address: 192.0.2.1, proxy: [nobody]}]',                                /nobody/],
] as const

describe('mistakes', () => {
  for (const [written, said] of MISTAKES) {
    test(written.replaceAll('\n', ' '), () => {
      const { problems } = judge(written)
      expect(problems.join('\n')).toMatch(said)
      expect(problems).toHaveLength(1)
    })
  }
})
