import { afterEach, describe, expect, test } from 'vitest'
import type { Serve } from '../../server/answer/peer.ts'
import { addressText } from '../../server/dns/address.ts'
import { hex } from '../../server/dns/octets.ts'
import { PLAIN, type TcpOptions, tcpService } from '../../server/transport/tcp.ts'
import { echo, framed, handClock, pause, query, tcpClient, until } from '../kit/transport.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** As haproxy's proxy-protocol.txt §2.2 has it: TCP over IPv4, from 192.0.2.1 or 192.0.2.2. */
const headerOf = (last: '01' | '02') =>
  hex(`0d0a0d0a000d0a515549540a2111000cc00002${last}c6336401d4310035`)
const LOCAL = hex('0d0a0d0a000d0a515549540a20000000')

async function open(options: Partial<TcpOptions> & { readonly balancers?: 'all' | 'nobody' } = {}) {
  const { balancers = 'all', ...more } = options
  const seen: string[] = []
  const serve: Serve = (octets, length, reply, peer) => {
    seen.push(addressText(peer.octets.subarray(0, peer.family === 4 ? 4 : 16)))
    return echo(octets, length, reply, peer)
  }
  const service = tcpService(serve, { onFault: () => undefined, ...more })
  const manner = { ...PLAIN, isBalancer: () => balancers === 'all' }
  const listener = await service.open('127.0.0.1', 0, { ecs: true, manner })
  closers.push(() => listener.close(0))
  return { listener, counts: service.counts, seen }
}

async function client(to: { address: string; port: number }) {
  const made = await tcpClient(to)
  closers.push(() => made.socket.destroy())
  return made
}

describe('from a balancer', () => {
  test('§2.2 whom the header names asks; octets behind it in the same segment are DNS', async () => {
    const { listener, seen } = await open()
    const asker = await client(listener)
    asker.socket.write(Buffer.concat([headerOf('01'), framed(query(1), query(2))]))
    await until(() => asker.heard.length === 2)
    expect(asker.heard).toEqual([query(1), query(2)])
    expect(await asker.ask(query(3))).toEqual(query(3))
    expect(seen).toEqual(['192.0.2.1', '192.0.2.1', '192.0.2.1'])
  })

  test('a header that comes octet by octet, and the message too', async () => {
    const { listener, seen } = await open()
    const asker = await client(listener)
    for (const octet of Buffer.concat([headerOf('02'), framed(query(1))])) {
      asker.socket.write(Uint8Array.of(octet))
      await pause(1)
    }
    await until(() => asker.heard.length === 1)
    expect(seen).toEqual(['192.0.2.2'])
  })

  test('LOCAL: the balancer itself', async () => {
    const { listener, seen } = await open()
    const asker = await client(listener)
    asker.socket.write(Buffer.concat([LOCAL, framed(query(1))]))
    await until(() => asker.heard.length === 1)
    expect(seen).toEqual(['127.0.0.1'])
  })

  test('without a header: closed, and nothing answered', async () => {
    const { counts, listener, seen } = await open()
    const asker = await client(listener)
    asker.socket.write(framed(query(1)))
    await until(() => asker.ended() !== 'no')
    expect(seen).toEqual([])
    expect(counts).toMatchObject({ unproxied: 1, open: 0, received: 0 })
  })

  test('§2.2 part of a header, and no more: closed when its time is up', async () => {
    const clock = handClock()
    const { counts, listener } = await open({ clock })
    const asker = await client(listener)
    asker.socket.write(headerOf('01').subarray(0, 20))
    await until(() => counts.open === 1)
    await pause(20)
    clock.pass(10_000)
    await until(() => asker.ended() !== 'no')
    expect(counts).toMatchObject({ idle: 1, open: 0 })
  })

  test('part of a header, and a goodbye: closed', async () => {
    const { counts, listener } = await open()
    const asker = await client(listener)
    asker.socket.end(headerOf('01').subarray(0, 20))
    await until(() => asker.ended() !== 'no')
    expect(counts.received).toBe(0)
  })

  test('limits are of the client: one has its share, another too, and the balancer has none', async () => {
    const { counts, listener } = await open({ limits: { all: 100, perSource: 2 } })
    const waiting = await Promise.all(Array.from({ length: 5 }, () => client(listener)))
    await until(() => counts.open === 5)
    for (const one of waiting.slice(0, 3)) one.socket.write(headerOf('01'))
    for (const one of waiting.slice(3)) one.socket.write(headerOf('02'))
    await until(() => counts.displaced === 1)
    expect(waiting[0]?.ended() ?? 'no').toBe('end')
    expect(counts.open).toBe(4)
  })
})

test('from anybody else a header is no DNS message: closed', async () => {
  const { counts, listener } = await open({ balancers: 'nobody' })
  const asker = await client(listener)
  asker.socket.write(Buffer.concat([headerOf('01'), framed(query(1))]))
  await pause(100)
  expect(asker.heard).toEqual([])
  expect(counts).toMatchObject({ answered: 0 })
})
