/**
 * Public reports of health checks, at one outage: much dies at once and stays dead, and answers are
 * looked at all the while. Intervals are those of the reports, scaled to a second.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { siteWith, target } from '../kit/checked-site.ts'
import { type Program, stopAll, until } from '../kit/process.ts'
import { logOf } from '../kit/reload.ts'
import { becomes, proven, type Seen, seen } from '../kit/seen.ts'
import { serveSite } from '../kit/server.ts'
import { pause } from '../kit/transport.ts'
import { killWebs, type Webs, websAt } from '../kit/webs.ts'

const EVERY = 1
const FALL = 2
const RISE = 2
const TIMEOUT = 2
/** BC-114: gone within fall × interval + timeout + 1 s. */
const BOUND_MS = 1000 * (FALL * EVERY + TIMEOUT + 1)
/** From the outage on. What is minutes in the reports. */
const WATCHED_MS = 15_000
const LOOK_MS = 100

const host = (n: number) => `127.0.1.${n}`
const address = (n: number) => `192.0.2.${n}`
const addresses = (...numbers: readonly number[]) => numbers.map(address).sort()
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** Numbers of targets: what they hand out is checked at the host of the same number. */
const POOLS = {
  pair: [1, 2],
  whole: [3, 4],
  twelve: range(11, 22),
  eu: [31, 32],
  us: [33],
  cz: [34],
  lone: [35],
  flaky: [36],
} as const
const NO_CHECK = 71
const SORRY = 100
const SHARING = range(1, 20)
/** One target in twenty pools. */
const SHARED = 61
const DEAD = [2, 3, 4, ...range(11, 17), 31, 32, 35]

const HOSTS = [...Object.values(POOLS).flat(), NO_CHECK, SHARED].map(host)
const NETWORKS = { EU: '198.51.100.0/24', US: '203.0.113.0/24', CZ: '192.0.2.0/24' } as const

function configuration(webPort: number): string {
  const targets = (numbers: readonly number[]) => numbers.map(n => target(n, host(n))).join(', ')
  const pools = Object.entries(POOLS).map(
    ([name, numbers]) =>
      `  ${name}: {check: ${name === 'flaky' ? 'flaky' : 'web'}, targets: [${targets(numbers)}]}`,
  )
  const shared = SHARING.map(n => `  shared${n}: {check: web, targets: [${targets([SHARED])}]}`)
  const names = SHARING.map(n => `  n${n}.example.com: {ttl: 60s, pools: [shared${n}, sorry]}`)
  const pace = `type: http, port: ${webPort}, every: ${EVERY}s, timeout: ${TIMEOUT}s, rise: ${RISE}`
  return `checks: {web: {${pace}, fall: ${FALL}}, flaky: {${pace}, fall: 3}}
pools:
${[...pools, ...shared].join('\n')}
  bare: {targets: [${targets([NO_CHECK])}]}
  sorry: {targets: [${address(SORRY)}]}
steer:
  pair.example.com: {ttl: {max: 60s, min: 1s}, pools: [pair]}
  all.example.com: {ttl: {max: 60s, min: 1s}, pools: [whole]}
  healthiest.example.com: {ttl: {max: 60s, min: 1s}, last_resort: none-healthy-pool, pools: [whole]}
  named.example.com: {ttl: {max: 60s, min: 1s}, last_resort: sorry, pools: [whole]}
  twelve.example.com: {ttl: {max: 60s, min: 1s}, pools: [twelve]}
  half.example.com: {ttl: {max: 60s, min: 1s}, quorum: 50%, pools: [twelve]}
  sites.example.com: {ttl: {max: 60s, min: 1s}, pools: [eu, us, cz]}
  tail.example.com: {ttl: {max: 60s, min: 1s}, pools: [lone, sorry]}
  bare.example.com: {ttl: 60s, pools: [bare, sorry]}
  flaky.example.com: {ttl: 60s, pools: [flaky, sorry]}
${names.join('\n')}
`
}

const NAMES = ['pair', 'all', 'healthiest', 'named', 'twelve', 'half', 'tail', 'bare', 'flaky']
type Look = Seen & { readonly at: number }

let webs: Webs
let port = 0
let server: Program
/** By name, from the outage on. */
const looks = new Map<string, Look[]>()
/** What clients of three networks get before it. */
let healthy: readonly Seen[] = []
/** Connections to the shared target meanwhile, and how long that was. */
const shared = { connections: 0, ms: 0 }

const nameOf = (name: string) => `${name}.example.com`

async function lookAll(since: number): Promise<void> {
  const look = async (key: string, name: string, subnet?: string) => {
    const at = performance.now() - since
    looks.set(key, [...(looks.get(key) ?? []), { at, ...(await seen(port, nameOf(name), subnet)) }])
  }
  const views = Object.entries(NETWORKS)
  await Promise.all([
    ...NAMES.map(name => look(name, name)),
    ...views.map(([view, subnet]) => look(view, 'sites', subnet)),
  ])
}

/** What was seen from a time on, each answer once. */
function answersOf(name: string, from = BOUND_MS): string[] {
  const late = (looks.get(name) ?? []).filter(({ at }) => at >= from)
  expect(late.length).toBeGreaterThan(5)
  return [...new Set(late.map(({ addresses }) => addresses.join(' ')))]
}

const logged = (now: 'up' | 'down') =>
  logOf(server).flatMap(line => (line.msg === now && 'target' in line ? [String(line.target)] : []))

beforeAll(async () => {
  webs = await websAt(...HOSTS)
  let turn = 0
  webs.answer(host(36), (_, response) => {
    turn += 1
    response.statusCode = turn % 3 === 0 ? 500 : 200
    response.end()
  })
  const made = await siteWith(configuration(webs.port))
  port = made.port
  server = await serveSite(made.folder)
  const proofs = ['pair', 'all', 'twelve', 'sites', 'tail'].map(nameOf)
  for (const name of proofs) {
    await until(`${name} is proven`, () => proven(port, name, FALL * EVERY))
  }
  const views = Object.values(NETWORKS)
  healthy = await Promise.all(views.map(subnet => seen(port, nameOf('sites'), subnet)))
  await webs.kill(...DEAD.map(host))
  const since = performance.now()
  const before = webs.connections(host(SHARED))
  while (performance.now() - since < WATCHED_MS) {
    await lookAll(since)
    await pause(LOOK_MS)
  }
  shared.connections = webs.connections(host(SHARED)) - before
  shared.ms = performance.now() - since
}, 90_000)
afterAll(async () => {
  await killWebs()
  await stopAll()
})

describe('one member dies', () => {
  test('BC-114 it is gone in fall × interval + timeout + 1 s, and stays gone', () => {
    expect(answersOf('pair')).toEqual([address(1)])
  })

  test('BC-116 seven of twelve: the other five, unless a threshold is configured', () => {
    expect(answersOf('twelve')).toEqual([addresses(...range(18, 22)).join(' ')])
    // 5 of 12 are below a quorum of 50 %: nothing is usable, and the last resort is the whole pool
    expect(answersOf('half')).toEqual([addresses(...range(11, 22)).join(' ')])
  })
})

describe('all members die', () => {
  // What we document: an answer is always positive. No policy makes it empty (NODATA) or SERVFAIL.
  // biome-ignore format: table
  const TABLE = [
    ['fail-open: the whole set',              'all',        [3, 4]],
    ['the healthiest: all are alike',         'healthiest', [3, 4]],
    ['a fallback set: that',                  'named',      [SORRY]],
    ['a pool at the end of the ranking',      'tail',       [SORRY]],
  ] as const
  test.each(TABLE)('BC-115 %s', (_, name, expected) => {
    expect(answersOf(name)).toEqual([addresses(...expected).join(' ')])
  })

  test('BC-115 the TTL is low under all policies: what makes one up again', () => {
    for (const [, name] of TABLE) {
      const late = (looks.get(name) ?? []).filter(({ at }) => at >= BOUND_MS)
      expect(Math.max(...late.flatMap(({ ttls }) => ttls))).toBeLessThanOrEqual(RISE * EVERY)
    }
  })

  test('BC-125 the fallback stays as long as the outage does', () => {
    for (const name of ['named', 'tail']) expect(answersOf(name)).toEqual([address(SORRY)])
  })

  test('BC-124 three sites: the first one only, then the second one only, for whoever asks', () => {
    const [eu, us] = [POOLS.eu, POOLS.us].map(numbers => addresses(...numbers))
    expect(healthy).toHaveLength(3)
    for (const one of healthy) expect(one).toMatchObject({ addresses: eu, scope: 0 })
    for (const view of Object.keys(NETWORKS)) {
      expect(answersOf(view)).toEqual([us?.join(' ')])
      expect(new Set((looks.get(view) ?? []).map(({ scope }) => scope))).toEqual(new Set([0]))
    }
  })
})

describe('what operators are told', () => {
  test('BC-126 log and answers agree: down is what was killed, and nothing else', () => {
    const down = [...new Set(logged('down'))].sort()
    expect(down).toEqual(addresses(...DEAD))
    expect(logged('up')).toEqual([])
    const served = new Set(['pair', 'twelve', 'EU'].flatMap(name => answersOf(name)))
    const answered = [...served].flatMap(answer => answer.split(' '))
    for (const one of down) expect(answered).not.toContain(one)
  })
})

describe('what is not down', () => {
  test('BC-117 every third check fails, fall 3: no change at all', () => {
    expect(webs.asked(host(36)).length).toBeGreaterThan(10)
    expect(answersOf('flaky', 0)).toEqual([address(36)])
  })

  test('BC-122 a pool without a check is served, and nothing connects to its target', () => {
    expect(answersOf('bare', 0)).toEqual([address(NO_CHECK)])
    expect(webs.connections(host(NO_CHECK))).toBe(0)
  })
})

describe('one target in twenty pools', () => {
  test('BC-119 one connection an interval: 12 ± 2 in twelve of them', () => {
    const wanted = shared.ms / (1000 * EVERY)
    expect(wanted).toBeGreaterThanOrEqual(12)
    expect(Math.abs(shared.connections - wanted)).toBeLessThanOrEqual(2)
  })

  test('BC-119 all of them know that it is down', async () => {
    await webs.kill(host(SHARED))
    for (const n of SHARING) await becomes(port, nameOf(`n${n}`), [address(SORRY)])
    await until('each is told of', () => {
      return logged('down').filter(target => target === address(SHARED)).length === SHARING.length
    })
  })
})
