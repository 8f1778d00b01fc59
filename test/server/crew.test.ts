/** What a crew of UDP workers owes: all or nothing, and nobody notices that a thread died. */
import { afterEach, describe, expect, test } from 'vitest'
import { present } from '../../server/answer/desk.ts'
import { NO_SAMPLING } from '../../server/answer/sample.ts'
import { Counters } from '../../server/counters.ts'
import { Crew } from '../../server/crew.ts'
import { Fault } from '../../server/fault.ts'
import { openLimits } from '../../server/guard/guard.ts'
import { ring } from '../../server/guard/ring.ts'
import { Hand } from '../../server/hand.ts'
import type { OpenOrder, Published } from '../../server/orders.ts'
import { openBoard } from '../../server/steer/board.ts'
import { chance } from '../../server/steer/chance.ts'
import { udpCounts } from '../../server/transport/engine.ts'
import { PAPER_WORKER, PORT } from '../kit/paper-worker.ts'
import { counts } from '../kit/tallies.ts'
import { until } from '../kit/transport.ts'
import { deskFrom } from '../kit/world.ts'

const SITE = {
  'lbdns.yaml': `listen: [127.0.0.1]
zones: [a.zone]
pools: {p: {targets: [192.0.2.1]}}
steer: {www.a: {ttl: 60, pools: [p]}}
`,
  'a.zone': '$ORIGIN a.\n@ 60 SOA . . 1 1 1 1 1\n@ 60 NS b.\n',
}
const { world } = deskFrom(SITE)

/** The paper worker writes into `next` what it did. */
function published(words = 8): Published {
  const next = new Uint32Array(new SharedArrayBuffer(4 * words))
  const board = openBoard(world.steering)
  const own = { present: present(), challenges: [], sampling: NO_SAMPLING }
  return { world, board, next, ...own, limits: openLimits(chance(1)) }
}

const deaths: string[] = []
const faults: unknown[] = []
const leavers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const leave of leavers.splice(0)) await leave()
  deaths.length = 0
  faults.length = 0
})

function options(script = PAPER_WORKER, counters = new Counters()) {
  const onDeath = (cause: unknown) => deaths.push(`${cause}`)
  const onFault = (cause: unknown, times: number) => faults.push([`${cause}`, times])
  const queryLog = { ring: () => ring(8) }
  return { engine: 'dgram', script, counters, queryLog, onFault, onDeath } as const
}

function hand(counters?: Counters) {
  const first = published()
  const made = new Hand(first, options(PAPER_WORKER, counters))
  leavers.push(() => made.leave())
  return { made, past: first.next }
}

function crew(workers: number, counters?: Counters) {
  const first = published()
  const made = new Crew(workers, first, options(PAPER_WORKER, counters))
  leavers.push(() => made.leave())
  return { made, past: first.next }
}

function order(door: number, port: number, counts = udpCounts()): OpenOrder {
  const place = { address: '127.0.0.1', port, ecs: true, sharing: 'shared' } as const
  return { kind: 'open', door, ...place, fd: undefined, counts }
}

describe('a thread that is kept alive', () => {
  test('opens a door', async () => {
    const done = await hand().made.open(order(1, 53))
    expect(done).toMatchObject({ address: '127.0.0.1', port: 53, fd: 71 })
  })

  test('a refusal comes back as the Fault it is, and the thread goes on', async () => {
    const { made } = hand()
    const refused = made.open(order(1, PORT.refused))
    await expect(refused).rejects.toBeInstanceOf(Fault)
    await expect(refused).rejects.toMatchObject({ code: 'ADDRESS_IN_USE', message: 'cannot' })
    expect((await made.open(order(2, 53))).fd).toBe(72)
    expect(made.deaths).toBe(0)
  })

  test('a thread that dies before its answer: the next one answers, and takes over the sockets', async () => {
    const { made } = hand()
    const counts = udpCounts()
    await made.open(order(1, 53, counts))
    expect(counts[0]).toBe(1) // opened anew
    const done = await made.open(order(2, PORT.dies))
    expect(done.fd).toBe(72)
    expect(counts[0]).toBe(1 + 71) // taken over: by number
    expect(deaths).toEqual(['Error: died'])
    expect(made.deaths).toBe(1)
  })

  test('a thread that dies of itself is replaced without being asked for', async () => {
    const { made } = hand()
    const counts = udpCounts()
    await made.open(order(1, PORT.diesLater, counts))
    await until(() => counts[0] === 1 + 71)
    expect(deaths).toEqual(['Error: died later'])
  })

  test('a door that was closed is not opened again', async () => {
    const { made } = hand()
    const counts = udpCounts()
    await made.open(order(1, 53, counts))
    await made.close(1)
    await made.open(order(2, PORT.dies))
    expect(counts[0]).toBe(1)
  })

  test('what was counted outlives the thread, and the World', async () => {
    const counters = new Counters()
    const { made } = hand(counters)
    await made.open(order(1, 53))
    await made.open(order(2, PORT.dies)) // the next thread opens both
    expect(made.deaths).toBe(1)
    expect(counters.cells()[0]).toBe(3)
    await made.serve(published())
    await made.serve(published())
    expect(counts(counters.answered())).toEqual({ 'www.a. p': 2 })
  })

  test('whoever owes no answer is asked for a sign of life', async () => {
    const { made } = hand()
    await made.open(order(1, 53))
    expect(made.owesMs()).toBe(0)
    made.call()
    made.call()
    expect(made.owesMs()).toBeGreaterThan(0)
    await until(() => made.owesMs() === 0)
  })

  test('a thread that is stuck owes its answer, and is not asked again', async () => {
    const { made } = hand()
    await made.open(order(1, 53))
    const stuck = made.open(order(2, PORT.stuck))
    made.call()
    await until(() => made.owesMs() > 300)
    await stuck // it was, for half a second
    expect(made.owesMs()).toBe(0)
  })

  test('what `Serve` threw is told of', async () => {
    await hand().made.open(order(1, PORT.faulty))
    expect(faults).toEqual([['RangeError: a bug', 3]])
  })

  test('one that cannot even start is a Fault, not a thread started for ever', async () => {
    const made = new Hand(
      published(),
      options(new URL('data:text/javascript,throw new Error("no")')),
    )
    const opening = made.open(order(1, 53))
    await expect(opening).rejects.toMatchObject({ code: 'IMPOSSIBLE' })
    await expect(opening).rejects.toThrow('no UDP worker can be started: Error: no')
    expect(deaths).toEqual([])
  })
})

describe('a crew', () => {
  test('a door is open in all of them, at one port', async () => {
    const { made } = crew(3)
    const door = await made.open('127.0.0.1', 5300, { ecs: true })
    expect(door).toMatchObject({ address: '127.0.0.1', port: 5300, ecs: true })
    expect(made.told().counts[0]).toBe(3)
    await door.close(0)
    await door.close(0)
  })

  test('a refusal is a Fault, and the door is open in none', async () => {
    const { made } = crew(2)
    const opening = made.open('127.0.0.1', PORT.refused, { ecs: true })
    await expect(opening).rejects.toMatchObject({ code: 'ADDRESS_IN_USE' })
    expect((await made.open('127.0.0.1', 5300, { ecs: true })).port).toBe(5300)
  })

  test('what is published reaches all before it resolves', async () => {
    const { made, past } = crew(2)
    await made.publish(published(13))
    expect(past[2]).toBe(13)
  })

  test('the switch for ECS goes to all, once, when it changes', async () => {
    const { made, past } = crew(2)
    const door = await made.open('127.0.0.1', 5300, { ecs: true })
    door.ecs = true
    door.ecs = false
    await door.close(0) // orders are done in turn
    expect(door.ecs).toBe(false)
    expect(past[3]).toBe(20)
  })

  test('replaced threads are counted', async () => {
    const { made } = crew(2)
    await made.open('127.0.0.1', PORT.diesLater, { ecs: true })
    await until(() => made.told().restarts === 1)
  })
})
