/**
 * Answers follow what is alive: three web servers on loopback, killed and revived, and what a client
 * of the name server sees of it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { siteWith, target } from '../kit/checked-site.ts'
import { type Program, stopAll, until } from '../kit/process.ts'
import { logOf } from '../kit/reload.ts'
import { becomes, proven, seen } from '../kit/seen.ts'
import { serveSite } from '../kit/server.ts'
import { killWebs, type Webs, websAt } from '../kit/webs.ts'

const EVERY = 1
const FALL = 2
const TIMEOUT = 1
/** Seconds from a death until no answer has it: fall × every + timeout + 0.1. */
const BOUND_MS = 1000 * (FALL * EVERY + TIMEOUT + 0.1)

const HOSTS = ['127.0.0.2', '127.0.0.3', '127.0.0.4'] as const
const ADDRESSES = ['192.0.2.2', '192.0.2.3', '192.0.2.4']
const NAME = 'www.example.com'

let webs: Webs
let port = 0
let folder = ''
let server: Program

beforeAll(async () => {
  webs = await websAt(...HOSTS)
  const targets = HOSTS.map((host, i) => target(i + 2, host))
  const pace = `every: ${EVERY}s, timeout: ${TIMEOUT}s, fall: ${FALL}, rise: 2`
  ;({ folder, port } = await siteWith(`
checks: {web: {type: http, port: ${webs.port}, body: fine, ${pace}}}
pools:
  first: {check: web, targets: [${targets}]}
  second: {targets: [192.0.2.9]}
steer:
  www.example.com: {ttl: {max: 30s, min: 1s}, pools: [first, second]}
  alone.example.com: {ttl: {max: 30s, min: 1s}, pools: [first]}
`))
  server = await serveSite(folder)
})
afterAll(async () => {
  await killWebs()
  await stopAll()
})

describe('what is alive is what is answered', () => {
  test('ecs.md 3.4 until checks have told enough, the TTL is the least; then the time to a flip', async () => {
    const soon = 1000 * (EVERY + 0.5)
    await until('it is proven', () => proven(port, NAME, FALL * EVERY), 10 * soon)
    expect(await seen(port, NAME)).toMatchObject({ ttls: [2, 2, 2], addresses: ADDRESSES })
  })

  test('one that dies is out in fall × every + timeout + 0.1 s', async () => {
    await webs.kill(HOSTS[1])
    const took = await becomes(port, NAME, ['192.0.2.2', '192.0.2.4'])
    expect(took).toBeLessThan(BOUND_MS)
    await until('it is logged', () => logOf(server).some(({ msg }) => msg === 'down'))
    const told = logOf(server).find(({ msg }) => msg === 'down')
    expect(told).toMatchObject({ pool: 'first', target: '192.0.2.3', why: 'connection refused' })
  })

  test('a reload forgets nothing', async () => {
    server.signal('SIGHUP')
    await until('it is reloaded', () => logOf(server).some(({ msg }) => msg === 'reloaded'))
    expect((await seen(port, NAME)).addresses).toEqual(['192.0.2.2', '192.0.2.4'])
  })

  test('one that comes back is in after rise × every', async () => {
    await webs.revive(HOSTS[1])
    expect(await becomes(port, NAME, ADDRESSES)).toBeLessThan(BOUND_MS)
  })

  test('BC-121 kill −9: what was down is down from the first answer on', async () => {
    await webs.kill(HOSTS[2])
    await becomes(port, NAME, ['192.0.2.2', '192.0.2.3'])
    const file = join(folder, 'lbdns.state')
    await until('it is kept', () =>
      /"up":false/.test(existsSync(file) ? readFileSync(file, 'latin1') : ''),
    )
    server.signal('SIGKILL')
    await server.ended
    server = await serveSite(folder)
    expect((await seen(port, NAME)).addresses).toEqual(['192.0.2.2', '192.0.2.3'])
    await webs.revive(HOSTS[2])
    expect(await becomes(port, NAME, ADDRESSES)).toBeLessThan(BOUND_MS)
  })

  test('a pool that is down hands its clients on; with no other, all of it is answered', async () => {
    await webs.kill(...HOSTS)
    expect(await becomes(port, NAME, ['192.0.2.9'])).toBeLessThan(BOUND_MS)
    expect((await seen(port, 'alone.example.com')).addresses).toEqual(ADDRESSES)
    await webs.revive(...HOSTS)
    await becomes(port, NAME, ADDRESSES)
  })
})
