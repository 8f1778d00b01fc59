/**
 * Other people's clients against lbdns over TCP, TLS and HTTPS, and behind a balancer: each gets the same
 * answer, and says what it should of how it came.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  describeWith,
  find,
  folder,
  freePort,
  LBDNS,
  run,
  startReady,
  stopAll,
} from '../kit/process.ts'
import { type Made, madePairs } from '../kit/secure.ts'

const ZONE = `
$ORIGIN example.com.
$TTL 300
@   SOA ns hostmaster 1 3600 900 604800 120
@   NS  ns
ns  A   192.0.2.1
www A   192.0.2.10
low 30 A 192.0.2.11
`

const ADDRESS = '192.0.2.10'
/** www.example.com A. RFC 8484 §4.1.1. */
const PATH = '/dns-query?dns=AAABAAABAAAAAAAAA3d3dwdleGFtcGxlA2NvbQAAAQAB'

type Ports = Readonly<Record<'dns' | 'tls' | 'https' | 'behind', number>>

let made: Made
let ports: Ports
let home = ''

beforeAll(async () => {
  made = madePairs()
  const [dns, tls, https, behind] = [
    ...[await freePort(), await freePort()],
    ...[await freePort(), await freePort()],
  ] as [number, number, number, number]
  ports = { dns, tls, https, behind }
  const config = `
listen:
  - 127.0.0.1:${dns}
  - {address: "127.0.0.1:${tls}", over: tls}
  - {address: "127.0.0.1:${https}", over: https}
  - {address: "127.0.0.1:${behind}", over: tls, proxy: [127.0.0.1]}
tls: {cert: dns.pem, key: dns.key}
zones: [a.zone]
`
  home = folder({
    'a.zone': ZONE,
    'lbdns.yaml': config,
    'dns.pem': readFileSync(made.cert, 'utf8'),
    'dns.key': readFileSync(made.key, 'utf8'),
  })
  await startReady(process.execPath, [LBDNS, 'run', '-c', join(home, 'lbdns.yaml')], ({ stdout }) =>
    stdout().includes('listening'),
  )
})
afterAll(async () => {
  await stopAll()
  made?.remove()
})

const at = (place: keyof Ports) => ['-p', `${ports[place]}`, '@127.0.0.1']

describeWith(['dig'], 'dig', () => {
  // biome-ignore format: table
  const WAYS = [
    ['dns',   ['+tcp']],
    ['tls',   ['+tls']],
    ['https', ['+https']],
    ['https', ['+https-get']],
  ] as const

  for (const [place, options] of WAYS) {
    test(`${options.join(' ')}`, async () => {
      const { stdout } = await run('dig', [...at(place), ...options, '+short', 'www.example.com'])
      expect(stdout.trim()).toBe(ADDRESS)
    })
  }

  test('+tls, and the certificate is believed', async () => {
    const trust = [`+tls-ca=${join(home, 'dns.pem')}`, '+tls-hostname=dns.example.org']
    const { stdout } = await run('dig', [
      ...at('tls'),
      '+tls',
      ...trust,
      '+short',
      'www.example.com',
    ])
    expect(stdout.trim()).toBe(ADDRESS)
  })
})

describeWith(['kdig', 'openssl'], 'kdig', () => {
  // biome-ignore format: table
  const WAYS = [
    ['tls',   ['+tls'],                          /TLS session \(TLS1\.3\)/],
    ['https', ['+https'],                        /HTTP\/2-POST.*status: 200/],
    ['https', ['+https-get'],                    /HTTP\/2-GET.*status: 200/],
  ] as const

  for (const [place, options, said] of WAYS) {
    test(`${options.join(' ')}: by name, and by pin`, async () => {
      const ca = [`+tls-ca=${join(home, 'dns.pem')}`, '+tls-hostname=dns.example.org']
      const named = await run('kdig', [...at(place), ...options, ...ca, 'www.example.com'])
      expect(named.stdout).toMatch(said)
      expect(named.stdout).toContain(ADDRESS)
      const pin = await pinOf(join(home, 'dns.pem'))
      const pinned = await run('kdig', [
        ...at(place),
        ...options,
        `+tls-pin=${pin}`,
        'www.example.com',
      ])
      expect(pinned.stdout).toContain(ADDRESS)
    })
  }
})

/** RFC 7858 §4.2, RFC 7469 §2.4: the digest of a public key. */
async function pinOf(cert: string): Promise<string> {
  const script = `openssl x509 -in ${cert} -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64`
  return (await run('sh', ['-c', script])).stdout.trim()
}

describeWith(['curl'], 'curl', () => {
  test.each(['--http2', '--http1.1'])('%s: RFC 8484 §5.1', async version => {
    const url = `https://127.0.0.1:${ports.https}${PATH}`
    const { stdout } = await run('curl', ['-sk', version, '-D', '-', '-o', '/dev/null', url])
    expect(stdout).toMatch(version === '--http2' ? /^HTTP\/2 200/ : /^HTTP\/1\.1 200/)
    expect(stdout).toMatch(/content-type: application\/dns-message/i)
    expect(stdout).toMatch(/cache-control: private, max-age=300\r/i)
  })
})

describeWith(['openssl'], 'openssl', () => {
  test('RFC 7858 §3.1 ALPN dot, and a session that is resumed', async () => {
    const kept = join(home, 'session')
    const client = ['s_client', '-connect', `127.0.0.1:${ports.tls}`, '-alpn', 'dot']
    const ask = (more: string) => `(sleep 0.5) | openssl ${[...client, more].join(' ')} 2>&1`
    const first = await run('sh', ['-c', ask(`-sess_out ${kept}`)])
    expect(first.stdout).toContain('ALPN protocol: dot')
    const second = await run('sh', ['-c', ask(`-sess_in ${kept}`)])
    expect(second.stdout).toMatch(/^Reused, TLSv1\.3/m)
  })
})

/** dnsperf 2.10 stops where two replies of HTTP/2 come together. */
const ONE_BY_ONE = ['-n', '10', '-c', '1', '-q', '1'] as const

describeWith(['dnsperf'], 'dnsperf', () => {
  // biome-ignore format: table
  const MODES = [
    ['tcp', 'dns',   [],                          ['-n', '600', '-c', '4']],
    ['dot', 'tls',   [],                          ['-n', '600', '-c', '4']],
    ['doh', 'https', ['-O', 'doh-method=GET'],    ONE_BY_ONE],
    ['doh', 'https', ['-O', 'doh-method=POST'],   ONE_BY_ONE],
  ] as const

  for (const [mode, place, web, length] of MODES) {
    test(`-m ${mode} ${web.join(' ')}: all answered`, async () => {
      const questions = join(home, 'questions')
      writeFileSync(questions, 'www.example.com A\nlow.example.com A\nnone.example.com A\n')
      const uri = `doh-uri=https://127.0.0.1:${ports.https}/dns-query`
      const more = mode === 'doh' ? ['-O', uri, ...web] : []
      const to = ['-s', '127.0.0.1', '-p', `${ports[place]}`, '-m', mode]
      const { stdout } = await run('dnsperf', [...to, ...more, '-d', questions, ...length])
      expect(stdout).toMatch(/Queries completed:\s+\d+ \(100/)
      expect(stdout).toMatch(/Queries lost:\s+0 /)
    })
  }
})

describeWith(['h2load'], 'h2load', () => {
  test('20 streams at once on each of 8 connections: 3,000 replies', async () => {
    const url = `https://127.0.0.1:${ports.https}${PATH}`
    const { stdout } = await run('h2load', ['-n', '3000', '-c', '8', '-m', '20', url])
    expect(stdout).toContain('3000 succeeded, 0 failed, 0 errored, 0 timeout')
  })
})

describeWith(['dnsdist'], 'dnsdist in front, over TLS, with the PROXY protocol', () => {
  test('a client is answered through it over UDP and TCP', async () => {
    const port = await freePort()
    const file = join(home, 'dnsdist.conf')
    writeFileSync(
      file,
      `setLocal("127.0.0.1:${port}")
newServer({address="127.0.0.1:${ports.behind}", tls="openssl", validateCertificates=false, useProxyProtocol=true, healthCheckMode="up"})
`,
    )
    const program = find('dnsdist') ?? 'dnsdist'
    await startReady(
      program,
      ['-C', file, '--supervised', '--disable-syslog'],
      ({ stderr, stdout }) => /Listening on/i.test(stdout() + stderr()),
    )
    for (const how of ['+notcp', '+tcp']) {
      const to = ['-p', `${port}`, '@127.0.0.1', how, '+short', '+time=2', '+tries=3']
      const { stdout } = await run('dig', [...to, 'www.example.com'])
      expect(stdout.trim()).toBe(ADDRESS)
    }
  })
})

describe('behind a balancer', () => {
  test('who brings no header is not answered', async () => {
    const to = ['-p', `${ports.behind}`, '@127.0.0.1', '+tls', '+time=1', '+tries=1']
    const { stdout } = await run('dig', [...to, '+short', 'www.example.com'])
    expect(stdout).not.toContain(ADDRESS)
  })
})
