/**
 * The lines that `lbprobe --as-dig` prints, given to a real `dig`: it takes each, gets the lab's
 * answer, and sends the octets that the probe sends. Beside it `kdig`: who proves himself to the one
 * proves himself to the other.
 */
import { X509Certificate } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packet from 'dns-packet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, asker } from '../../probe/ask/ask.ts'
import { pinOf } from '../../probe/ask/certificate.ts'
import { type Server, serverText } from '../../probe/ask/server.ts'
import { sockets } from '../../probe/ask/sockets.ts'
import { plannedAsDig, shownAsDig } from '../../probe/dig.ts'
import { labOf } from '../../probe/lab/lab.ts'
import { type Open, openLab } from '../../probe/lab/listen.ts'
import type { SecureOpen } from '../../probe/lab/listen-secure.ts'
import { chanceFrom } from '../../probe/plan/chance.ts'
import type { Question } from '../../probe/plan/question.ts'
import { NOBODY4, NOBODY6 } from '../../probe/plan/subnet.ts'
import { type Certificates, certificates } from '../kit/health.ts'
import { describeWith, folder, freePort, run, start, stopAll, until } from '../kit/process.ts'
import { ATLAS } from '../probe/in-process.ts'
import { NET, put, secureLab, serverAt } from '../probe/secure.ts'
import { shown } from './dig.ts'

const NAME = 'www.example.org'
const MANNER = { tries: 1, timeoutMs: 8000, size: 1232 }

function asked(label: string, over: Partial<Question> = {}): Question {
  const name = `${label}.lab.test`
  return { name, type: 'A', subnet: NET, round: 1, purpose: 'sample', ...over }
}

const THREE = ['192.0.2.1', '192.0.2.2', '192.0.2.3']
let lab: Open
let made: Certificates
let secure: SecureOpen
let ca: { readonly path: string; readonly pem: string }

describeWith(['dig', 'kdig', 'openssl'], 'lines of dig', () => {
  beforeAll(async () => {
    made = certificates()
    ca = { path: join(folder(), 'the authority.pem'), pem: made.authority }
    writeFileSync(ca.path, ca.pem)
    lab = await openLab(labOf(ATLAS, 1), [{ address: '127.0.0.1', port: 0 }])
    secure = await secureLab({ cert: made.good, key: made.key })
  })
  afterAll(async () => {
    await Promise.all([lab.close(), secure.close(), stopAll()])
  })

  const clear = (transport: 'udp' | 'tcp'): Server => ({
    address: '127.0.0.1', port: lab.places[0]?.port ?? 0, transport, recursion: 'not-desired',
  }) // biome-ignore format: one line
  const tls = (): number => secure.tls[0]?.port ?? 0
  const https = (): number => secure.https[0]?.port ?? 0

  // biome-ignore format: table
  const SERVERS: readonly (readonly [string, () => Server])[] = [
    ['UDP',                () => clear('udp')],
    ['UDP from elsewhere', () => ({ ...clear('udp'), origin: { address: '127.0.0.9', port: undefined } })],
    ['TCP',                () => clear('tcp')],
    ['TLS, opportunistic', () => serverAt(tls(), 'tls')],
    ['TLS, strict',        () => serverAt(tls(), 'tls', { name: NAME, ca })],
    ['HTTPS, POST',        () => serverAt(https(), 'https', { name: NAME, ca })],
    ['HTTPS, GET',         () => serverAt(https(), 'https', { name: NAME, ca, method: 'get' })],
  ]
  for (const [title, server] of SERVERS) {
    test(`${title}: dig takes the line and gets the lab's answer`, async () => {
      const line = await plannedAsDig([asked('fixed-list')], server(), MANNER)
      const ran = await run('sh', ['-c', line])
      const { status, ecs, answer } = shown(ran)
      expect({ status, ecs }, `${line}${ran.stdout}`).toEqual({
        status: 'NOERROR',
        ecs: '198.51.100.0/24/0',
      })
      expect(answer.map(record => record.split(' ').at(-1))).toEqual(THREE)
    })
  }

  test('another name: dig goes no further either', async () => {
    const server = serverAt(tls(), 'tls', { name: 'dns.example', ca })
    const line = await plannedAsDig([asked('fixed-list')], server, MANNER)
    expect(shown(await run('sh', ['-c', `${line.trim()} +time=2 +tries=1`])).status).toBe('none')
  })

  // biome-ignore format: table
  const QUESTIONS: readonly (readonly [string, Question, Server['recursion']])[] = [
    ['RFC 7871 §6 a subnet',                asked('geo'),                                              'not-desired'],
    ['RFC 7871 §7.1.2 SOURCE 0, and an unknown option', asked('geo', { subnet: NOBODY4, purpose: 'control' }), 'not-desired'],
    ['RFC 7871 §7.1.2 SOURCE 0 of IPv6',    asked('geo', { subnet: NOBODY6, purpose: 'control' }),     'not-desired'],
    ['no subnet, RD',                       asked('geo', { subnet: undefined }),                       'desired'],
    ['RFC 3597 §5 a type by number',        asked('geo', { type: 'TYPE65280' }),                       'desired'],
    ['RFC 9460 HTTPS',                      asked('geo', { type: 'HTTPS' }),                           'desired'],
    ['RFC 6891 §7 without EDNS',            asked('bare', { subnet: undefined }),                      'desired'],
    ['a name like a type',                  asked('', { name: 'mx' }),                                 'desired'],
    ['the root',                            asked('', { name: '.', type: 'NS' }),                      'desired'],
  ]
  for (const [title, question, recursion] of QUESTIONS) {
    test(`${title}: dig sends what the probe sends`, async () => {
      const heard: Buffer[] = []
      const socket = createSocket('udp4').on('message', query => heard.push(query))
      socket.bind(0, '127.0.0.1')
      await once(socket, 'listening')
      const { port } = socket.address()
      const server: Server = { address: '127.0.0.1', port, transport: 'udp', recursion }
      const lines: string[] = []
      const wire = shownAsDig(sockets(), line => lines.push(line))
      const who = asker(wire, chanceFrom(1), { ...MANNER, timeoutMs: 300 })
      if (question.name.startsWith('bare')) who.withoutEdns.add(serverText(server))
      await ask(who, question, server)
      await run('sh', ['-c', `${lines[0]?.trim()} +time=1 +tries=1`])
      socket.close()
      expect(heard.length).toBe(2)
      const [ours, digs] = heard.map(plain)
      expect(digs).toEqual(ours)
    })
  }

  // biome-ignore format: table
  const PROOFS: readonly (readonly [string, (pin: string) => readonly string[], (pin: string) => Parameters<typeof serverAt>[2], boolean])[] = [
    ['opportunistic',        () => ['+tls'],                                                () => ({}),                          true],
    ['the right name',       () => [`+tls-ca=${ca.path}`, `+tls-hostname=${NAME}`],         () => ({ name: NAME, ca }),          true],
    ['another name',         () => [`+tls-ca=${ca.path}`, '+tls-hostname=dns.example'],     () => ({ name: 'dns.example', ca }), false],
    ['nobody who is trusted', () => ['+tls-ca', `+tls-hostname=${NAME}`],                   () => ({ name: NAME }),              false],
    ['the pinned key',       pin => [`+tls-pin=${pin}`],                                    pin => ({ pins: [pin] }),            true],
    ['another key',          () => [`+tls-pin=${'A'.repeat(43)}=`],                         () => ({ pins: [`${'A'.repeat(43)}=`] }), false],
  ]
  for (const [title, words, terms, holds] of PROOFS) {
    test(`RFC 8310 ${title}: kdig and the probe agree`, async () => {
      const pin = pinOf(new X509Certificate(made.good))
      const place = ['@127.0.0.1', '-p', `${tls()}`, 'fixed-list.lab.test', '+retry=0']
      const { status } = shown(await run('kdig', [...place, ...words(pin)]))
      const { reply } = await put(serverAt(tls(), 'tls', terms(pin)), 'fixed-list')
      expect([status === 'NOERROR', reply.error === undefined]).toEqual([holds, holds])
    })
  }
})

describeWith(['named', 'openssl'], 'BIND over TLS and HTTPS', () => {
  afterAll(stopAll)

  test('RFC 7858, RFC 8484 POST and GET: twenty questions each', async () => {
    const { good, key, authority } = certificates()
    const ports = [await freePort(), await freePort(), await freePort()] as const
    const at = folder({
      ...{ 'cert.pem': good, 'key.pem': key, 'ca.pem': authority },
      'lab.zone': '$TTL 60\n@ SOA ns root 1 2 3 4 5\n@ NS ns\nns A 127.0.0.1\nwww A 192.0.2.7\n',
    })
    writeFileSync(join(at, 'named.conf'), namedConf(at, ports))
    const named = start('named', ['-g', '-c', join(at, 'named.conf')])
    await until('BIND serves', () => /running$/m.test(named.stderr()))
    const own = { name: NAME, ca: { path: join(at, 'ca.pem'), pem: authority } }
    const wire = sockets()
    for (const server of [
      serverAt(ports[1], 'tls', own),
      serverAt(ports[2], 'https', own),
      serverAt(ports[2], 'https', { ...own, method: 'get' }),
    ]) {
      const all = await Promise.all(Array.from({ length: 20 }, () => put(server, 'www', { wire })))
      for (const { reply } of all) {
        expect(reply).toMatchObject({ error: undefined, answers: ['192.0.2.7'], oddities: [] })
      }
    }
    wire.close?.()
  })
})

function namedConf(at: string, [plain, tls, https]: readonly [number, number, number]): string {
  return `
tls own { cert-file "${at}/cert.pem"; key-file "${at}/key.pem"; };
http own { endpoints { "/dns-query"; }; };
options {
  directory "${at}"; pid-file none; session-keyfile "${at}/session.key"; recursion no;
  listen-on-v6 { none; };
  listen-on port ${plain} { 127.0.0.1; };
  listen-on port ${tls} tls own { 127.0.0.1; };
  listen-on port ${https} tls own http own { 127.0.0.1; };
};
controls { };
zone "lab.test" { type primary; file "${at}/lab.zone"; };
`
}

/** A query without what differs each time: its ID, the case of its name, the order of its options. */
function plain(octets: Buffer): object {
  const { flags, questions, additionals } = packet.decode(octets)
  const opt = additionals?.find(record => record.type === 'OPT')
  const options =
    opt?.type === 'OPT' ? (opt.options as readonly { code: number; data?: Buffer }[]) : []
  return {
    flags,
    questions: questions?.map(one => ({ ...one, name: one.name.toLowerCase() })),
    size: opt?.type === 'OPT' ? opt.udpPayloadSize : undefined,
    options: options.map(({ code, data }) => `${code} ${data?.toString('hex')}`).sort(),
  }
}
