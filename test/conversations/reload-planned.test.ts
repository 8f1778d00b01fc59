/**
 * A change of the map that is planned, and one that is not: what TTLs are served around it. The map
 * moves when the office moves to other networks; the name's TTLs are 60 s at most and 5 s at least.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, type Program, stopAll, until } from '../kit/process.ts'
import { config, logOf, reload, whole } from '../kit/reload.ts'
import { askUdp, dataOf, put, serveSite, site } from '../kit/server.ts'

let port = 0
let folder = ''
let server: Program
beforeAll(async () => {
  port = await freePort()
  folder = site(whole(yaml()))
  server = await serveSite(folder)
})
afterAll(stopAll)

const TTL = { max: 60, min: 5 }

function yaml(more = ''): string {
  const text = config(`[127.0.0.1:${port}]`)
  return (
    more + text.replace('www.example.com: {ttl: 60s', 'www.example.com: {ttl: {max: 60s, min: 5s}')
  )
}

type Served = { readonly data: string; readonly ttl: number }

/** What a client gets, who is in the office from the second plan on. */
async function served(name = 'www.example.com'): Promise<Served> {
  const reply = await askUdp(port, name, { subnet: '203.0.113.0/24' })
  const [data = ''] = dataOf(reply)
  return { data, ttl: Number(reply.answer[0]?.split(' ')[1]) }
}

function lines(message: string): number {
  return logOf(server).filter(({ msg }) => msg === message).length
}

test('planned: until then TTLs reach no further, then the new map serves with the least', async () => {
  expect(await served()).toEqual({ data: '192.0.2.3', ttl: TTL.max })
  const at = Date.now() + 9_000
  const plan = `activate_at: ${new Date(at).toISOString()}\n`
  put(folder, { 'lbdns.yaml': yaml(plan), 'office.txt': '192.0.2.0/24\n' })
  server.signal('SIGHUP')
  await until('it is planned', () => lines('planned') === 1, 10_000)

  while (Date.now() < at - 500) {
    const { data, ttl } = await served()
    const left = (at - Date.now()) / 1000
    expect(data).toBe('192.0.2.3')
    expect(ttl).toBeLessThanOrEqual(Math.max(TTL.min, Math.ceil(left)))
    expect(ttl).toBeGreaterThanOrEqual(TTL.min)
    expect((await served('turn.example.com')).ttl).toBe(60) // its map does not move
  }

  await until('it is changed', () => lines('reloaded') === 1, 10_000)
  expect(Date.now()).toBeGreaterThanOrEqual(at)
  expect(await served()).toEqual({ data: '192.0.2.2', ttl: TTL.min })
  await until('all old answers are gone', async () => (await served()).ttl === TTL.max, 10_000)
  expect(Date.now()).toBeGreaterThanOrEqual(at + 1000 * TTL.min)
})

test('unplanned: new answers leave the caches with the last old ones', async () => {
  put(folder, { 'lbdns.yaml': yaml(), 'office.txt': '203.0.113.0/24\n' })
  expect(await reload(server, folder)).toEqual(['reloaded'])
  const { data, ttl } = await served()
  expect(data).toBe('192.0.2.3')
  expect(ttl).toBeGreaterThan(TTL.max - 5)
  expect(ttl).toBeLessThan(TTL.max)
})

test('a plan is given up for the next reload', async () => {
  const plan = `activate_at: ${new Date(Date.now() + 3_600_000).toISOString()}\n`
  put(folder, { 'lbdns.yaml': yaml(plan), 'office.txt': '192.0.2.0/24\n' })
  server.signal('SIGHUP')
  await until('it is planned', () => lines('planned') === 2, 10_000)
  put(folder, { 'lbdns.yaml': yaml(), 'office.txt': '203.0.113.0/24\n192.0.2.0/24\n' })
  expect(await reload(server, folder)).toEqual(['reloaded'])
  expect((await served()).data).toBe('192.0.2.3')
})
