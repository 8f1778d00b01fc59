/**
 * `npm run bench`: measures our server beside its peers, workload by workload, and holds the figures
 * against the project's targets. README.md says what each figure is.
 */
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { openBench, type Workload } from './bench.ts'
import { openLibc } from './load/libc.ts'
import { IS_PINNED } from './machine/program.ts'
import { parse } from './options.ts'
import { type Result, rowsOf } from './result.ts'
import { aligned, tableText } from './table.ts'
import { type Verdict, verdicts } from './targets.ts'
import { allocation } from './workloads/allocation.ts'
import { checks } from './workloads/checks.ts'
import { cold } from './workloads/cold.ts'
import { compile } from './workloads/compile.ts'
import { ecs } from './workloads/ecs.ts'
import { idle } from './workloads/idle.ts'
import { huge, large } from './workloads/large.ts'
import { latency } from './workloads/latency.ts'
import { mixed } from './workloads/mixed.ts'
import { probe } from './workloads/probe.ts'
import { reload } from './workloads/reload.ts'
import { slowTcp } from './workloads/slow-tcp.ts'
import { soak } from './workloads/soak.ts'
import { spread } from './workloads/spread.ts'
import { tcp } from './workloads/tcp.ts'
import { workers } from './workloads/workers.ts'

const WORKLOADS: Readonly<Record<string, Workload>> = {
  compile,
  mixed,
  ecs,
  cold,
  spread,
  tcp,
  'slow-tcp': slowTcp,
  latency,
  idle,
  checks,
  workers,
  reload,
  large,
  huge,
  probe,
  allocation,
  soak,
}

const { names, options } = parse(process.argv, Object.keys(WORKLOADS))
const isAttended = process.stderr.isTTY
const bench = openBench({
  ...options,
  tell: line => void (isAttended && process.stderr.write(`\r\x1b[K${line}`)),
})

for (const line of warnings()) console.log(line)
const results: Result[] = []
for (const name of names) {
  const found = (await WORKLOADS[name]?.(bench)) ?? []
  if (isAttended) process.stderr.write('\r\x1b[K')
  for (const result of found) console.log(tableText(result))
  results.push(...found)
}
const judged = verdicts(results)
console.log(targetsText(judged))
if (options.json !== undefined) writeFileSync(options.json, document(judged))
process.exit(0)

function warnings(): string[] {
  const said: string[] = []
  if (openLibc() === undefined) said.push('koffi is not here: the load goes through node:dgram')
  if (!IS_PINNED) said.push('taskset or a second processor is missing: nothing is pinned')
  return said
}

function targetsText(judged: readonly Verdict[]): string {
  const rows = judged.map(({ figure, wanted, measured, met }) => {
    if (measured === undefined) return [figure, wanted, '–', 'not measured']
    return [figure, wanted, measured.toFixed(2), met ? 'met' : 'NOT MET']
  })
  return ['targets', ...aligned([['figure', 'wanted', 'measured', ''], ...rows])].join('\n')
}

function document(targets: readonly Verdict[]): string {
  const machine = { node: process.version, processor: cpus()[0]?.model, processors: cpus().length }
  const workloads = results.map(result => ({
    ...result,
    rows: rowsOf(result).map(({ server, figures }) => ({ server, ...Object.fromEntries(figures) })),
  }))
  return `${JSON.stringify({ machine, options, workloads, targets }, undefined, 2)}\n`
}
