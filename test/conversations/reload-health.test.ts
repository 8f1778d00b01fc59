/**
 * All at once: 500 queries a second, reloads one after the other, and targets that go down and come
 * back. No query is lost, none fails, and each answer is one of the state before a change or after it.
 *
 * `LBDNS_RELOADS` and `LBDNS_FLIPS` make it longer; it then tells what it measured.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CheckedSite, siteWith, tell, whole } from '../kit/checked-site.ts'
import { isLegal, type LegalPool, type LegalRanking } from '../kit/legal.ts'
import { askSteadily, type Times } from '../kit/pace.ts'
import { Possible } from '../kit/possible.ts'
import { type Program, stopAll, until } from '../kit/process.ts'
import { logOf, PATIENCE_MS, reload } from '../kit/reload.ts'
import { proven } from '../kit/seen.ts'
import { dataOf, put, serveSite } from '../kit/server.ts'
import { pause } from '../kit/transport.ts'
import { queryOf, type Said, said } from '../kit/world.ts'

const RELOADS = Number(process.env.LBDNS_RELOADS ?? 50)
const FLIPS = Number(process.env.LBDNS_FLIPS ?? 200)
const RATE = 500
/** Between two that begin to flip. */
const FLIP_MS = 100

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `192.0.2.${from + i}`)
/** Targets that flip, by pool. The small pools are down as a whole now and then. */
const FLIPPING = {
  many: range(1, 16),
  also: range(21, 40),
  duo: range(51, 52),
  trio: range(61, 63),
  crowd: range(71, 100),
} as const
type PoolName = keyof typeof FLIPPING
/** Two configurations in turn: in each, another target is always up, and pools are ranked otherwise. */
type Version = 0 | 1
const GUESTS = ['192.0.2.201', '192.0.2.202'] as const
const OFFICE = '203.0.113.0/24'
const RANKINGS = [
  { office: ['duo', 'trio'], others: ['trio', 'duo'], crowd: ['crowd'], www: ['many', 'also'] },
  { office: ['trio', 'duo'], others: ['duo', 'trio'], crowd: ['crowd', 'also'], www: ['many'] },
] as const

const targetsOf = (pool: PoolName, version: Version) =>
  pool === 'many' ? [...FLIPPING.many, GUESTS[version]] : FLIPPING[pool]

/** Below `listen` and `zones`. */
function configuration(version: Version): string {
  const { crowd, office, others, www } = RANKINGS[version]
  const pools = (Object.keys(FLIPPING) as PoolName[]).map(
    name => `  ${name}: {check: told, targets: [${targetsOf(name, version)}]}`,
  )
  return `networks: {office: [${OFFICE}]}
checks: {told: {type: file, path: "told/{address}", every: 1s, timeout: 30s, fall: 1, rise: 1}}
pools:
${pools.join('\n')}
steer:
  www.example.com: {ttl: {max: 30s, min: 1s}, pools: [${www}]}
  crowd.example.com: {ttl: 30s, pools: [${crowd}]}
  few.example.com: {ttl: 30s, by: {networks: {office: [${office}]}, default: [${others}]}}
`
}

/**
 * What is asked, by turns. RFC 7871 §7.2.1: the whole block that is treated like the client, no more.
 * 196.0.0.0/6 is that: 200.0.0.0/6 has the office in it, 192.0.0.0/6 has 192.168.0.0/16.
 */
const ASKED = [
  { name: 'www.example.com', ranking: 'www', subnet: undefined, scope: undefined },
  { name: 'few.example.com', ranking: 'office', subnet: OFFICE, scope: 24 },
  { name: 'crowd.example.com', ranking: 'crowd', subnet: undefined, scope: undefined },
  { name: 'few.example.com', ranking: 'others', subnet: '198.51.100.0/24', scope: 6 },
] as const
const QUERIES = ASKED.map(({ name, subnet }) =>
  queryOf(name, subnet === undefined ? {} : { subnet }),
)

let made: CheckedSite
let server: Program
const version = new Possible<Version>(0)
const states = new Map(
  Object.values(FLIPPING)
    .flat()
    .map(target => [target, new Possible<'up' | 'down'>('up')]),
)

beforeAll(async () => {
  made = await siteWith(configuration(0))
  for (const target of [...states.keys(), ...GUESTS]) tell(made, target, 'up')
  server = await serveSite(made.folder)
  await until('it is proven', () => proven(made.port, 'www.example.com', 1))
})
afterAll(stopAll)

/** What is wrong with an answer; nothing, as a rule. */
function flawOf(turn: number, answer: Said, { asked, heard }: Times): string | undefined {
  const { ranking, scope } = ASKED[turn % ASKED.length]!
  if (answer.rcode !== 'NOERROR' || answer.tc) return `${answer.rcode}, TC ${answer.tc}`
  if (answer.scope !== scope) return `scope ${answer.scope}`
  const may = (target: string, state: 'up' | 'down') =>
    states.get(target)?.during(asked, heard).has(state) ?? state === 'up'
  const poolOf = (name: PoolName, of: Version): LegalPool => ({
    targets: targetsOf(name, of),
    isChecked: true,
  })
  const rankings = [...version.during(asked, heard)].map((of): LegalRanking => {
    return RANKINGS[of][ranking].map(name => poolOf(name, of))
  })
  const addresses = dataOf(answer)
  if (rankings.some(one => isLegal(addresses, one, may))) return undefined
  return `${ranking}: ${addresses}`
}

/**
 * Settles what the log tells; while a reload is under way, UDP workers may yet serve the board before.
 *
 * @param note hears of flips that no file asked for
 */
function followLog(note: (line: string) => void) {
  let read = logOf(server).length
  let isReloading = false
  let flips = 0
  const waiting: (() => void)[] = []
  const settle = () => {
    for (const done of waiting.splice(0)) done()
  }
  const timer = setInterval(() => {
    const lines = logOf(server).slice(read)
    read += lines.length
    for (const line of lines) {
      if (line.msg === 'reloaded') settle()
      if (!('target' in line) || (line.msg !== 'up' && line.msg !== 'down')) continue
      const { msg: now } = line
      if (!('why' in line) || line.why !== now.toUpperCase()) note(JSON.stringify(line))
      flips += 1
      waiting.push(() => states.get(String(line.target))?.becomes(now))
      if (!isReloading) settle()
    }
  }, 20)
  return {
    flips: () => flips,
    reloading: (is: 'under way' | 'over') => {
      isReloading = is === 'under way'
      if (!isReloading) settle()
    },
    stop: () => clearInterval(timer),
  }
}

/** Lets one after the other begin to flip: any that does not flip yet, those of small pools more often. */
function flipOn(): () => void {
  const small: readonly string[] = [...FLIPPING.duo, ...FLIPPING.trio]
  const timer = setInterval(() => {
    const among = Math.random() < 0.2 ? small : [...states.keys()]
    const steady = among.filter(target => states.get(target)?.certain !== undefined)
    const target = steady[Math.floor(Math.random() * steady.length)]
    if (target === undefined) return
    const state = states.get(target)?.certain === 'up' ? 'down' : 'up'
    states.get(target)?.becomes('up', 'down')
    tell(made, target, state)
  }, FLIP_MS)
  return () => clearInterval(timer)
}

async function reloadOnce(next: Version): Promise<void> {
  version.becomes(0, 1)
  put(made.folder, { 'lbdns.yaml': whole(made.port, configuration(next)) })
  expect(await reload(server, made.folder)).toContain('reloaded') // what flips meanwhile is told too
  version.becomes(next)
}

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(1)

test(
  `${RATE} queries a second, ${RELOADS} reloads, ${FLIPS} flips: none lost, none failed, all legal`,
  async () => {
    const flaws: string[] = []
    const took: number[] = []
    const since = performance.now()
    const asker = askSteadily(made.port, {
      rate: RATE,
      query: turn => QUERIES[turn % QUERIES.length]!,
      hear: (turn, reply, times) => {
        took.push(times.heard - times.asked)
        const flaw = flawOf(turn, said(reply), times)
        if (flaw !== undefined) flaws.push(`${(times.heard - since).toFixed(0)} ms: ${flaw}`)
      },
    })
    const log = followLog(line => flaws.push(line))
    const flipNoMore = flipOn()
    try {
      for (let turn = 1; turn <= RELOADS; turn += 1) {
        log.reloading('under way')
        await reloadOnce((turn & 1) as Version)
        log.reloading('over')
        await pause(50 + 250 * Math.random())
      }
      await until('enough have flipped', () => log.flips() >= FLIPS, FLIPS * 1_000)
    } finally {
      flipNoMore()
      log.stop()
    }
    const seconds = (performance.now() - since) / 1000
    const lost = await asker.stop()
    if (process.env.LBDNS_RELOADS !== undefined) {
      const sorted = took.toSorted((a, b) => a - b)
      const ms = [0.5, 0.99, 0.999, 1].map(share => quantile(sorted, share)).join(' / ')
      process.stdout.write(
        `${asker.asked()} queries in ${seconds.toFixed(1)} s, ${log.flips()} flips, ${lost} lost, ${flaws.length} wrong; ms 50 / 99 / 99.9 / 100 %: ${ms}\n`,
      )
    }
    expect({ lost, wrong: flaws.slice(0, 10) }).toEqual({ lost: 0, wrong: [] })
    expect(took.length).toBe(asker.asked())
    expect(asker.asked()).toBeGreaterThan(0.5 * RATE * seconds)
    expect(log.flips()).toBeGreaterThanOrEqual(FLIPS)
  },
  RELOADS * PATIENCE_MS,
)
