/** What the batched engine owes beyond the table of every engine: its sockets, and whose they are. */
import { describe, expect, test } from 'vitest'
import type { UdpSocket } from '../../server/transport/engine.ts'
import { copyOf, openKernel } from '../../server/transport/kernel.ts'
import { sockaddr } from '../../server/transport/sockaddr.ts'
import { client, closers, figures, isSame, open, withoutBatches } from '../kit/engine.ts'
import { optionOf, ownEngine, turnUntil, UNLESS } from '../kit/kernel.ts'
import { echo, pause, query, until } from '../kit/transport.ts'

type Row = readonly [rule: string, check: () => Promise<void>]

const ANY = { ecs: true, onFault: () => undefined }

/** What SO_RCVBUF 8 holds when it was set to 50,000. */
const BARE_BUFFER = 100_000

function octets(value: number): Uint8Array {
  return new Uint8Array(Int32Array.of(value).buffer)
}

/** A bound socket as others make them: it has none of our options. */
function bare(address: string): number {
  const kernel = openKernel()
  const name = sockaddr(address, 0, () => 0) ?? new Uint8Array(0)
  const fd = kernel.socket(name[0] ?? 0)
  kernel.setOption(fd, 1, 8, octets(BARE_BUFFER / 2))
  if (kernel.bind(fd, name) !== 0) throw new Error(`cannot bind ${address}`)
  return fd
}

function adopted(address: string): Promise<UdpSocket> {
  return open(ownEngine(), { fd: bare(address) })
}

const SOCKET: readonly Row[] = [
  [
    'RFC 9715 §3.1 no path MTU is believed, and no "do not fragment" is set: IP_PMTUDISC_OMIT',
    async () => {
      const engine = ownEngine()
      const four = await open(engine)
      const six = await open(engine, { address: '::1' })
      // IPPROTO_IP 0, IP_MTU_DISCOVER 10, IPPROTO_IPV6 41, IPV6_MTU_DISCOVER 23, OMIT 5
      expect(optionOf(four.fd, 0, 10)).toBe(5)
      expect([optionOf(six.fd, 0, 10), optionOf(six.fd, 41, 23)]).toEqual([5, 5])
    },
  ],
  [
    'the receive buffer is as large as asked; socket(7): the kernel says twice as much',
    async () => {
      const engine = ownEngine()
      const asked = await open(engine, { receiveBuffer: 300_000 })
      const plain = await open(engine)
      expect(optionOf(asked.fd, 1, 8)).toBe(600_000)
      expect(optionOf(plain.fd, 1, 8)).toBeGreaterThanOrEqual(2 << 20)
    },
  ],
  [
    'without CAP_NET_ADMIN, a receive buffer as far as the system lets',
    async () => {
      const engine = ownEngine(({ setOption }) => ({
        // SO_RCVBUFFORCE 33, EPERM 1
        setOption: (fd, level, option, value) =>
          option === 33 ? -1 : setOption(fd, level, option, value),
      }))
      expect(optionOf((await open(engine, { receiveBuffer: 100_000 })).fd, 1, 8)).toBe(200_000)
    },
  ],
  [
    'the kernel tells when a datagram came, however long it waited',
    async () => {
      const engine = ownEngine()
      const times: number[] = []
      const counts: number[] = []
      const socket = await open(engine, {
        begin(count, receivedAt) {
          counts.push(count)
          times.push(receivedAt)
          return 0
        },
      })
      const asker = await client()
      const before = Date.now()
      await asker.send(query(1), socket)
      const between = Date.now() + 1
      await pause(60)
      await turnUntil(engine, socket, 1)
      await asker.send(query(2), socket)
      await asker.send(query(3), socket)
      await turnUntil(engine, socket, 3)
      const [first = 0, second = 0] = times
      expect(first).toBeGreaterThanOrEqual(before)
      expect(first).toBeLessThanOrEqual(between)
      expect(second - first).toBeGreaterThan(50)
      expect(counts.reduce((all, one) => all + one, 0)).toBe(3)
    },
  ],
  [
    'what came before the time that is told is not served, the first of a batch and then all; it is counted',
    async () => {
      const engine = ownEngine()
      let oldest = 0
      const socket = await open(engine, { begin: () => oldest })
      const asker = await client()
      for (let id = 1; id <= 80; id += 1) await asker.send(query(id), socket)
      await pause(30)
      oldest = Date.now() - 10
      await turnUntil(engine, socket, 80)
      // of the first batch, 64, only the first one's time is told
      await until(() => asker.heard.length === 63)
      expect(figures(socket)).toMatchObject({ received: 80, answered: 63, stale: 17 })
      await asker.send(query(81), socket)
      await turnUntil(engine, socket, 81)
      expect(figures(socket)).toMatchObject({ answered: 64, stale: 17 })
    },
  ],
  [
    'a kernel without SO_REUSEPORT: NOT_SUPPORTED where it is shared, nothing where it is not',
    async () => {
      const engine = ownEngine(({ setOption }) => ({
        // SO_REUSEPORT 15, ENOPROTOOPT 92
        setOption: (fd, level, option, value) =>
          option === 15 ? -92 : setOption(fd, level, option, value),
      }))
      await expect(open(engine, { sharing: 'shared' })).rejects.toMatchObject({
        name: 'Fault',
        code: 'NOT_SUPPORTED',
        cause: { code: 'ENOPROTOOPT' },
      })
      expect((await open(engine)).port).toBeGreaterThan(0)
    },
  ],
  [
    'what could not be bound leaves no socket behind',
    async () => {
      const closed: number[] = []
      const engine = ownEngine(({ close }) => ({
        close(fd) {
          closed.push(fd)
          return close(fd)
        },
      }))
      await expect(open(engine, { address: '203.0.113.1' })).rejects.toThrow('cannot listen')
      expect(closed).toHaveLength(1)
    },
  ],
]

const SHARED: readonly Row[] = [
  [
    'two sockets of one address: each serves some clients, together all of them',
    async () => {
      const engines = [ownEngine(), ownEngine()]
      const sockets: UdpSocket[] = []
      for (const engine of engines) {
        const port = sockets[0]?.port ?? 0
        const socket = await engine.open('127.0.0.1', port, echo, { ...ANY, sharing: 'shared' })
        closers.push(() => socket.close())
        sockets.push(socket)
      }
      const [one, other] = sockets as [UdpSocket, UdpSocket]
      const askers = await Promise.all(Array.from({ length: 32 }, () => client()))
      for (const [id, asker] of askers.entries()) await asker.send(query(id), one)
      await until(() => {
        for (const engine of engines) engine.turn(0)
        return askers.every(({ heard }) => heard.length === 1)
      })
      // all 32 with the same one: once in 2³¹
      expect(figures(one).answered).toBeGreaterThan(0)
      expect(figures(other).answered).toBeGreaterThan(0)
      expect(figures(one).answered + figures(other).answered).toBe(32)
    },
  ],
  [
    'a shared address is in use for whoever wants it alone',
    async () => {
      const engine = ownEngine()
      const { port } = await open(engine, { sharing: 'shared' })
      await expect(engine.open('127.0.0.1', port, echo, ANY)).rejects.toMatchObject({
        code: 'ADDRESS_IN_USE',
      })
    },
  ],
  [
    'a socket that was left behind is taken over with what waits in it',
    async () => {
      const gone = ownEngine()
      const left = await gone.open('127.0.0.1', 0, () => 0, ANY)
      const asker = await client()
      for (let id = 0; id < 100; id += 1) await asker.send(query(id), left)

      const engine = ownEngine()
      const socket = await open(engine, { fd: left.fd })
      expect(socket).toMatchObject({ address: '127.0.0.1', port: left.port, fd: left.fd })
      await turnUntil(engine, socket, 100)
      await until(() => asker.heard.length === 100)
      expect(asker.heard.map(({ octets }, id) => isSame(octets, query(id)))).not.toContain(false)
    },
  ],
  [
    'a socket that somebody else has bound gets the options of ours',
    async () => {
      const [four, six] = [await adopted('0.0.0.0'), await adopted('::')]
      // SOL_SOCKET 1, SO_TIMESTAMPNS 35, IP_PKTINFO 8, IPV6_RECVPKTINFO 49; the others: above
      const options = [
        ...[optionOf(four.fd, 1, 35), optionOf(four.fd, 0, 8), optionOf(four.fd, 0, 10)],
        ...[optionOf(six.fd, 1, 35), optionOf(six.fd, 41, 49), optionOf(six.fd, 41, 23)],
      ]
      expect(options).toEqual([1, 1, 5, 1, 1, 5])
      expect(optionOf((await adopted('127.0.0.1')).fd, 0, 8)).toBe(0) // it has one address
    },
  ],
  [
    'its receive buffer is changed by whoever no limit holds, and by nobody else',
    async () => {
      const free = await open(ownEngine(), { fd: bare('127.0.0.1'), receiveBuffer: 300_000 })
      const held = optionOf(free.fd, 1, 8)
      // SO_RCVBUFFORCE 33
      const isFree = openKernel().setOption(free.fd, 1, 33, octets(300_000)) === 0
      expect(held).toBe(isFree ? 600_000 : BARE_BUFFER)
      const engine = ownEngine(({ setOption }) => ({
        setOption: (fd, level, option, value) =>
          option === 33 ? -1 : setOption(fd, level, option, value),
      }))
      const limited = await open(engine, { fd: bare('127.0.0.1') })
      expect(optionOf(limited.fd, 1, 8)).toBe(BARE_BUFFER)
    },
  ],
  [
    'a copy of a socket is the same one, which our children do not inherit',
    async () => {
      const kernel = openKernel()
      const fd = bare('127.0.0.1')
      const copy = copyOf(kernel, fd)
      expect(kernel.control(copy, 1, 0)).toBe(1) // F_GETFD, FD_CLOEXEC
      kernel.close(fd)
      const { port } = await open(ownEngine(), { fd: copy })
      expect(port).toBeGreaterThan(0)
      expect(() => copyOf(kernel, 1_000_000)).toThrow('EBADF')
    },
  ],
  [
    'a number that is no socket is a Fault',
    async () => {
      const opening = open(ownEngine(), { fd: 1_000_000 })
      await expect(opening).rejects.toMatchObject({ name: 'Fault', cause: { code: 'EBADF' } })
    },
  ],
]

describe(`batched engine${UNLESS}`, () => {
  for (const [rule, check] of [...SOCKET, ...SHARED]) {
    test.skipIf(withoutBatches !== undefined)(rule, check)
  }
})
