/**
 * That a query allocates nothing: ten million in one process, and what the heap did; and what it costs
 * to count them.
 */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Bench, Workload } from '../bench.ts'
import { FOLDER, SERVER_CORE, start } from '../machine/program.ts'
import { lbdns } from '../peers/lbdns.ts'
import type { Column, Sample } from '../result.ts'

const PROGRAM = fileURLToPath(new URL('./allocating.js', import.meta.url))
const QUERIES = 10_000_000
const WITHIN_MS = 300_000

const COLUMNS: readonly Column[] = [
  { key: 'queries', title: 'queries', digits: 0, fold: 'median' },
  { key: 'growth', title: 'heap growth, octets', digits: 0, fold: 'median' },
  { key: 'minor', title: 'minor GCs', digits: 0, fold: 'median' },
  { key: 'major', title: 'major GCs', digits: 0, fold: 'median' },
  { key: 'nanos', title: 'CPU ns/query', digits: 0, fold: 'median' },
]

export const allocation: Workload = async bench => {
  const samples: Sample[] = []
  for (let round = 0; round < bench.rounds; round += 1) {
    for (const kind of ['mixed', 'ecs'] as const) {
      samples.push(await measure(bench, kind, 'serve'), await measure(bench, kind, 'attend'))
    }
  }
  const title = `${QUERIES.toLocaleString('en')} queries in one process; attend is serve, and counts`
  return [{ workload: 'allocation', title, columns: COLUMNS, samples, notes: [] }]
}

async function measure(
  bench: Bench,
  kind: 'mixed' | 'ecs',
  asked: 'serve' | 'attend',
): Promise<Sample> {
  bench.tell(`allocation: ${asked}, ${kind}`)
  const folder = mkdtempSync(join(FOLDER, 'allocation-'))
  const command = await lbdns(1).prepare(bench.site('steered'), folder, 53)
  const config = command.at(-1) ?? ''
  const args = ['--expose-gc', PROGRAM, config, String(QUERIES), kind, asked]
  const program = start([process.execPath, ...args], SERVER_CORE)
  const late = setTimeout(() => program.signal('SIGKILL'), WITHIN_MS)
  const printed = await program.ended.finally(() => clearTimeout(late))
  return { server: `${asked}, ${kind}`, figures: printed === '' ? {} : JSON.parse(printed) }
}
