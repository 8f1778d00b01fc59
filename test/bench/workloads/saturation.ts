/**
 * The measure that most workloads share: as much as a server can take on one processor, and what a
 * query costs it then. A closed loop of 128 queries under way, no more than fit into the receive buffer
 * that Linux gives a socket by itself; after a second of warming up.
 */
import { type Bench, present, rounds } from '../bench.ts'
import type { Strictness } from '../load/check.ts'
import type { Order, Report } from '../load/order.ts'
import { generate } from '../machine/generator.ts'
import { cpuMs, memoryOf } from '../machine/proc.ts'
import { type Serving, serve } from '../machine/serving.ts'
import type { Contender } from '../peers/contender.ts'
import type { Column, Result } from '../result.ts'
import type { SiteKind } from '../site/site.ts'

/** An order without what the server decides. */
export type Asking = Omit<Order, 'port' | 'strictness' | 'seconds'>

export const CLOSED: Pick<Asking, 'way' | 'sockets' | 'share'> = {
  way: 'closed',
  sockets: 4,
  share: 32,
}

const WARM_SECONDS = 1

export const COLUMNS: readonly Column[] = [
  { key: 'rate', title: 'queries/s', digits: 0, fold: 'median' },
  { key: 'micros', title: 'µs/query', digits: 2, fold: 'median' },
  { key: 'busy', title: 'busy %', digits: 0, fold: 'median' },
  { key: 'megabytes', title: 'MB', digits: 0, fold: 'median' },
  { key: 'lost', title: 'lost', digits: 0, fold: 'sum' },
  { key: 'wrong', title: 'wrong', digits: 0, fold: 'sum' },
  { key: 'other', title: 'other', digits: 0, fold: 'sum' },
]

/** A workload that is a saturation of every contender, as a table. */
export async function saturation(
  bench: Bench,
  what: {
    readonly workload: string
    readonly title: string
    readonly contenders: readonly Contender[]
    readonly site: SiteKind
    readonly asking: Asking
  },
): Promise<Result> {
  const { workload, title, asking } = what
  const able = what.contenders.filter(({ serves }) => serves.includes(what.site))
  const { here, notes } = present(bench, able)
  const run = await rounds(bench, here, async contender => {
    const serving = await serve(contender, bench.site(what.site))
    return saturate(serving, asking, bench.seconds).finally(serving.stop)
  })
  const said = [...notes, ...run.notes]
  return { workload, title, columns: COLUMNS, ratio: 'micros', samples: run.samples, notes: said }
}

/** Warms a server up and saturates it. */
export async function saturate(
  serving: Serving,
  asking: Asking,
  seconds: number,
): Promise<Record<string, number>> {
  await load(serving, asking, WARM_SECONDS)
  const { report, cpu } = await load(serving, asking, seconds)
  const { rate, lost, wrong, other } = report
  return {
    rate,
    micros: (cpu * 1000) / Math.max(1, report.answered),
    busy: (cpu / (report.seconds * 1000)) * 100,
    megabytes: memoryOf(serving.pid).resident,
    lost,
    wrong,
    other,
    generator: report.busy * 100,
  }
}

/** Loads a server, and says what it took: CPU in milliseconds, of all its processes. */
export async function load(
  serving: Serving,
  asking: Asking,
  seconds: number,
): Promise<{ report: Report; cpu: number }> {
  const before = cpuMs(serving.pid)
  const report = await generate(orderFor(serving, asking, seconds)).report
  if (!serving.isAlive()) throw new Error('it died under load')
  return { report, cpu: cpuMs(serving.pid) - before }
}

export function orderFor({ port, contender }: Serving, asking: Asking, seconds: number): Order {
  return { ...asking, port, seconds, strictness: strictnessOf(contender, asking) }
}

function strictnessOf({ strictness }: Contender, { kind }: Asking): Strictness {
  if (kind === 'malformed') return 0
  return kind === 'ecs' ? strictness.steered : strictness.plain
}
