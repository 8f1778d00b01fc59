/**
 * Fifty reloads at half load, each with other addresses for every name: none may be lost, and each
 * answer must be whole of one generation. Only ours: what others do on a reload is not comparable.
 */
import { setTimeout } from 'node:timers/promises'
import { type Bench, present, rounds, type Workload } from '../bench.ts'
import { waitFor } from '../machine/asking.ts'
import { generate } from '../machine/generator.ts'
import { type Serving, serve } from '../machine/serving.ts'
import { lbdns } from '../peers/lbdns.ts'
import type { Column } from '../result.ts'
import { GENERATIONS, plainRow, writeZone, ZONE } from '../site/site.ts'
import { PACED } from './latency.ts'
import { CLOSED, orderFor, saturate } from './saturation.ts'

const RELOADS = 50
/** A generation that does not show for so long will not. */
const SHOWN_MS = 20_000

const COLUMNS: readonly Column[] = [
  { key: 'asked', title: 'asked/s', digits: 0, fold: 'median' },
  { key: 'rate', title: 'answers/s', digits: 0, fold: 'median' },
  { key: 'reloads', title: 'reloads', digits: 0, fold: 'median' },
  { key: 'each', title: 'ms each', digits: 0, fold: 'median' },
  { key: 'before', title: 'p99 µs before', digits: 0, fold: 'median' },
  { key: 'p99', title: 'p99 µs during', digits: 0, fold: 'median' },
  { key: 'p999', title: 'p99.9 during', digits: 0, fold: 'median' },
  { key: 'lost', title: 'lost', digits: 0, fold: 'sum' },
  { key: 'wrong', title: 'wrong', digits: 0, fold: 'sum' },
  { key: 'other', title: 'other', digits: 0, fold: 'sum' },
]

/** One round: it has fifty reloads in it. */
export const reload: Workload = async bench => {
  const { here, notes } = present({ ...bench, servers: [] }, [lbdns(1)])
  const run = await rounds({ ...bench, rounds: 1 }, here, async contender => {
    const serving = await serve(contender, bench.site('steered'))
    return measure(bench, serving).finally(async () => {
      await serving.stop()
      writeZone(bench.site('steered').zone, 'steered', 0)
    })
  })
  const title = `${RELOADS} reloads at half load, each with other addresses for every name`
  const said = [...notes, ...run.notes]
  return [{ workload: 'reload', title, columns: COLUMNS, samples: run.samples, notes: said }]
}

async function measure(bench: Bench, serving: Serving): Promise<Record<string, number>> {
  const limit = await saturate(serving, { ...CLOSED, kind: 'mixed' }, bench.seconds)
  const asked = (limit.rate ?? 0) / 2
  const asking = { ...PACED, kind: 'reload', rate: asked } as const
  const calm = await generate(orderFor(serving, asking, bench.seconds)).report
  const generator = generate(orderFor(serving, asking, (RELOADS * SHOWN_MS) / 1000))
  await setTimeout(1_000) // it makes its questions first
  const began = performance.now()
  let reloads = 0
  while (reloads < RELOADS && (await changes(bench, serving, reloads + 1))) reloads += 1
  const each = (performance.now() - began) / Math.max(1, reloads)
  generator.stop()
  const { rate, p99, p999, lost, wrong, other } = await generator.report
  if (reloads < RELOADS) throw new Error(`reload ${reloads + 1} did not show`)
  return { asked, rate, reloads, each, before: calm.p99, p99, p999, lost, wrong, other }
}

/** Writes a generation, asks for a reload and waits until it shows. */
async function changes(bench: Bench, serving: Serving, reload: number): Promise<boolean> {
  const generation = reload % GENERATIONS
  const { first, count } = plainRow(generation)
  writeZone(bench.site('steered').zone, 'steered', generation)
  serving.signal('SIGHUP')
  const isNew = ({ octets }: { octets: Buffer }) => {
    const last = octets.length < 4 ? -1 : octets.readUInt32BE(octets.length - 4) - first
    return last >= 0 && last < count
  }
  const shown = await waitFor(serving.port, `h1.${ZONE}`, isNew, SHOWN_MS, serving.isAlive)
  return shown !== undefined
}
