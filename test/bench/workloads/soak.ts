/**
 * Everything at once for minutes: plain and tailored questions, TCP kept and TCP a query, and a stream
 * of malformed messages. Memory must stay as it is, and no answer may be wrong.
 */
import { setTimeout } from 'node:timers/promises'
import { type Bench, present, rounds, type Workload } from '../bench.ts'
import type { Report } from '../load/order.ts'
import { generate } from '../machine/generator.ts'
import { cpuMs, memoryOf } from '../machine/proc.ts'
import { type Serving, serve } from '../machine/serving.ts'
import { lbdns } from '../peers/lbdns.ts'
import type { Column } from '../result.ts'
import { median } from '../statistics.ts'
import { type Asking, orderFor } from './saturation.ts'

const MALFORMED_RATE = 2_000

const TRAFFIC: readonly Asking[] = [
  { way: 'closed', sockets: 8, share: 8, kind: 'mixed' },
  { way: 'closed', sockets: 8, share: 8, kind: 'ecs' },
  { way: 'pipelined', sockets: 4, share: 8, kind: 'mixed' },
  { way: 'single', sockets: 4, share: 1, kind: 'ecs' },
]
const MALFORMED: Asking = {
  way: 'paced',
  sockets: 4,
  share: 2048,
  kind: 'malformed',
  rate: MALFORMED_RATE,
}

const EVERY_MS = 1_000
const MINUTE_MS = 60_000

const COLUMNS: readonly Column[] = [
  { key: 'minutes', title: 'minutes', digits: 1, fold: 'median' },
  { key: 'answered', title: 'answers', digits: 0, fold: 'sum' },
  { key: 'malformed', title: 'malformed', digits: 0, fold: 'sum' },
  { key: 'micros', title: 'µs/query', digits: 2, fold: 'median' },
  { key: 'first', title: 'MB first minute', digits: 1, fold: 'median' },
  { key: 'last', title: 'MB last minute', digits: 1, fold: 'median' },
  { key: 'lost', title: 'lost', digits: 0, fold: 'sum' },
  { key: 'wrong', title: 'wrong', digits: 0, fold: 'sum' },
  { key: 'other', title: 'other', digits: 0, fold: 'sum' },
]

/** One round, for as long as was asked. */
export const soak: Workload = async bench => {
  const { here, notes } = present({ ...bench, servers: [] }, [lbdns(1)])
  const run = await rounds({ ...bench, rounds: 1 }, here, async contender => {
    const serving = await serve(contender, bench.site('steered'))
    return measure(bench, serving).finally(serving.stop)
  })
  const title = 'mixed, ecs, TCP and malformed messages together'
  const said = [...notes, ...run.notes]
  return [{ workload: 'soak', title, columns: COLUMNS, samples: run.samples, notes: said }]
}

async function measure(bench: Bench, serving: Serving): Promise<Record<string, number>> {
  const seconds = bench.minutes * 60
  const before = cpuMs(serving.pid)
  const spoiled = generate(orderFor(serving, MALFORMED, seconds))
  const good = TRAFFIC.map(asking => generate(orderFor(serving, asking, seconds)))
  const memory = await watch(bench, serving, seconds * 1000)
  const reports = await Promise.all(good.map(({ report }) => report))
  const malformed = await spoiled.report
  const answered = sum(reports, ({ answered }) => answered)
  // The first minutes of a short soak are its first quarter.
  const part = Math.max(1, Math.round(Math.min(MINUTE_MS, seconds * 250) / EVERY_MS))
  return {
    minutes: bench.minutes,
    answered,
    malformed: malformed.sent,
    micros: ((cpuMs(serving.pid) - before) * 1000) / answered,
    first: median(memory.slice(0, part)),
    last: median(memory.slice(-part)),
    lost: sum(reports, ({ lost }) => lost),
    // A reply to a malformed message is wrong where it is no reply to it: another id, or a query.
    wrong: sum([...reports, malformed], ({ wrong }) => wrong),
    other: sum(reports, ({ other }) => other),
  }
}

function sum(reports: readonly Report[], figure: (report: Report) => number): number {
  return reports.reduce((total, report) => total + figure(report), 0)
}

/** Resident memory, second by second. */
async function watch(bench: Bench, serving: Serving, forMs: number): Promise<number[]> {
  const memory: number[] = []
  const began = performance.now()
  while (performance.now() - began < forMs) {
    await setTimeout(EVERY_MS)
    if (!serving.isAlive()) throw new Error(`it died after ${memory.length} s`)
    memory.push(memoryOf(serving.pid).resident)
    bench.tell(`soak: ${memory.length} s of ${forMs / 1000}, ${memory.at(-1)?.toFixed(1)} MB`)
  }
  return memory
}
