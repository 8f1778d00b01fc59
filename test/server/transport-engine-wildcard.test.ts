/** Sockets bound to 0.0.0.0 and [::]: one table for each UDP engine that can answer from the address asked. */
import { describe, expect, test } from 'vitest'
import type { Serve } from '../../server/answer/peer.ts'
import { client, ENGINES, figures, open, type Row } from '../kit/engine.ts'
import { CAN_FORGE, echo, forge, pause, query, until } from '../kit/transport.ts'

const EVERYWHERE: readonly Row[] = [
  [
    'BC-171 0.0.0.0: the reply leaves from the address asked',
    async engine => {
      const { port } = await open(engine, { address: '0.0.0.0' })
      const asker = await client('127.0.0.1')
      for (const address of ['127.0.0.2', '127.0.0.1', '127.9.9.9']) {
        const heard = await asker.ask(query(17), { address, port })
        expect(heard?.from).toMatchObject({ address, port })
      }
    },
  ],
  [
    'BC-171 [::]: the reply leaves from the address asked, of IPv4 too, and peers are what they are',
    async engine => {
      const families: number[] = []
      const serve: Serve = (octets, length, reply, peer) => {
        families.push(peer.family)
        return echo(octets, length, reply, peer)
      }
      const { port } = await open(engine, { address: '::', serve })
      for (const [from, address] of [
        ['127.0.0.1', '127.0.0.2'],
        ['::1', '::1'],
        ['127.0.0.1', '127.9.9.9'],
      ] as const) {
        const heard = await (await client(from)).ask(query(18), { address, port })
        expect(heard?.from).toMatchObject({ address, port })
      }
      expect(families).toEqual([4, 6, 4])
    },
  ],
  [
    'a socket bound to one address beside one that is not',
    async engine => {
      const one = await open(engine, { address: '127.0.0.3' })
      const all = await open(engine, { address: '0.0.0.0' })
      const asker = await client()
      for (const address of ['127.0.0.2', '127.0.0.4']) {
        await asker.ask(query(19), { address, port: all.port })
        await asker.ask(query(20), one)
      }
      expect(asker.heard.map(({ from }) => from.address)).toEqual([
        '127.0.0.2',
        '127.0.0.3',
        '127.0.0.4',
        '127.0.0.3',
      ])
    },
  ],
]

const FORGED: readonly Row[] = [
  [
    'BC-055 0.0.0.0: from the very address and port asked',
    async engine => {
      const socket = await open(engine, { address: '0.0.0.0' })
      const place = { address: '127.0.0.1', port: socket.port }
      await forge(place, place, query(21))
      await until(() => figures(socket).received === 1)
      await pause(50)
      expect(figures(socket)).toMatchObject({ received: 1, dropped: 1, answered: 0 })
    },
  ],
]

for (const engine of ENGINES) {
  const { name, wildcards } = engine
  const title = wildcards ? `${name} engine` : `${name} engine (skipped: it cannot)`
  describe.skipIf(!wildcards)(title, () => {
    for (const [rule, check] of EVERYWHERE) test(rule, () => check(engine))
    for (const [rule, check] of FORGED) test.skipIf(!CAN_FORGE)(rule, () => check(engine))
  })
}
