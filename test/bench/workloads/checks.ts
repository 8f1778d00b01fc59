/**
 * A thousand targets, each checked every ten seconds, and nobody asks: what that costs the server, and
 * whether checks come evenly. Only ours: what others check, and how often, is not comparable.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Bench, present, rounds, type Workload } from '../bench.ts'
import { type Listener, listen } from '../machine/listener.ts'
import { fineCpuMs, memoryOf } from '../machine/proc.ts'
import { serve } from '../machine/serving.ts'
import type { Contender } from '../peers/contender.ts'
import { commandFor, lbdns } from '../peers/lbdns.ts'
import type { Column } from '../result.ts'
import { addressText, STEERED } from '../site/site.ts'
import { mostWithin } from '../statistics.ts'

const TARGETS = 1000
const EVERY_S = 10
const POOLS = 10
/** 127.1.0.0: none that anything else listens at. */
const FIRST = 0x7f010000
/** Two rounds of checks: then all is known. */
const SETTLE_MS = 2000 * EVERY_S + 2000
const WATCHED_MS = 30_000

const COLUMNS: readonly Column[] = [
  { key: 'percent', title: '% of a core', digits: 2, fold: 'median' },
  { key: 'micros', title: 'µs/check', digits: 0, fold: 'median' },
  { key: 'rate', title: 'checks/s', digits: 1, fold: 'median' },
  { key: 'second', title: 'most in 1 s ÷ mean', digits: 2, fold: 'median' },
  { key: 'tenth', title: 'most in 0.1 s ÷ mean', digits: 2, fold: 'median' },
  { key: 'megabytes', title: 'MB', digits: 0, fold: 'median' },
]

/** What is checked, but for the port. */
const KINDS: Readonly<Record<string, string>> = { http: 'path: /healthz, status: [200]', tcp: '' }

/** One round of each kind. */
export const checks: Workload = async bench => {
  const listener = await listen()
  const kinds = Object.keys(KINDS)
  const all = kinds.map(kind => checking(kind, listener.port))
  const { here, notes } = present({ ...bench, servers: [] }, all)
  const run = await rounds({ ...bench, rounds: 1 }, here, one => measure(bench, one, listener))
  listener.close()
  const title = `${TARGETS} targets, each checked every ${EVERY_S} s; the most at once from its start on`
  const said = [...notes, ...run.notes]
  return [{ workload: 'checks', title, columns: COLUMNS, samples: run.samples, notes: said }]
}

async function measure(bench: Bench, one: Contender, { begun }: Listener) {
  const first = begun.length
  const serving = await serve(one, bench.site('steered'))
  try {
    await setTimeout(SETTLE_MS)
    const before = { cpuMs: fineCpuMs(serving.pid), at: performance.now(), count: begun.length }
    await setTimeout(WATCHED_MS)
    const cpuMs = fineCpuMs(serving.pid) - before.cpuMs
    const seconds = (performance.now() - before.at) / 1000
    const made = begun.length - before.count
    const mean = TARGETS / EVERY_S
    return {
      percent: cpuMs / seconds / 10,
      micros: (1000 * cpuMs) / made,
      rate: made / seconds,
      second: mostWithin(begun.slice(first), 1000) / mean,
      tenth: mostWithin(begun.slice(first), 100) / (mean / 10),
      megabytes: memoryOf(serving.pid).resident,
    }
  } finally {
    await serving.stop()
  }
}

/** Ours, with the zone of the bench and pools that are checked. */
function checking(kind: string, at: number): Contender {
  return {
    ...lbdns(1),
    name: kind,
    prepare: async (site, folder, port) => {
      const file = join(folder, 'lbdns.yaml')
      const zone = JSON.stringify(site.zone)
      const listening = `listen: [127.0.0.1:${port}]\nworkers: 1\nzones: [${zone}]\n`
      writeFileSync(file, `${listening}${checked(kind, at)}`)
      return commandFor(file)
    },
  }
}

function checked(kind: string, port: number): string {
  const more = KINDS[kind] === '' ? '' : `, ${KINDS[kind]}`
  const check = `{type: ${kind}, port: ${port}, every: ${EVERY_S}s${more}}`
  const pools = Array.from({ length: POOLS }, (_, pool) => {
    const from = FIRST + (pool * TARGETS) / POOLS
    const targets = Array.from({ length: TARGETS / POOLS }, (_, i) => addressText(from + i))
    return `  p${pool}: {check: web, targets: [${targets.join(', ')}]}\n`
  })
  const names = Array.from({ length: POOLS }, (_, pool) => `p${pool}`).join(', ')
  return `checks: {web: ${check}}\npools:\n${pools.join('')}steer: {${STEERED}: {pools: [${names}]}}\n`
}
