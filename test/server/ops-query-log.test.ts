/** From the rings of serving threads to lines: all of them, each of the World that it was answered by. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { changeWorld, type Desk } from '../../server/answer/desk.ts'
import { resample, type Sampling, sample, sampler } from '../../server/answer/sample.ts'
import { serve } from '../../server/answer/serve.ts'
import { type Problem, problemText } from '../../server/fault.ts'
import type { Ring } from '../../server/guard/ring.ts'
import { QueryLog, type QueryLogOptions } from '../../server/ops/query-log.ts'
import { folder, stopAll } from '../kit/process.ts'
import { until } from '../kit/transport.ts'
import { deskOf, peerOf, queryOf } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

/** On a machine that is busy, too. */
const soon = (holds: () => boolean) => until(holds, 20_000)

const opened: QueryLog[] = []
afterEach(() => Promise.all(opened.splice(0).map(log => log.stop())))
afterAll(stopAll)

const OLD = deskOf(
  ZONE_Z,
  `pools: {old: {targets: [192.0.2.1]}, gone: {targets: [192.0.2.9]}}
steer: {www.example.com: {ttl: 30s, pools: [old]}, gone.example.com: {ttl: 30s, pools: [gone]}}
`,
).world
/** Slots and pools have other numbers here. */
const NEW = deskOf(
  ZONE_Z,
  `pools: {first: {targets: [192.0.2.7]}, second: {targets: [192.0.2.8]}, new: {targets: [192.0.2.2]}}
steer: {a.example.com: {ttl: 30s, pools: [first]}, b.example.com: {ttl: 30s, pools: [second]}, www.example.com: {ttl: 30s, pools: [new]}}
`,
).world

/** A thread that serves: `ask` answers, and tells its ring of it. */
function thread(into: Ring) {
  const desk: Desk = deskOf(ZONE_Z)
  const own = sampler(into)
  const peer = peerOf('203.0.113.9')
  const out = new Uint8Array(65_535)
  return {
    serve(world: Desk['world'], sampling: Sampling) {
      changeWorld(desk, world)
      resample(own, sampling, desk.chance)
    },
    ask(name: string, times = 1) {
      const query = queryOf(name)
      for (let i = 0; i < times; i += 1) {
        sample(own, desk, peer, serve(desk, query, query.length, out, peer))
      }
    },
  }
}

/** A log of so many threads. */
function logOf(count: number) {
  const warnings: string[] = []
  const log = new QueryLog((problem: Problem) => void warnings.push(problemText(problem)))
  opened.push(log)
  const path = join(folder(), 'query.log')
  const options: QueryLogOptions = { path, sample: 1, maxSize: 1e8, keep: 3 }
  const lines = (file = path): readonly { readonly [key: string]: unknown }[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map(line => JSON.parse(line))
      : []
  const made = Array.from({ length: count }, () => thread(log.ring()))
  /** All threads serve the old World, and answer for a name so many times. */
  const begin = (name: string, times: number) => {
    const sampling = log.follow(options, OLD.steering)
    for (const one of made) {
      one.serve(OLD, sampling)
      one.ask(name, times)
    }
  }
  return { log, options, path, lines, warnings, threads: made, begin }
}

const pairs = (lines: readonly { readonly [key: string]: unknown }[]) =>
  lines.map(({ name, pool }) => [name, pool])

describe('lines', () => {
  test('of all threads, soon after the query', async () => {
    const { begin, lines, log } = logOf(3)
    const began = Date.now()
    begin('www.example.com', 100)
    await soon(() => log.counts.written === 300)
    expect(log.counts).toEqual({ written: 300, dropped: 0 })
    const [first] = lines()
    expect(first).toMatchObject({ client: '203.0.113.0/24', pool: 'old', sample: 1 })
    const at = Date.parse(String(first?.time))
    expect(new Date(at).toISOString()).toBe(first?.time)
    expect(at).toBeGreaterThanOrEqual(began)
    expect(at).toBeLessThanOrEqual(Date.now())
  })

  test('of what was asked last are there when it has stopped', async () => {
    const { begin, lines, log } = logOf(2)
    begin('ns1.example.com', 1_000)
    await log.stop()
    expect(lines()).toHaveLength(2_000)
  })

  test('more than are taken at a time: all come', { timeout: 60_000 }, async () => {
    const { begin, lines, log } = logOf(2)
    begin('ns1.example.com', 15_000)
    await soon(() => log.counts.written === 30_000)
    expect(lines()).toHaveLength(30_000)
  })

  test('none where it is off, and no file', async () => {
    const { log, path, threads } = logOf(1)
    threads[0]?.serve(OLD, log.follow(undefined, OLD.steering))
    threads[0]?.ask('www.example.com', 100)
    await log.stop()
    expect(existsSync(path)).toBe(false)
  })

  test('that a ring has no room for are counted, and told of once', async () => {
    const { begin, lines, log, threads, warnings } = logOf(1)
    // 1 MiB, in words; one for the length, eight for numbers, five for the name's 17 octets.
    const most = Math.floor(2 ** 18 / (1 + 8 + 5))
    begin('ns1.example.com', most + 100)
    await soon(() => log.counts.dropped === 100)
    await soon(() => log.counts.written === most)
    threads[0]?.ask('ns1.example.com', most + 10)
    await soon(() => log.counts.dropped === 110)
    await log.stop()
    expect(lines()).toHaveLength(2 * most)
    expect(warnings).toEqual([expect.stringContaining('query.log: lines are lost: more come than')])
  })
})

describe('a change of the World', () => {
  test('each line names the pool of the World that its thread served', async () => {
    const { lines, log, options, threads } = logOf(2)
    const [one, other] = threads
    if (one === undefined || other === undefined) throw new Error('no threads')
    const before = log.follow(options, OLD.steering)
    one.serve(OLD, before)
    other.serve(OLD, before)
    one.ask('www.example.com')
    other.ask('gone.example.com')
    const after = log.follow(options, NEW.steering)
    one.serve(NEW, after)
    one.ask('www.example.com')
    other.ask('gone.example.com') // it has not heard yet
    await soon(() => lines().length === 4)
    other.ask('www.example.com')
    other.serve(NEW, after)
    other.ask('a.example.com')
    log.settle()
    await soon(() => lines().length === 6)
    expect(pairs(lines()).toSorted()).toEqual([
      ['a.example.com.', 'first'],
      ['gone.example.com.', 'gone'],
      ['gone.example.com.', 'gone'],
      ['www.example.com.', 'new'],
      ['www.example.com.', 'old'],
      ['www.example.com.', 'old'],
    ])
  })

  test('what nobody serves any more is forgotten once every ring was empty', async () => {
    const { log, options, threads } = logOf(2)
    const [one, other] = threads
    const before = log.follow(options, OLD.steering)
    one?.serve(OLD, before)
    other?.serve(NEW, log.follow(options, NEW.steering))
    one?.ask('www.example.com')
    log.settle()
    one?.ask('www.example.com') // as if it were still in the ring
    await soon(() => log.counts.written === 2)
    await soon(() => {
      one?.ask('www.example.com') // no thread would
      return log.counts.dropped > 0
    })
    const { written } = log.counts
    other?.ask('www.example.com')
    await soon(() => log.counts.written > written)
  })

  test('another file, another sample', async () => {
    const { begin, lines, log, options, path, threads } = logOf(1)
    begin('www.example.com', 10)
    await soon(() => lines().length === 10)
    const there = `${path}.there`
    threads[0]?.serve(OLD, log.follow({ ...options, path: there, sample: 0.5 }, OLD.steering))
    threads[0]?.ask('www.example.com', 1_000)
    await log.stop()
    expect(lines()).toHaveLength(10)
    expect(lines(there).length).toBeGreaterThan(400)
    expect(new Set(lines(there).map(line => line.sample))).toEqual(new Set([0.5]))
  })

  test('off: what was asked before is written, nothing after; and on again', async () => {
    const { begin, lines, log, options, threads } = logOf(1)
    const [one] = threads
    begin('www.example.com', 10)
    const off = log.follow(undefined, NEW.steering)
    one?.ask('gone.example.com', 10)
    one?.serve(NEW, off)
    one?.ask('www.example.com', 10)
    log.settle()
    await soon(() => lines().length === 20)
    expect(new Set(lines().map(line => line.pool))).toEqual(new Set(['old', 'gone']))
    one?.serve(NEW, log.follow(options, NEW.steering))
    log.settle()
    one?.ask('www.example.com', 5)
    await log.stop()
    expect(lines()).toHaveLength(25)
    expect(log.counts).toEqual({ written: 25, dropped: 0 })
  })
})
