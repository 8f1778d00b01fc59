/** Events: numbered, kept, and handed to all who listen, whatever one of them does. */
import { describe, expect, test, vi } from 'vitest'
import { Events } from '../../server/ops/events.ts'
import type { Event, Happening } from '../../server/tell/control/told.ts'

const DATE = Date.parse('2026-12-24T06:00:00Z')
const planned = (digest = 'a'): Happening => ({ kind: 'planned', digest, at: 'x' })

function stage() {
  const events = new Events(() => DATE)
  const heard: Event[] = []
  return { events, heard, listen: (event: Event) => heard.push(event) }
}

describe('what is told', () => {
  test('has a number and a time, and is heard before tell returns', () => {
    const { events, heard, listen } = stage()
    events.subscribe(listen)
    const told = events.tell(planned())
    expect(told).toEqual({
      ...{ id: 1, time: '2026-12-24T06:00:00.000Z' },
      ...{ kind: 'planned', digest: 'a', at: 'x' },
    })
    expect(heard).toEqual([told])
    expect(events.tell(planned()).id).toBe(2)
  })

  test('is not heard of afterwards', () => {
    const { events, heard, listen } = stage()
    const off = events.subscribe(listen)
    events.tell(planned())
    off()
    off()
    events.tell(planned())
    expect(heard.length).toBe(1)
  })

  test('has twenty problems at the most, and says how many more there are', () => {
    const { events } = stage()
    const problems = (count: number): Happening => ({
      ...{ kind: 'reload refused', problems: Array.from({ length: count }, (_, i) => `${i}`) },
    })
    expect(events.tell(problems(20))).toMatchObject(problems(20))
    const told = events.tell(problems(5_000))
    expect(told.kind === 'reload refused' && told.problems.slice(18)).toEqual([
      ...['18', '19', 'and 4980 more'],
    ])
  })
})

describe('a listener', () => {
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, () => unknown, number])[] = [
    ['that throws',               () => { throw new Error('oh') },                      1],
    ['that throws what is none',  () => { throw undefined },                            1],
    ['that rejects',              async () => { throw new Error('oh') },                1],
    ['that rejects later',        () => new Promise((_, no) => setTimeout(no, 5)),      1],
    ['that never ends',           () => new Promise(() => undefined),                   0],
  ]
  test.each(TABLE)('%s disturbs nobody', async (_, bad, broken) => {
    const { events, heard, listen } = stage()
    events.subscribe(bad)
    events.subscribe(listen)
    events.tell(planned())
    expect(heard.length).toBe(1)
    await vi.waitFor(() => expect(events.counts).toEqual({ told: 1, broken }))
  })

  test('may listen twice, and stop once', () => {
    const { events, heard, listen } = stage()
    events.subscribe(listen)()
    events.subscribe(listen)
    events.subscribe(listen)
    events.tell(planned())
    expect(heard.length).toBe(2)
  })

  test('that tells of something itself: all hear it in order', () => {
    const { events, heard, listen } = stage()
    events.subscribe(event => event.id === 1 && events.tell(planned('b')))
    events.subscribe(listen)
    events.tell(planned())
    expect(heard.map(({ id }) => id)).toEqual([1, 2])
  })

  test('that is sent away by another, hears nothing more; that comes meanwhile, not of this', () => {
    const { events, heard, listen } = stage()
    let off = () => {}
    events.subscribe(() => {
      off()
      events.subscribe(listen)
    })
    off = events.subscribe(listen)
    events.tell(planned())
    expect(heard).toEqual([])
  })
})

describe('who comes back', () => {
  const start = DATE.toString(36)

  // biome-ignore format: table
  const TABLE = [
    // what they say            told  first  last  whole
    ['the last',                `${start}-3`,     3,    0,     0,   true],
    ['the first',               `${start}-1`,     3,    2,     3,   true],
    ['before the first',        `${start}-0`,     3,    1,     3,   true],
    ['the last that is lost',   `${start}-44`,    300,  45,    300, true],
    ['one before it',           `${start}-43`,    300,  45,    300, false],
    ['one to come',             `${start}-4`,     3,    1,     3,   false],
    ['of another start',        'zzz-1',          3,    1,     3,   false],
    ['of another start, with nothing told since', 'zzz-1', 0, 0, 0, false],
    ['nothing',                 '',               3,    1,     3,   false],
    ['a number alone',          '1',              3,    1,     3,   false],
    ['a number past all',       `${start}-${'9'.repeat(99)}`, 3, 1, 3, false],
    ['a number below all',      `${start}--1`,    3,    1,     3,   false],
    ['words',                   'x\n\ny',         3,    1,     3,   false],
  ] as const
  test.each(TABLE)('and says %s', (_, last, told, from, to, isWhole) => {
    const { events } = stage()
    for (let i = 0; i < told; i += 1) events.tell(planned())
    const missed = events.since(last)
    expect([missed.events[0]?.id ?? 0, missed.events.at(-1)?.id ?? 0]).toEqual([from, to])
    expect(missed.isWhole).toBe(isWhole)
  })

  test('is told 256 at the most', () => {
    const { events } = stage()
    for (let i = 0; i < 1_000; i += 1) events.tell(planned())
    expect(events.since('').events.length).toBe(256)
  })

  test('says a name that it had from here', () => {
    const { events } = stage()
    const told = events.tell(planned())
    expect(events.since(events.nameOf(told))).toEqual({ events: [], isWhole: true })
  })
})
