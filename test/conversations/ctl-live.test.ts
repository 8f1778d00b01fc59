/** `lbdns ctl` while something goes on: health that is watched, events, servers that come and go. */
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Event, Health, WatchTold } from '../../server/tell/control/told.ts'
import { closeSockets, controlSocket } from '../kit/control.ts'
import {
  describeWith,
  folder,
  LBDNS,
  type Program,
  putFiles,
  start,
  stopAll,
  until,
} from '../kit/process.ts'
import { lbdns } from '../kit/server.ts'

afterAll(async () => {
  await closeSockets()
  await stopAll()
})

const ctl = (path: string, ...args: readonly string[]): Program =>
  start(process.execPath, [LBDNS, 'ctl', '--socket', path, ...args])

const WATCH: WatchTold = {
  check: 'web',
  kind: 'http',
  place: '192.0.2.10',
  targets: ['fra/192.0.2.10'],
  now: 'up',
  proven: true,
  since: '2026-11-30T21:00:00Z',
  why: '200 OK',
  steady_s: 20,
  passes: 3,
  failures: 0,
}
const DOWN: WatchTold = {
  ...WATCH,
  now: 'down',
  since: '2026-11-30T21:04:11Z',
  why: 'connection refused',
}

/** A server that tells of what stands in `now.health`. */
async function checking(path = join(folder(), 'lbdns.sock')) {
  const now: { health: Health } = { health: { watches: [WATCH] } }
  const control = await controlSocket(() => ({ ok: true, value: now.health }), {}, path)
  return { ...control, now }
}

describe('health --watch without a terminal', () => {
  test('what there is, then a line for each change, until Ctrl-C', async () => {
    const { path, now, asked } = await checking()
    const watching = ctl(path, 'health', '--watch')
    const first = '2026-11-30T21:00:00Z up web 192.0.2.10 (fra/192.0.2.10): 200 OK\n'
    await until('it is shown', () => watching.stdout() === first)
    await until('it has been asked again', () => asked.length >= 2)
    now.health = { watches: [DOWN] }
    const then = '2026-11-30T21:04:11Z down web 192.0.2.10 (fra/192.0.2.10): connection refused\n'
    await until('it has changed', () => watching.stdout() === first + then)
    watching.signal('SIGINT')
    expect([await watching.ended, watching.stderr()]).toEqual([0, ''])
  })

  test('a server that goes away is waited for', async () => {
    const { path, socket } = await checking()
    const watching = ctl(path, 'health', '--watch', '--json')
    await until('it is shown', () => watching.stdout() !== '')
    expect(JSON.parse(watching.stdout())).toEqual(WATCH)
    await socket.close()
    await until('it is missed', () => watching.stderr().includes('trying again'))
    const { now } = await checking(path)
    await until('it is back', () => watching.stderr().includes('the server answers again'))
    now.health = { watches: [DOWN] }
    await until('it has changed', () => watching.stdout().includes('"down"'))
    watching.signal('SIGINT')
    expect(await watching.ended).toBe(0)
    expect(watching.stderr().split('\n')).toEqual([
      `lbdns: no server at ${path}: there is no such socket · start lbdns run, or name what it runs with -c FILE or --socket PATH: trying again`,
      'lbdns: the server answers again',
      '',
    ])
  })

  test('Ctrl-C ends it while a reply is waited for', async () => {
    const { path, asked } = await controlSocket(() => new Promise(() => {}))
    const watching = ctl(path, 'health', '--watch')
    await until('it is asked', () => asked.length === 1)
    watching.signal('SIGINT')
    expect([await watching.ended, watching.stdout(), watching.stderr()]).toEqual([0, '', ''])
  })
})

/** What a terminal would show of a screen that is drawn from its top left corner. */
function lastScreen(drawn: string): string[] {
  const [screen = ''] = drawn.split('\x1b[H').slice(-1)
  const [lines = ''] = screen.split('\x1b[J')
  return lines.replaceAll('\x1b[K', '').replaceAll('\r', '').split('\n').slice(0, -1)
}

/** A shell that does this and that while the command which it becomes has its terminal. */
function terminalLine(where: string, command: string): string {
  const once = (file: string, then: string) =>
    `(while [ ! -e ${join(where, file)} ]; do sleep 0.05; done; ${then}) &`
  const resize = once('resize', 'stty -F /dev/tty rows 5 cols 40')
  const interrupt = once('interrupt', 'kill -INT $$')
  return `stty rows 10 cols 60; ${resize} ${interrupt} exec ${command}`
}

describeWith(['script', 'stty'], 'health --watch on a terminal', () => {
  test('a table, drawn again and again; a resize; Ctrl-C leaves the last one', async () => {
    const { path, now } = await checking()
    const where = folder()
    const command = `${process.execPath} ${LBDNS} ctl --socket ${path} health --watch`
    const terminal = start('script', ['-qefc', terminalLine(where, command), '/dev/null'])
    const screen = () => lastScreen(terminal.stdout())
    await until('it is drawn', () => screen().length === 4)
    const [head = '', blank, titles = '', row = ''] = screen()
    expect(head).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}1 of 1 up$/)
    expect(blank).toBe('')
    expect(titles).toMatch(/^now +for +check +kind +place +in a row +/)
    expect(row).toMatch(/^up +\S+ +web +http +192\.0\.2\.10 +3 passes +/)
    for (const line of [titles, row]) expect([line.length, line.at(-1)]).toEqual([60, '…'])

    const watches = Array.from({ length: 20 }, (_, i) => ({ ...DOWN, place: `192.0.2.${i}` }))
    now.health = { watches }
    await until('it has changed', () => screen().at(-1) === 'and 15 more lines')
    expect(screen()).toHaveLength(9)

    putFiles(where, { resize: '' })
    // The terminal becomes lower and narrower one after the other, and is drawn in between.
    const isNarrow = () => screen()[2]?.length === 40
    await until('it has another size', () => screen().at(-1) === 'and 20 more lines' && isNarrow())
    expect(screen()).toHaveLength(4)

    putFiles(where, { interrupt: '' })
    expect(await terminal.ended).toBe(0)
    expect(screen().at(-1)).toBe('and 20 more lines')
    expect(terminal.stdout()).not.toContain('\x1b[?1049h') // the alternate screen
  })
})

describe('events', () => {
  const EVENTS: readonly Event[] = [
    {
      id: 1,
      time: '2026-11-30T21:04:11Z',
      kind: 'verdict',
      pool: 'fra',
      target: '192.0.2.10',
      now: 'down',
      why: 'connection refused',
    },
    { id: 2, time: '2026-11-30T21:05:00Z', kind: 'reloaded', listening: [], digest: 'abc' },
  ]

  // biome-ignore format: table
  const SHOWN: readonly (readonly [string, readonly string[], string])[] = [
    ['a line each', [],
      '2026-11-30T21:04:11Z fra/192.0.2.10 down: connection refused\n' +
      '2026-11-30T21:05:00Z reloaded, digest abc\n3 events lost: they came faster than they were read\n'],
    ['as JSON', ['--json'], [...EVENTS, { lost: 3 }].map(event => `${JSON.stringify(event)}\n`).join('')],
  ]
  test.each(SHOWN)('%s, until Ctrl-C', async (_, args, expected) => {
    const { path, tell, listeners } = await controlSocket()
    const hearing = ctl(path, 'events', ...args)
    await until('it is told', () => listeners() === 1)
    for (const event of [...EVENTS, { lost: 3 }]) tell(event)
    await until('all have come', () => hearing.stdout() === expected)
    hearing.signal('SIGINT')
    expect([await hearing.ended, hearing.stderr()]).toEqual([0, ''])
    await until('it has left', () => listeners() === 0)
  })

  test('a server that leaves is said', async () => {
    const { path, socket, listeners } = await controlSocket()
    const hearing = ctl(path, 'events')
    await until('it is told', () => listeners() === 1)
    await socket.close()
    expect([await hearing.ended, hearing.stderr()]).toEqual([
      1,
      `lbdns: the server at ${path} left\n`,
    ])
  })

  test('no more streams: said', async () => {
    const { path, listeners } = await controlSocket(undefined, { streams: 1 })
    const hearing = ctl(path, 'events')
    await until('it is told', () => listeners() === 1)
    expect(await lbdns('ctl', '--socket', path, 'events')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'lbdns: no more than 1 can be told of events at one time\n',
    })
    await hearing.stop()
  })
})

describe('servers that misbehave: a sentence, exit code 1, and no waiting without end', () => {
  async function serving(meet: (socket: Socket) => void): Promise<string> {
    const path = join(folder(), 'lbdns.sock')
    const server: Server = createServer(socket => {
      socket.on('error', () => {})
      meet(socket)
    })
    await new Promise<void>(resolve => server.listen(path, resolve))
    server.unref()
    return path
  }

  // biome-ignore format: table
  const TABLE: readonly (readonly [string, (socket: Socket) => void, string])[] = [
    ['never answers',          socket => socket.resume(),                   'did not answer within 5 s · look whether it is at work, and at its log'],
    ['leaves at once',         socket => socket.destroy(),                  'left without an answer'],
    ['leaves when asked',      socket => socket.once('data', () => socket.end()), 'left without an answer'],
    ['leaves in the middle',   socket => socket.end('{"ok":'),              'left without an answer'],
    ['is no lbdns',            socket => socket.end('220 mail ready\r\n'),  'is no lbdns'],
    ['answers other JSON',     socket => socket.end('[]\n'),                'is no lbdns'],
    ['answers without a value', socket => socket.end('{"ok":false}\n'),     'is no lbdns'],
  ]
  test.concurrent.each(TABLE)('one that %s', async (_, meet, expected) => {
    const path = await serving(meet)
    const { code, stdout, stderr } = await lbdns('ctl', '--socket', path, 'status')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^lbdns: .*\n$/)
    expect(stderr).toContain(expected)
  })

  test('too many at work: said', async () => {
    const { path, asked } = await controlSocket(() => new Promise(() => {}), { visits: 1 })
    const busy = ctl(path, 'reload')
    await until('it is asked', () => asked.length === 1)
    expect(await lbdns('ctl', '--socket', path, 'status')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'lbdns: too many are at work: try again later\n',
    })
    await busy.stop()
  })

  test('a reload is waited for longer than anything else', async () => {
    const value = { now: 'reloaded', digest: 'abc' }
    const { path } = await controlSocket(async () => {
      await new Promise(resolve => setTimeout(resolve, 6_000))
      return { ok: true, value }
    })
    expect(await lbdns('ctl', '--socket', path, 'reload')).toMatchObject({
      code: 0,
      stdout: 'reloaded, digest abc\n',
    })
  })
})
