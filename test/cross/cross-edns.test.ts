/**
 * EDNS as others ask for it: `dig`, `kdig` and `drill` with each of their options against a running
 * lbdns, and BIND as a resolver that keeps cookies. What comes back is what the RFC of each says.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answers, ask, type Place } from '../kit/ask.ts'
import { type Server, startLbdns } from '../kit/lbdns.ts'
import {
  describeWith,
  folder,
  freePort,
  LBPROBE,
  putFiles,
  run,
  startReady,
  stopAll,
  until,
} from '../kit/process.ts'
import { startUnbound } from './resolvers.ts'

const HOSTS = Array.from({ length: 30 }, (_, i) => `h${i} A 192.0.2.${i}`).join('\n')
const ZONE = `
$ORIGIN example.com.
$TTL 300
@ 3600 SOA ns1 hostmaster 2024010101 7200 900 1209600 60
@    NS ns1
ns1  A  127.0.0.1
mail A  192.0.2.25
${HOSTS}
`
const CONFIG = 'zones: [example.com.zone]\nidentity: fra1\nwhoami: whoami.example.com\n'

let server: Server
let strict: Server
let metrics: { readonly server: number; readonly strict: number }

beforeAll(async () => {
  metrics = { server: await freePort(), strict: await freePort() }
  const files = { 'example.com.zone': ZONE }
  server = await startLbdns(`${CONFIG}metrics: 127.0.0.1:${metrics.server}\n`, files)
  const always = `cookies: {require: always}\nmetrics: 127.0.0.1:${metrics.strict}\n`
  strict = await startLbdns(CONFIG + always, files)
})
afterAll(stopAll)

/** What is printed, blanks made one. */
async function printed(tool: string, to: Server, args: string): Promise<string> {
  const once = { dig: ['+tries=1', '+norec'], kdig: ['+retry=0', '+norec'] }[tool] ?? ['-o', 'rd']
  const words = [...once, ...args.split(' ')]
  const { stdout } = await run(tool, ['@127.0.0.1', '-p', String(to.port), ...words])
  return stdout.replace(/[ \t]+/g, ' ')
}

const CLIENT = '0102030405060708'
/** A server cookie of version 1 behind it. RFC 9018 §4. */
const WHOLE = new RegExp(`COOKIE: ${CLIENT}01000000[0-9a-f]{24} \\(good\\)`)
const NOERROR = /status: NOERROR/
const SILENT = /^(?!.*(COOKIE|NSID|EDE|KEEPALIVE|PAD|OPT=))/s

// biome-ignore format: table
const DIG = [
  // clause                                                 arguments                                               printed
  ['RFC 6891 §6.1.2 +ednsopt unknown',                      '+nocookie +ednsopt=100 mail.example.com',              [NOERROR, SILENT]],
  ['RFC 6891 §6.1.2 +ednsopt with data',                    '+nocookie +ednsopt=65001:cafe mail.example.com',       [NOERROR, SILENT]],
  ['RFC 7314 +expire',                                      '+nocookie +expire mail.example.com',                   [NOERROR, SILENT]],
  ['RFC 6891 §6.1.3 +edns=1',                               '+nocookie +edns=1 +noednsneg mail.example.com',        [/status: BADVERS/, /version: 0, flags:; udp: 1232/, SILENT]],
  ['RFC 6891 §6.1.3 +edns=255 and options',                 '+edns=255 +noednsneg +nsid mail.example.com',          [/status: BADVERS/, SILENT]],
  ['RFC 6891 §6.1.4 +ednsflags=0x7fff: DO alone',           '+nocookie +dnssec +ednsflags=0x7fff mail.example.com',       [NOERROR, /flags: do; udp/]],
  ['RFC 6891 §7 +noedns',                                   '+noedns mail.example.com',                             [NOERROR, /^(?!.*EDNS: )/s]],
  ['RFC 6891 §6.2.3 +bufsize=0',                            '+nocookie +bufsize=0 mail.example.com',                [NOERROR, /ANSWER: 1/]],
  ['RFC 3225 §3 +dnssec',                                   '+nocookie +dnssec mail.example.com',                   [NOERROR, /flags: do; udp/]],
  ['RFC 7873 §5.2.1 +nocookie',                             '+nocookie mail.example.com',                           [NOERROR, SILENT]],
  ['RFC 7873 §5.2.3 +cookie',                               `+cookie=${CLIENT} mail.example.com`,                   [NOERROR, WHOLE]],
  ['RFC 7873 §5.2.4 +cookie that is not ours',              `+cookie=${CLIENT}${'0'.repeat(32)} mail.example.com`,  [NOERROR, WHOLE]],
  ['RFC 7873 §5.2.2 +cookie of 7 octets',                   '+cookie=01020304050607 mail.example.com',              [/status: FORMERR/, /EDE: 0 \(Other\)/]],
  ['RFC 7873 §5.4 +header-only +cookie',                    `+header-only +cookie=${CLIENT}`,                       [NOERROR, WHOLE, /QUERY: 0/]],
  ['RFC 9619 §4 +header-only',                              '+nocookie +header-only',                               [/status: FORMERR/, /EDE: 0 \(Other\)/]],
  ['RFC 5001 §2.2 +nsid',                                   '+nocookie +nsid mail.example.com',                     [NOERROR, /NSID: 66 72 61 31 \("fra1"\)/]],
  ['RFC 5001 §2.1 NSID with data',                          '+nocookie +ednsopt=3:deadbeef mail.example.com',       [NOERROR, /\("fra1"\)/]],
  ['RFC 8914 not our zone',                                 '+nocookie example.net',                                [/status: REFUSED/, /EDE: 20 \(Not Authoritative\)/]],
  ['RFC 8914 +opcode=notify',                               '+nocookie +opcode=notify example.com SOA',             [/status: NOTIMP/, /EDE: 21 \(Not Supported\)/]],
  ['RFC 8914 +opcode=update',                               '+nocookie +opcode=update example.com SOA',             [/status: NOTIMP/, /EDE: 21 \(Not Supported\)/]],
  ['RFC 8490 +opcode=6, DSO',                               '+noedns +header-only +opcode=6',                       [/status: NOTIMP/]],
  ['RFC 8914 class HS',                                     '+nocookie -c HS -t A mail.example.com',                [/status: REFUSED/, /EDE: 21 \(Not Supported\)/]],
  ['RFC 8914 over TCP with a text',                         '+nocookie +tcp -c HS -t A mail.example.com',           [/EDE: 21 \(Not Supported\): \(class\)/]],
  ['RFC 7828 §3.3.1 +keepalive over UDP',                   '+nocookie +keepalive mail.example.com',                [NOERROR, SILENT]],
  ['RFC 8467 §3 +padding over UDP',                         '+nocookie +padding=128 mail.example.com',              [NOERROR, SILENT]],
  ['RFC 8467 §3 +padding over TCP',                         '+nocookie +tcp +padding=128 mail.example.com',         [NOERROR, /^(?!.*PAD)/s]],
] as const

describeWith(['dig'], 'dig', () => {
  test.each(DIG)('%s', async (_, args, patterns) => {
    const text = await printed('dig', server, args)
    for (const pattern of patterns) expect(text).toMatch(pattern)
    expect(text).not.toMatch(/warning|mismatch|malformed|\(bad\)/i)
  })

  test('RFC 7873 §5.3 BADCOOKIE brings the cookie, and dig comes back with it', async () => {
    const once = await printed('dig', strict, `+nobadcookie +cookie=${CLIENT} mail.example.com`)
    expect(once).toMatch(/status: BADCOOKIE/)
    expect(once).toMatch(WHOLE)
    const [, cookie] = /COOKIE: ([0-9a-f]{48})/.exec(once) ?? []
    const known = await printed('dig', strict, `+nobadcookie +cookie=${cookie} mail.example.com`)
    expect(known).toMatch(/status: NOERROR.*ANSWER: 1/s)
    const alone = await printed('dig', strict, `+badcookie +cookie=${CLIENT} mail.example.com`)
    expect(alone).toMatch(/BADCOOKIE, retrying.*status: NOERROR/s)
  })

  test('RFC 7873 §5.2.1 who has no cookies is told to come over TCP, and does', async () => {
    const cut = await printed('dig', strict, '+nocookie +ignore mail.example.com')
    expect(cut).toMatch(/status: NOERROR.*flags: qr tc;.*ANSWER: 0/s)
    expect(await printed('dig', strict, '+noedns mail.example.com')).toMatch(/192\.0\.2\.25/)
  })
})

describeWith(['dig'], 'a reload', () => {
  const files = { 'example.com.zone': ZONE }
  const config = (more: string) => `zones: [example.com.zone]\n${more}`

  async function cookieOf(to: Server, args: string): Promise<string> {
    const text = await printed('dig', to, `${args} mail.example.com`)
    return /COOKIE: ([0-9a-f]+)/.exec(text)?.[1] ?? text
  }

  async function reloaded(to: Server, more: string): Promise<void> {
    const [listen = ''] = readFileSync(join(to.folder, 'lbdns.yaml'), 'utf8').split('\n')
    putFiles(to.folder, { 'lbdns.yaml': `${listen}\n${config(more)}` })
    const before = to.stdout().split('reloaded').length + to.stderr().split('reloaded').length
    to.signal('SIGHUP')
    await until('it is reloaded', () => {
      return to.stdout().split('reloaded').length + to.stderr().split('reloaded').length > before
    })
  }

  test('keeps the secret by chance, in all threads; NSID changes', async () => {
    const own = await startLbdns(config('identity: one\nworkers: 2\n'), files)
    const cookie = await cookieOf(own, `+cookie=${CLIENT}`)
    await reloaded(own, 'identity: two\nworkers: 2\n')
    for (const over of ['+notcp', '+tcp', '+notcp', '+notcp']) {
      expect(await cookieOf(own, `${over} +cookie=${cookie}`)).toBe(cookie)
    }
    expect(await printed('dig', own, '+nsid mail.example.com')).toMatch(/\("two"\)/)
  })

  test('RFC 9018 §5 rolls a secret over', async () => {
    const [old, next] = ['e5e973e5a6b2a43f48e7dc849e37bfcf', '445536bcd2513298075a5d379663c962']
    const own = await startLbdns(config(`cookies: {secrets: [${old}, ${next}]}\n`), files)
    const first = await cookieOf(own, `+cookie=${CLIENT}`)
    await reloaded(own, `cookies: {secrets: [${next}, ${old}], require: always}\n`)
    const second = await cookieOf(own, `+cookie=${first}`)
    expect(second).not.toBe(first)
    expect(await printed('dig', own, `+cookie=${first} mail.example.com`)).toMatch(NOERROR)
    await reloaded(own, `cookies: {secrets: [${next}], require: always}\n`)
    expect(await cookieOf(own, `+nobadcookie +cookie=${second}`)).toBe(second)
    const gone = await printed('dig', own, `+nobadcookie +cookie=${first} mail.example.com`)
    expect(gone).toMatch(/status: BADCOOKIE/)
  })
})

// biome-ignore format: table
const KDIG = [
  ['RFC 5001 +nsid',           '+nsid mail.example.com',            [NOERROR, /NSID: \w+ "fra1"/]],
  ['RFC 7873 +cookie',         `+cookie=${CLIENT} mail.example.com`, [NOERROR, new RegExp(`COOKIE: ${CLIENT}01000000[0-9A-F]{24}`, 'i')]],
  ['RFC 7873 §5.3 +badcookie', `+cookie +badcookie mail.example.com`, [NOERROR]],
  ['RFC 8467 +padding',        '+padding=128 mail.example.com',     [NOERROR, /^(?!.*PADDING)/s]],
  ['RFC 8914 not our zone',    '+edns=0 example.net',               [/status: REFUSED/, /EDE: 20/]],
  ['RFC 6891 +edns=1',         '+edns=1 mail.example.com',          [/BADVERS/]],
  ['RFC 6891 +ednsopt',        '+ednsopt=65001:cafe mail.example.com', [NOERROR]],
] as const

describeWith(['kdig'], 'kdig', () => {
  test.each(KDIG)('%s', async (_, args, patterns) => {
    const text = await printed('kdig', server, args)
    for (const pattern of patterns) expect(text).toMatch(pattern)
    expect(text).not.toMatch(/warning|mismatch|malformed/i)
  })
})

describeWith(['drill'], 'drill', () => {
  // biome-ignore format: table
  test.each([
    ['plain',                      'mail.example.com',          [/rcode: NOERROR/, /192\.0\.2\.25/]],
    ['RFC 6891 a size',            '-b 4096 mail.example.com',  [/rcode: NOERROR/, /udp: 1232/]],
    ['RFC 3225 DO',                '-D mail.example.com',       [/rcode: NOERROR/, /flags: do ; udp: 1232/]],
    ['not our zone',               'example.net',               [/rcode: REFUSED/]],
    ['RFC 8482 ANY',               'mail.example.com ANY',      [/HINFO "?RFC8482"?/]],
  ] as const)('%s', async (_, args, patterns) => {
    const text = await printed('drill', server, args)
    for (const pattern of patterns) expect(text).toMatch(pattern)
  })
})

/** BIND in front of a server: it keeps cookies (`send-cookie`), and tells over HTTP how they do. */
async function startBind(to: Server): Promise<Place & { readonly told: number }> {
  const [port, told] = [await freePort(), await freePort()]
  const where = folder()
  const config = `
options {
  directory "${where}"; pid-file none; session-keyfile none; listen-on port ${port} { 127.0.0.1; };
  listen-on-v6 { none; }; recursion yes; allow-query { any; }; dnssec-validation no;
  send-cookie yes; forward only; forwarders { 127.0.0.1 port ${to.port}; };
};
controls { };
statistics-channels { inet 127.0.0.1 port ${told} allow { any; }; };
`
  putFiles(where, { 'named.conf': config })
  const place = { host: '127.0.0.1', port }
  await startReady('named', ['-g', '-c', join(where, 'named.conf')], () =>
    answers(place, 'example.com'),
  )
  return { ...place, told }
}

/** What lbdns counts of cookies. */
async function cookiesAt(port: number): Promise<Record<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const lines = text.matchAll(/^lbdns_dns_cookie_requests_total\{cookie="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries([...lines].map(([, cookie = '', count]) => [cookie, Number(count)]))
}

/** What BIND counts of them, as a resolver. */
async function cookiesOf({ told }: { readonly told: number }): Promise<Record<string, number>> {
  const reply = await fetch(`http://127.0.0.1:${told}/json/v1/server`)
  const stats = (await reply.json()) as {
    readonly views: {
      readonly _default: { readonly resolver: { readonly stats: Record<string, number> } }
    }
  }
  return stats.views._default.resolver.stats
}

describeWith(['named'], 'BIND with cookies in front', () => {
  // biome-ignore format: table
  test.each([
    ['RFC 7873 §5.2.3 the first reply brings one, all others are asked with it', 'server'],
    ['RFC 7873 §5.3 where one is demanded, it comes back with the one of BADCOOKIE', 'strict'],
  ] as const)('%s', async (_, which) => {
    const to = which === 'server' ? server : strict
    const before = await cookiesAt(metrics[which])
    const bind = await startBind(to)
    for (let i = 0; i < 30; i += 1) {
      const said = await ask(bind, { name: `h${i}.example.com` })
      expect([said.rcode, said.answer]).toEqual(['NOERROR', [`192.0.2.${i}`]])
    }
    const after = await cookiesAt(metrics[which])
    const rose = (cookie: string) => (after[cookie] ?? 0) - (before[cookie] ?? 0)
    expect(rose('valid')).toBeGreaterThanOrEqual(29)
    expect(rose('invalid')).toBe(0)
    expect(rose('client')).toBeGreaterThanOrEqual(1)
    const { CookieClientOk = 0, CookieIn, ServerCookieOut } = await cookiesOf(bind)
    expect(ServerCookieOut).toBeGreaterThanOrEqual(29)
    expect(CookieClientOk).toBeGreaterThan(29)
    expect(CookieIn).toBe(CookieClientOk) // none was bad
  })
})

describeWith(['unbound'], 'lbprobe and our own mirror', () => {
  test('Unbound passes subnets on, as lbprobe resolver sees at whoami', async () => {
    const unbound = await startUnbound('example.com', { host: '127.0.0.1', port: server.port })
    const words = ['resolver', `@${unbound.host}:${unbound.port}`, '--zone', 'whoami.example.com']
    const { stdout } = await run(process.execPath, [LBPROBE, ...words, '--json'])
    const [result] = JSON.parse(stdout).results
    expect(result).toMatchObject({ verdict: 'forwards', path: 'intact' })
    expect(result.ways).toMatchObject({ echo: 'exact', scope: 'shown', nobody: 'kept' })
  })
})
