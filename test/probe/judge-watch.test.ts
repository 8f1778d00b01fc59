/**
 * What `watch` calls a change. Answers are drawn here, by a generator of our own; the expected side is
 * what was changed by hand, and when.
 */
import { describe, expect, test } from 'vitest'
import type { Observation } from '../../probe/judge/observation.ts'
import { step } from '../../probe/judge/watch.ts'
import {
  type Change,
  fresh,
  isChange,
  pauseMs,
  type WatchState,
} from '../../probe/judge/watch-state.ts'
import { isMet, readDuration, readUntil } from '../../probe/judge/watch-until.ts'
import { below, type Chance, chanceFrom } from '../../probe/plan/chance.ts'

const REGIONS = ['US', 'DE', 'JP', 'BR'] as const
const PLACES = Array.from({ length: 20 }, (_, at) => ({
  subnet: `128.${at}.0.0/24`,
  region: REGIONS[Math.floor(at / 5)],
}))

type Given = {
  readonly answers: readonly string[]
  readonly scope?: number
  readonly rcode?: string
  readonly error?: 'timeout'
  /** Of a cache: not authoritative. */
  readonly cachedTtl?: number
}
type Server = (row: number, pass: number, chance: Chance) => Given

const EVERY_MS = 5000

function seen(row: number, sequence: number, given: Given): Observation {
  const { subnet = '', region } = PLACES[row] ?? {}
  const address = `80${row.toString(16).padStart(2, '0')}00`
  return {
    sequence,
    at: row * 10,
    name: 'www.example.com',
    type: 'A',
    server: '192.0.2.53#53',
    transport: 'udp',
    round: 1,
    purpose: 'sample',
    sent: { text: subnet, family: 1, source: 24, address, region },
    error: given.error,
    rcode: given.error === undefined ? (given.rcode ?? 'NOERROR') : undefined,
    flags: { aa: given.cachedTtl === undefined, tc: false, ra: false },
    echo: { family: 1, source: 24, scope: given.scope ?? 16, address },
    edns: true,
    answers: given.answers,
    chain: [],
    ttl: given.cachedTtl ?? 30,
    soa: given.answers.length === 0,
    instance: undefined,
    milliseconds: 12,
    oddities: [],
  }
}

type Told = { readonly pass: number; readonly change: Change }

/** @param passes how many are made, numbered from 1 */
function watching(server: Server, passes: number, seed = 1): { state: WatchState; told: Told[] } {
  const chance = chanceFrom(seed)
  let state = fresh({ name: 'www.example.com', type: 'A' }, PLACES, seed, 0)
  const told: Told[] = []
  for (let pass = 1; pass <= passes; pass += 1) {
    const observations = PLACES.map((_, row) => seen(row, row, server(row, pass, chance)))
    const next = step(state, { at: pass * EVERY_MS, observations })
    state = next.state
    told.push(...next.changes.map(change => ({ pass, change })))
  }
  return { state, told }
}

const changesOf = (told: readonly Told[]): readonly Told[] =>
  told.filter(({ change }) => isChange(change))

const regional = (row: number, count = 1): readonly string[] =>
  Array.from({ length: count }, (_, at) => `192.0.2.${10 * Math.floor(row / 5) + at + 1}`)
const oneOf = (chance: Chance, pool: number): readonly string[] => [
  `192.0.2.${below(chance, pool) + 1}`,
]

let counter = 0
const cyclic: Server = () => ({ answers: [`192.0.2.${counter++ % 4}`], scope: 0 })
/** A cache that fetches one of eight anew every 30 s, for everybody. */
const cached: Server = (_row, pass) => {
  const age = (pass * 5) % 30
  const answers = oneOf(chanceFrom(Math.floor((pass * 5) / 30)), 8)
  return { answers, scope: 0, cachedTtl: 30 - age }
}

describe('no change', () => {
  // biome-ignore format: table
  const STEADY: readonly (readonly [string, number, Server])[] = [
    ['one list for everybody',              200, () => ({ answers: ['192.0.2.1', '192.0.2.2'], scope: 0 })],
    ['an answer for each region',            48, row => ({ answers: regional(row) })],
    ['one of four, at random',              200, (_row, _pass, chance) => ({ answers: oneOf(chance, 4), scope: 0 })],
    ['one of eight, at random',             200, (_row, _pass, chance) => ({ answers: oneOf(chance, 8), scope: 0 })],
    ['one of 64, at random',                200, (_row, _pass, chance) => ({ answers: oneOf(chance, 64), scope: 0 })],
    ['one of four, in turn',                200, cyclic],
    ['nine of ten times the same',          200, (_row, _pass, chance) => ({ answers: below(chance, 10) === 0 ? ['192.0.2.2'] : ['192.0.2.1'], scope: 0 })],
    ['99 of 100 times the same',            200, (_row, _pass, chance) => ({ answers: below(chance, 100) === 0 ? ['192.0.2.2'] : ['192.0.2.1'], scope: 0 })],
    ['one of three inside each region',      40, (row, _pass, chance) => ({ answers: [regional(row, 3)[below(chance, 3)] ?? ''] })],
    ['a fifth goes to any other region',     40, (row, _pass, chance) => ({ answers: regional(below(chance, 5) === 0 ? below(chance, 20) : row) })],
    ['one of eight out of a cache',         200, cached],
    ['every fiftieth reply is lost',         40, (row, _pass, chance) => below(chance, 50) === 0 ? { answers: [], error: 'timeout' } : { answers: regional(row) }],
    ['a scope that wavers',                  48, (row, _pass, chance) => ({ answers: regional(row), scope: 16 + below(chance, 3) })],
  ]
  for (const [rule, passes, server] of STEADY) {
    test(`${rule}, ${passes} passes`, () => {
      for (const seed of [1, 2]) {
        expect(
          changesOf(watching(server, passes, seed).told).map(({ pass, change }) => [pass, change]),
        ).toEqual([])
      }
    })
  }
})

/** Passes before something is changed by hand. */
const BEFORE = 20

describe('a change', () => {
  const from = (pass: number): boolean => pass > BEFORE
  // biome-ignore format: table
  const CHANGES: readonly (readonly [string, number, Server, object])[] = [
    ['an address is drained for everybody',  1, (_row, pass) => ({ answers: from(pass) ? ['192.0.2.1'] : ['192.0.2.1', '192.0.2.2'], scope: 0 }),
      { kind: 'replaced', letter: 'A', gone: ['192.0.2.2'], come: [] }],
    ['an address joins for everybody',       1, (_row, pass) => ({ answers: from(pass) ? ['192.0.2.1', '192.0.2.2'] : ['192.0.2.1'], scope: 0 }),
      { kind: 'replaced', letter: 'A', gone: [], come: ['192.0.2.2'] }],
    ['one region is sent to another',        1, (row, pass) => ({ answers: regional(from(pass) && row < 5 ? 5 : row) }),
      { kind: 'moved', subnets: PLACES.slice(0, 5) }],
    ['one region gets a new address',        1, (row, pass) => ({ answers: from(pass) && row < 5 ? ['203.0.113.1'] : regional(row) }),
      { kind: 'replaced', gone: ['192.0.2.1'], come: ['203.0.113.1'] }],
    ['a single subnet of five moves',        3, (row, pass) => ({ answers: regional(from(pass) && row === 0 ? 5 : row) }),
      { kind: 'moved', subnets: PLACES.slice(0, 1) }],
    ['one of eight is drained',              6, (_row, pass, chance) => ({ answers: oneOf(chance, from(pass) ? 7 : 8), scope: 0 }),
      { kind: 'replaced', gone: ['192.0.2.8'], come: [] }],
    ['a ninth joins eight',                  8, (_row, pass, chance) => ({ answers: oneOf(chance, from(pass) ? 9 : 8), scope: 0 }),
      { kind: 'replaced', gone: [], come: ['192.0.2.9'] }],
    ['the name loses its records',           1, (_row, pass) => ({ answers: from(pass) ? [] : ['192.0.2.1'], scope: 0 }),
      { kind: 'replaced', gone: ['192.0.2.1'], come: ['NODATA'] }],
    ['the name is gone',                     1, (_row, pass) => from(pass) ? { answers: [], rcode: 'NXDOMAIN', scope: 0 } : { answers: ['192.0.2.1'], scope: 0 },
      { kind: 'replaced', come: ['NXDOMAIN'] }],
    ['a scope, twice running',               2, (row, pass) => ({ answers: regional(row), scope: from(pass) && row < 5 ? 20 : 16 }),
      { kind: 'scope', from: 16, to: 20, subnets: PLACES.slice(0, 5) }],
    ['nobody answers',                       1, (row, pass) => from(pass) ? { answers: [], error: 'timeout' } : { answers: regional(row) },
      { kind: 'silent', why: 'timeout' }],
    ['everything is refused',                1, (row, pass) => from(pass) ? { answers: [], rcode: 'REFUSED' } : { answers: regional(row) },
      { kind: 'silent', why: 'REFUSED' }],
  ]
  for (const [rule, within, server, expected] of CHANGES) {
    test(`${rule}: within ${within}`, () => {
      const [first] = changesOf(watching(server, BEFORE + within).told)
      expect(first).toMatchObject({ change: expected })
      expect(first?.pass).toBeGreaterThan(BEFORE)
    })
  }

  test('of the verdict follows that of the answers, and once', () => {
    const steered: Server = (row, pass) => ({
      answers: from(pass) ? ['192.0.2.1'] : regional(row),
      scope: 16,
    })
    const { state, told } = watching(steered, BEFORE + 30)
    const verdicts = told.flatMap(({ change }) =>
      change.kind === 'verdict' ? [change.to.code] : [],
    )
    expect(verdicts).toEqual(['geo', 'scope-theatre'])
    expect(state.groups).toHaveLength(1)
  })

  test('silence, and how long it was', () => {
    const gone = (pass: number): boolean => pass > 20 && pass <= 25
    const { told } = watching(
      (row, pass) => (gone(pass) ? { answers: [], error: 'timeout' } : { answers: regional(row) }),
      30,
    )
    expect(changesOf(told)).toMatchObject([
      { pass: 21, change: { kind: 'silent' } },
      { pass: 26, change: { kind: 'back', since: 21 * EVERY_MS, at: 26 * EVERY_MS } },
    ])
  })

  test('who is silent is asked at twice the pause each time, once a minute at last', () => {
    const after = (passes: number): WatchState['silent'] =>
      passes === 0 ? undefined : { since: 0, why: 'timeout', passes }
    const pauses = [0, 1, 2, 3, 4, 99].map(passes => pauseMs({ silent: after(passes) }, 5000))
    expect(pauses).toEqual([5000, 10_000, 20_000, 40_000, 60_000, 60_000])
    expect(pauseMs({ silent: after(3) }, 300_000)).toBe(300_000)
    const { state } = watching(() => ({ answers: [], error: 'timeout' }), 3)
    expect(state.silent).toEqual({ since: EVERY_MS, why: 'timeout', passes: 3 })
  })

  test('the trail shows it pass by pass', () => {
    const { state, told } = watching(
      (row, pass) => ({ answers: regional(from(pass) && row < 5 ? 5 : row) }),
      24,
    )
    expect(changesOf(told)).toHaveLength(1)
    const [row] = state.rows
    const before = state.rows[19]?.trail[0]
    expect(row?.trail).toMatch(/^([A-D])\1{19}([A-D])\2{3}$/)
    expect(before).toMatch(/[A-D]/)
  })
})

describe('--until', () => {
  // biome-ignore format: table
  const READ = [
    ['change',           { kind: 'change' }],
    ['silent',           { kind: 'silent' }],
    ['verdict=geo',      { kind: 'verdict', wish: 'geo' }],
    ['verdict=fake',     { kind: 'verdict', wish: 'fake' }],
    ['stable=5m',        { kind: 'stable', ms: 300_000 }],
    ['stable=1.5h',      { kind: 'stable', ms: 5_400_000 }],
    ['verdict=goe',      undefined],
    ['verdict',          undefined],
    ['stable=soon',      undefined],
    ['change=yes',       undefined],
    ['',                 undefined],
  ] as const
  test.each(READ)('%s', (text, expected) => {
    expect(readUntil(text)).toEqual(expected)
  })

  // biome-ignore format: table
  const SPANS = [['90', 90_000], ['90s', 90_000], ['2d', 172_800_000], ['0.5s', 500], ['-1s', undefined], ['1w', undefined], ['5 m', undefined]] as const
  test.each(SPANS)('a duration: %s', (text, ms) => {
    expect(readDuration(text)).toBe(ms)
  })

  test('stable: that long without a change, and everything answers', () => {
    const { state } = watching(row => ({ answers: regional(row) }), 10)
    const at = (ms: number): boolean => isMet({ kind: 'stable', ms: 60_000 }, [state], [], ms)
    expect([at(59_999), at(60_000)]).toEqual([false, true])
    const silent = { ...state, silent: { since: 0, why: 'timeout', passes: 1 } }
    expect(isMet({ kind: 'stable', ms: 60_000 }, [silent], [], 60_000)).toBe(false)
  })

  test('verdict: all names, those without records aside; none is known before a verdict', () => {
    const geo = watching(row => ({ answers: regional(row) }), 10).state
    const empty = watching(() => ({ answers: [], scope: 0 }), 10).state
    const young = watching(row => ({ answers: regional(row) }), 2).state
    const met = (states: readonly WatchState[]): boolean =>
      isMet({ kind: 'verdict', wish: 'geo' }, states, [], 0)
    expect([met([geo]), met([geo, empty]), met([empty]), met([geo, young])]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})
