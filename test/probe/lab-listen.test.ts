/** The lab on real sockets, asked by the probe's own: what only a kernel can show. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Asked, ask, asker } from '../../probe/ask/ask.ts'
import type { Server, Transport } from '../../probe/ask/server.ts'
import { sockets } from '../../probe/ask/sockets.ts'
import { LAB_NAMES, labOf } from '../../probe/lab/lab.ts'
import { type Open, openLab } from '../../probe/lab/listen.ts'
import { chanceFrom } from '../../probe/plan/chance.ts'
import { ATLAS } from './in-process.ts'

const QUICK = { tries: 1, timeoutMs: 400, size: 1232 }
let lab: Open

beforeAll(async () => {
  lab = await openLab(labOf(ATLAS, 1), [{ address: '127.0.0.1', port: 0 }])
})

afterAll(() => lab.close())

async function put(
  label: string,
  transport: Transport = 'udp',
  port = lab.places[0]?.port ?? 0,
  tries = 1,
): Promise<Asked | undefined> {
  const who = asker(sockets(), chanceFrom(1), { ...QUICK, tries })
  const server: Server = { address: '127.0.0.1', port, transport, recursion: 'not-desired' }
  const question = { name: `${label}.lab.test`, type: 'A', subnet: undefined, round: 1 } as const
  const [seen] = await ask(who, { ...question, purpose: 'sample' }, server)
  return seen
}

const THREE = ['192.0.2.1', '192.0.2.2', '192.0.2.3']

describe('over sockets', () => {
  test('UDP', async () => {
    expect((await put('fixed-list'))?.reply.answers).toEqual(THREE)
  })

  test('tcp:// alone', async () => {
    const seen = await put('fixed-list', 'tcp')
    expect(seen).toMatchObject({ transport: 'tcp', reply: { answers: THREE } })
  })

  test('BC-177 another ID, then the right one', async () => {
    expect((await put('wrong-id'))?.reply).toMatchObject({ answers: THREE, oddities: ['wrong-id'] })
  })

  test('BC-189 a TCP reply in five pieces', async () => {
    expect((await put('pieces'))?.reply).toMatchObject({ error: undefined, answers: THREE })
  })

  test('BC-189 an early end is an error', async () => {
    expect((await put('closing'))?.reply.error).toBe('closed')
  })

  test('silence ends with the time', async () => {
    expect((await put('silence'))?.reply.error).toBe('timeout')
  })

  for (const transport of ['udp', 'tcp'] as const) {
    test(`${transport}: nobody listens there`, async () => {
      const port = await closedPort()
      const seen = await put('single', transport, port, 3)
      // RFC 1122 §4.1.3.3: the system tells, and a second try would wait in vain
      expect(seen?.reply).toMatchObject({
        error: 'unreachable',
        oddities: ['nothing listens at that port (ECONNREFUSED)'],
      })
      expect(seen?.milliseconds).toBeLessThan(300)
    })
  }

  test('RFC 5452 §9.1 a reply from another port is ignored and noted', async () => {
    const front = createSocket('udp4')
    const back = createSocket('udp4')
    front.on('message', (query, peer) => back.send(query, peer.port, peer.address))
    front.bind(0, '127.0.0.1')
    await once(front, 'listening')
    const seen = await put('single', 'udp', front.address().port, 2)
    expect(seen?.reply).toMatchObject({ error: 'timeout', oddities: ['wrong-source'] })
    front.close()
    back.close()
  })
})

test('a place in use opens nothing', async () => {
  const place = { address: '127.0.0.1', port: lab.places[0]?.port ?? 0 }
  await expect(openLab(labOf(ATLAS, 1), [place])).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('every label is there once', () => {
  expect(new Set(LAB_NAMES.map(({ label }) => label)).size).toBe(LAB_NAMES.length)
})

/** A port that was free a moment ago. */
async function closedPort(): Promise<number> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  return port
}
