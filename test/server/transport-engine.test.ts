/**
 * What every UDP engine owes when it serves, as one table run for each of them; its life and our own
 * bugs are in `transport-engine-life.test.ts`, wildcards in `transport-engine-wildcard.test.ts`.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Serve } from '../../server/answer/peer.ts'
import {
  client,
  discerning,
  ENGINES,
  expectAccounted,
  expectAlive,
  figures,
  isSame,
  open,
  type Row,
} from '../kit/engine.ts'
import { CAN_FORGE, echo, forge, pause, query, udpClient, until } from '../kit/transport.ts'

const W05 = '00058400000100000000000003777777076578616d706c6503636f6d0000010001'

const SERVING: readonly Row[] = [
  [
    'a datagram is answered, from where it was sent to',
    async engine => {
      const socket = await open(engine)
      const heard = await (await client()).ask(query(1), socket)
      expect(heard?.octets).toEqual(query(1))
      expect(heard?.from).toMatchObject({ address: '127.0.0.1', port: socket.port })
      expectAccounted(socket)
      expect(figures(socket)).toMatchObject({ received: 1, answered: 1 })
    },
  ],
  [
    'the reply leaves from the address asked, not from the nearest one',
    async engine => {
      const socket = await open(engine, { address: '127.0.0.2' })
      const heard = await (await client('127.0.0.1')).ask(query(2), socket)
      expect(heard?.from).toMatchObject({ address: '127.0.0.2', port: socket.port })
    },
  ],
  [
    'IPv6: answered, and the peer is known by its sixteen octets',
    async engine => {
      const peers: unknown[] = []
      const socket = await open(engine, {
        address: '::1',
        serve(octets, length, reply, peer) {
          peers.push([peer.family, peer.octets.join('.')])
          return echo(octets, length, reply, peer)
        },
      })
      const heard = await (await client('::1')).ask(query(3), socket)
      expect(heard?.octets).toEqual(query(3))
      expect(heard?.from).toMatchObject({ address: '::1', port: socket.port })
      expect(peers).toEqual([[6, '0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1']])
    },
  ],
  [
    'BC-030 RFC 4291 §2.5.5.2 an IPv4 peer of an IPv6 socket is an IPv4 peer',
    async engine => {
      const peers: unknown[] = []
      const socket = await open(engine, {
        address: '::ffff:127.0.0.1',
        serve(octets, length, reply, peer) {
          peers.push([peer.family, peer.octets.subarray(0, 4).join('.'), peer.transport])
          return echo(octets, length, reply, peer)
        },
      })
      const to = { address: '127.0.0.1', port: socket.port }
      expect((await (await client()).ask(query(4), to))?.octets).toEqual(query(4))
      expect(peers).toEqual([[4, '127.0.0.1', 'udp']])
    },
  ],
  [
    'the switch for ECS reaches the peer, also while the socket is open',
    async engine => {
      const seen: boolean[] = []
      const socket = await open(engine, {
        ecs: false,
        serve(octets, length, reply, peer) {
          seen.push(peer.ecs)
          return echo(octets, length, reply, peer)
        },
      })
      const asker = await client()
      await asker.ask(query(5), socket)
      socket.ecs = true
      await asker.ask(query(6), socket)
      expect(seen).toEqual([false, true])
      expect(socket.ecs).toBe(true)
    },
  ],
  [
    'a burst from several clients: each hears its own replies, whole and in order',
    async engine => {
      const socket = await open(engine)
      const askers = await Promise.all(Array.from({ length: 4 }, () => client()))
      for (let id = 0; id < 50; id += 1) {
        for (const asker of askers) void asker.send(query(asker.port ^ id, 12 + id * 20), socket)
      }
      await until(() => askers.every(asker => asker.heard.length === 50))
      for (const { heard, port } of askers) {
        const isOwn = heard.map(({ octets }, id) => isSame(octets, query(port ^ id, 12 + id * 20)))
        expect(isOwn).not.toContain(false)
      }
      expect(figures(socket)).toMatchObject({ received: 200, answered: 200, dropped: 0 })
      expectAccounted(socket)
    },
  ],
]

const SIZES: readonly Row[] = [
  [
    'the longest IPv4 datagram, 65,507 octets, comes in whole and goes out whole',
    async engine => {
      const socket = await open(engine)
      const heard = await (await client()).ask(query(7, 65_507), socket)
      expect(isSame(heard?.octets, query(7, 65_507))).toBe(true)
    },
  ],
  [
    'the longest IPv6 datagram, 65,527 octets',
    async engine => {
      const socket = await open(engine, { address: '::1' })
      const heard = await (await client('::1')).ask(query(8, 65_527), socket)
      expect(isSame(heard?.octets, query(8, 65_527))).toBe(true)
    },
  ],
  [
    'a reply no datagram can hold is counted, not cut, and the next one is sent',
    async engine => {
      const serve: Serve = (octets, length, reply, peer) =>
        length === 12 ? 65_535 : echo(octets, length, reply, peer)
      const socket = await open(engine, { serve })
      const asker = await client()
      expect(await asker.ask(query(9, 12), socket, 100)).toBeUndefined()
      await expectAlive(socket)
      expect(figures(socket)).toMatchObject({ sendErrors: 1, answered: 1 })
      expectAccounted(socket)
    },
  ],
  [
    'BC-057 no octets at all',
    async engine => {
      const lengths: number[] = []
      const serve: Serve = (octets, length, reply, peer) => {
        lengths.push(length)
        return discerning(octets, length, reply, peer)
      }
      const socket = await open(engine, { serve })
      expect(await (await client()).ask(new Uint8Array(0), socket, 100)).toBeUndefined()
      await expectAlive(socket, 100)
      expect(lengths).toEqual([0, 40])
      expect(figures(socket).silent).toBe(1)
    },
  ],
  [
    'BC-057 short, long and random datagrams, and then a good one',
    async engine => {
      const socket = await open(engine, { serve: discerning })
      const asker = await client()
      const random = fc.uint8Array({ maxLength: 300 })
      const junk: Uint8Array[] = fc.sample(random, { numRuns: 1000, seed: 57 })
      for (let length = 1; length < 12; length += 1) junk.push(new Uint8Array(length))
      junk.push(query(10, 65_507))
      for (const octets of junk) await asker.send(octets, socket)
      await until(() => figures(socket).received > 900)
      await expectAlive(socket, 100)
      expect(asker.heard.every(({ octets }) => octets.length >= 12)).toBe(true)
      expectAccounted(socket)
    },
  ],
]

const SILENCE: readonly Row[] = [
  [
    'BC-054 a reply (QR=1) to which nothing is said',
    async engine => {
      const socket = await open(engine, { serve: discerning })
      const asker = await client()
      expect(await asker.ask(Buffer.from(W05, 'hex'), socket, 100)).toBeUndefined()
      await expectAlive(socket)
      expect(figures(socket)).toMatchObject({ received: 2, silent: 1, answered: 1 })
    },
  ],
  [
    'ICMP unreachable: whoever asked is gone before the reply',
    async engine => {
      const socket = await open(engine)
      for (let id = 0; id < 20; id += 1) {
        const leaver = await udpClient()
        await leaver.send(query(id), socket)
        leaver.close()
      }
      await until(() => figures(socket).received === 20)
      await expectAlive(socket)
      await expectAlive(socket)
    },
  ],
]

const FORGED: readonly Row[] = [
  [
    'from port 0: nothing can be sent there',
    async engine => {
      const socket = await open(engine)
      await forge({ address: '127.0.0.1', port: 0 }, socket, query(11))
      await until(() => figures(socket).received === 1)
      await expectAlive(socket)
      expect(figures(socket)).toMatchObject({ dropped: 1, answered: 1, sendErrors: 0, faults: 0 })
    },
  ],
  [
    'BC-055 from our own address and port: no talk in circles',
    async engine => {
      const socket = await open(engine) // an echo would go on for ever
      await forge(socket, socket, query(12))
      await until(() => figures(socket).received === 1)
      await pause(50)
      expect(figures(socket)).toMatchObject({ received: 1, dropped: 1, answered: 0 })
      await expectAlive(socket)
    },
  ],
  [
    'BC-055 between two of our sockets: one reply, which nobody answers',
    async engine => {
      const one = await open(engine, { serve: asReply })
      const other = await open(engine, { serve: asReply })
      await forge(other, one, query(13))
      await until(() => figures(other).received === 1)
      await pause(50)
      expect(figures(one)).toMatchObject({ received: 1, answered: 1 })
      expect(figures(other)).toMatchObject({ received: 1, silent: 1, answered: 0 })
    },
  ],
]

/** A reply with QR set, and nothing where it was set already. */
const asReply: Serve = (octets, length, reply, peer) => {
  const written = discerning(octets, length, reply, peer)
  if (written > 0) reply[2] = 0x80
  return written
}

for (const engine of ENGINES) {
  describe(`${engine.name} engine`, () => {
    for (const [rule, check] of [...SERVING, ...SIZES, ...SILENCE]) {
      test(rule, () => check(engine))
    }
    for (const [rule, check] of FORGED) test.skipIf(!CAN_FORGE)(rule, () => check(engine))
  })
}
