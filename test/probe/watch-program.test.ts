/** `lbprobe watch` in process: whom it asks when nobody answers, and what it says of that. */
import { describe, expect, test } from 'vitest'
import type { Wire } from '../../probe/ask/wire.ts'
import { labOf } from '../../probe/lab/lab.ts'
import { program } from '../../probe/program.ts'
import type { World } from '../../probe/world.ts'
import { forwarder, WAYS } from './forwarder.ts'
import { ATLAS, wireOf, wireTo } from './in-process.ts'
import { labWorld, paper } from './world.ts'

type Used = { readonly exit: number; readonly out: string; readonly err: string }

async function watch(line: string, over: Partial<World>): Promise<Used> {
  const out = paper()
  const err = paper()
  const wire = over.wire ?? wireTo(labOf(ATLAS, 5))
  const live = async () => ({
    now: () => wire.now(),
    terminal: () => undefined,
    onHangup: () => undefined,
  })
  const exit = await program(
    `watch ${line}`.split(' '),
    labWorld({ ...over, out, err, wire, live }),
  )
  return { exit, out: out.text(), err: err.text() }
}

/** A wire on which nobody at these addresses answers while the clock is in the span. */
function deaf(addresses: readonly string[], from: number, to: number): Wire & { sent: number[] } {
  const wire = wireTo(labOf(ATLAS, 5))
  const sent: number[] = []
  const datagram: Wire['datagram'] = async (...all) => {
    const [server, , forMs] = all
    const now = wire.now()
    if (!addresses.includes(server.address) || now < from || now >= to) return wire.datagram(...all)
    sent.push(now)
    await wire.sleep(forMs)
    return 'timeout'
  }
  const stream: Wire['stream'] = async (...all) => {
    const isDeaf = addresses.includes(all[0].address) && wire.now() >= from && wire.now() < to
    return isDeaf ? 'closed' : wire.stream(...all)
  }
  return { ...wire, datagram, stream, sent }
}

const NS = ['127.0.0.1', '127.0.0.2']
const SYSTEM = {
  resolvers: () => ['127.0.0.3'],
  nameServers: async (zone: string) =>
    zone === 'lab.test' ? ['ns1.lab.test', 'ns2.lab.test'] : [],
  addresses: async (host: string) => [host === 'ns1.lab.test' ? '127.0.0.1' : '127.0.0.2'],
}

describe('name servers that do not answer', () => {
  test("at all: the system's resolver is asked, and that is said once", {
    timeout: 90_000,
  }, async () => {
    const wire = deaf(NS, 0, Number.POSITIVE_INFINITY)
    const line = '-i 5s --for 1m --timeout 1 A fixed-list.lab.test'
    const { exit, out, err } = await watch(line, { system: SYSTEM, wire })
    const warning =
      "lbprobe: warning: the name servers for fixed-list.lab.test do not answer: asking the system's resolver instead, whose cache may hide rotation and client subnets\n"
    expect(err.split(warning)).toHaveLength(2)
    expect(out).toContain('verdict: none static-pool')
    expect(exit).toBe(0)
  })

  test('with servers that were named, nobody else is asked', async () => {
    const wire = deaf(NS, 0, Number.POSITIVE_INFINITY)
    const line = '-i 5s --for 1m --timeout 1 A @127.0.0.1 fixed-list.lab.test'
    const { exit, out, err } = await watch(line, { system: SYSTEM, wire })
    expect(out).toContain('no reply (timeout)')
    expect(err).not.toContain('warning')
    expect(exit).toBe(9)
  })

  test('in the middle: said, asked at twice the pause each time, and said when they are back', {
    timeout: 90_000,
  }, async () => {
    const wire = deaf(NS, 60_000, 300_000)
    const line = '-i 5s --for 10m --timeout 1 --tries 1 A geo.lab.test'
    const { exit, out, err } = await watch(line, { system: SYSTEM, wire })
    const [log = ''] = out.split(/^real {2}geo/m)
    expect(log).toMatch(/no reply \(timeout\)\n.*answers again, after [345] min/)
    expect(log.match(/no reply/g)).toHaveLength(1)
    expect(err).not.toContain('warning')
    const passes = wire.sent.filter((at, index) => at - (wire.sent[index - 1] ?? 0) > 4500)
    const pauses = passes
      .slice(1)
      .map((at, index) => Math.round((at - (passes[index] ?? 0)) / 1000))
    expect(pauses.length).toBeGreaterThanOrEqual(3)
    expect(pauses.length).toBeLessThanOrEqual(12)
    expect(exit).toBe(0)
  })
})

test('what a pass asks is said before the first', async () => {
  const { err } = await watch('-i 5s --for 6s A @127.0.0.1 geo.lab.test', {})
  expect(err).toBe(
    'geo.lab.test A @127.0.0.1#53: every 5 s 20 subnets, and up to 2 more inside the blocks that scopes claim\n',
  )
})

describe('the terminal is given back', () => {
  const used = async (key: string, wire: Wire) => {
    const told: string[] = []
    const terminal = {
      open: (typed: (text: string) => void) => {
        told.push('open')
        typed(key)
      },
      size: () => ({ columns: 80, rows: 24 }),
      draw: () => undefined,
      bell: () => undefined,
      suspend: () => told.push('suspend'),
      close: () => told.push('close'),
    }
    const live = async () => ({
      now: () => wire.now(),
      terminal: () => terminal,
      onHangup: () => undefined,
    })
    const world = labWorld({ out: paper(true), wire, live })
    const ended = program('watch -i 5s --for 6s A @127.0.0.1 geo.lab.test'.split(' '), world)
    return { exit: await ended.catch(String), told }
  }
  const broken: Wire = {
    ...wireTo(labOf(ATLAS, 5)),
    datagram: () => Promise.reject(new Error('broken')),
  }
  // biome-ignore format: table
  const ENDS = [
    ['q',                  'q',    wireTo(labOf(ATLAS, 5)), 9,               ['open', 'close']],
    ['Ctrl-C',             '\x03', wireTo(labOf(ATLAS, 5)), 130,             ['open', 'close']],
    ['Ctrl-Z, and the end', '\x1a', wireTo(labOf(ATLAS, 5)), 0,              ['open', 'suspend', 'close']],
    ['an error of ours',   ' ',    broken,                  'Error: broken', ['open', 'close']],
  ] as const
  test.each(ENDS)('after %s', async (_, key, wire, exit, told) => {
    expect(await used(key, wire)).toEqual({ exit, told })
  })
})

describe('through a resolver', () => {
  const line =
    '@192.0.2.53 --calibrate whoami.lab.test geo-rotating.lab.test -t A --for 60s --interval 2s'
  // biome-ignore format: table
  const ROWS = [
    ['it passes client subnets on',  'without cache',  'real geo',     undefined],
    ['it strips and echoes',         'strips, echoes', 'unclear path', 'its echo proves nothing'],
    ['it hides scopes',              'hides the scope', 'unclear path', 'hides the scope'],
  ] as const

  test.each(ROWS)('%s', async (_, way, verdict, reason) => {
    const wire = wireOf(forwarder(labOf(ATLAS, 1), WAYS[way]))
    const { out, err } = await watch(line, { wire })
    expect(out).toContain(`verdict: ${verdict}`)
    if (reason === undefined) expect(err).not.toContain('warning')
    else expect(err.split(reason)).toHaveLength(2) // said once
  })
})
