/** The control socket: requests and replies, clients that behave and clients that do not. */
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { Reply } from '../../server/ops/control.ts'
import { asks, type Client, client, closeSockets, controlSocket } from '../kit/control.ts'
import { stopAll, until } from '../kit/process.ts'

afterAll(async () => {
  await closeSockets()
  await stopAll()
})

const STATUS = '{"kind":"status"}\n'
const DONE = '{"ok":true,"value":"status"}'
const NO_JSON = '{"ok":false,"code":"usage","problems":["a request is a line of JSON"]}'
const TOO_LONG = '{"ok":false,"code":"usage","problems":["a request has at most 65536 octets"]}'

/** Never answers until told to. */
function held(): { readonly answer: () => Promise<Reply>; readonly release: () => void } {
  let release = () => {}
  const gate = new Promise<void>(resolve => {
    release = resolve
  })
  return { answer: () => gate.then(() => ({ ok: true, value: 'late' })), release }
}

describe('one line, one reply', () => {
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, string | Uint8Array, readonly string[]])[] = [
    ['a request',                 STATUS,                                  [DONE]],
    ['two at once',               STATUS + STATUS,                         [DONE, DONE]],
    ['lines that end as on DOS',  STATUS.replace('\n', '\r\n'),            [DONE]],
    ['an empty line',             `\n${STATUS}`,                           [NO_JSON, DONE]],
    ['no JSON',                   `status\n${STATUS}`,                     [NO_JSON, DONE]],
    ['half of it',                `{"kind":\n${STATUS}`,                   [NO_JSON, DONE]],
    ['octets that are no text',   Uint8Array.of(0xff, 0xfe, 0, 0x0a),      [NO_JSON]],
    ['no request',                '{"kind":"status","x":1}\n',
      ['{"ok":false,"code":"usage","problems":["there is no x in such a request"]}']],
    ['events, and something else', '{"kind":"events","x":1}\n',
      ['{"ok":false,"code":"usage","problems":["there is no x in such a request"]}']],
    ['brackets without end',      `${'['.repeat(60_000)}\n${STATUS}`,      [NO_JSON, DONE]],
    ['many mistakes in a line',   `{"kind":"drain"${',"x":'.repeat(9)}1}\n`, [NO_JSON]],
  ]
  test.concurrent.each(TABLE)('%s', async (_, octets, expected) => {
    const { path } = await controlSocket()
    const one = client(path)
    one.send(octets)
    expect(await one.heard(expected.length)).toEqual(expected)
    one.socket.destroy()
  })

  test('replies come in the order of requests, however long each takes', async () => {
    let left = 3
    const { path } = await controlSocket(async () => {
      const mine = left--
      await new Promise(resolve => setTimeout(resolve, 20 * mine))
      return { ok: true, value: mine }
    })
    const one = client(path)
    one.send(STATUS.repeat(3))
    expect((await one.heard(3)).map(line => JSON.parse(line).value)).toEqual([3, 2, 1])
    one.socket.destroy()
  })

  test('who asks is who the request says, or the control socket', async () => {
    const { path, asked } = await controlSocket()
    await asks(path, { kind: 'status', author: 'ann' })
    await asks(path, { kind: 'status' })
    expect(asked.map(({ author }) => author)).toEqual(['ann', 'control socket'])
  })

  // biome-ignore format: table
  const REFUSED: readonly (readonly [string, () => Reply | Promise<Reply>, object])[] = [
    ['is said',               () => ({ ok: false, code: 'failed', problems: ['no', 'never'] }),
                              { ok: false, code: 'failed', problems: ['no', 'never'] }],
    ['of an obeyer that throws', () => { throw new Error('bug') },
                              { ok: false, code: 'failed', problems: ['it went wrong: bug'] }],
    ['of a value that is no JSON', () => ({ ok: true, value: 1n }),
                              { ok: false, code: 'failed', problems: ['the reply cannot be written as JSON'] }],
  ]
  test.each(REFUSED)('what cannot be done %s', async (_, answer, expected) => {
    const { path } = await controlSocket(answer)
    expect(await asks(path, { kind: 'status' })).toEqual(expected)
    expect(await asks(path, '{}')).toMatchObject({ code: 'usage' })
  })

  test('a large reply comes whole', async () => {
    const value = 'x'.repeat(5_000_000)
    const { path } = await controlSocket(() => ({ ok: true, value }))
    expect(await asks(path, { kind: 'dump' })).toEqual({ ok: true, value })
  })
})

describe('rude clients hurt nobody', () => {
  const rude: Readonly<Record<string, (one: Client) => void | Promise<void>>> = {
    'says nothing': () => {},
    'leaves at once': one => void one.socket.destroy(),
    'leaves in the middle of a line': one => {
      one.socket.write('{"kind":"dr', () => one.socket.destroy())
    },
    'says its last in the middle of a line': one => {
      one.socket.end('{"kind":"drain","what":"fra"}') // not a line: it has no end
    },
    'asks and leaves': one => {
      one.socket.write(STATUS, () => one.socket.destroy())
    },
    'asks much and reads nothing': one => {
      one.socket.pause()
      one.send(STATUS.repeat(200_000))
    },
    'floods with empty lines': one => one.send('\n'.repeat(1_000_000)),
    'floods without a line': one => one.send('x'.repeat(1_000_000)),
    'asks for events and reads none': one => {
      one.socket.pause()
      one.send('{"kind":"events"}\n')
    },
  }
  test.each(Object.keys(rude))('one that %s', async name => {
    const { path, asked, tell } = await controlSocket(undefined, { idleMs: 200 })
    const clients = Array.from({ length: 40 }, () => client(path))
    for (const one of clients) await rude[name]?.(one)
    for (let i = 0; i < 200; i += 1) tell({ id: i, text: 'x'.repeat(10_000) })
    expect(await asks(path, { kind: 'health' })).toEqual({ ok: true, value: 'health' })
    expect(asked.map(({ request }) => request.kind)).not.toContain('drain')
    for (const one of clients) one.socket.destroy()
  })

  test('one that asks a thousand times at once is answered one a turn, between others', async () => {
    const { path } = await controlSocket()
    const one = client(path)
    let turn = 0
    const turns: number[] = []
    let counting: NodeJS.Immediate
    const count = () => {
      turn += 1
      counting = setImmediate(count)
    }
    count()
    one.socket.on('data', () => turns.push(turn))
    one.send('\n'.repeat(1000))
    await one.heard(1000)
    expect((turns.at(-1) ?? 0) - (turns[0] ?? 0)).toBeGreaterThan(500)
    clearImmediate(counting!)
    one.socket.destroy()
  })

  test('who sends a line without end is told, and closed', async () => {
    const { path } = await controlSocket()
    const one = client(path)
    one.send('x'.repeat(65_537))
    expect(await one.heard(1)).toEqual([TOO_LONG])
    await one.closed()
  })

  test('a line that is as long as may be is read', async () => {
    const { path } = await controlSocket()
    const one = client(path)
    one.send(`${STATUS.trim().padEnd(65_536)}\n`)
    expect(await one.heard(1)).toEqual([DONE])
    one.socket.destroy()
  })

  test('who asks nothing for long is closed, and who waits for a reply is not', async () => {
    const { answer, release } = held()
    const { path, asked } = await controlSocket(answer, { idleMs: 100 })
    const waits = client(path)
    waits.send(STATUS)
    const idle = client(path)
    await until('it is obeyed', () => asked.length === 1)
    await idle.closed()
    expect(waits.isClosed()).toBe(false)
    release()
    expect(await waits.heard(1)).toEqual(['{"ok":true,"value":"late"}'])
    await waits.closed()
  })

  test('octets that trickle in without a line keep nobody', async () => {
    const { path } = await controlSocket(undefined, { idleMs: 300 })
    const one = client(path)
    const timer = setInterval(() => one.send(' '), 20)
    await one.closed()
    clearInterval(timer)
  })

  test('who does not read a reply is closed', async () => {
    const { path, asked } = await controlSocket(
      () => ({ ok: true, value: 'x'.repeat(5_000_000) }),
      { idleMs: 200 },
    )
    const one = client(path)
    one.socket.pause()
    one.send(STATUS + STATUS)
    await until('it is obeyed', () => asked.length === 1)
    await new Promise(resolve => setTimeout(resolve, 600))
    one.socket.resume()
    await one.closed()
    expect([asked.length, one.lines()]).toEqual([1, []])
  })

  test('who has said its last still gets its replies', async () => {
    const { path } = await controlSocket()
    const one = client(path)
    one.socket.end(STATUS + STATUS)
    await one.closed()
    expect(one.lines()).toEqual([DONE, DONE])
  })

  test('any octets: the server answers, and goes on answering', async () => {
    const { path } = await controlSocket()
    const json = fc.json().map(text => `${text}\n`)
    const octets = fc
      .uint8Array({ maxLength: 300 })
      .map(some => Buffer.from(some).toString('latin1'))
    const cut = fc
      .tuple(fc.constantFrom(STATUS, '{"kind":"undo","id":1}\n'), fc.nat(30))
      .map(([text, at]) => text.slice(0, at) + text.slice(at + 1))
    const piece = fc.oneof(octets, json, cut)
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async pieces => {
        const one = client(path)
        for (const text of pieces) one.send(Buffer.from(text, 'latin1'))
        one.send(`\n${STATUS}`)
        await until('the last is answered', () => one.lines().at(-1) === DONE)
        for (const line of one.lines()) expect(typeof JSON.parse(line).ok).toBe('boolean')
        one.socket.destroy()
      }),
    )
  })
})

describe('how many', () => {
  test('a newcomer gets in, and who is idle longest makes room', async () => {
    const { path } = await controlSocket(undefined, { visits: 3 })
    const [first, second, third] = [client(path), client(path), client(path)] as const
    for (const one of [first, second, third]) one.send(STATUS)
    for (const one of [first, second, third]) await one.heard(1)
    first.send(STATUS)
    await first.heard(2)
    expect(await asks(path, { kind: 'health' })).toMatchObject({ ok: true })
    await second.closed()
    expect([first.isClosed(), third.isClosed()]).toEqual([false, false])
    first.socket.destroy()
    third.socket.destroy()
  })

  test('who is at work makes no room: the newcomer is told', async () => {
    const { answer, release } = held()
    const { path, asked } = await controlSocket(answer, { visits: 2 })
    const busy = [client(path), client(path)]
    for (const one of busy) one.send(STATUS)
    await until('both are obeyed', () => asked.length === 2)
    expect(await asks(path, { kind: 'status' })).toEqual({
      ok: false,
      code: 'failed',
      problems: ['too many are at work: try again later'],
    })
    release()
    for (const one of busy) expect(await one.heard(1)).toHaveLength(1)
    expect(await asks(path, { kind: 'status' })).toEqual({ ok: true, value: 'late' })
    for (const one of busy) one.socket.destroy()
  })

  test('streams of events are fewer, and one that ends makes room for another', async () => {
    const { path, listeners } = await controlSocket(undefined, { streams: 2 })
    const streams = [client(path), client(path)]
    for (const one of streams) one.send('{"kind":"events"}\n')
    for (const one of streams) await one.heard(1)
    expect(await asks(path, { kind: 'events' })).toEqual({
      ok: false,
      code: 'failed',
      problems: ['no more than 2 can be told of events at one time'],
    })
    streams[0]?.socket.destroy()
    await until('it has left', () => listeners() === 1)
    expect(await asks(path, { kind: 'events' })).toEqual({ ok: true, value: {} })
    streams[1]?.socket.destroy()
  })
})

describe('events', () => {
  test('a reply first, then each event as it happens, until the client says its last', async () => {
    const { path, tell, listeners } = await controlSocket(undefined, { idleMs: 100 })
    const one = client(path)
    one.send('{"kind":"events","author":"ann"}\n')
    await one.heard(1)
    tell({ id: 1 })
    await new Promise(resolve => setTimeout(resolve, 400)) // nobody is idle who is told of events
    tell({ id: 2 })
    expect(await one.heard(3)).toEqual(['{"ok":true,"value":{}}', '{"id":1}', '{"id":2}'])
    one.socket.end()
    await one.closed()
    expect(listeners()).toBe(0)
  })

  test('who reads too slowly loses some, is told how many, and is told of the next', async () => {
    const { path, tell } = await controlSocket(undefined, { unread: 20_000 })
    const one = client(path)
    one.send('{"kind":"events"}\n')
    await one.heard(1)
    one.socket.pause()
    const text = 'x'.repeat(10_000)
    for (let id = 1; id <= 400; id += 1) tell({ id, text })
    one.socket.resume()
    await until('some are lost', () => one.lines().some(line => line.startsWith('{"lost"')))
    tell({ id: 401 })
    await until('the next has come', () => one.lines().includes('{"id":401}'))
    const events = one
      .lines()
      .slice(1)
      .map(line => JSON.parse(line))
    const lost = events.reduce((sum, event) => sum + (event.lost ?? 0), 0)
    const ids = events.flatMap(({ id }) => (id === undefined ? [] : [id]))
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(ids.length + lost).toBe(401)
    one.socket.destroy()
  })
})
