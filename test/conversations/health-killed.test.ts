/**
 * kill −9 at any moment, also that at which the state is written: whenever it comes, what is on the
 * disk is whole, and the next start goes on with exactly that.
 */
import { rmSync, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { problemText } from '../../server/fault.ts'
import { readState } from '../../server/state.ts'
import { type CheckedSite, siteWith, tell } from '../kit/checked-site.ts'
import { LBDNS, type Program, start, stopAll } from '../kit/process.ts'
import { seen } from '../kit/seen.ts'
import { serveSite } from '../kit/server.ts'

afterAll(stopAll)

const SITES = [1, 2, 3, 4] as const
/** Of each site: 20 in all. */
const KILLS = 5
/** A state is written within two seconds of a flip. */
const LATEST_MS = 2_500
const FLIP_MS = 100
const NAME = 'www.example.com'
const TARGETS = Array.from({ length: 8 }, (_, i) => `192.0.2.${i + 1}`)

const CONFIG = `
checks: {told: {type: file, path: "told/{address}", every: 1s, timeout: 30s, fall: 1, rise: 1}}
pools: {p: {check: told, targets: [${TARGETS}]}}
steer: {www.example.com: {ttl: 60s, pools: [p]}}
`

/** Lets targets flip, one after the other, until it is told to stop. */
function flipOn(of: CheckedSite): () => void {
  const timer = setInterval(() => {
    const target = TARGETS[Math.floor(Math.random() * TARGETS.length)] ?? ''
    tell(of, target, Math.random() < 0.5 ? 'up' : 'down')
  }, FLIP_MS)
  return () => clearInterval(timer)
}

type Moment = 'any' | 'writing'

/** Waits for any moment, or for the one at which a state is being written. */
async function momentOf(kill: number, { folder }: CheckedSite): Promise<Moment> {
  if (kill % 2 === 0) return pause(LATEST_MS * Math.random(), 'any')
  const enough = new AbortController()
  const writing = new Promise<Moment>(resolve => {
    watch(folder, { signal: enough.signal }, (_, name) => {
      if (name === 'lbdns.state.new') resolve('writing')
    })
  })
  const moment = await Promise.race([writing, pause<Moment>(LATEST_MS, 'any')])
  enough.abort()
  return moment
}

/** Which targets are down, as the disk has it. */
function downIn({ folder }: CheckedSite): string[] {
  const { health, warnings } = readState(join(folder, 'lbdns.state'), 3600)
  expect(warnings.map(problemText)).toEqual([])
  const down = [...health].filter(([, { up }]) => !up)
  return down.map(([key]) => key.split(' ')[0] ?? '')
}

/** Starts and dies before it is up, maybe before it has read anything. */
async function dieEarly({ folder }: CheckedSite): Promise<void> {
  const server = start(process.execPath, [LBDNS, 'run', '-c', join(folder, 'lbdns.yaml')])
  await pause(600 * Math.random())
  await kill(server)
}

async function kill(server: Program): Promise<void> {
  server.signal('SIGKILL')
  await server.ended
}

const found: Record<Moment | 'down', number> = { any: 0, writing: 0, down: 0 }

test.concurrent.each(SITES)(
  `site %i: killed ${KILLS} times, and each time it goes on where it was`,
  async () => {
    const of = await siteWith(CONFIG)
    for (let turn = 0; turn < KILLS; turn += 1) {
      const down = downIn(of)
      found.down += down.length
      // Targets stay as they are in the state until that was looked at.
      for (const target of TARGETS) tell(of, target, down.includes(target) ? 'down' : 'up')
      rmSync(join(of.folder, 'lbdns.state.new'), { force: true })
      await dieEarly(of)
      const server = await serveSite(of.folder)
      const left = TARGETS.filter(target => !down.includes(target))
      expect((await seen(of.port, NAME)).addresses).toEqual(left.length === 0 ? TARGETS : left)
      expect(server.stderr()).not.toContain('what was known is not used')
      const flipNoMore = flipOn(of)
      found[await momentOf(turn, of)] += 1
      await kill(server)
      flipNoMore()
    }
    downIn(of)
  },
  240_000,
)

test('was tried at moments of both kinds, with something to lose', () => {
  expect(found.any + found.writing).toBe(SITES.length * KILLS)
  expect(found.writing).toBeGreaterThan(0)
  expect(found.down).toBeGreaterThan(0)
})
