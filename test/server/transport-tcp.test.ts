import { afterEach, describe, expect, test } from 'vitest'
import type { Serve } from '../../server/answer/peer.ts'
import {
  type TcpListener,
  type TcpOptions,
  type TcpService,
  tcpService,
} from '../../server/transport/tcp.ts'
import {
  echo,
  framed,
  handClock,
  pause,
  query,
  type TcpClient,
  tcpClient,
  until,
} from '../kit/transport.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

type Opening = Partial<TcpOptions> & { readonly serve?: Serve; readonly address?: string }
type Opened = { readonly listener: TcpListener; readonly counts: TcpService['counts'] }

async function open(opening: Opening = {}): Promise<Opened> {
  const { serve = echo, address = '127.0.0.1', ...options } = opening
  const service = tcpService(serve, { onFault: () => undefined, ...options })
  const listener = await service.open(address, 0, { ecs: true })
  closers.push(() => listener.close(0))
  return { listener, counts: service.counts }
}

async function client(
  listener: TcpListener,
  options?: Parameters<typeof tcpClient>[1],
): Promise<TcpClient> {
  const made = await tcpClient(listener, options)
  closers.push(() => made.socket.destroy())
  return made
}

async function expectAlive(listener: TcpListener): Promise<void> {
  const asker = await client(listener)
  expect(await asker.ask(query(0xa11e))).toEqual(query(0xa11e))
  asker.socket.destroy()
}

describe('messages', () => {
  test('BC-150 RFC 7766 §8 the length split, then one octet at a time', async () => {
    const { listener } = await open()
    const asker = await client(listener)
    const octets = framed(query(1))
    asker.socket.write(octets.subarray(0, 1))
    await pause(50)
    for (const octet of octets.subarray(1)) {
      asker.socket.write(Uint8Array.of(octet))
      await pause(0)
    }
    await until(() => asker.heard.length === 1)
    expect(asker.heard).toEqual([query(1)])
  })

  test('BC-151 RFC 7766 §6.2.1.1 three queries in one write: three replies', async () => {
    const { listener } = await open()
    const asker = await client(listener)
    const queries = [query(1), query(2, 200), query(3, 12)]
    asker.socket.write(framed(...queries))
    await until(() => asker.heard.length === 3)
    expect(asker.heard).toEqual(queries)
  })

  test('RFC 1035 §4.2.2 the longest message there and back', async () => {
    const { listener } = await open()
    const asker = await client(listener)
    const reply = (await asker.ask(query(4, 65_535))) ?? new Uint8Array(0)
    expect(Buffer.compare(reply, query(4, 65_535))).toBe(0)
  })

  test('the peer: an IPv4 address over IPv6 is IPv4 (BC-030), the switch for ECS follows', async () => {
    const seen: unknown[] = []
    const { listener } = await open({
      address: '::ffff:127.0.0.1',
      serve(octets, length, reply, peer) {
        seen.push([peer.family, peer.octets.subarray(0, 4).join('.'), peer.transport, peer.ecs])
        return echo(octets, length, reply, peer)
      },
    })
    const asker = await client({ ...listener, address: '127.0.0.1', ecs: true })
    await asker.ask(query(5))
    listener.ecs = false
    await asker.ask(query(6))
    expect(seen).toEqual([
      [4, '127.0.0.1', 'tcp', true],
      [4, '127.0.0.1', 'tcp', false],
    ])
  })

  test('IPv6', async () => {
    const { listener } = await open({ address: '::1' })
    await expectAlive(listener)
  })

  test('BC-054 a message to which nothing is said: the connection goes on', async () => {
    const serve: Serve = (octets, length, reply, peer) =>
      length === 12 ? 0 : echo(octets, length, reply, peer)
    const { listener, counts } = await open({ serve })
    const asker = await client(listener)
    asker.socket.write(framed(query(7, 12), query(8)))
    await until(() => asker.heard.length === 1)
    expect(asker.heard).toEqual([query(8)])
    expect(counts).toMatchObject({ received: 2, silent: 1, answered: 1 })
  })
})

describe('time', () => {
  test('BC-152 RFC 7766 §6.2.1 a second query on the same connection; then idle, then closed', async () => {
    const clock = handClock()
    const { listener, counts } = await open({ clock })
    const asker = await client(listener)
    expect(await asker.ask(query(1))).toEqual(query(1))
    clock.pass(9000)
    expect(await asker.ask(query(2))).toEqual(query(2))
    clock.pass(9000)
    await pause(20)
    expect(asker.ended()).toBe('no')
    clock.pass(1000)
    await until(() => asker.ended() === 'end')
    expect(counts).toMatchObject({ idle: 1, open: 0 })
  })

  test('RFC 7766 §6.2.3 octets that trickle in do not keep a connection open', async () => {
    const clock = handClock()
    const { listener, counts } = await open({ clock })
    const dripper = await client(listener)
    await until(() => counts.open === 1)
    for (const octet of framed(query(1)).subarray(0, 10)) {
      dripper.socket.write(Uint8Array.of(octet))
      await pause(2)
      clock.pass(1000)
    }
    await until(() => dripper.ended() !== 'no')
    expect(counts).toMatchObject({ idle: 1, open: 0, received: 0 })
  })

  test('one who says nothing is closed, one who talks is not', async () => {
    const clock = handClock()
    const { listener, counts } = await open({ clock })
    const mute = await client(listener)
    const talker = await client(listener)
    for (let id = 0; id < 4; id += 1) {
      clock.pass(4000)
      expect(await talker.ask(query(id))).toEqual(query(id))
    }
    await until(() => mute.ended() === 'end')
    expect(talker.ended()).toBe('no')
    expect(counts).toMatchObject({ open: 1, idle: 1 })
  })
})

describe('a peer that does not read', () => {
  /** Each query brings 60,000 octets. */
  const generous: Serve = () => 60_000

  test('is not served without end, and is closed when its time is up', async () => {
    const clock = handClock()
    const { listener, counts } = await open({ clock, serve: generous })
    const asker = await client(listener, { reads: 'nothing' })
    const queries = framed(...Array.from({ length: 1500 }, (_, id) => query(id, 20)))
    asker.socket.write(queries) // 33,000 octets for which 90,000,000 are due
    await until(() => counts.answered > 0)
    await pause(200)
    const { answered } = counts
    expect(answered).toBeLessThan(300) // what the kernel's buffers hold, and one reply
    clock.pass(10_000)
    await until(() => counts.open === 0)
    expect(counts).toMatchObject({ answered, idle: 1 })
    expect((await (await client(listener)).ask(query(1)))?.length).toBe(60_000)
  })

  test('gets everything once it reads', async () => {
    const { listener, counts } = await open({ serve: generous })
    const asker = await client(listener, { reads: 'nothing' })
    asker.socket.write(framed(...Array.from({ length: 400 }, (_, id) => query(id, 20))))
    asker.socket.end() // the goodbye waits behind the queries
    await pause(100)
    let octets = 0
    asker.socket.on('data', chunk => {
      octets += chunk.length
    })
    await until(() => asker.ended() === 'end')
    expect(octets).toBe(400 * 60_002)
    expect(counts.answered).toBe(400)
  })
})

describe('endings', () => {
  test('half-close: whoever has said its last still gets its replies', async () => {
    const { listener, counts } = await open()
    const asker = await client(listener, { allowHalfOpen: true })
    asker.socket.end(framed(query(1), query(2)))
    await until(() => asker.ended() === 'end')
    expect(asker.heard).toEqual([query(1), query(2)])
    await until(() => counts.open === 0)
  })

  // biome-ignore format: table
  const BROKEN = [
    // rule                                     octets
    ['BC-155 length 0',                         Uint8Array.of(0, 0)],
    ['BC-155 length 5 and five octets',         Uint8Array.of(0, 5, 1, 2, 3, 4, 5)],
    ['length 11, before its octets have come',  Uint8Array.of(0, 11)],
  ] as const

  for (const [rule, octets] of BROKEN) {
    test(`${rule}: closed, after the replies due`, async () => {
      const { listener, counts } = await open()
      const asker = await client(listener, { allowHalfOpen: true })
      asker.socket.write(framed(query(1)))
      asker.socket.write(octets)
      await until(() => asker.ended() !== 'no')
      expect(asker.heard).toEqual([query(1)])
      await until(() => counts.open === 0)
      expect(counts.broken).toBe(1)
      await expectAlive(listener)
    })
  }

  test('BC-155 length 65535 and then goodbye', async () => {
    const { listener, counts } = await open()
    const asker = await client(listener)
    asker.socket.end(Uint8Array.of(0xff, 0xff, 1, 2, 3))
    await until(() => asker.ended() === 'end' && counts.open === 0)
    expect(asker.octets().length).toBe(0)
    await expectAlive(listener)
  })

  test('BC-155 a query and a reset before the reply, fifty times', async () => {
    const { listener, counts } = await open()
    for (let id = 0; id < 50; id += 1) {
      const asker = await client(listener)
      asker.socket.write(framed(...Array.from({ length: 20 }, () => query(id, 2000))))
      asker.socket.resetAndDestroy()
    }
    await until(() => counts.accepted === 50 && counts.open === 0)
    await expectAlive(listener)
  })

  test('a serve that throws: that connection is closed, once told, others go on', async () => {
    const told: unknown[] = []
    const { listener, counts } = await open({
      serve(octets, length, reply, peer) {
        if (length === 12) throw new TypeError('a bug')
        return echo(octets, length, reply, peer)
      },
      onFault: (cause, times) => told.push([`${cause}`, times]),
    })
    for (let id = 0; id < 5; id += 1) {
      const asker = await client(listener)
      asker.socket.write(framed(query(1), query(2, 12), query(3)))
      await until(() => asker.ended() === 'end')
      expect(asker.heard).toEqual([query(1)])
    }
    expect(told).toEqual([['TypeError: a bug', 1]])
    expect(counts.faults).toBe(5)
    await expectAlive(listener)
  })

  test('an address in use is a Fault with a sentence', async () => {
    const { listener } = await open()
    const again = tcpService(echo, { onFault: () => undefined })
    const opening = again.open('127.0.0.1', listener.port, { ecs: true })
    await expect(opening).rejects.toMatchObject({ name: 'Fault', code: 'ADDRESS_IN_USE' })
    await expect(opening).rejects.toThrow(`cannot listen on 127.0.0.1:${listener.port} (TCP): `)
  })
})
