/**
 * Answers follow what is alive: three web servers on loopback, killed and revived, and what a client
 * of the name server sees of it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort, type Program, stopAll, until } from '../kit/process.ts'
import { logOf } from '../kit/reload.ts'
import { askUdp, serveSite, site } from '../kit/server.ts'

const EVERY = 1
const FALL = 2
const TIMEOUT = 1
/** Seconds from a death until no answer has it: fall × every + timeout + 0.1. */
const BOUND_MS = 1000 * (FALL * EVERY + TIMEOUT + 0.1)

const HOSTS = ['127.0.0.2', '127.0.0.3', '127.0.0.4']
const ADDRESSES = ['192.0.2.2', '192.0.2.3', '192.0.2.4']

const webs = new Map<string, Server>()
let webPort = 0
let port = 0
let folder = ''
let server: Program

async function revive(host: string): Promise<void> {
  const web = createServer((_, response) => response.end('fine'))
  await new Promise<void>(resolve => web.listen(webPort, host, resolve))
  webs.set(host, web)
}

async function kill(host: string): Promise<void> {
  const web = webs.get(host)
  web?.closeAllConnections()
  await new Promise(resolve => web?.close(resolve))
}

beforeAll(async () => {
  webPort = await freePort()
  port = await freePort()
  for (const host of HOSTS) await revive(host)
  const targets = HOSTS.map((host, i) => `{address: ${ADDRESSES[i]}, check_address: ${host}}`)
  const pace = `every: ${EVERY}s, timeout: ${TIMEOUT}s, fall: ${FALL}, rise: 2`
  folder = site({
    'lbdns.yaml': `listen: [127.0.0.1:${port}]
zones: [a.zone]
checks: {web: {type: http, port: ${webPort}, body: fine, ${pace}}}
pools:
  first: {check: web, targets: [${targets.join(', ')}]}
  second: {targets: [192.0.2.9]}
steer:
  www.example.com: {ttl: {max: 30s, min: 1s}, pools: [first, second]}
  alone.example.com: {ttl: {max: 30s, min: 1s}, pools: [first]}
`,
    'a.zone': '$ORIGIN example.com.\n$TTL 60\n@ SOA ns1 h 1 7200 900 1209600 60\n@ NS ns1\n',
  })
  server = await serveSite(folder)
})
afterAll(async () => {
  for (const host of HOSTS) await kill(host)
  await stopAll()
})

async function answer(name = 'www.example.com') {
  const { answer } = await askUdp(port, name)
  const words = answer.map(line => line.split(' '))
  return {
    ttls: words.map(([, ttl]) => Number(ttl)),
    addresses: words.map(([, , , data]) => data).sort(),
  }
}

const answers = (addresses: readonly string[], name?: string) => async () =>
  JSON.stringify((await answer(name)).addresses) === JSON.stringify([...addresses].sort())

/** Waits for an answer, and tells how long it took. */
async function becomes(addresses: readonly string[], name?: string): Promise<number> {
  const since = performance.now()
  const isSo = answers(addresses, name)
  while (!(await isSo())) {
    if (performance.now() - since > 20_000) throw new Error(`never ${addresses}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  return performance.now() - since
}

describe('what is alive is what is answered', () => {
  test('ecs.md 3.4 until checks have told enough, the TTL is the least; then the time to a flip', async () => {
    const soon = 1000 * (EVERY + 0.5)
    await until(
      'it is proven',
      async () => (await answer()).ttls.every(ttl => ttl === 2),
      10 * soon,
    )
    expect(await answer()).toEqual({ ttls: [2, 2, 2], addresses: ADDRESSES })
  })

  test('one that dies is out in fall × every + timeout + 0.1 s', async () => {
    await kill(HOSTS[1] ?? '')
    const took = await becomes(['192.0.2.2', '192.0.2.4'])
    expect(took).toBeLessThan(BOUND_MS)
    await until('it is logged', () => logOf(server).some(({ msg }) => msg === 'down'))
    const told = logOf(server).find(({ msg }) => msg === 'down')
    expect(told).toMatchObject({ pool: 'first', target: '192.0.2.3', why: 'connection refused' })
  })

  test('a reload forgets nothing', async () => {
    server.signal('SIGHUP')
    await until('it is reloaded', () => logOf(server).some(({ msg }) => msg === 'reloaded'))
    expect((await answer()).addresses).toEqual(['192.0.2.2', '192.0.2.4'])
  })

  test('one that comes back is in after rise × every', async () => {
    await revive(HOSTS[1] ?? '')
    expect(await becomes(ADDRESSES)).toBeLessThan(BOUND_MS)
  })

  test('kill −9: what was down is down from the first answer on', async () => {
    await kill(HOSTS[2] ?? '')
    await becomes(['192.0.2.2', '192.0.2.3'])
    const file = join(folder, 'lbdns.state')
    await until('it is kept', () =>
      /"up":false/.test(existsSync(file) ? readFileSync(file, 'latin1') : ''),
    )
    server.signal('SIGKILL')
    await server.ended
    server = await serveSite(folder)
    expect((await answer()).addresses).toEqual(['192.0.2.2', '192.0.2.3'])
    await revive(HOSTS[2] ?? '')
    expect(await becomes(ADDRESSES)).toBeLessThan(BOUND_MS)
  })

  test('a pool that is down hands its clients on; with no other, all of it is answered', async () => {
    for (const host of HOSTS) await kill(host)
    expect(await becomes(['192.0.2.9'])).toBeLessThan(BOUND_MS)
    expect((await answer('alone.example.com')).addresses).toEqual(ADDRESSES)
    for (const host of HOSTS) await revive(host)
    await becomes(ADDRESSES)
  })
})
