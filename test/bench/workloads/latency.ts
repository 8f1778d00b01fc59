/**
 * Latency at a pace: at half of what each server can take, at a rate that is the same for all, and at
 * almost none. Replies are timed by when the kernel had them, not by when the generator got to them.
 */
import { ALL, type Bench, present, rounds, type Workload } from '../bench.ts'
import { type Serving, serve } from '../machine/serving.ts'
import type { Contender } from '../peers/contender.ts'
import { gdnsd } from '../peers/gdnsd.ts'
import { knot } from '../peers/knot.ts'
import { nsd } from '../peers/nsd.ts'
import type { Column, Result, Sample } from '../result.ts'
import { median } from '../statistics.ts'
import { type Asking, CLOSED, load, saturate } from './saturation.ts'

const COLUMNS: readonly Column[] = [
  { key: 'asked', title: 'asked/s', digits: 0, fold: 'median' },
  { key: 'rate', title: 'answers/s', digits: 0, fold: 'median' },
  { key: 'p50', title: 'p50 µs', digits: 0, fold: 'median' },
  { key: 'p99', title: 'p99 µs', digits: 0, fold: 'median' },
  { key: 'p999', title: 'p99.9 µs', digits: 0, fold: 'median' },
  { key: 'micros', title: 'µs/query', digits: 2, fold: 'median' },
  { key: 'lost', title: 'lost', digits: 0, fold: 'sum' },
  { key: 'wrong', title: 'wrong', digits: 0, fold: 'sum' },
]

const UNTIMED_MS = 1_000

export const PACED: Pick<Asking, 'way' | 'sockets' | 'share' | 'untimedMs'> = {
  way: 'paced',
  sockets: 16,
  share: 2048,
  untimedMs: UNTIMED_MS,
}

/** A rate at which every query comes alone. */
const LOW_RATE = 2_000
const COMMON_SHARE = 0.5
const LIMIT_ROUNDS = 3

/** Rates by what they are: the tables of this workload. */
const TITLES = {
  latency: 'at 50 % of what each server can take',
  'latency-common': 'at 50 % of what the slowest of them can take',
  'latency-low': `at ${LOW_RATE} queries a second`,
} as const
type Pace = keyof typeof TITLES

export const latency: Workload = async bench => {
  const isHere = (one: Contender) =>
    one.name === 'echo' || one.name === 'lbdns' || [gdnsd, knot, nsd].includes(one)
  const { here, notes } = present(bench, ALL.filter(isHere))
  const limits = await limitsOf(bench, here)
  const able = here.filter(({ name }) => limits.has(name))
  const common = COMMON_SHARE * Math.min(...limits.values())
  const paces = Object.keys(TITLES) as Pace[]
  const samples: Record<Pace, Sample[]> = { latency: [], 'latency-common': [], 'latency-low': [] }
  const run = await rounds(bench, able, async contender => {
    const rates = { 'latency-common': common, 'latency-low': LOW_RATE }
    const own = 0.5 * (limits.get(contender.name) ?? 0)
    const serving = await serve(contender, bench.site('steered'))
    for (const pace of paces) {
      const figures = await paced(serving, bench, { ...rates, latency: own }[pace])
      samples[pace].push({ server: contender.name, figures })
    }
    await serving.stop()
    return {}
  })
  const said = [...notes, ...run.notes]
  return paces.map(
    (workload): Result => ({
      workload,
      title: TITLES[workload],
      columns: COLUMNS,
      samples: samples[workload],
      notes: workload === 'latency' ? said : [],
    }),
  )
}

/** What each can take: the median of some rounds before the others. */
async function limitsOf(bench: Bench, here: readonly Contender[]): Promise<Map<string, number>> {
  const some = { ...bench, rounds: LIMIT_ROUNDS }
  const { samples } = await rounds(some, here, async contender => {
    const serving = await serve(contender, bench.site('steered'))
    return saturate(serving, { ...CLOSED, kind: 'mixed' }, bench.seconds).finally(serving.stop)
  })
  const ratesOf = (name: string) =>
    samples.flatMap(({ server, figures }) => (server === name ? [figures.rate ?? 0] : []))
  const names = new Set(samples.map(({ server }) => server))
  return new Map([...names].map(name => [name, median(ratesOf(name))]))
}

async function paced(
  serving: Serving,
  { seconds }: Bench,
  rate: number,
): Promise<Record<string, number>> {
  const asking = { ...PACED, kind: 'mixed', rate } as const
  const { report, cpu } = await load(serving, asking, UNTIMED_MS / 1000 + seconds)
  const { p50, p99, p999, lost, wrong } = report
  const micros = (cpu * 1000) / Math.max(1, report.answered)
  return { asked: rate, rate: report.rate, p50, p99, p999, micros, lost, wrong }
}
