/**
 * How a run treats servers: at most so many questions at once, at a pace that halves where a server
 * limits its responses, and none where it refuses everything; and how it ends when its time is over.
 */
import { describe, expect, test } from 'vitest'
import { asker, DEFAULT_MANNER } from '../../probe/ask/ask.ts'
import { type Lane, laneTo, slowDown, turn } from '../../probe/ask/lane.ts'
import type { Server } from '../../probe/ask/server.ts'
import type { Wire } from '../../probe/ask/wire.ts'
import type { Observation } from '../../probe/judge/observation.ts'
import { rateLimits } from '../../probe/judge/rate-limited.ts'
import { labOf } from '../../probe/lab/lab.ts'
import { type Cut, ledger, putAll, type Run } from '../../probe/ledger.ts'
import { measureEcs, measureRotation } from '../../probe/measure.ts'
import { chanceFrom } from '../../probe/plan/chance.ts'
import { DEFAULT_COUNTRIES, panelOf } from '../../probe/plan/panel.ts'
import { inARow } from '../../probe/plan/rounds.ts'
import { isWrong } from '../../probe/plan/wrong.ts'
import { ATLAS, TABLE, wireTo } from './in-process.ts'

const REMOTE = serverAt('192.0.2.1')

function serverAt(address: string): Server {
  return { address, port: 53, transport: 'udp', recursion: 'not-desired' }
}

function runOver(wire: Wire, over: Partial<Run> = {}): Run {
  return {
    asker: asker(wire, chanceFrom(1), DEFAULT_MANNER),
    chance: chanceFrom(1),
    budget: { queries: 500, rate: 20 },
    width: 8,
    intervalMs: 0,
    signal: new AbortController().signal,
    progress: () => undefined,
    ...over,
  }
}

function labAsks(name: string, count: number) {
  return inARow({ name: `${name}.lab.test`, type: 'A' }, count, undefined)
}

/** A wire to the lab that counts how many datagrams are under way, and notes when each left. */
function watched(): { wire: Wire; most: () => number; sentAt: number[] } {
  const lab = wireTo(labOf(ATLAS, 1))
  const sentAt: number[] = []
  let busy = 0
  let most = 0
  const datagram: Wire['datagram'] = async (...all) => {
    busy += 1
    most = Math.max(most, busy)
    sentAt.push(lab.now())
    for (let n = 0; n < 20; n += 1) await Promise.resolve()
    busy -= 1
    return lab.datagram(...all)
  }
  return { wire: { ...lab, datagram }, most: () => most, sentAt }
}

describe('questions at once', () => {
  // biome-ignore format: table
  const AT_ONCE = [
    ['four to a remote server',      '192.0.2.1',        4],
    ['as wide as the run on loopback', '127.0.0.1',      8],
    ['… IPv6',                       '::1',              8],
  ] as const
  for (const [rule, address, expected] of AT_ONCE) {
    test(rule, async () => {
      const { wire, most } = watched()
      const run = runOver(wire, { budget: { queries: 500, rate: Number.POSITIVE_INFINITY } })
      const book = ledger(run)
      await putAll(book, labAsks('single', 40), serverAt(address))
      expect([most(), book.seen.length]).toEqual([expected, 40])
    })
  }
})

describe('pace', () => {
  async function pausesAt(lane: Lane, rate: number, count: number): Promise<number[]> {
    const wire = wireTo(labOf(ATLAS, 1))
    const left: number[] = []
    for (let n = 0; n < count; n += 1) {
      await turn(lane, rate, wire, Number.POSITIVE_INFINITY)
      left.push(wire.now())
    }
    return left.slice(1).map((at, index) => at - (left[index] ?? 0))
  }

  test('20 a second is one each 50 ms; after a sign of limiting, each 100 ms', async () => {
    const lane = laneTo(new Map(), 'x')
    expect(await pausesAt(lane, 20, 4)).toEqual([50, 50, 50])
    slowDown(lane, 0)
    lane.dueAt = 0
    expect(await pausesAt(lane, 20, 4)).toEqual([100, 100, 100])
  })

  test('signs within a second count once, and an eighth is the least', () => {
    const lane = laneTo(new Map(), 'x')
    const after = [0, 10, 999, 1000, 2500, 4000, 9000].map(now => {
      slowDown(lane, now)
      return lane.slowness
    })
    expect(after).toEqual([2, 2, 2, 4, 8, 8, 8])
  })

  test('a server that limits is asked more slowly, and no answer is missed', async () => {
    const { wire, sentAt } = watched()
    const book = ledger(runOver(wire, { width: 1 }))
    await putAll(book, labAsks('rate-limited', 20), REMOTE)
    expect(book.seen.filter(({ error }) => error === undefined)).toHaveLength(20)
    expect(sentAt.at(1)).toBe(50)
    expect(laneTo(book.run.asker.lanes, '192.0.2.1#53').slowness).toBeGreaterThan(1)
  })

  test('a limit on loopback changes nothing: there is no pace', async () => {
    const { wire } = watched()
    const run = runOver(wire)
    await putAll(ledger(run), labAsks('single', 30), serverAt('127.0.0.1'))
    expect(wire.now()).toBe(30 * 12)
  })
})

describe('REFUSED in a row', () => {
  test('fifty, then nothing more is sent, for other names either', async () => {
    const { wire, sentAt } = watched()
    const cuts: Cut[] = []
    const run = runOver(wire, { width: 1, cut: why => void cuts.push(why) })
    const subject = { name: 'www.example.net', type: 'A' }
    const wish = { count: 200, subnet: undefined }
    await measureRotation(run, subject, [REMOTE], wish)
    expect(await measureRotation(run, { ...subject, type: 'AAAA' }, [REMOTE], wish)).toEqual([])
    expect(sentAt).toHaveLength(50)
    expect(cuts).toEqual([{ kind: 'refused', server: '192.0.2.1#53', replies: 50 }])
  })

  test('any other reply between them starts the count anew', async () => {
    const panel = panelOf(TABLE, DEFAULT_COUNTRIES, 5)
    if (isWrong(panel)) throw new Error(panel.wrong)
    const cuts: Cut[] = []
    const run = runOver(watched().wire, { width: 1, cut: why => void cuts.push(why) })
    const wish = { panel, rounds: undefined, samples: 5, alpha: 0.001, seed: 1 }
    await measureEcs(run, { name: 'refused.lab.test', type: 'A' }, [REMOTE], wish)
    expect(cuts).toEqual([])
  })
})

describe('drops', () => {
  /** Answers the first over UDP, then only over TCP. */
  function dropping(): { wire: Wire; streams: () => number } {
    const lab = wireTo(labOf(ATLAS, 1))
    let first = true
    let streams = 0
    const datagram: Wire['datagram'] = async (...all) => {
      if (!first) {
        await lab.sleep(all[2])
        return 'timeout'
      }
      first = false
      return lab.datagram(...all)
    }
    const stream: Wire['stream'] = (...all) => {
      streams += 1
      return lab.stream(...all)
    }
    return { wire: { ...lab, datagram, stream }, streams: () => streams }
  }

  test('of a server heard before are tried over TCP, and said to be drops', async () => {
    const { wire } = dropping()
    const book = ledger(runOver(wire, { width: 1 }))
    await putAll(book, labAsks('single', 4), REMOTE)
    expect(book.seen.map(({ error, oddities }) => error ?? oddities.join())).toEqual([
      '', 'tcp-after-drop', 'tcp-after-drop', 'tcp-after-drop',
    ]) // biome-ignore format: one line
    expect(rateLimits(book.seen)).toEqual([]) // drops alone may be the network's
  })

  test('of a server that is silent over TCP too, once', async () => {
    const { wire, streams } = dropping()
    const book = ledger(runOver(wire, { width: 1 }))
    await putAll(book, [...labAsks('single', 1), ...labAsks('silence', 3)], REMOTE)
    expect(book.seen.map(({ error }) => error)).toEqual([
      undefined,
      'timeout',
      'timeout',
      'timeout',
    ])
    expect(streams()).toBe(1)
  })
})

describe('DNS008', () => {
  const seen = (text: string): Observation => {
    const [transport, ...oddities] = text.split(' ')
    return {
      server: '192.0.2.1#53',
      transport,
      oddities,
      error: undefined,
    } as unknown as Observation
  }
  const SLIP = 'tcp tcp-retry rate-slip'
  // biome-ignore format: table
  const ROWS = [
    ['three slips beside whole replies',  ['udp', SLIP, SLIP, SLIP],                            1],
    ['slips and drops',                   ['udp', SLIP, 'tcp tcp-after-drop', SLIP],            1],
    ['two may be the network',            ['udp', 'udp', SLIP, SLIP],                           0],
    ['a server that always wants TCP',    [SLIP, SLIP, SLIP, SLIP],                             0],
    ['large answers',                     ['udp', 'tcp tcp-retry', 'tcp tcp-retry', 'tcp tcp-retry'], 0],
  ] as const
  for (const [rule, replies, expected] of ROWS) {
    test(rule, () => expect(rateLimits(replies.map(seen))).toHaveLength(expected))
  }
})

describe('a deadline', () => {
  test('ends the run, and a question that it cut off is not the server’s failure', async () => {
    const wire = wireTo(labOf(ATLAS, 1))
    const run = runOver(wire, { width: 1 })
    run.asker.until = 1000
    const book = ledger(run)
    await putAll(book, [...labAsks('single', 3), ...labAsks('silence', 5)], REMOTE)
    expect(wire.now()).toBeGreaterThanOrEqual(1000)
    expect(wire.now()).toBeLessThanOrEqual(1100)
    expect(book.seen.map(({ error }) => error)).toEqual([undefined, undefined, undefined])
  })

  test('ends the waiting for the pace too', async () => {
    const wire = wireTo(labOf(ATLAS, 1))
    const run = runOver(wire, { width: 1, budget: { queries: 500, rate: 0.1 } })
    run.asker.until = 2000
    const book = ledger(run)
    await putAll(book, labAsks('single', 5), REMOTE)
    expect([wire.now(), book.seen.length]).toEqual([2000, 1])
  })
})
