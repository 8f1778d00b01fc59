/** What the batched engine owes beyond the table of every engine: its turns, and what it sends. */
import { describe, expect, test } from 'vitest'
import { client, expectAccounted, figures, isSame, open, withoutBatches } from '../kit/engine.ts'
import { ownEngine, turnUntil, UNLESS } from '../kit/kernel.ts'
import { echo, query, until } from '../kit/transport.ts'

type Row = readonly [rule: string, check: () => Promise<void>]

const TURNS: readonly Row[] = [
  [
    'a turn without a socket returns at once',
    async () => {
      const began = performance.now()
      ownEngine().turn(5000)
      expect(performance.now() - began).toBeLessThan(1000)
    },
  ],
  [
    'a turn waits as long as it is told each time, by one socket or several, and burns nothing',
    async () => {
      const engine = ownEngine()
      await open(engine)
      const cpu = process.cpuUsage()
      expect(tookMs(() => engine.turn(500))).toBeGreaterThan(490)
      expect(tookMs(() => engine.turn(20))).toBeLessThan(400)
      await open(engine)
      expect(tookMs(() => engine.turn(150))).toBeGreaterThan(140)
      const { user, system } = process.cpuUsage(cpu)
      expect((user + system) / 1000).toBeLessThan(100)
    },
  ],
  [
    'a turn ends as soon as something came, by one socket or several',
    async () => {
      const engine = ownEngine()
      const one = await open(engine)
      const asker = await client()
      await asker.send(query(1), one)
      expect(tookMs(() => engine.turn(10_000))).toBeLessThan(2000)
      const other = await open(engine)
      await asker.send(query(2), other)
      expect(tookMs(() => engine.turn(10_000))).toBeLessThan(2000)
      expect([figures(one).answered, figures(other).answered]).toEqual([1, 1])
    },
  ],
  [
    'a socket with a full queue leaves its neighbours their turn',
    async () => {
      const engine = ownEngine()
      const busy = await open(engine)
      const quiet = await open(engine)
      const asker = await client()
      for (let id = 0; id < 1000; id += 1) await asker.send(query(id), busy)
      await asker.send(query(1), quiet)
      engine.turn(1000)
      expect(figures(quiet).answered).toBe(1)
      expect(figures(busy).answered).toBeGreaterThan(1)
      expect(figures(busy).answered).toBeLessThan(1000)
    },
  ],
  [
    'a signal (EINTR) is no error, a refused reply (ECONNREFUSED) is one, and both go by',
    async () => {
      const outcomes = [-4, -111]
      const engine = ownEngine(({ receive }) => ({
        receive: (...call) => outcomes.shift() ?? receive(...call),
      }))
      const socket = await open(engine)
      await (await client()).send(query(1), socket)
      engine.turn(100)
      expect(figures(socket)).toMatchObject({ received: 0, receiveErrors: 0 })
      engine.turn(100)
      expect(figures(socket)).toMatchObject({ received: 0, receiveErrors: 1 })
      await turnUntil(engine, socket, 1)
      expectAccounted(socket)
    },
  ],
  [
    'a signal while several sockets are waited for is no error either',
    async () => {
      const outcomes = [-4]
      const engine = ownEngine(({ poll }) => ({
        poll: (...call) => outcomes.shift() ?? poll(...call),
      }))
      const sockets = [await open(engine), await open(engine)] as const
      await (await client()).send(query(1), sockets[1])
      engine.turn(100)
      expect(sockets.map(socket => figures(socket).received)).toEqual([0, 0])
      engine.turn(100)
      expect(sockets.map(socket => figures(socket).answered)).toEqual([0, 1])
    },
  ],
]

/** EAGAIN 11: the send buffer is full. EPERM 1: a filter. ENOBUFS 105: the queue of the interface. */
const SEND_ERRORS = [11, 1, 105]

const SENDS: readonly Row[] = [
  ...SEND_ERRORS.map(
    (error): Row => [
      `a reply the kernel refuses (${error}) is counted, never waited for, and the others go`,
      async () => {
        const flags: number[] = []
        const engine = ownEngine(({ send }) => ({
          send(fd, headers, _count, how) {
            flags.push(how)
            return flags.length === 2 ? -error : send(fd, headers, 1, how)
          },
        }))
        const socket = await open(engine)
        const asker = await client()
        // of different lengths, so that each travels alone
        for (let id = 0; id < 3; id += 1) await asker.send(query(id, 40 + id), socket)
        await turnUntil(engine, socket, 3)
        await until(() => asker.heard.length === 2)
        expect(asker.heard.map(({ octets }) => octets[1])).toEqual([0, 2])
        expect(figures(socket)).toMatchObject({ answered: 2, sendErrors: 1 })
        expect(new Set(flags)).toEqual(new Set([0x40])) // MSG_DONTWAIT
        expectAccounted(socket)
      },
    ],
  ),
  [
    'long replies between short ones, silence and bugs: each goes to whoever asked, whole',
    async () => {
      const engine = ownEngine()
      const socket = await open(engine, {
        serve(octets, length, reply, peer) {
          const kind = (octets[1] ?? 0) % 5
          if (kind === 3) return 0
          if (kind === 4) throw new Error('a bug')
          const grown = kind === 2 ? length + 10_000 : length
          reply.fill(octets[1] ?? 0, 0, grown)
          return Math.max(grown, echo(octets, length, reply, peer))
        },
      })
      const askers = await Promise.all(Array.from({ length: 3 }, () => client()))
      for (let id = 0; id < 60; id += 1) {
        for (const asker of askers) await asker.send(query(id, 40), socket)
      }
      await turnUntil(engine, socket, 180)
      await until(() => askers.every(({ heard }) => heard.length === 36))
      const ids = Array.from({ length: 60 }, (_, id) => id).filter(id => id % 5 < 3)
      const expected = ids.map(id => {
        const octets = new Uint8Array(id % 5 === 2 ? 10_040 : 40).fill(id)
        octets.set(query(id, 40))
        return octets
      })
      for (const { heard } of askers) {
        const whole = heard.map(({ octets }, at) =>
          isSame(octets, expected[at] ?? octets.subarray(1)),
        )
        expect(whole).not.toContain(false)
      }
      expect(figures(socket)).toMatchObject({ answered: 108, silent: 36, faults: 36 })
      expectAccounted(socket)
    },
  ],
]

function tookMs(work: () => void): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

describe(`batched engine${UNLESS}`, () => {
  for (const [rule, check] of [...TURNS, ...SENDS]) {
    test.skipIf(withoutBatches !== undefined)(rule, check)
  }
})
