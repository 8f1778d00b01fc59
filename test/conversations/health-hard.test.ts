/**
 * Hard times, at a running server: checks that hang, a disk that is full, a clock that is set, a
 * target that is exchanged. Answers go on, and what is known of health is neither lost nor made up.
 */
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { siteWith, target, whole } from '../kit/checked-site.ts'
import { askSteadily } from '../kit/pace.ts'
import { freePort, LBDNS, type Program, startReady, stopAll, until } from '../kit/process.ts'
import { logOf, reload } from '../kit/reload.ts'
import { becomes, proven, seen } from '../kit/seen.ts'
import { put, serveSite } from '../kit/server.ts'
import { pause, tcpClient } from '../kit/transport.ts'
import { killWebs, websAt } from '../kit/webs.ts'
import { queryOf, said } from '../kit/world.ts'

const NAME = 'www.example.com'
const PACE = 'every: 1s, timeout: 1s, fall: 2, rise: 1'

/** Servers take their time to start where others want all processors. */
vi.setConfig({ testTimeout: 90_000 })
afterAll(async () => {
  await killWebs()
  await stopAll()
})

/**
 * Listens, and is then stopped, so that nobody ever accepts: connections are made as long as there is
 * room for them, and never answered. At the one host there is room for two, and both are taken.
 */
const HANGING = `
const { createServer, connect } = require('node:net')
const [port, silent, full] = process.argv.slice(1)
const listen = (host, backlog, then) => createServer().listen({ port, host, backlog }, then)
listen(silent, 511, () => listen(full, 1, () => process.stdout.write('listening')))
`

describe('checks that hang', () => {
  const SILENT = '127.0.3.1'
  const FULL = '127.0.3.2'
  const SECONDS = 8

  async function hang(port: number): Promise<Program> {
    const args = ['-e', HANGING, `${port}`, SILENT, FULL]
    const hanging = await startReady(process.execPath, args, ({ stdout }) =>
      stdout().includes('listening'),
    )
    hanging.signal('SIGSTOP')
    return hanging
  }

  test.skipIf(process.platform !== 'linux')(
    'no connection and no answer: both are down, and no query waits (Linux only)',
    async () => {
      const webPort = await freePort()
      const hanging = await hang(webPort)
      const filling = [1, 2].map(() => tcpClient({ address: FULL, port: webPort }))
      const taken = await Promise.all(filling)
      const { folder, port } = await siteWith(`
checks: {web: {type: http, port: ${webPort}, ${PACE}}}
pools: {p: {check: web, targets: [${target(1, SILENT)}, ${target(2, FULL)}]}, q: {targets: [192.0.2.9]}}
steer: {www.example.com: {ttl: 60s, pools: [p, q]}}
`)
      const server = await serveSite(folder)
      const client = await tcpClient({ address: '127.0.0.1', port })
      const answers = new Set<string>()
      const took: number[] = []
      const asker = askSteadily(port, {
        rate: 100,
        query: () => queryOf(NAME),
        hear: (_, reply, { asked, heard }) => {
          answers.add(said(reply).rcode)
          took.push(heard - asked)
        },
      })
      for (let second = 0; second < 2 * SECONDS; second += 1) {
        expect(await client.ask(queryOf(NAME), 5_000)).toBeDefined()
        await pause(500)
      }
      expect(await asker.stop()).toBe(0)
      expect([...answers]).toEqual(['NOERROR'])
      const inTime = took.filter(ms => ms < 1000) // what a check that hangs takes
      expect(inTime.length).toBeGreaterThan(0.95 * took.length)
      const down = logOf(server).filter(({ msg }) => msg === 'down')
      expect(down).toHaveLength(2)
      expect(down).toContainEqual(
        expect.objectContaining({ target: '192.0.2.1', why: 'no answer within 1 s' }),
      )
      expect(down).toContainEqual(
        expect.objectContaining({ target: '192.0.2.2', why: 'no connection within 1 s' }),
      )
      expect((await seen(port, NAME)).addresses).toEqual(['192.0.2.9'])
      for (const one of [client, ...taken]) one.socket.destroy()
      hanging.signal('SIGKILL')
    },
  )
})

describe('a disk that is full', () => {
  test.skipIf(process.platform !== 'linux')(
    'is said once; answers and checks go on, and the old state stays whole (Linux only)',
    async () => {
      const hosts = ['127.0.3.11', '127.0.3.12'] as const
      const made = await websAt(...hosts)
      const { folder, port } = await siteWith(`
checks: {web: {type: http, port: ${made.port}, ${PACE}}}
pools: {p: {check: web, targets: [${hosts.map((host, i) => target(i + 1, host))}]}}
steer: {www.example.com: {ttl: 60s, pools: [p]}}
`)
      const file = join(folder, 'lbdns.state')
      const before = await serveSite(folder)
      await made.kill(hosts[0])
      await becomes(port, NAME, ['192.0.2.2'])
      expect(await before.stop()).toBe(0)
      const kept = readFileSync(file, 'utf8')

      symlinkSync('/dev/full', `${file}.new`) // what is written beside it finds no room
      const server = await serveSite(folder)
      expect((await seen(port, NAME)).addresses).toEqual(['192.0.2.2'])
      await made.revive(hosts[0])
      await becomes(port, NAME, ['192.0.2.1', '192.0.2.2'])
      const told = () =>
        logOf(server).filter(({ msg }) => msg.includes('cannot be written: ENOSPC'))
      await until('it is said', () => told().length > 0)
      await made.kill(hosts[1])
      await becomes(port, NAME, ['192.0.2.1'])
      await pause(3_000) // it is tried again meanwhile
      expect(told()).toHaveLength(1)
      expect(readFileSync(file, 'utf8')).toBe(kept)

      rmSync(`${file}.new`) // there is room again
      expect((await seen(port, NAME)).addresses).toEqual(['192.0.2.1'])
      expect(await server.stop()).toBe(0)
      expect(readFileSync(file, 'utf8')).not.toBe(kept)
      await serveSite(folder)
      expect((await seen(port, NAME)).addresses).toEqual(['192.0.2.1'])
    },
  )
})

/** The calendar of a process, so many milliseconds off as a file says. */
const STEPPED = `
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const RealDate = Date
let off = 0
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + off)
    else super(...given)
  }
  static now() {
    return RealDate.now() + off
  }
}
setInterval(() => {
  off = Number(readFileSync(join(__dirname, 'off'), 'utf8'))
}, 20).unref()
`

describe('a clock that is set', () => {
  const DAY_MS = 86_400_000
  const BOUND_MS = 1000 * (2 * 1 + 1) + 3_000

  test('a day on, then two days back: nothing flips of it, and checks go on', async () => {
    const hosts = ['127.0.3.21', '127.0.3.22', '127.0.3.23'] as const
    const made = await websAt(...hosts)
    const { folder, port } = await siteWith(`
checks: {web: {type: http, port: ${made.port}, ${PACE}}}
pools: {p: {check: web, targets: [${hosts.map((host, i) => target(i + 1, host))}]}}
steer: {www.example.com: {ttl: 60s, pools: [p]}}
`)
    put(folder, { 'stepped.cjs': STEPPED, off: '0' })
    const args = ['--require', join(folder, 'stepped.cjs')]
    const run = [...args, LBDNS, 'run', '-c', join(folder, 'lbdns.yaml')]
    const server = await startReady(process.execPath, run, ({ stdout }) =>
      stdout().includes('listening'),
    )
    await made.kill(hosts[2])
    await becomes(port, NAME, ['192.0.2.1', '192.0.2.2'])
    const flips = () => logOf(server).filter(({ msg }) => msg === 'up' || msg === 'down').length
    await until('it is logged', () => flips() === 1)

    for (const [off, left, before] of [
      [DAY_MS, ['192.0.2.1'], 1],
      [-DAY_MS, ['192.0.2.1', '192.0.2.2'], 2],
    ] as const) {
      const asked = made.connections(hosts[0])
      writeFileSync(join(folder, 'off'), `${off}`)
      await pause(4_000)
      expect(flips()).toBe(before)
      expect(made.connections(hosts[0]) - asked).toBeGreaterThan(1)
      expect(made.connections(hosts[0]) - asked).toBeLessThan(8)
      if (off > 0) await made.kill(hosts[1])
      else await made.revive(hosts[1])
      expect(await becomes(port, NAME, left)).toBeLessThan(BOUND_MS)
      await until('it is logged', () => flips() === before + 1)
    }
    const times = logOf(server).map(line => Date.parse('time' in line ? String(line.time) : ''))
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(DAY_MS)
  })
})

describe('a reload that exchanges one target', () => {
  test('of all others it is known what was known: down stays down, proven stays proven', async () => {
    const hosts = [31, 32, 33, 34].map(n => `127.0.3.${n}`)
    const made = await websAt(...hosts)
    const config = (last: number) => `
checks: {web: {type: http, port: ${made.port}, ${PACE.replace('every: 1s', 'every: 10s, fast_every: 1s')}}}
pools:
  p: {check: web, targets: [${[1, 2, last].map(n => target(n, hosts[n - 1] ?? ''))}]}
  one: {check: web, targets: [${target(1, hosts[0] ?? '')}]}
steer:
  www.example.com: {ttl: {max: 60s, min: 1s}, pools: [p]}
  one.example.com: {ttl: {max: 60s, min: 1s}, pools: [one]}
`
    await made.kill(hosts[1] ?? '')
    const { folder, port } = await siteWith(config(3))
    const server = await serveSite(folder)
    await becomes(port, NAME, ['192.0.2.1', '192.0.2.3'])
    await until('it is proven', () => proven(port, 'one.example.com', 11))
    const asked = made.connections(hosts[0] ?? '')
    put(folder, { 'lbdns.yaml': whole(port, config(4)) })
    expect((await reload(server, folder)).at(-1)).toBe('reloaded')
    // The next try of any of them is seconds away: this is what was known before.
    expect(await seen(port, NAME)).toMatchObject({ addresses: ['192.0.2.1', '192.0.2.4'] })
    // Unproven it would be 1; proven it is 11, less the seconds that the reload took.
    const [ttl = 0] = (await seen(port, 'one.example.com')).ttls
    expect(ttl).toBeGreaterThan(1)
    expect(ttl).toBeLessThanOrEqual(11)
    expect(made.connections(hosts[0] ?? '')).toBe(asked)
  })
})
