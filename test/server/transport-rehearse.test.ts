/** The rehearsal of the batched engine: what it serves, what it leaves behind, and where it cannot be. */
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Serve } from '../../server/answer/peer.ts'
import { AF_INET6, SO_BINDTODEVICE, SOL_SOCKET } from '../../server/transport/layout.ts'
import { REHEARSAL_FILES } from '../../server/transport/rehearse.ts'
import { client, figures, open, withoutBatches } from '../kit/engine.ts'
import { ownEngine, UNLESS } from '../kit/kernel.ts'
import { echo, query } from '../kit/transport.ts'

/** 100 of them, all different, of 20 … 119 octets. */
const QUESTIONS = Array.from({ length: 100 }, (_, i) => new Uint8Array(20 + i).fill(i))

/** Counts what is served, by first octet and family. */
function counter() {
  const times = new Map<string, number>()
  const serve: Serve = (octets, length, reply, peer) => {
    const key = `${peer.family} ${octets[0]}`
    if (length === 20 + (octets[0] ?? 0)) times.set(key, (times.get(key) ?? 0) + 1)
    return echo(octets, length, reply, peer)
  }
  return { serve, times }
}

const openFiles = () => readdirSync('/proc/self/fd').length

type Row = readonly [rule: string, check: () => Promise<void>]

const ROWS: readonly Row[] = [
  [
    'each question is served over IPv4 and IPv6, as it is',
    async () => {
      const { serve, times } = counter()
      await ownEngine().rehearse?.(serve, QUESTIONS)
      for (const family of [4, 6]) {
        const each = QUESTIONS.map((_, i) => times.get(`${family} ${i}`) ?? 0)
        expect(Math.min(...each), `IPv${family}`).toBeGreaterThanOrEqual(5)
      }
    },
  ],
  [
    'nothing of it is left open, and no more was open than is said',
    async () => {
      let most = 0
      const before = openFiles()
      const { serve } = counter()
      const counting: Serve = (...call) => {
        most = Math.max(most, openFiles())
        return serve(...call)
      }
      await ownEngine().rehearse?.(counting, QUESTIONS.slice(0, 10))
      expect(openFiles()).toBe(before)
      expect(most - before).toBe(REHEARSAL_FILES)
    },
  ],
  [
    'a wildcard is opened for what comes from this machine only, before it is bound',
    async () => {
      const calls: string[] = []
      const engine = ownEngine(({ bind, setOption }) => ({
        setOption: (fd, level, option, value) => {
          if (level === SOL_SOCKET && option === SO_BINDTODEVICE) {
            calls.push(`${fd} only ${Buffer.from(value).toString('latin1')}`)
          }
          return setOption(fd, level, option, value)
        },
        bind: (fd, address) => {
          const octets = address.subarray(
            address[0] === AF_INET6 ? 8 : 4,
            address[0] === AF_INET6 ? 24 : 8,
          )
          if (octets.every(octet => octet === 0)) calls.push(`${fd} bound`)
          return bind(fd, address)
        },
      }))
      await engine.rehearse?.(echo, QUESTIONS)
      const fds = calls.filter(call => call.endsWith('bound')).map(call => call.split(' ')[0])
      expect(fds.length).toBe(2)
      expect(calls).toEqual(fds.flatMap(fd => [`${fd} only lo\0`, `${fd} bound`]))
    },
  ],
  [
    'what is opened afterwards is served by the same engine',
    async () => {
      const engine = ownEngine()
      await engine.rehearse?.(echo, QUESTIONS)
      const socket = await open(engine)
      await (await client()).send(query(1), socket)
      engine.turn(1000)
      expect(figures(socket)).toMatchObject({ received: 1, answered: 1 })
    },
  ],
  [
    'a thread that may open nothing goes without it (EMFILE)',
    async () => {
      const { serve, times } = counter()
      await ownEngine(() => ({ socket: () => -24 })).rehearse?.(serve, QUESTIONS)
      expect(times.size).toBe(0)
    },
  ],
  [
    'where the machine has no IPv6, or none may be bound to a device, the others are played',
    async () => {
      const { serve, times } = counter()
      const engine = ownEngine(({ setOption, socket }) => ({
        socket: family => (family === AF_INET6 ? -97 : socket(family)),
        setOption: (fd, level, option, value) =>
          option === SO_BINDTODEVICE ? -1 : setOption(fd, level, option, value),
      }))
      await engine.rehearse?.(serve, QUESTIONS)
      expect(times.get('4 7')).toBeGreaterThanOrEqual(5)
      expect(times.get('6 7')).toBe(undefined)
    },
  ],
  [
    'where nothing comes through loopback it is over soon',
    async () => {
      const { serve, times } = counter()
      const engine = ownEngine(() => ({ send: (_, __, count) => count }))
      const began = performance.now()
      await engine.rehearse?.(serve, QUESTIONS)
      expect(performance.now() - began).toBeLessThan(2000)
      expect(times.size).toBe(0)
    },
  ],
  [
    'without a question there is none',
    async () => {
      const { serve, times } = counter()
      await ownEngine().rehearse?.(serve, [])
      expect(times.size).toBe(0)
    },
  ],
  [
    '`Serve` that throws is no end of it',
    async () => {
      let calls = 0
      const engine = ownEngine()
      await engine.rehearse?.(() => {
        calls += 1
        throw new Error('of the test')
      }, QUESTIONS)
      expect(calls).toBeGreaterThan(QUESTIONS.length)
      const socket = await open(engine)
      await (await client()).send(query(1), socket)
      engine.turn(1000)
      expect(figures(socket)).toMatchObject({ received: 1, answered: 1 })
    },
  ],
]

describe(`a rehearsal${UNLESS}`, () => {
  for (const [rule, check] of ROWS) test.skipIf(withoutBatches !== undefined)(rule, check)
})
