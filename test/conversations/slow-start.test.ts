/**
 * A target that comes back starts slowly, and drags no clients of other pools along: its share of the
 * answers, as a client of the name server counts it, rises in a straight line.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, type Program, stopAll, until } from '../kit/process.ts'
import { logOf } from '../kit/reload.ts'
import { becomes, seen } from '../kit/seen.ts'
import { serveSite, site } from '../kit/server.ts'
import { Webs } from '../kit/webs.ts'

const HOSTS = ['127.0.0.2', '127.0.0.3'] as const
const NAME = 'www.example.com'
/** Seconds from 1 % to all. */
const SLOW = 12
/** Its weight is written anew so often, and the log may be read so much later. */
const LATE_MS = 750

let webs: Webs
let port = 0
let server: Program
beforeAll(async () => {
  webs = await Webs.at(HOSTS)
  port = await freePort()
  const targets = HOSTS.map(host => `{address: ${host}}`).join(', ')
  server = await serveSite(
    site({
      'lbdns.yaml': `listen: [127.0.0.1:${port}]
zones: [a.zone]
checks: {web: {type: http, port: ${webs.port}, every: 1s, timeout: 1s, fall: 2, rise: 2}}
pools:
  web: {check: web, slow_start: ${SLOW}s, targets: [${targets}]}
steer:
  www.example.com: {ttl: {max: 30s, min: 5s}, pick: random, pools: [web]}
  all.example.com: {ttl: {max: 30s, min: 5s}, pools: [web]}
`,
      'a.zone': '$ORIGIN example.com.\n$TTL 60\n@ SOA ns1 h 1 7200 900 1209600 60\n@ NS ns1\n',
    }),
  )
})
afterAll(async () => {
  await webs.killAll()
  await stopAll()
})

type Row = { readonly ms: number; readonly isNew: boolean }

/** Of two targets, one with a weight from 0 to 1 is there so often, and then every other time. */
const shareAt = (ms: number): number =>
  Math.min(1, 0.01 + (0.99 * Math.max(0, ms)) / (1000 * SLOW)) / 2

test('its share of the answers rises from ½ % to a half, as time goes by', async () => {
  await webs.kill(HOSTS[1])
  await becomes(port, 'all.example.com', [HOSTS[0]])
  const lines = () => logOf(server).filter(({ msg }) => msg === 'up').length
  const before = lines()
  await webs.revive(HOSTS[1])
  await until('it is up', () => lines() > before, 20_000)
  const since = Date.now()
  const rows: Row[] = []
  while (Date.now() - since < 1000 * SLOW) {
    const { addresses } = await seen(port, NAME)
    rows.push({ ms: Date.now() - since, isNew: addresses[0] === HOSTS[1] })
  }
  for (const third of [0, 1, 2]) {
    const [from, to] = [(third * 1000 * SLOW) / 3, ((third + 1) * 1000 * SLOW) / 3]
    const part = rows.filter(({ ms }) => ms >= from && ms < to)
    const count = part.filter(({ isNew }) => isNew).length
    const least = part.reduce((sum, { ms }) => sum + shareAt(ms - LATE_MS), 0)
    const most = part.reduce((sum, { ms }) => sum + shareAt(ms + LATE_MS), 0)
    const sigmas = 3 * Math.sqrt(part.length * 0.25)
    expect(part.length).toBeGreaterThan(200)
    expect(count).toBeGreaterThanOrEqual(least - sigmas)
    expect(count).toBeLessThanOrEqual(most + sigmas)
  }
}, 90_000)
