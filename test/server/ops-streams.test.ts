/** Streams of events: what is said, who comes back, who does not read, and how many there may be. */
import { connect } from 'node:net'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { Events } from '../../server/ops/events.ts'
import { Streams } from '../../server/ops/streams.ts'
import type { Happening } from '../../server/tell/control/told.ts'
import { ask, bearer, begun, opened, TOKEN } from '../kit/admin.ts'
import { HandClock } from '../kit/clock.ts'
import { closeAll, closing } from '../kit/health.ts'
import { stopAll } from '../kit/process.ts'
import { until } from '../kit/transport.ts'

afterEach(closeAll)
afterAll(stopAll)

const reloaded = (digest: string): Happening => ({ kind: 'reloaded', listening: [], digest })

/** A stream of events over HTTP, and what has been said on it. */
async function heardAt(port: number, headers: Record<string, string> = {}) {
  const response = await begun(port, { path: '/events', headers })
  const heard = { response, text: '', end: 'no' }
  response.on('data', octets => {
    heard.text += octets.toString()
  })
  response.on('end', () => {
    heard.end = 'end'
  })
  response.on('error', () => {
    heard.end = 'cut'
  })
  closing(() => response.destroy())
  return heard
}

/** The messages in a text, as a browser reads them: the HTML standard, §9.2.6. */
function messages(text: string) {
  return text
    .split('\n\n')
    .slice(0, -1)
    .map(block => {
      const lines = block.split('\n').filter(line => !line.startsWith(':'))
      return Object.fromEntries(
        lines.map(line => {
          const at = line.indexOf(': ')
          return [line.slice(0, at), line.slice(at + 2)]
        }),
      )
    })
}

describe('over HTTP', () => {
  test('says what happens, as it happens', async () => {
    const { port, events } = await opened()
    events.tell(reloaded('before'))
    const heard = await heardAt(port)
    expect(heard.response.headers).toMatchObject({
      ...{ 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    })
    await until(() => heard.text === 'retry: 3000\n\n')
    const told = events.tell(reloaded('a\nb\u2028'))
    await until(() => messages(heard.text).length === 2)
    const { id, event, data } = messages(heard.text)[1] ?? {}
    expect([id, event, JSON.parse(data ?? '')]).toEqual([events.nameOf(told), 'reloaded', told])
    events.tell({ kind: 'reload refused', problems: ['a'] })
    await until(() => messages(heard.text).length === 3)
    expect(messages(heard.text)[2]?.event).toBe('reload refused')
  })

  test('says what was missed to who comes back', async () => {
    const { port, events, admin } = await opened()
    const first = await heardAt(port)
    const told = events.tell(reloaded('1'))
    await until(() => messages(first.text).length === 2)
    first.response.destroy()
    await until(() => admin.counts.streams.open === 0)
    events.tell(reloaded('2'))
    const again = await heardAt(port, { 'last-event-id': events.nameOf(told) })
    await until(() => messages(again.text).length === 2)
    events.tell(reloaded('3'))
    await until(() => messages(again.text).length === 3)
    const said = messages(again.text).slice(1)
    expect(said.map(({ data }) => JSON.parse(data ?? '').digest)).toEqual(['2', '3'])
    expect(said.map(({ event }) => event)).toEqual(['reloaded', 'reloaded'])
  })

  test('says that something is lost to who comes back from another start', async () => {
    const { port, events } = await opened()
    const told = Array.from({ length: 300 }, (_, i) => events.tell(reloaded(`${i}`)))
    const heard = await heardAt(port, { 'last-event-id': 'kq3-7' })
    await until(() => messages(heard.text).length === 258)
    const [, lost, next] = messages(heard.text)
    expect(lost).toEqual({ event: 'lost', data: '{"kind":"lost"}' })
    expect(next?.data).toBe(JSON.stringify(told[44]))
  })

  test('is for 16 at a time', async () => {
    const { port, admin } = await opened()
    const all = await Promise.all(Array.from({ length: 16 }, () => heardAt(port)))
    const refused = await ask(port, { path: '/events' })
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '10'])
    expect(refused.body).toMatchObject({ ok: false, code: 'failed' })
    expect(admin.counts.streams).toEqual({ open: 16, opened: 16, refused: 1, dropped: 0 })
    all[3]?.response.destroy()
    await until(() => admin.counts.streams.open === 15)
    expect((await heardAt(port)).response.statusCode).toBe(200)
  })

  test('RFC 9110 §9.3.2 HEAD opens none', async () => {
    const { port, admin } = await opened()
    const { headers, status } = await ask(port, { path: '/events', method: 'HEAD' })
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream'])
    expect(admin.counts.streams.opened).toBe(0)
  })

  test('is for those with a token', async () => {
    const { port, events } = await opened(TOKEN)
    expect((await ask(port, { path: '/events' })).status).toBe(401)
    const heard = await heardAt(port, bearer())
    events.tell(reloaded('a'))
    await until(() => messages(heard.text).length === 2)
  })

  test('cuts off who does not read, and nobody else', async () => {
    const { port, events, admin } = await opened()
    const socket = connect({ host: '127.0.0.1', port })
    closing(() => socket.destroy())
    let isCut = false
    socket
      .on('error', () => undefined)
      .on('close', () => {
        isCut = true
      })
    socket.write('GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n')
    socket.pause()
    const heard = await heardAt(port)
    await until(() => admin.counts.streams.open === 2)
    const long = 'x'.repeat(20_000)
    let told = 0
    while (admin.counts.streams.dropped === 0 && told < 20_000) {
      events.tell(reloaded(long))
      told += 1
      if (told % 16 === 0) await until(() => messages(heard.text).length === told + 1)
    }
    expect(admin.counts.streams).toMatchObject({ open: 1, dropped: 1 })
    socket.resume()
    await until(() => isCut)
    events.tell(reloaded('last'))
    await until(() => messages(heard.text).length === told + 2)
  })
})

describe('by hand', () => {
  function stage() {
    const hand = new HandClock()
    const events = new Events(hand.clock.date)
    return { hand, events, streams: new Streams(events, hand.clock) }
  }
  const text = (octets: Uint8Array | undefined) => new TextDecoder().decode(octets)

  test('says nothing every 15 seconds, and no more when it is over', async () => {
    const { hand, streams } = stage()
    const reader = streams.open(undefined, () => undefined)?.getReader()
    await reader?.read()
    let said = ''
    const reading = (async () => {
      for (let at = await reader?.read(); at?.done === false; at = await reader?.read()) {
        said += text(at.value)
      }
    })()
    await hand.run(14.9)
    expect(said).toBe('')
    await hand.run(30.2)
    expect(said).toBe(':\n\n:\n\n:\n\n')
    await reader?.cancel()
    await reading
    expect([hand.waiting, streams.counts.open]).toEqual([0, 0])
  })

  test('holds little for who does not read', async () => {
    const { hand, events, streams } = stage()
    let cuts = 0
    streams.open(undefined, () => {
      cuts += 1
    })
    let told = 0
    while (cuts === 0) {
      events.tell(reloaded('x'.repeat(8_192)))
      told += 1
      if (told > 2_000) break
    }
    // 64 KiB are ready, which are 8 such events; 512 wait.
    expect(told).toBe(8 + 512 + 1)
    await hand.run(3_600)
    expect([hand.waiting, streams.counts.open, cuts]).toEqual([0, 0, 1])
    events.tell(reloaded('more'))
  })

  test('an event larger than all that is ready gets there', async () => {
    const { events, streams } = stage()
    const reader = streams.open(undefined, () => undefined)?.getReader()
    await reader?.read()
    events.tell(reloaded('x'.repeat(1_000_000)))
    events.tell(reloaded('y'))
    expect(text((await reader?.read())?.value).length).toBeGreaterThan(1_000_000)
    expect(text((await reader?.read())?.value)).toContain('"y"')
  })

  test('who comes back after much is told all of it, however slowly it is read', async () => {
    const { events, streams } = stage()
    for (let i = 0; i < 256; i += 1) events.tell(reloaded(`${i} ${'x'.repeat(10_000)}`))
    const reader = streams.open('', () => expect.fail('cut'))?.getReader()
    let said = ''
    while (!said.includes('"255 ')) said += text((await reader?.read())?.value)
    expect(messages(said).length).toBe(258)
  })

  test('all end at once, after what is ready', async () => {
    const { hand, events, streams } = stage()
    const reader = streams.open(undefined, () => undefined)?.getReader()
    events.tell(reloaded('a'))
    streams.close()
    streams.close()
    let said = ''
    for (let at = await reader?.read(); at?.done === false; at = await reader?.read()) {
      said += text(at.value)
    }
    expect(messages(said).length).toBe(2)
    expect([hand.waiting, streams.counts.open]).toEqual([0, 0])
  })
})
