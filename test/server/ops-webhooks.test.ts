/** All webhooks: which there are after reloads, the files of their secrets, and the end of them. */
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { Hook } from '../../server/config/config.ts'
import { type Problem, problemText } from '../../server/fault.ts'
import { MACHINE } from '../../server/health/clock.ts'
import { Events } from '../../server/ops/events.ts'
import { Webhooks } from '../../server/ops/webhooks.ts'
import { secretFile } from '../kit/admin.ts'
import { closeAll, closing, httpTarget, opened, rawTarget } from '../kit/health.ts'
import { stopAll } from '../kit/process.ts'
import { until } from '../kit/transport.ts'
import { AT, LATER, numbered, playing, type Receiver, stage, TAKEN } from '../kit/webhook.ts'

afterEach(closeAll)
afterAll(stopAll)

const ONE: Hook = { url: 'https://1.example/', at: AT }
const TWO: Hook = { url: 'https://2.example/', at: AT }
const fileOf = (text: string, mode?: number) => ({ path: secretFile(text, mode), at: AT })

/** All webhooks on a clock that is moved by hand. */
function all(receiver: Receiver) {
  const { events, hand, means, posted } = stage(receiver)
  const warned: string[] = []
  const warn = (problem: Problem) => warned.push(problemText(problem))
  const telling = { events, clock: hand.clock, chance: () => 0.5, warn }
  const hooks = new Webhooks(telling, means.post)
  const urls = () => posted.map(({ number, parcel }) => `${number} ${parcel.url}`)
  return { events, hand, posted, warned, hooks, urls }
}

describe('a reload', () => {
  test('tells those that are there, and not those that are gone', async () => {
    const { events, hand, hooks, urls } = all(playing(TAKEN))
    events.tell(numbered(0))
    hooks.follow([ONE])
    events.tell(numbered(1))
    hooks.follow([ONE, TWO])
    events.tell(numbered(2))
    hooks.follow([TWO])
    events.tell(numbered(3))
    hooks.follow([])
    events.tell(numbered(4))
    await hand.run(10)
    expect(urls().toSorted()).toEqual([
      ...['1 https://1.example/', '2 https://1.example/'],
      ...['2 https://2.example/', '3 https://2.example/'],
    ])
    expect(hooks.counts).toEqual({ sent: 4, failed: 0, dropped: 0, retried: 0, waiting: 0 })
  })

  test('loses nothing that waits for one that stays', async () => {
    const { events, hand, hooks, urls } = all(playing(LATER, TAKEN))
    hooks.follow([ONE])
    for (let i = 1; i <= 3; i += 1) events.tell(numbered(i))
    await hand.run(0.1)
    hooks.follow([TWO, { ...ONE, kinds: ['planned'] }])
    events.tell(numbered(4))
    await hand.run(10)
    expect(urls().toSorted()).toEqual([
      ...['1 https://1.example/', '1 https://1.example/', '2 https://1.example/'],
      ...['3 https://1.example/', '4 https://2.example/'],
    ])
  })

  test('never makes a count less', async () => {
    const { events, hand, hooks } = all(hand => async () => {
      await hand.after(600)
      return TAKEN
    })
    hooks.follow([ONE])
    for (let i = 1; i <= 4; i += 1) events.tell(numbered(i))
    await hand.run(0.7)
    expect(hooks.counts.sent).toBe(1)
    hooks.follow([])
    expect(hooks.counts).toMatchObject({ sent: 1, waiting: 2 })
    await hand.run(0.6)
    expect(hooks.counts.sent).toBe(2)
    await hand.run(10)
    expect(hooks.counts).toEqual({ sent: 2, failed: 1, dropped: 1, retried: 0, waiting: 0 })
  })

  test('has other secrets, as they are in their files now', async () => {
    const { events, hand, hooks, posted } = all(playing(TAKEN))
    const tokenFile = fileOf('first\n')
    hooks.follow([{ ...ONE, tokenFile }])
    events.tell(numbered(1))
    await hand.run(1)
    writeFileSync(tokenFile.path, ' second ')
    events.tell(numbered(2))
    await hand.run(1)
    hooks.follow([{ ...ONE, tokenFile }])
    events.tell(numbered(3))
    await hand.run(1)
    expect(posted.map(({ parcel }) => parcel.fields.authorization)).toEqual([
      ...['Bearer first', 'Bearer first', 'Bearer second'],
    ])
  })
})

describe('a webhook whose secrets cannot be used is left out', () => {
  const out = 'nothing is posted to this webhook'
  const good = 'a secret of 16 c'

  // biome-ignore format: table
  const TABLE: readonly (readonly [string, () => Partial<Hook>, string | undefined])[] = [
    ['but not one whose can',               () => ({ tokenFile: fileOf('t'), secretFile: fileOf(good) }), undefined],
    ['as there is no file',                 () => ({ tokenFile: { path: '/nowhere/a', at: AT } }),       '/nowhere/a cannot be read: ENOENT'],
    ['as others may read a token',          () => ({ tokenFile: fileOf('t', 0o644) }),                   `FILE others may read or write it: its mode is 0644: ${out} · chmod 600`],
    ['as others may read a secret',         () => ({ secretFile: fileOf(good, 0o640) }),                 'FILE others may read or write it: its mode is 0640'],
    ['as there is no token',                () => ({ tokenFile: fileOf('\n') }),                         `FILE holds no token: one word of plain ASCII: ${out} · mend it, and reload`],
    ['as a token is of two words',          () => ({ tokenFile: fileOf('Bearer t') }),                   'FILE holds no token'],
    ['as a token would be another field',   () => ({ tokenFile: fileOf('t\r\nHost: a') }),               'FILE holds no token'],
    ['as a secret is short',                () => ({ secretFile: fileOf(`${good.slice(1)}\n`) }),        `FILE holds a secret shorter than 16 characters: ${out} · make one: openssl rand -hex 32`],
  ]
  test.each(TABLE)('%s', async (_, more, why) => {
    const { events, hand, hooks, urls, warned } = all(playing(TAKEN))
    const hook = { ...ONE, ...more() }
    hooks.follow([hook, TWO])
    events.tell(numbered(1))
    await hand.run(1)
    const file = hook.tokenFile?.path ?? hook.secretFile?.path ?? ''
    const said = warned.map(text => text.replace(file, 'FILE').replace('lbdns.yaml:3:5: ', ''))
    const expected = why?.replace('/nowhere/a', 'FILE')
    expect(said.map(text => text.slice(0, expected?.length))).toEqual(
      expected === undefined ? [] : [expected],
    )
    expect(urls().length).toBe(why === undefined ? 2 : 1)
  })
})

describe('the end', () => {
  test('comes in a second, however many hang', async () => {
    const { events, hand, hooks } = all(() => () => new Promise(() => undefined))
    hooks.follow([ONE, TWO])
    for (let i = 0; i < 5; i += 1) events.tell(numbered(i))
    let isClosed = false
    void hooks.close().then(() => {
      isClosed = true
    })
    await hand.run(1)
    expect([isClosed, hand.waiting]).toEqual([true, 0])
    expect(hooks.counts).toEqual({ sent: 0, failed: 2, dropped: 8, retried: 0, waiting: 0 })
    events.tell(numbered(6))
    expect(hooks.counts).toMatchObject({ dropped: 8, waiting: 0 })
  })
})

describe('over HTTP', () => {
  type Heard = { readonly body: string; readonly signature: unknown; readonly at: number }

  function machine() {
    const events = new Events(MACHINE.date)
    const warned: Problem[] = []
    const warn = (problem: Problem) => void warned.push(problem)
    const hooks = new Webhooks({ events, clock: MACHINE, chance: Math.random, warn })
    closing(() => void hooks.close())
    return { events, hooks, warned }
  }

  test('events get there in order, again where they were not taken, and signed', async () => {
    const heard: Heard[] = []
    const answer: RequestListener = async (request, response) => {
      const pieces: Uint8Array[] = []
      for await (const piece of request) pieces.push(piece)
      const body = Buffer.concat(pieces).toString()
      heard.push({ body, signature: request.headers['x-lbdns-signature'], at: performance.now() })
      response.writeHead(heard.length === 2 ? 503 : 200).end()
    }
    const target = await opened(httpTarget(answer))
    const secret = 'a secret of the hook, quite long'
    const { events, hooks, warned } = machine()
    hooks.follow([{ url: `http://127.0.0.1:${target.port}/`, secretFile: fileOf(secret), at: AT }])
    const told = [1, 2, 3].map(number => events.tell(numbered(number)))
    await until(() => hooks.counts.sent === 3, 10_000)
    const [a, b, c] = told.map(event => JSON.stringify(event))
    expect(heard.map(({ body }) => body)).toEqual([a, b, b, c])
    for (const { body, signature } of heard) {
      const hmac = createHmac('sha256', secret).update(body).digest('hex')
      expect(signature).toBe(`sha256=${hmac}`)
    }
    expect([hooks.counts.retried, warned]).toEqual([1, []])
  })

  test('one that hangs and one that redirects keep nothing from the third', async () => {
    const elsewhere = await opened(httpTarget((_, response) => response.end()))
    const hangs = await opened(rawTarget(() => undefined))
    const location = `http://127.0.0.1:${elsewhere.port}/`
    const redirects = await opened(
      httpTarget((_, response) => response.writeHead(308, { location }).end()),
    )
    let heard = 0
    const takes = await opened(
      httpTarget((_, response) => {
        heard += 1
        response.end()
      }),
    )
    const { events, hooks, warned } = machine()
    const at = ({ port }: { port: number }) => ({ url: `http://127.0.0.1:${port}/`, at: AT })
    hooks.follow([at(hangs), at(redirects), at(takes)])
    for (let i = 0; i < 20; i += 1) events.tell(numbered(i))
    await until(() => heard === 20 && hooks.counts.failed === 20)
    expect([elsewhere.ever(), redirects.ever(), hangs.ever(), warned.length]).toEqual([0, 20, 1, 1])
    const before = performance.now()
    await hooks.close()
    expect(performance.now() - before).toBeLessThan(3_000)
    await until(() => hangs.open() === 0)
  })
})
