/** How every UDP engine opens, closes and gets over our own bugs: one table run for each of them. */
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Serve } from '../../server/answer/peer.ts'
import { Fault } from '../../server/fault.ts'
import type { UdpSocket } from '../../server/transport/engine.ts'
import {
  client,
  closers,
  ENGINES,
  expectAccounted,
  expectAlive,
  figures,
  open,
  type Row,
} from '../kit/engine.ts'
import { echo, pause, query, until } from '../kit/transport.ts'

const OUR_BUGS: readonly Row[] = [
  [
    'a serve that throws costs one reply, is counted each time and told of once',
    async engine => {
      const told: unknown[] = []
      const socket = await open(engine, {
        serve(octets, length, reply, peer) {
          if (length === 12) throw new RangeError('a bug')
          return echo(octets, length, reply, peer)
        },
        onFault: (cause, times) => told.push([`${cause}`, times]),
      })
      const asker = await client()
      for (let id = 0; id < 30; id += 1) await asker.send(query(id, 12), socket)
      await until(() => figures(socket).received === 30)
      await expectAlive(socket)
      expect(told).toEqual([['RangeError: a bug', 1]])
      expect(figures(socket)).toMatchObject({ faults: 30, answered: 1 })
      expectAccounted(socket)
    },
  ],
  [
    'a serve that claims more octets than there are costs one reply',
    async engine => {
      const serve: Serve = (octets, length, reply, peer) =>
        length === 12 ? 70_000 : echo(octets, length, reply, peer)
      const socket = await open(engine, { serve })
      expect(await (await client()).ask(query(14, 12), socket, 100)).toBeUndefined()
      await expectAlive(socket)
      expect(figures(socket)).toMatchObject({ received: 2, answered: 1 })
      expectAccounted(socket)
    },
  ],
]

const LIFE: readonly Row[] = [
  [
    'an address in use is a Fault with a sentence',
    async engine => {
      const { port } = await open(engine)
      const again = engine.open('127.0.0.1', port, echo, { ecs: true, onFault: () => undefined })
      const fault = await again.then(() => undefined).catch((cause: unknown) => cause)
      expect(fault).toBeInstanceOf(Fault)
      expect(fault).toMatchObject({ code: 'ADDRESS_IN_USE', cause: { code: 'EADDRINUSE' } })
      expect(`${fault}`).toContain(`cannot listen on 127.0.0.1:${port} (UDP): `)
    },
  ],
  [
    'an address of another machine is a Fault',
    async engine => {
      // TEST-NET-3, RFC 5737
      const opening = open(engine, { address: '203.0.113.1' })
      await expect(opening).rejects.toMatchObject({ name: 'Fault', code: 'ADDRESS_UNAVAILABLE' })
    },
  ],
  [
    'closed while busy: no answer after it, no throw, and the port is free at once',
    async engine => {
      const socket = await open(engine)
      const askers = await Promise.all(Array.from({ length: 4 }, () => client()))
      let isBusy = true
      const work = askers.map(async asker => {
        while (isBusy) {
          for (let id = 0; id < 20; id += 1) void asker.send(query(id), socket)
          await setImmediate() // or the sends would starve the socket
        }
      })
      await until(() => figures(socket).answered > 200)
      await Promise.all([socket.close(), socket.close()])
      const { received } = figures(socket)
      await pause(30)
      expect(figures(socket).received).toBe(received)
      isBusy = false
      await Promise.all(work)

      const next = await engine.open('127.0.0.1', socket.port, echo, {
        ecs: true,
        onFault: () => undefined,
      })
      closers.push(() => next.close())
      await expectAlive(next)
    },
  ],
  [
    'closed while datagrams wait in its queue: they are answered first',
    async engine => {
      const socket = await open(engine)
      const askers = await Promise.all(Array.from({ length: 4 }, () => client()))
      const sends = askers.flatMap(asker =>
        Array.from({ length: 100 }, (_, id) => asker.send(query(id), socket)),
      )
      await Promise.all(sends)
      await socket.close()
      expect(figures(socket)).toMatchObject({ received: 400, answered: 400 })
    },
  ],
  [
    'closed from within serve',
    async engine => {
      const sockets: UdpSocket[] = []
      const serve: Serve = (octets, length, reply, peer) => {
        for (const socket of sockets) void socket.close()
        return echo(octets, length, reply, peer)
      }
      const socket = await open(engine, { serve })
      sockets.push(socket)
      await (await client()).ask(query(16), socket, 50)
      await socket.close()
      expect(figures(socket).received).toBe(1)
    },
  ],
]

for (const engine of ENGINES) {
  describe(`${engine.name} engine`, () => {
    for (const [rule, check] of [...OUR_BUGS, ...LIFE]) test(rule, () => check(engine))
  })
}
