/**
 * Public reports of health checks: what is answered before anything is known, what an HTTP check
 * takes for up, and what becomes of checks that a reload changes. Each with a server of its own.
 */
import { createServer as createTlsServer } from 'node:https'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { siteWith, target, whole } from '../kit/checked-site.ts'
import { certificates, hasOpenssl } from '../kit/health.ts'
import { askSteadily } from '../kit/pace.ts'
import { freePort, LBDNS, type Program, start, startReady, stopAll, until } from '../kit/process.ts'
import { logOf, reload } from '../kit/reload.ts'
import { becomes, seen } from '../kit/seen.ts'
import { dataOf, put, serveSite } from '../kit/server.ts'
import { killWebs, type Webs, websAt } from '../kit/webs.ts'
import { queryOf, said } from '../kit/world.ts'

const EVERY = 1
const FALL = 2
const TIMEOUT = 1
/** What a machine that is busy may need beside all that is waited for. */
const SLACK_MS = 3_000
const NAME = 'www.example.com'
const pace = `every: ${EVERY}s, timeout: ${TIMEOUT}s, fall: ${FALL}, rise: 1`

/** Servers take their time to start where others want all processors. */
vi.setConfig({ testTimeout: 90_000 })
afterAll(async () => {
  await killWebs()
  await stopAll()
})

describe('before anything is known', () => {
  const HOSTS = ['127.0.2.1', '127.0.2.2', '127.0.2.3'] as const
  const ALL = '192.0.2.1 192.0.2.2 192.0.2.3'
  const config = ({ port }: Webs, initial: string) => `
checks: {web: {type: http, port: ${port}, ${pace}, initial: ${initial}}}
pools: {p: {check: web, targets: [${HOSTS.map((host, i) => target(i + 1, host))}]}}
steer: {www.example.com: {ttl: {max: 60s, min: 5s}, pools: [p]}}
`
  // biome-ignore format: table
  const TABLE = [
    // initial  documented: at first all serve, with the least TTL; an answer is never empty
    ['last',    'nothing is known, so all are up'],
    ['up',      'all are up'],
    ['down',    'all are down, and the last resort is the whole pool'],
  ] as const
  test.concurrent.each(TABLE)('BC-113 initial: %s: %s; then the live one only', async initial => {
    const made = await websAt(HOSTS[0])
    const { folder, port } = await siteWith(config(made, initial))
    const heard: { readonly at: number; readonly answer: string; readonly ttl: number }[] = []
    const server = start(process.execPath, [LBDNS, 'run', '-c', join(folder, 'lbdns.yaml')])
    const asker = askSteadily(port, {
      rate: 20,
      query: () => queryOf(NAME),
      hear: (_, reply, { heard: at }) => {
        const answer = said(reply)
        const ttl = Number(answer.answer[0]?.split(' ')[1])
        heard.push({ at, answer: dataOf(answer).join(' '), ttl })
      },
    })
    await until('it is known', () => heard.at(-1)?.answer === '192.0.2.1')
    await pause(1_000)
    await asker.stop()
    const known = heard.findIndex(({ answer }) => answer === '192.0.2.1')
    // One may be found down a moment before the other.
    for (const { answer, ttl } of heard.slice(0, known)) {
      expect([ALL, '192.0.2.1 192.0.2.2', '192.0.2.1 192.0.2.3']).toContain(answer)
      expect(ttl).toBe(5)
    }
    for (const { answer } of heard.slice(known)) expect(answer).toBe('192.0.2.1')
    const first = heard[0]?.at ?? 0
    const took = (heard[known]?.at ?? 0) - first
    expect(took).toBeLessThan(1000 * (FALL * EVERY + TIMEOUT) + SLACK_MS)
    await server.stop()
  })

  test('BC-121 after a restart, what was known too long ago counts for nothing', async () => {
    const made = await websAt(...HOSTS)
    const state = 'state: {file: lbdns.state, max_age: 1s}'
    const { folder, port } = await siteWith(`${state}${config(made, 'last')}`)
    const before = await serveSite(folder)
    await made.kill(HOSTS[2])
    const left = ['192.0.2.1', '192.0.2.2']
    await becomes(port, NAME, left)
    await before.stop()
    await pause(2_100)
    const server = await serveSite(folder)
    const told = logOf(server).map(({ msg }) => msg)
    expect(told.join()).toContain(
      'lbdns.state: is older than 1 s: what was known of health is not used',
    )
    expect(await becomes(port, NAME, left)).toBeLessThan(1000 * (FALL * EVERY + TIMEOUT) + SLACK_MS)
  })
})

describe('what an HTTP check takes for up', () => {
  const ANSWERS = [200, 301, 404, 500] as const
  const host = (i: number) => `127.0.2.${11 + i}`

  test('BC-128 200 301 404 500, no body, 5 s late, where 200 and 301 pass; and the Host', async () => {
    const made = await websAt(...[0, 1, 2, 3, 4, 5].map(host))
    for (const [i, status] of ANSWERS.entries()) {
      made.answer(host(i), (_, response) => {
        response.writeHead(status, { location: `http://${host(0)}:${made.port}/else` }).end('text')
      })
    }
    made.answer(host(4), (_, response) => response.end())
    made.answer(host(5), (_, response) => void setTimeout(() => response.end('fine'), 5_000))
    const { folder, port } = await siteWith(`
checks: {web: {type: http, port: ${made.port}, path: /up, host: up.example.net, status: [200, 301], ${pace}}}
pools: {p: {check: web, targets: [${[0, 1, 2, 3, 4, 5].map(i => target(i + 1, host(i)))}]}}
steer: {www.example.com: {ttl: 60s, pools: [p]}}
`)
    const server = await serveSite(folder)
    await becomes(port, NAME, ['192.0.2.1', '192.0.2.2', '192.0.2.5'])
    const why = (n: number) => logOf(server).find(line => isOf(line, `192.0.2.${n}`))
    await until('all are told of', () => [3, 4, 6].every(n => why(n) !== undefined))
    expect(why(3)).toMatchObject({ msg: 'down', why: 'status 404' })
    expect(why(4)).toMatchObject({ msg: 'down', why: 'status 500' })
    expect(why(6)).toMatchObject({ msg: 'down', why: 'no answer within 1 s' })
    for (const i of [0, 1, 2, 3, 4, 5]) {
      const asked = made.asked(host(i))
      expect(asked.length).toBeGreaterThan(0)
      // A redirect is not followed.
      for (const one of asked) expect(one).toEqual({ path: '/up', host: 'up.example.net' })
    }
  })

  const isOf = (line: object, address: string) => 'target' in line && line.target === address

  const title = 'BC-128 over TLS: the name that is asked for, and the Host, as configured'
  test.skipIf(!hasOpenssl)(title, async () => {
    const { good: cert, key } = certificates()
    const asked: string[] = []
    const web = createTlsServer({ key, cert }, ({ headers, socket }, response) => {
      asked.push(`${headers.host} ${(socket as TLSSocket & { servername: string }).servername}`)
      response.end('fine')
    })
    const webPort = await freePort()
    await new Promise<void>(resolve => web.listen(webPort, '127.0.2.20', resolve))
    const terms = 'host: up.example.net, sni: www.example.org, verify: off'
    const { folder } = await siteWith(`
checks: {web: {type: https, port: ${webPort}, ${terms}, ${pace}}}
pools: {p: {check: web, targets: [${target(1, '127.0.2.20')}]}}
steer: {www.example.com: {ttl: 60s, pools: [p]}}
`)
    const server = await serveSite(folder)
    await until('it is asked', () => asked.length > 1)
    expect(new Set(asked)).toEqual(new Set(['up.example.net www.example.org']))
    await server.stop()
    web.close()
  })
})

describe('a reload', () => {
  test('BC-118 what is not checked any more is asked nothing after one interval', async () => {
    const [stays, goes] = ['127.0.2.31', '127.0.2.32'] as const
    const made = await websAt(stays, goes)
    const config = (path: string, pools: string) => `
checks: {web: {type: http, port: ${made.port}, path: ${path}, ${pace}}}
pools: {p: {check: web, targets: [${target(1, stays)}]}${pools}}
steer: {www.example.com: {ttl: 60s, pools: [p]}}
`
    const old = `, q: {check: web, targets: [${target(2, goes)}]}`
    const { folder, port } = await siteWith(config('/old', old))
    const server = await serveSite(folder)
    await until('both are asked', () => [stays, goes].every(one => made.asked(one).length > 1))
    put(folder, { 'lbdns.yaml': whole(port, config('/new', '')) })
    expect((await reload(server, folder)).at(-1)).toBe('reloaded')
    await pause(1000 * EVERY)
    const before = { stays: made.asked(stays).length, goes: made.asked(goes).length }
    await pause(4_000 * EVERY)
    const later = made.asked(stays).slice(before.stays)
    expect(later.length).toBeGreaterThan(1)
    for (const { path } of later) expect(path).toBe('/new')
    expect(made.asked(goes).length).toBe(before.goes)
  })
})

/** In the place of the system: names are asked of the very server that looks for them. */
const OWN_RESOLVER = `
const dns = require('node:dns/promises')
const resolver = new dns.Resolver({ tries: 1, timeout: 1000 })
dns.lookup = async name => {
  resolver.setServers(['127.0.0.1:' + process.env.OWN_PORT])
  return (await resolver.resolve4(name)).map(address => ({ address, family: 4 }))
}
require('node:module').syncBuiltinESMExports()
`

describe('a check of a name that this server steers', () => {
  const SECONDS = 6

  async function serveOwn(folder: string, port: number): Promise<Program> {
    put(folder, { 'own.cjs': OWN_RESOLVER })
    const line = `OWN_PORT=${port} exec "${process.execPath}" --require "${folder}/own.cjs" "${LBDNS}" run -c "${folder}/lbdns.yaml"`
    const isReady = ({ stdout }: Program) => stdout().includes('listening')
    return startReady('bash', ['-c', line], isReady)
  }

  test('BC-127 by its own verdict: refused, at load', async () => {
    const { folder, port } = await siteWith(`
checks: {web: {type: tcp, port: 80, ${pace}}}
pools: {p: {check: web, targets: [{address: 192.0.2.1, check_address: www.example.com}]}}
steer: {www.example.com: {ttl: 60s, pools: [p]}}
`)
    await expect(serveOwn(folder, port)).rejects.toThrow('which this server steers by that very')
  })

  test('BC-127 by another verdict: warned of, and one query a try, however many targets', async () => {
    const made = await websAt('127.0.2.41')
    const same = [1, 2, 3].map(n => target(n, 'own.example.com'))
    const { folder, port } = await siteWith(`
checks: {web: {type: http, port: ${made.port}, every: 2s, timeout: 1s}}
pools:
  p: {check: web, targets: [${same}]}
  loopback: {targets: [127.0.2.41]}
steer:
  www.example.com: {ttl: 60s, pools: [p]}
  own.example.com: {ttl: 60s, pools: [loopback]}
`)
    const server = await serveOwn(folder, port)
    const since = performance.now()
    await pause(1000 * SECONDS)
    expect((await seen(port, NAME)).addresses).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3'])
    await server.stop()
    const tries = made.connections('127.0.2.41')
    expect(tries).toBeGreaterThan(1)
    expect(server.stderr()).toContain('which this server steers: it tries whichever target')
    const left = logOf(server).at(-1) as unknown as { readonly udp: { readonly received: number } }
    const own = left.udp.received - 1 // one is ours
    expect(own).toBeGreaterThanOrEqual(tries)
    expect(own).toBeLessThan((performance.now() - since) / 1000)
  })
})
