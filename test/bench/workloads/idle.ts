/** Nobody asks: all servers are started, left alone for a while, and their CPU time is read. */
import { setTimeout } from 'node:timers/promises'
import { ALL, present, rounds, type Workload } from '../bench.ts'
import { fineCpuMs, memoryOf } from '../machine/proc.ts'
import { type Serving, serve } from '../machine/serving.ts'
import type { Column } from '../result.ts'

const COLUMNS: readonly Column[] = [
  { key: 'percent', title: '% of a core', digits: 3, fold: 'median' },
  { key: 'megabytes', title: 'MB', digits: 0, fold: 'median' },
  { key: 'proportional', title: 'PSS MB', digits: 0, fold: 'median' },
]

/** For what a start leaves to be done. */
const SETTLE_MS = 5_000
const WATCHED_MS = 20_000

/** One round: they are idle all at once, and do not disturb each other. */
export const idle: Workload = async bench => {
  const { here, notes } = present(bench, ALL)
  const servings = new Map<string, Serving>()
  const started = await rounds({ ...bench, rounds: 1 }, here, async contender => {
    servings.set(contender.name, await serve(contender, bench.site('steered')))
    return {}
  })
  bench.tell('idle: watching')
  await setTimeout(SETTLE_MS)
  const before = new Map([...servings].map(([name, { pid }]) => [name, fineCpuMs(pid)]))
  await setTimeout(WATCHED_MS)
  const samples = [...servings].map(([server, { pid }]) => {
    const percent = ((fineCpuMs(pid) - (before.get(server) ?? 0)) / WATCHED_MS) * 100
    const { resident, proportional } = memoryOf(pid)
    return { server, figures: { percent, megabytes: resident, proportional } }
  })
  await Promise.all([...servings.values()].map(serving => serving.stop()))
  const title = `CPU over ${WATCHED_MS / 1000} s without a query`
  const said = [...notes, ...started.notes]
  return [{ workload: 'idle', title, columns: COLUMNS, samples, notes: said }]
}
