/** The load generator, a process of its own: takes an order as JSON, prints the report as JSON. */
import { percentile } from '../statistics.ts'
import { runBatched } from './batched.ts'
import { runDgram } from './dgram.ts'
import { openFlow, tally } from './flow.ts'
import { openLibc } from './libc.ts'
import type { Order, Report } from './order.ts'
import { questionsOf } from './questions.ts'
import { runTcp } from './tcp.ts'

const order: Order = JSON.parse(process.argv[2] ?? '{}')
const set = questionsOf(order.kind)
const all = tally(performance.now() + (order.untimedMs ?? 0))
/** Sockets begin in different places of the set. */
const apart = Math.floor(set.start.length / order.sockets)
const flows = Array.from({ length: order.sockets }, (_, i) =>
  openFlow(set, all, order.strictness, order.share, i * apart),
)
let isStopped = false
process.on('SIGTERM', () => {
  isStopped = true
})

const began = performance.now()
const before = process.cpuUsage()
let ended = 0
const isOver = () => {
  const now = performance.now()
  const over = isStopped || now - began >= order.seconds * 1000
  if (over && ended === 0) ended = now
  return over
}

async function run(): Promise<Report['engine']> {
  const isTcp = order.way === 'pipelined' || order.way === 'single'
  const libc = isTcp ? undefined : openLibc()
  if (isTcp) await runTcp(order, flows, isOver)
  else if (libc !== undefined) await runBatched(libc, order, flows, isOver)
  else await runDgram(order, flows, isOver)
  return isTcp ? 'tcp' : libc === undefined ? 'dgram' : 'batched'
}

const engine = await run()
const seconds = ((ended || performance.now()) - began) / 1000
const { user, system } = process.cpuUsage(before)
const { latency, timedFrom: _, ...counts } = all
const report: Report = {
  engine,
  seconds,
  rate: counts.answered / seconds,
  ...counts,
  p50: percentile(latency, 0.5),
  p99: percentile(latency, 0.99),
  p999: percentile(latency, 0.999),
  busy: (user + system) / 1e6 / ((performance.now() - began) / 1000),
}
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0))
