/** Starts load generators on their own processor and brings back what they report. */
import { fileURLToPath } from 'node:url'
import type { Order, Report } from '../load/order.ts'
import { LOAD_CORE, start } from './program.ts'

const PROGRAM = fileURLToPath(new URL('../load/main.js', import.meta.url))
/** For making the questions before, and waiting for the last replies after. */
const GRACE_MS = 30_000

export type Generator = {
  readonly report: Promise<Report>
  /** Ends it before its time; it still reports. */
  readonly stop: () => void
}

export function generate(order: Order): Generator {
  const program = start([process.execPath, PROGRAM, JSON.stringify(order)], LOAD_CORE)
  const late = setTimeout(() => program.signal('SIGKILL'), order.seconds * 1000 + GRACE_MS)
  const report = program.ended
    .finally(() => clearTimeout(late))
    .then(printed => {
      if (printed === '') throw new Error('the load generator did not end well')
      return JSON.parse(printed) as Report
    })
  report.catch(() => undefined) // whoever waits for it hears of it
  return { report, stop: () => program.signal('SIGTERM') }
}
