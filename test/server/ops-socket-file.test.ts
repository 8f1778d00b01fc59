/** Where the control socket lies: for its owner only, in nobody's place who lives, gone afterwards. */
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { asks, client, closeSockets, controlSocket } from '../kit/control.ts'
import { folder, start, stopAll, until } from '../kit/process.ts'

/** What a change of mode waits for. */
const held = vi.hoisted(() => ({ chmod: Promise.resolve() }))
vi.mock('node:fs/promises', async original => {
  const real = await original<typeof import('node:fs/promises')>()
  const chmod: typeof real.chmod = (file, bits) => held.chmod.then(() => real.chmod(file, bits))
  return { ...real, chmod }
})

afterAll(async () => {
  await closeSockets()
  await stopAll()
})

let path = ''
beforeEach(() => {
  path = join(folder(), 'lbdns.sock')
})

const at = (where = path) => controlSocket(undefined, {}, where)
const mode = (file: string) => (lstatSync(file).mode & 0o777).toString(8)
const left = () => readdirSync(dirname(path))
const listens = async () => (await asks(path, { kind: 'status' })).ok

function other(): Promise<Server> {
  const server = createServer(socket => socket.on('error', () => {}))
  return new Promise(resolve => server.listen(path, () => resolve(server)))
}

/** A process that is killed while it listens leaves its socket behind. */
async function dead(): Promise<void> {
  const script = `require('net').createServer().listen(${JSON.stringify(path)})`
  const program = start(process.execPath, ['-e', script])
  await until('it listens', () => existsSync(path))
  program.signal('SIGKILL')
  await program.ended
}

describe('the file', () => {
  test('is for its owner only, and there is nothing else', async () => {
    const old = process.umask(0)
    const { warnings } = await at()
    process.umask(old)
    expect([mode(path), left(), warnings]).toEqual(['600', ['lbdns.sock'], []])
  })

  test('until it is for its owner only, it lies where nobody else can enter', async () => {
    const old = process.umask(0)
    let release = () => {}
    held.chmod = new Promise(resolve => {
      release = resolve
    })
    const opening = at()
    await until('it waits for its mode', () => left().some(name => inside(name).length > 0))
    const [room = '', ...more] = left()
    expect([more, mode(join(dirname(path), room)), inside(room)]).toEqual([[], '700', ['s']])
    expect(existsSync(path)).toBe(false)
    release()
    await opening
    process.umask(old)
    expect([mode(path), left()]).toEqual(['600', ['lbdns.sock']])
  })

  function inside(name: string): string[] {
    const file = join(dirname(path), name)
    return lstatSync(file).isDirectory() ? readdirSync(file) : [name]
  }

  test('goes when the server leaves', async () => {
    const { socket } = await at()
    await socket.close()
    expect(left()).toEqual([])
  })

  test('stays where another has taken its place meanwhile', async () => {
    const { socket } = await at()
    rmSync(path)
    writeFileSync(path, 'mine')
    await socket.close()
    expect(left()).toEqual(['lbdns.sock'])
  })
})

describe('what lies there already', () => {
  test('the socket of a server that is dead: replaced', async () => {
    await dead()
    const { warnings } = await at()
    expect([await listens(), warnings]).toEqual([true, []])
  })

  test('the socket of a server that lives: left alone, and said', async () => {
    const server = await other()
    const { socket, warnings } = await at()
    expect(warnings).toEqual([
      `${path}: is the socket of another server: there is no control socket · end that one, or name another path in control:`,
    ])
    await socket.close()
    expect([left(), server.listening]).toEqual([['lbdns.sock'], true])
    server.close()
  })

  test('another server of ours: the first one stays', async () => {
    const first = await at()
    const second = await at()
    expect([first.warnings, second.warnings.length, second.socket.path]).toEqual([[], 1, undefined])
    expect([await listens(), first.asked.length]).toEqual([true, 1])
  })

  function put(file: string): string {
    writeFileSync(file, 'x')
    return file
  }

  // biome-ignore format: table
  const IN_THE_WAY: readonly (readonly [string, () => string, string])[] = [
    ['a file',               () => put(path),
      'is there, and is no socket: there is no control socket · remove it, or name another path in control:'],
    ['a folder',             () => mkdirSync(path, { recursive: true }) ?? path,
      'is there, and is no socket: there is no control socket · remove it, or name another path in control:'],
    ['no such folder',       () => join(path, 'no', 'lbdns.sock'),
      'cannot be made: ENOENT'],
    ['a path that is too long', () => join(dirname(path), 'x'.repeat(108)),
      'is too long a path for a socket: there is no control socket · name a shorter one in control:'],
    ['a folder that leaves no room beside', () => join(dirname(path), 'x'.repeat(106 - dirname(path).length - 3), 's'),
      'is too long a path for a socket'],
  ]
  test.each(IN_THE_WAY)('%s: left as it is, and said', async (_, place, expected) => {
    const where = place()
    const before = left()
    const { socket, warnings } = await at(where)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(`${where}: ${expected}`)
    expect([socket.path, left()]).toEqual([undefined, before])
    await socket.close()
    expect(left()).toEqual(before)
  })
})

describe('a reload', () => {
  test('to the same path changes nothing', async () => {
    const { socket } = await at()
    const { ino } = lstatSync(path)
    await socket.follow(join(dirname(path), '.', basename(path)))
    expect(lstatSync(path).ino).toBe(ino)
  })

  test('to another path: there from now on, and whoever asked hears of it', async () => {
    const { socket, warnings } = await at()
    const one = client(path)
    one.send('{"kind":"status"}\n')
    await one.heard(1)
    const old = path
    path = join(dirname(path), 'other.sock')
    await socket.follow(path)
    expect([left(), await listens(), socket.path, warnings]).toEqual([
      ['other.sock'],
      true,
      path,
      [],
    ])
    one.send('{"kind":"status"}\n')
    expect(await one.heard(2)).toHaveLength(2)
    one.socket.destroy()
    expect(existsSync(old)).toBe(false)
  })

  test('to a path that cannot be had: it stays where it was, and says so', async () => {
    const { socket, warnings } = await at()
    await socket.follow(join(path, 'no.sock'))
    expect([await listens(), socket.path]).toEqual([true, path])
    expect(warnings).toEqual([expect.stringContaining(`: it stays at ${path}`)])
  })

  test('brings back a file that somebody has removed', async () => {
    const { socket } = await at()
    rmSync(path)
    await socket.follow(path)
    expect([await listens(), mode(path)]).toEqual([true, '600'])
  })

  test('tries again what could not be had before', async () => {
    const server = await other()
    const { socket } = await at()
    await new Promise(resolve => server.close(resolve))
    await socket.follow(path)
    expect(await listens()).toBe(true)
  })

  test('while the server leaves: nothing is left', async () => {
    const { socket } = await at()
    const all = [
      socket.follow(join(dirname(path), 'other.sock')),
      socket.close(),
      socket.follow(path),
    ]
    await Promise.all(all)
    expect(left()).toEqual([])
  })
})

describe('leaving', () => {
  test('every connection ends, even of a client that does not read', async () => {
    const { socket } = await controlSocket(() => ({ ok: true, value: 'x'.repeat(5e6) }), {}, path)
    const [idle, slow, stream] = [client(path), client(path), client(path)] as const
    slow.socket.pause()
    slow.send('{"kind":"dump"}\n')
    stream.send('{"kind":"events"}\n')
    await stream.heard(1)
    await socket.close()
    await Promise.all([idle.closed(), stream.closed()])
    await new Promise(resolve => setTimeout(resolve, 1_300))
    slow.socket.resume()
    await slow.closed()
    expect(slow.lines()).toEqual([])
  })
})
