/** How replies travel: those of one length to one client as one, all others alone; all come whole. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Serve } from '../../server/answer/peer.ts'
import { figuresOf, type UdpSocket } from '../../server/transport/engine.ts'
import type { Kernel } from '../../server/transport/kernel.ts'
import { HEADER } from '../../server/transport/layout.ts'
import { withoutBatches } from '../kit/engine.ts'
import { ownEngine, turnUntil, UNLESS } from '../kit/kernel.ts'
import { echo, query, type UdpClient, udpClient, until } from '../kit/transport.ts'

const EPERM = 1
const EINVAL = 22

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function client(address?: string): Promise<UdpClient> {
  const made = await udpClient(address)
  closers.push(made.close)
  return made
}

/** How many pieces each header has. */
function piecesOf(headers: Uint8Array, count: number): number[] {
  const view = new DataView(headers.buffer, headers.byteOffset)
  return Array.from({ length: count }, (_, at) =>
    view.getUint32(4 * (at * HEADER.words + HEADER.pieceCount), true),
  )
}

/** An engine with one socket, and what its kernel was told to send, call by call. */
async function opened(
  options: { address?: string; serve?: Serve; refuse?: (pieces: number[]) => number } = {},
) {
  const { address = '127.0.0.1', serve = echo, refuse = () => 0 } = options
  const sent: number[][] = []
  const engine = ownEngine(({ send }: Kernel) => ({
    send(fd, headers, count, flags) {
      const pieces = piecesOf(headers, count)
      const refusal = refuse(pieces)
      if (refusal === 0) sent.push(pieces)
      return refusal || send(fd, headers, count, flags)
    },
  }))
  const socket = await engine.open(address, 0, serve, { ecs: true, onFault: () => undefined })
  closers.push(() => socket.close())
  return { engine, socket, sent }
}

/** Has all queries come before the first one is served. */
async function askAll(
  { engine, socket }: Awaited<ReturnType<typeof opened>>,
  queries: readonly (readonly [UdpClient, Uint8Array, to?: string])[],
): Promise<void> {
  for (const [asker, octets, address = '127.0.0.1'] of queries) {
    await asker.send(octets, { address, port: socket.port })
  }
  await turnUntil(engine, socket, queries.length)
}

const heardBy = ({ heard }: UdpClient) => heard.map(({ octets }) => Buffer.from(octets))

const sorted = (octets: readonly Uint8Array[]) =>
  octets.map(one => Buffer.from(one)).sort(Buffer.compare)

function expectAnswered(socket: UdpSocket, all: number): void {
  expect(figuresOf(socket.counts)).toMatchObject({ received: all, answered: all, sendErrors: 0 })
}

describe.skipIf(withoutBatches !== undefined)(`parcels${UNLESS}`, () => {
  test('thirty replies of one length to one client are one parcel, in order', async () => {
    const serving = await opened()
    const asker = await client()
    const queries = Array.from({ length: 30 }, (_, id) => query(id, 90))
    await askAll(
      serving,
      queries.map(octets => [asker, octets]),
    )
    await until(() => asker.heard.length === 30)
    expect(heardBy(asker)).toEqual(queries.map(octets => Buffer.from(octets)))
    expect(serving.sent).toEqual([[30]])
    expectAnswered(serving.socket, 30)
  })

  test('three lengths for two clients, all mixed: six parcels, and each hears its own', async () => {
    const serving = await opened()
    const askers = [await client(), await client()] as const
    const queries = Array.from({ length: 48 }, (_, id) => {
      const asker = askers[id & 1 ? 1 : 0]
      return [asker, query(id, 40 + (id % 3))] as const
    })
    await askAll(serving, queries)
    for (const asker of askers) {
      await until(() => asker.heard.length === 24)
      const own = queries.filter(([one]) => one === asker).map(([, octets]) => octets)
      expect(sorted(heardBy(asker))).toEqual(sorted(own))
    }
    expect(serving.sent).toEqual([[8, 8, 8, 8, 8, 8]])
    expectAnswered(serving.socket, 48)
  })

  test('each client once: as many parcels as replies', async () => {
    const serving = await opened()
    const askers = await Promise.all(Array.from({ length: 20 }, () => client()))
    await askAll(
      serving,
      askers.map((asker, id) => [asker, query(id, 60)]),
    )
    await until(() => askers.every(({ heard }) => heard.length === 1))
    expect(serving.sent).toEqual([new Array(20).fill(1)])
  })

  // biome-ignore format: table
  const LENGTHS = [
    // rule                                                        octets  replies  parcels
    ['RFC 9715 §3.1 what fits every link is joined',                1232,   10,      [10]],
    ['one octet more goes alone: it may not fit as it is',          1233,   3,       [1, 1, 1]],
    ['a full batch of short ones',                                  100,    64,      [64]],
    ['65,507 octets are all that a parcel holds: 53 times 1,232',   1232,   64,      [53, 11]],
  ] as const

  for (const [rule, octets, replies, parcels] of LENGTHS) {
    test(rule, async () => {
      const serving = await opened()
      const asker = await client()
      const queries = Array.from({ length: replies }, (_, id) => query(id, octets))
      await askAll(
        serving,
        queries.map(one => [asker, one]),
      )
      await until(() => asker.heard.length === replies)
      expect(sorted(heardBy(asker))).toEqual(sorted(queries))
      expect(serving.sent).toEqual([parcels])
    })
  }

  test('on a wildcard, each address that was asked has its own', async () => {
    const serving = await opened({ address: '0.0.0.0' })
    const asker = await client()
    const places = ['127.0.0.1', '127.0.0.2', '127.0.0.1', '127.0.0.2', '127.0.0.1']
    await askAll(
      serving,
      places.map((place, id) => [asker, query(id, 70), place]),
    )
    await until(() => asker.heard.length === 5)
    const from = asker.heard.map(heard => `${heard.from.address} ${(heard.octets[1] ?? 0) & 1}`)
    expect(from.sort()).toEqual(places.map((place, id) => `${place} ${id & 1}`).sort())
    expect(serving.sent).toEqual([[3, 2]])
  })

  test('a batch after a batch: what is left over of the first one joins nothing', async () => {
    const serving = await opened()
    const askers = [await client(), await client()] as const
    for (const asker of [...askers, ...askers]) {
      await asker.send(query(7, 50), serving.socket)
      await asker.send(query(8, 50), serving.socket)
      const { received } = figuresOf(serving.socket.counts)
      await turnUntil(serving.engine, serving.socket, received + 2)
    }
    for (const asker of askers) await until(() => asker.heard.length === 4)
    expect(serving.sent).toEqual([[2], [2], [2], [2]])
  })

  test('a system that takes no parcels apart: each reply goes alone, now and later', async () => {
    const refuse = (pieces: number[]) => (pieces.some(count => count > 1) ? -EINVAL : 0)
    const serving = await opened({ refuse })
    const asker = await client()
    const queries = Array.from({ length: 8 }, (_, id) => query(id, 60))
    await askAll(
      serving,
      queries.map(octets => [asker, octets]),
    )
    await until(() => asker.heard.length === 8)
    expect(heardBy(asker)).toEqual(queries.map(octets => Buffer.from(octets)))
    expect(serving.sent).toEqual(new Array(8).fill([1]))
    await asker.send(query(9), serving.socket)
    await asker.send(query(10), serving.socket)
    await turnUntil(serving.engine, serving.socket, 10)
    expect(serving.sent.at(-1)).toEqual([1, 1])
    expectAnswered(serving.socket, 10)
  })

  test('a parcel that a firewall stops: each of its replies is counted, and the next goes', async () => {
    const serving = await opened({ refuse: pieces => (pieces[0] === 5 ? -EPERM : 0) })
    const askers = [await client(), await client()] as const
    const five = Array.from({ length: 5 }, (_, id) => [askers[0], query(id, 60)] as const)
    await askAll(serving, [...five, [askers[1], query(6, 60)]])
    await until(() => askers[1].heard.length === 1)
    expect(figuresOf(serving.socket.counts)).toMatchObject({ answered: 1, sendErrors: 5 })
  })
})
