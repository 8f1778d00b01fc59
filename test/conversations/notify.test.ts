/** What a service manager hears of a server: sd_notify(3), through koffi and through `systemd-notify`. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { withoutBatches } from '../kit/engine.ts'
import { type Listener, listener } from '../kit/listener.ts'
import {
  describeWith,
  folder,
  freePort,
  LBDNS,
  type Program,
  startReady,
  stopAll,
  until,
} from '../kit/process.ts'
import { config, logOf, reload, whole } from '../kit/reload.ts'
import { put, site } from '../kit/server.ts'
import { asNobody, IS_ROOT, needsReaders, openSite } from '../kit/user.ts'

afterAll(stopAll)

type Environment = Readonly<Record<string, string>>

/** Sets variables and becomes the server, in the one process that `env` is. */
function serve(where: string, environment: Environment, ...before: string[]): Promise<Program> {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const args = [...variables, process.execPath, ...before, LBDNS, 'run', '-c']
  return startReady('env', [...args, join(where, 'lbdns.yaml')], ({ stdout }) =>
    stdout().includes('listening'),
  )
}

const serves = (port: number) => `STATUS=serves 1 zone, 2 steered names at 127.0.0.1:${port}`
const REFUSED = 'STATUS=reload refused, the old configuration keeps serving: 2 problems'

async function conversation(port: number, where: string, server: Program, heard: Listener) {
  await heard.hears(serves(port))
  expect(heard.lines()).toEqual(['READY=1', serves(port)])
  await heard.hears('WATCHDOG=1', 2)
  expect((await reload(server, where)).at(-1)).toBe('reloaded')
  await heard.hears('READY=1', 2)
  put(where, { 'lbdns.yaml': 'listen: []\n' })
  await reload(server, where)
  await heard.hears('READY=1', 3)
  expect(await server.stop()).toBe(0)
  await heard.hears('STOPPING=1')
}

describeWith(['python3', 'systemd-notify'], 'what a service manager hears', () => {
  // biome-ignore format: table
  const WAYS = [
    ['directly, to a path',                        {},             'path'],
    ['directly, to an abstract name',              {},             'name'],
    ['through systemd-notify, to a path',          { KOFFI: '0' }, 'path'],
    ['through systemd-notify, to an abstract name', { KOFFI: '0' }, 'name'],
  ] as const

  test.each(WAYS)(
    'a life: %s',
    async (_, environment, to) => {
      const port = await freePort()
      const where = site(whole(config(`[127.0.0.1:${port}]`)))
      const socket = to === 'path' ? join(folder(), 'notify') : `@lbdns-test-${port}`
      const heard = await listener(socket)
      const wish = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '2000000', ...environment }
      const server = await serve(where, wish)
      await conversation(port, where, server, heard)
      const lines = heard.lines()
      const time = Number(lines[3]?.split('=')[1]) / 1e6
      expect(lines.map(line => line.replace(/^(MONOTONIC_USEC)=\d+$/, '$1'))).toEqual([
        ...['READY=1', serves(port)],
        ...['RELOADING=1', 'MONOTONIC_USEC', serves(port), 'READY=1'],
        ...['RELOADING=1', 'MONOTONIC_USEC', REFUSED, 'READY=1'],
        'STOPPING=1',
      ])
      const { at = 0 } = heard.messages().find(message => message.lines[0] === 'RELOADING=1') ?? {}
      expect(time).toBeLessThanOrEqual(at)
      expect(at - time).toBeLessThan(20)
      // `systemd-notify` of root speaks for its parent, too.
      const isOwn = withoutBatches === undefined && !('KOFFI' in environment)
      if (isOwn || IS_ROOT) {
        expect(new Set(heard.messages().map(({ pid }) => pid))).toEqual(new Set([server.pid]))
      }
    },
    60_000,
  )

  test('an unprivileged server is heard, too', async context => {
    context.skip(!IS_ROOT, 'the other tests are that already')
    await needsReaders(context)
    const port = await freePort()
    const where = openSite(whole(config(`[127.0.0.1:${port}]`)))
    const socket = `@lbdns-test-${port}`
    const heard = await listener(socket)
    const args = [...asNobody(), 'run', '-c', join(where, 'lbdns.yaml')]
    const line = [`NOTIFY_SOCKET=${socket}`, 'setpriv', ...args]
    await startReady('env', line, ({ stdout }) => stdout().includes('listening'))
    await heard.hears('READY=1')
  })

  test('a start that is refused: nothing', async () => {
    const where = site({ 'lbdns.yaml': 'listen: []\n' })
    const socket = `@lbdns-test-${await freePort()}`
    const heard = await listener(socket)
    const starting = serve(where, { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '200000' })
    await expect(starting).rejects.toThrow('it ended with 1')
    expect(heard.messages()).toEqual([])
  })

  test('a watchdog that is meant for another process: only the rest', async () => {
    const port = await freePort()
    const socket = `@lbdns-test-${port}`
    const heard = await listener(socket)
    const where = site(whole(config(`[127.0.0.1:${port}]`)))
    const wish = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '100000', WATCHDOG_PID: '1' }
    const server = await serve(where, wish)
    await heard.hears('READY=1')
    expect(await reload(server, where)).toEqual(['reloaded'])
    await heard.hears('READY=1', 2)
    expect(heard.messages().flatMap(({ lines }) => lines)).not.toContain('WATCHDOG=1')
  })

  test('nobody listens: said once, and it serves', async () => {
    const port = await freePort()
    const where = site(whole(config(`[127.0.0.1:${port}]`)))
    const server = await serve(where, { NOTIFY_SOCKET: join(folder(), 'nobody') })
    const told = () => logOf(server).filter(({ msg }) => msg.startsWith('the service manager'))
    await until('it is said', () => told().length === 1)
    await reload(server, where)
    expect(await server.stop()).toBe(0)
    expect(told()).toHaveLength(1)
  })
})

/** Loaded into every thread before it begins: the workers hang while a file is there. */
const HANGING = `
const { existsSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')
const flag = __filename + '.hang'
const never = new Int32Array(new SharedArrayBuffer(4))
function hang() {
  while (existsSync(flag)) Atomics.wait(never, 0, 0, 20)
}
if (!isMainThread) {
  const load = Atomics.load
  Atomics.load = (...given) => {
    hang()
    return load(...given)
  }
  setInterval(hang, 20).unref()
}
`

describeWith(['python3', 'systemd-notify'], 'a worker that hangs', () => {
  test('keeps the watchdog waiting, until it goes on', async () => {
    const port = await freePort()
    const where = site({ ...whole(config(`[127.0.0.1:${port}]`)), 'hanging.cjs': HANGING })
    const flag = join(where, 'hanging.cjs.hang')
    const socket = `@lbdns-test-${port}`
    const heard = await listener(socket)
    const wish = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '600000' }
    const server = await serve(where, wish, '--require', join(where, 'hanging.cjs'))
    const wells = () => heard.messages().filter(({ lines }) => lines[0] === 'WATCHDOG=1').length
    const told = () => logOf(server).filter(({ msg }) => msg.includes('does not answer')).length
    await heard.hears('WATCHDOG=1', 2)
    writeFileSync(flag, '')
    const before = told()
    await until('it is said twice', () => told() >= before + 2)
    const waiting = wells()
    await until('it is said again', () => told() >= before + 4)
    expect(wells()).toBe(waiting)
    rmSync(flag)
    await until('all is well again', () => wells() > waiting + 1)
    expect(await server.stop()).toBe(0)
  }, 60_000)
})
