/**
 * The query log of a running server: a line for every query, over UDP and TCP, through reloads and
 * rotation; and what `diff --log` makes of it.
 */
import { existsSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { freePort, type Program, stopAll, until } from '../kit/process.ts'
import { logOf, PATIENCE_MS, reload, ZONE } from '../kit/reload.ts'
import { askUdp, dataOf, FOLDER, lbdns, put, serveSite, site } from '../kit/server.ts'
import { tcpClient } from '../kit/transport.ts'
import { queryOf } from '../kit/world.ts'

afterAll(stopAll)

type Line = { readonly [key: string]: unknown }

/** The lines of a log; none where there is no file. */
function linesIn(folder: string, name = 'query.log'): Line[] {
  const file = join(folder, name)
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.slice(0, -1).map(line => JSON.parse(line))
}

const logged = (folder: string, count: number) =>
  until(`${count} lines`, () => linesIn(folder).length >= count)

/** 198.51.100.0/24 is served by the first of these pools, others by the second. */
function yaml(port: number, pools: string, [first, second]: readonly string[], querylog: string) {
  return `listen: [127.0.0.1:${port}]
workers: 2
zones: [example.com.zone]
querylog: ${querylog}
networks: {office: [198.51.100.0/24]}
pools: {${pools}}
steer:
  www.example.com: {ttl: 60s, by: {networks: {office: [${first}]}, default: [${second}]}}
  "*.w.example.com": {ttl: 60s, pools: [${second}]}
`
}

const POOLS = 'us: {targets: [192.0.2.1]}, de: {targets: [192.0.2.2]}'
const ALL = '{file: query.log, sample: 1}'

async function serving(querylog = ALL): Promise<{ folder: string; port: number; server: Program }> {
  const port = await freePort()
  const text = yaml(port, POOLS, ['us', 'de'], querylog)
  const folder = site({ 'example.com.zone': ZONE, 'lbdns.yaml': text })
  return { folder, port, server: await serveSite(folder) }
}

const CLIENT = { subnet: '198.51.100.0/24' }

describe('every query', () => {
  test('has its line, over UDP and TCP, and diff counts it', async () => {
    const { folder, port, server } = await serving()
    for (let i = 0; i < 20; i += 1) {
      await askUdp(port, 'www.example.com', CLIENT)
      await askUdp(port, `n${i}.w.example.com`)
      await askUdp(port, 'No\n Such;".example.com', { subnet: '2001:db8:1:200::/56' })
    }
    const tcp = await tcpClient({ address: '127.0.0.1', port })
    for (let i = 0; i < 40; i += 1) {
      await tcp.ask(queryOf('www.example.com', { subnet: '203.0.113.7/32' }), 10_000)
    }
    tcp.socket.destroy()
    await logged(folder, 100)
    expect(await server.stop()).toBe(0)
    expect(linesIn(folder)).toHaveLength(100)

    const of = (part: Line) => linesIn(folder).filter(line => matches(line, part)).length
    const udp = { transport: 'udp', sample: 1 }
    const www = { name: 'www.example.com.', type: 'A', rcode: 'NOERROR' }
    expect(
      of({ ...www, ...udp, client: '198.51.100.0/24', from: 'ecs', scope: 24, pool: 'us' }),
    ).toBe(20)
    expect(
      of({ ...udp, client: '127.0.0.0/24', from: 'peer', pool: 'de', steer: '*.w.example.com.' }),
    ).toBe(20)
    expect(
      of({
        ...udp,
        client: '2001:db8:1::/48',
        rcode: 'NXDOMAIN',
        name: 'no\\010\\032such\\;\\".example.com.',
      }),
    ).toBe(20)
    expect(
      of({ ...www, client: '203.0.113.0/24', from: 'ecs', pool: 'de', transport: 'tcp' }),
    ).toBe(40)

    put(folder, { 'new.yaml': yaml(port, POOLS, ['de', 'de'], 'off') })
    const files = ['lbdns.yaml', 'new.yaml', 'query.log'].map(name => join(folder, name))
    const [old = '', now = '', log = ''] = files
    const { code, stdout } = await lbdns('diff', old, now, '--log', log, '--json')
    expect(code).toBe(0)
    // Of 80 for names that are steered, the 20 of the office move.
    expect(JSON.parse(stdout).log).toMatchObject({ queries: 100, unsteered: 20, moved: 20 })
  })

  test('or one of some, by chance, which says so', async () => {
    const { folder, port, server } = await serving('{file: logs/some.log, sample: 0.5}')
    put(folder, { logs: FOLDER })
    for (let i = 0; i < 400; i += 1) await askUdp(port, 'www.example.com', CLIENT)
    expect(await server.stop()).toBe(0)
    const lines = linesIn(folder, 'logs/some.log')
    expect(Math.abs(lines.length - 200)).toBeLessThan(5 * Math.sqrt(400 * 0.25))
    expect(new Set(lines.map(line => line.sample))).toEqual(new Set([0.5]))
  })

  test('or none, where there is no querylog', async () => {
    const { folder, port, server } = await serving('off')
    await askUdp(port, 'www.example.com', CLIENT)
    expect(await server.stop()).toBe(0)
    expect(existsSync(join(folder, 'query.log'))).toBe(false)
  })
})

function matches(line: Line, part: Line): boolean {
  return Object.entries(part).every(([key, value]) => line[key] === value)
}

describe('reloads', () => {
  /** Pools have other numbers in each, and one other name. */
  const STATES = [
    { pools: POOLS, order: ['us', 'de'] },
    {
      pools: `a: {targets: [192.0.2.9]}, b: {targets: [192.0.2.8]}, ny: {targets: [192.0.2.101]}, ${POOLS}`,
      order: ['ny', 'de'],
    },
    { pools: `de: {targets: [192.0.2.2]}, la: {targets: [192.0.2.102]}`, order: ['la', 'de'] },
  ] as const
  const POOL_OF: Readonly<Record<string, string>> = {
    '192.0.2.1': 'us',
    '192.0.2.101': 'ny',
    '192.0.2.102': 'la',
  }

  test('while queries come: each line has the pool that answered', {
    timeout: 6 * PATIENCE_MS,
  }, async () => {
    const { folder, port, server } = await serving()
    const answered = new Map<string, number>()
    let isOver = false
    const count = (address = '') => answered.set(address, (answered.get(address) ?? 0) + 1)
    const overUdp = async () => {
      while (!isOver) count(dataOf(await askUdp(port, 'www.example.com', CLIENT))[0])
    }
    const asking = [overUdp(), overUdp(), overUdp()]
    for (const turn of [1, 2, 0, 1, 2]) {
      const { order, pools } = STATES[turn] ?? STATES[0]
      put(folder, { 'lbdns.yaml': yaml(port, pools, order, ALL) })
      expect((await reload(server, folder)).at(-1)).toBe('reloaded')
    }
    isOver = true
    await Promise.all(asking)
    expect(await server.stop()).toBe(0)

    const lines = linesIn(folder)
    const told = new Map<string, number>()
    for (const { pool } of lines) told.set(`${pool}`, (told.get(`${pool}`) ?? 0) + 1)
    const expected = [...answered].map(([address, times]) => [POOL_OF[address], times] as const)
    expect([...told].toSorted()).toEqual(expected.toSorted())
    expect(told.size).toBe(3)
  })

  test('on, off, elsewhere; and a file that was renamed is left alone', {
    timeout: 4 * PATIENCE_MS,
  }, async () => {
    const { folder, port, server } = await serving('off')
    const follow = async (querylog: string) => {
      put(folder, { 'lbdns.yaml': yaml(port, POOLS, ['us', 'de'], querylog) })
      expect((await reload(server, folder)).at(-1)).toBe('reloaded')
    }
    await askUdp(port, 'www.example.com')
    await follow(ALL)
    await askUdp(port, 'www.example.com')
    await logged(folder, 1)
    renameSync(join(folder, 'query.log'), join(folder, 'query.log-20261224'))
    await askUdp(port, 'www.example.com')
    await logged(folder, 1)
    await follow('{file: other.log, sample: 1}')
    await askUdp(port, 'www.example.com')
    await follow('off')
    await askUdp(port, 'www.example.com')
    expect(await server.stop()).toBe(0)
    const names = ['query.log-20261224', 'query.log', 'other.log']
    expect(names.map(name => linesIn(folder, name).length)).toEqual([1, 1, 1])
  })
})

describe('the file', () => {
  test('is rotated by size', async () => {
    const { folder, port, server } = await serving(
      '{file: query.log, sample: 1, max_size: 2kB, keep: 2}',
    )
    for (let i = 0; i < 60; i += 1) await askUdp(port, 'www.example.com', CLIENT)
    expect(await server.stop()).toBe(0)
    const sizes = ['query.log.2', 'query.log.1', 'query.log'].map(
      name => readFileSync(join(folder, name)).length,
    )
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2_000)
    expect(existsSync(join(folder, 'query.log.3'))).toBe(false)
    const line = JSON.stringify(linesIn(folder)[0]).length + 1
    expect(Math.min(...sizes.slice(0, 2))).toBeGreaterThan(2_000 - line)
  })

  test.skipIf(!existsSync('/dev/full'))(
    'on a full disk: said once, and all are answered',
    async () => {
      const { folder, port, server } = await serving('off')
      symlinkSync('/dev/full', join(folder, 'query.log'))
      put(folder, { 'lbdns.yaml': yaml(port, POOLS, ['us', 'de'], ALL) })
      await reload(server, folder)
      const said = () => logOf(server).filter(({ msg }) => msg.includes('query.log'))
      for (let i = 0; i < 10; i += 1) {
        expect(dataOf(await askUdp(port, 'www.example.com', CLIENT))).toEqual(['192.0.2.1'])
        await until('it is said', () => said().length > 0)
      }
      expect(await server.stop()).toBe(0)
      expect(said()).toEqual([
        expect.objectContaining({
          level: 40,
          msg: `${join(folder, 'query.log')}: cannot be written: ENOSPC: no space left on device, write · lines are lost until it can`,
        }),
      ])
    },
  )
})
