/**
 * Scopes under watch. Networks are answered here, by a map and a generator of our own; the expected
 * side is which scope was made untrue by hand, and when.
 */
import { describe, expect, test } from 'vitest'
import type { Observation } from '../../probe/judge/observation.ts'
import type { Network } from '../../probe/judge/verify.ts'
import { step } from '../../probe/judge/watch.ts'
import { samplesAPass, samplesToAsk } from '../../probe/judge/watch-samples.ts'
import {
  type Change,
  fresh,
  isChange,
  type Place,
  type WatchState,
} from '../../probe/judge/watch-state.ts'
import { below, type Chance, chanceFrom } from '../../probe/plan/chance.ts'

const REGIONS = ['US', 'DE', 'JP', 'BR'] as const
const PLACES = Array.from({ length: 20 }, (_, at) => ({
  subnet: `${20 + at}.7.9.0/24`,
  region: REGIONS[at >> 2],
}))

/** What a network is answered, by its octets; `site` is its region from 0. */
type Server = (octets: readonly number[], site: number, pass: number, chance: Chance) => Given
type Given = { readonly answers: readonly string[]; readonly scope: number }

const EVERY_MS = 5000

function seen(
  network: Pick<Network, 'text'>,
  purpose: 'sample' | 'scope',
  given: Given,
): Observation {
  const octets = octetsOf(network.text)
  const address = octets.map(octet => octet.toString(16).padStart(2, '0')).join('')
  return {
    sequence: 0,
    at: 0,
    name: 'www.example.com',
    type: 'A',
    server: '192.0.2.53#53',
    transport: 'udp',
    round: 1,
    purpose,
    sent: { text: network.text, family: 1, source: 24, address, region: regionOf(octets) },
    error: undefined,
    rcode: 'NOERROR',
    flags: { aa: true, tc: false, ra: false },
    echo: { family: 1, source: 24, scope: given.scope, address },
    edns: true,
    answers: given.answers,
    chain: [],
    ttl: 30,
    soa: false,
    instance: undefined,
    milliseconds: 12,
    oddities: [],
  }
}

const octetsOf = (text: string): readonly number[] => text.split(/[./]/).slice(0, 3).map(Number)
const regionOf = ([first = 0]: readonly number[]): string | undefined => REGIONS[siteOf(first)]
const siteOf = (first: number): number => (first - 20) >> 2

type Told = { readonly pass: number; readonly change: Change }
type Watched = { readonly state: WatchState; readonly told: Told[]; readonly most: number }

function watching(server: Server, passes: number, places: readonly Place[] = PLACES): Watched {
  const chance = chanceFrom(1)
  let state = fresh({ name: 'www.example.com', type: 'A' }, places, 1, 0)
  const told: Told[] = []
  let most = 0
  for (let pass = 1; pass <= passes; pass += 1) {
    const ask = (text: string, purpose: 'sample' | 'scope'): Observation => {
      const octets = octetsOf(text)
      return seen({ text }, purpose, server(octets, siteOf(octets[0] ?? 0), pass, chance))
    }
    const more = samplesToAsk(state)
    most = Math.max(most, more.length)
    const observations = [
      ...places.map(({ subnet }) => ask(subnet, 'sample')),
      ...more.map(({ text }) => ask(text, 'scope')),
    ]
    const next = step(state, { at: pass * EVERY_MS, observations })
    state = next.state
    told.push(...next.changes.filter(isChange).map(change => ({ pass, change })))
  }
  return { state, told, most }
}

const site = (at: number, last = 1): readonly string[] => [`192.0.2.${10 * at + last}`]
const geo: Server = (_octets, at) => ({ answers: site(at), scope: 8 })

/** Two networks of each site, so that so many passes take seconds. */
const FEW = PLACES.filter((_, at) => at % 4 > 1 && at < 16)

describe('what does not change says nothing, however long it is watched', () => {
  // biome-ignore format: table
  const STEADY: readonly (readonly [string, number, readonly Place[], Server])[] = [
    ['geo, scopes true',             10_000, FEW,    geo],
    ['one of eight, scope 0',        10_000, FEW,    (_octets, _at, _pass, chance) => ({ answers: [`192.0.2.${1 + below(chance, 8)}`], scope: 0 })],
    ['one in a hundred is another',   3_000, FEW,    (_octets, at, _pass, chance) => ({ answers: site(at, below(chance, 100) === 0 ? 2 : 1), scope: 8 })],
    ['one of three in each region',     300, PLACES, (_octets, at, _pass, chance) => ({ answers: site(at, 1 + below(chance, 3)), scope: 8 })],
  ]
  for (const [rule, passes, places, server] of STEADY) {
    test(`${rule}, ${passes} passes`, { timeout: 300_000 }, () => {
      const { state, told } = watching(server, passes, places)
      expect(told).toEqual([])
      expect(state.samples.turn > passes / 200).toBe(state.groups.length > 1)
    })
  }
})

const BEFORE = 60
/** Half of one block of four belongs to another site. */
const isOther = ([first = 0, second = 0]: readonly number[]): boolean =>
  first === 20 && second > 127

describe('an untrue scope', () => {
  // biome-ignore format: table
  const UNTRUE: readonly (readonly [string, Server])[] = [
    ['half a block is answered otherwise',    (octets, at, pass) => ({ answers: site(pass > BEFORE && isOther(octets) ? 3 : at), scope: 8 })],
    ['and that with an address never seen',   (octets, at, pass) => ({ answers: site(pass > BEFORE && isOther(octets) ? 9 : at), scope: 8 })],
    ['half of it has a scope of its own',     (octets, at, pass) => ({ answers: site(at), scope: pass > BEFORE && isOther(octets) ? 9 : 8 })],
    ['one of three, half a block elsewhere',  (octets, at, pass, chance) => ({ answers: site(pass > BEFORE && isOther(octets) ? 3 : at, 1 + below(chance, 3)), scope: 8 })],
  ]
  for (const [rule, server] of UNTRUE) {
    test(`is told, and the verdict with it: ${rule}`, () => {
      const { state, told } = watching(server, BEFORE + 100)
      expect(told.map(({ change }) => change.kind)).toEqual(['untrue', 'verdict'])
      expect(told[0]?.change).toMatchObject({ block: '20.0.0.0/8' })
      expect(told[0]?.pass).toBeGreaterThan(BEFORE)
      expect(state.verdict?.code).toBe('broken-scope')
    })
  }

  test('from the beginning: geo as far as the panel shows, then untrue', () => {
    const { told } = watching(
      (octets, at) => ({ answers: site(isOther(octets) ? 3 : at), scope: 8 }),
      80,
    )
    expect(told.map(({ change }) => change.kind)).toEqual(['untrue', 'verdict'])
  })

  test('made true again is told', () => {
    const server: Server = (octets, at, pass) => ({
      answers: site(pass > BEFORE && pass < 200 && isOther(octets) ? 3 : at),
      scope: 8,
    })
    const { state, told } = watching(server, 500)
    expect(told.map(({ change }) => change.kind)).toEqual([
      'untrue',
      'verdict',
      'true-again',
      'verdict',
    ])
    expect([state.verdict?.code, state.samples.suspects.size]).toEqual(['geo', 0])
  })

  test('one stray reply, and a block that moves, are not', () => {
    const stray: Server = (octets, at, pass) => ({
      answers: site(pass === BEFORE && octets[1] !== 7 ? 3 : at),
      scope: 8,
    })
    expect(watching(stray, BEFORE + 60).told).toEqual([])
    const moves: Server = (_octets, at, pass) => ({
      answers: site(pass > BEFORE && at === 0 ? 1 : at),
      scope: 8,
    })
    expect(watching(moves, BEFORE + 60).told.map(({ change }) => change.kind)).toEqual(['moved'])
  })
})

describe('what it costs', () => {
  test('a tenth of the panel, and four at most', () => {
    expect([1, 3, 10, 20, 40, 200].map(samplesAPass)).toEqual([1, 1, 1, 2, 4, 4])
    expect(watching(geo, 60).most).toBe(2)
  })

  // biome-ignore format: table
  const NOTHING: readonly (readonly [string, Server])[] = [
    ['scope 0',                   (_octets, at) => ({ answers: site(at), scope: 0 })],
    ['a scope that is the source', (_octets, at) => ({ answers: site(at), scope: 24 })],
    ['one answer for everybody',  () => ({ answers: site(0), scope: 8 })],
  ]
  for (const [rule, server] of NOTHING) {
    test(`nothing for ${rule}`, () => {
      expect(watching(server, 60).most).toBe(0)
    })
  }
})
