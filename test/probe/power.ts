/**
 * `npm run power`: prints how often the sampling plan of 4 × 5 subnets sees what is there, and how
 * often it says `real` where nothing is. `npm run power -- 200` takes fewer runs. Seeds are shared out
 * to as many threads as there are cores.
 */
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { aligned } from '../bench/table.ts'
import { ARRANGEMENTS, SCENARIOS, type Scenario } from './scenarios.ts'
import { add, type Weighed, weigh } from './weigh.ts'

type Share = { readonly row: number; readonly seeds: readonly [number, number] }
type Row = readonly [Scenario, Weighed]

const RUNS = Number(process.argv[2] ?? 5000)
/** What every regional scenario must reach by the last look, and what no control may pass. */
const ENOUGH = 0.95
const FALSE_ALARMS = 0.01

async function main(): Promise<void> {
  const results: Row[] = []
  for (const [row, scenario] of SCENARIOS.entries()) {
    const found = await weighed(row)
    process.stderr.write(`${scenario.name}: ${JSON.stringify(found)}\n`)
    results.push([scenario, found])
  }
  console.log(`How often it is said that answers depend on the subnet; ${RUNS} runs a row`)
  const heads = ['', 'arrangements', 'at round 4', 'by round 8', 'with the region', 'within']
  console.log(aligned([heads, ...results.map(powerRow)]).join('\n'))
  console.log(`\nHow often real is said where nothing is, ${RUNS} runs a row; at most 1 %`)
  const controls = results.filter(([{ kind }]) => kind !== 'regional' && kind !== 'faint')
  console.log(aligned([['', 'real', 'within'], ...controls.map(falseRow)]).join('\n'))
}

async function weighed(row: number): Promise<Weighed> {
  const threads = Math.min(RUNS, availableParallelism())
  const borders = Array.from({ length: threads + 1 }, (_, at) => Math.round((at * RUNS) / threads))
  const shares = borders.slice(1).map((end, at) => shareOf(row, [1 + (borders[at] ?? 0), 1 + end]))
  return (await Promise.all(shares)).reduce(add)
}

async function shareOf(row: number, seeds: Share['seeds']): Promise<Weighed> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { row, seeds } })
  const [found] = (await once(worker, 'message')) as [Weighed]
  return found
}

function percent(count: number, { runs }: Weighed): string {
  return `${((100 * count) / runs).toFixed(2)} %`
}

function powerRow([{ name, kind, arrangements }, seen]: Row): string[] {
  const wanted = kind === 'regional' ? (seen.byEight >= ENOUGH * seen.runs ? 'yes' : 'NO') : ''
  const shares = [seen.atFour, seen.byEight, seen.regional].map(count => percent(count, seen))
  return [name, `${arrangements ?? ARRANGEMENTS}`, ...shares, wanted]
}

function falseRow([{ name }, seen]: Row): string[] {
  return [name, percent(seen.real, seen), seen.real <= FALSE_ALARMS * seen.runs ? 'yes' : 'NO']
}

function share({ row, seeds }: Share): void {
  const scenario = SCENARIOS[row]
  if (scenario !== undefined) parentPort?.postMessage(weigh(scenario, seeds))
}

if (isMainThread) await main()
else share(workerData as Share)
