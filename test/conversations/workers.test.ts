/**
 * UDP workers, as operators meet them: how many there are, what a death among them costs, and what is
 * said where they cannot be had. Runs with either engine; with `node:dgram` there is one worker.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withoutBatches } from '../kit/engine.ts'
import { freePort, LBDNS, type Program, run, startReady, stopAll, until } from '../kit/process.ts'
import { config, type Line, logOf, reload, whole } from '../kit/reload.ts'
import { askUdp, dataOf, exchangeUdp, put, serveSite, site } from '../kit/server.ts'
import { queryOf } from '../kit/world.ts'

afterAll(stopAll)

/** Without batches there is one worker, and no socket to take over. */
const IS_BATCHED = withoutBatches === undefined
/** The second line of every site here. */
const workers = (count: number, port: number) =>
  `listen: [127.0.0.1:${port}]\nworkers: ${count}\n${config('[]').split('\n').slice(1).join('\n')}`

/** UDP sockets bound to a port of 127.0.0.1, as the kernel lists them. */
function socketsAt(port: number): number {
  const place = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return readFileSync('/proc/net/udp', 'latin1').split(place).length - 1
}

async function expectServed(port: number, address: string): Promise<void> {
  expect(dataOf(await askUdp(port, 'www.example.com', { subnet: '198.51.100.0/24' }))).toEqual([
    address,
  ])
}

describe('how many', () => {
  test.skipIf(!IS_BATCHED)(
    'each has a socket of its own, and all clients are answered',
    async () => {
      const port = await freePort()
      const server = await serveSite(site(whole(workers(3, port))))
      expect(socketsAt(port)).toBe(3)
      for (let client = 0; client < 30; client += 1) await expectServed(port, '192.0.2.1')
      expect(await server.stop()).toBe(0)
      const left = logOf(server).at(-1)
      expect(left).toMatchObject({ msg: 'left', restarts: 0, udp: { received: 30, answered: 30 } })
      expect(socketsAt(port)).toBe(0)
    },
  )

  test('a second server on the same address is refused, whatever its workers share', async () => {
    const port = await freePort()
    const folder = site(whole(workers(2, port)))
    await serveSite(folder)
    const sockets = socketsAt(port)
    const again = await run(process.execPath, [LBDNS, 'run', '-c', join(folder, 'lbdns.yaml')])
    expect(again.code).toBe(1)
    expect(again.stderr).toContain(`lbdns.yaml:1:10: cannot listen on 127.0.0.1:${port} (TCP): `)
    expect(socketsAt(port)).toBe(sockets)
  })

  test.skipIf(!IS_BATCHED)('more than files allow is a Problem where it is written', async () => {
    const port = await freePort()
    const folder = site(whole(workers(200, port)))
    const line = `ulimit -n 400; exec "${process.execPath}" "${LBDNS}" run -c "${folder}/lbdns.yaml"`
    const { code, stdout, stderr } = await run('bash', ['-c', line])
    expect([code, stdout]).toEqual([1, ''])
    // 4 files a thread, 12 sockets while it rehearses, and 100 left for all else: (400 − 100) ÷ 16
    expect(stderr.replaceAll(`${folder}/`, '')).toBe(
      'lbdns: lbdns.yaml:2:10: 200 workers need more files than this process may open · at most 18, or raise the limit (ulimit -n; LimitNOFILE= of systemd)\n',
    )
    expect(socketsAt(port)).toBe(0)
  })
})

/**
 * Loaded into every thread before it begins: a worker dies of an error of its own while the file is
 * there. With the one engine it looks at shared memory all the time, with the other at its event loop.
 */
const DYING = `
const { existsSync, renameSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')
const flag = __filename + '.die'
function isMine() {
  try {
    renameSync(flag, flag + 'd') // for one of them only
    return true
  } catch {
    return false
  }
}
function live() {
  if (existsSync(flag) && isMine()) throw new Error('a worker that dies')
}
if (!isMainThread) {
  const load = Atomics.load
  Atomics.load = (...given) => {
    live()
    return load(...given)
  }
  setInterval(live, 20).unref()
}
`

describe('a worker that dies', () => {
  let port = 0
  let folder = ''
  let server: Program
  beforeAll(async () => {
    port = await freePort()
    folder = site({ ...whole(workers(2, port)), 'dying.cjs': DYING })
    const args = [
      '--require',
      join(folder, 'dying.cjs'),
      LBDNS,
      'run',
      '-c',
      join(folder, 'lbdns.yaml'),
    ]
    server = await startReady(process.execPath, args, ({ stdout }) =>
      stdout().includes('listening'),
    )
  })

  const deaths = () => logOf(server).filter(({ msg }) => msg.startsWith('a UDP worker died'))

  async function kill(): Promise<void> {
    const before = deaths().length
    await until('a worker lived long enough to be replaced at once', async () => {
      await new Promise(resolve => setTimeout(resolve, 1_100))
      return true
    })
    writeFileSync(join(folder, 'dying.cjs.die'), '')
    await until('a worker died', () => deaths().length > before)
    // What comes while it is dead waits in its socket, where there is one to take over.
    if (!IS_BATCHED) await until('its address is open again', () => socketsAt(port) === 1)
  }

  test('is said, replaced, and clients of all workers are answered', async () => {
    await kill()
    expect(deaths()).toEqual([
      expect.objectContaining<Partial<Line>>({
        level: 50,
        msg: 'a UDP worker died and is replaced',
      }),
    ])
    for (let client = 0; client < 30; client += 1) await expectServed(port, '192.0.2.1')
    expect(socketsAt(port)).toBe(IS_BATCHED ? 2 : 1)
  })

  test.skipIf(!IS_BATCHED)(
    'what was sent to it while it was dead is answered by the next one',
    async () => {
      writeFileSync(join(folder, 'dying.cjs.die'), '')
      const query = queryOf('www.example.com', { subnet: '198.51.100.0/24' })
      const asked = Array.from({ length: 200 }, () =>
        exchangeUdp({ host: '127.0.0.1', port }, query),
      )
      expect((await Promise.all(asked)).every(reply => reply.length > 12)).toBe(true)
      await until('it died', () => deaths().length === 2)
    },
  )

  test('the one that replaces it serves what was loaded last, and takes orders', async () => {
    put(folder, { 'lbdns.yaml': workers(2, port).replace('192.0.2.1]', '192.0.2.99]') })
    expect(await reload(server, folder)).toEqual(['reloaded'])
    await kill()
    for (let client = 0; client < 30; client += 1) await expectServed(port, '192.0.2.99')
    put(folder, { 'lbdns.yaml': workers(2, port) })
    expect(await reload(server, folder)).toEqual(['reloaded'])
    for (let client = 0; client < 30; client += 1) await expectServed(port, '192.0.2.1')
  })

  test.skipIf(!IS_BATCHED)(
    'another number of workers takes a restart, and that is said',
    async () => {
      put(folder, { 'lbdns.yaml': workers(3, port) })
      expect(await reload(server, folder)).toEqual([
        'lbdns.yaml:2:10: lbdns goes on with 2 workers · restart it to have another number',
        'reloaded',
      ])
      expect(socketsAt(port)).toBe(2)
    },
  )

  test('is counted', async () => {
    const died = deaths().length
    rmSync(join(folder, 'dying.cjs.die'), { force: true })
    expect(await server.stop()).toBe(0)
    expect(logOf(server).at(-1)).toMatchObject({ msg: 'left', restarts: died })
  })
})

/** The nice value of each thread of a process, ascending. */
function ranksOf(pid: number): number[] {
  const tasks = `/proc/${pid}/task`
  const ranks = readdirSync(tasks).flatMap(task => {
    try {
      const stat = readFileSync(`${tasks}/${task}/stat`, 'latin1')
      return [Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])] // the 19th field: proc(5)
    } catch {
      return [] // it has ended
    }
  })
  return ranks.toSorted((a, b) => a - b)
}

describe('where a processor is wanted by several threads', () => {
  test.skipIf(process.platform !== 'linux')(
    'those that answer come first, V8 behind them, and a loader last (Linux only)',
    async () => {
      const port = await freePort()
      const folder = site(whole(workers(2, port)))
      const server = await serveSite(folder)
      expect(new Set(ranksOf(server.pid))).toEqual(new Set([0])) // V8 compiles what answers
      const reloaded = reload(server, folder)
      await until('a loader ranks last', () => ranksOf(server.pid).includes(15))
      expect(await reloaded).toEqual(['reloaded'])
      const count = (wanted: number) => ranksOf(server.pid).filter(rank => rank === wanted).length
      expect(count(10)).toBeGreaterThanOrEqual(4)
      expect(count(0)).toBeGreaterThanOrEqual(IS_BATCHED ? 3 : 2) // the first thread does TCP
      await until('it has ended', () => !ranksOf(server.pid).includes(15))
    },
  )
})

describe('without koffi', () => {
  test('one line says so, and UDP is served by node:dgram on one thread', async () => {
    const port = await freePort()
    const folder = site(whole(workers(2, port)))
    const line = `KOFFI=0 exec "${process.execPath}" "${LBDNS}" run -c "${folder}/lbdns.yaml"`
    const server = await startReady('bash', ['-c', line], ({ stdout }) =>
      stdout().includes('listening'),
    )
    await expectServed(port, '192.0.2.1')
    expect(socketsAt(port)).toBe(1)
    expect(logOf(server)).toMatchObject([
      { level: 40, msg: 'UDP goes through node:dgram, on one thread: KOFFI=0 is set' },
    ])
    expect(await server.stop()).toBe(0)
  })
})
