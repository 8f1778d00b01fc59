/**
 * `npm run bench`: our server beside two others from npm, the same queries, one after another in one
 * run; the server on the first processor, the load on the second. What counts is CPU time per query,
 * user and system, of the whole process, and its ratio to ours. Medians of three rounds. Before that:
 * what compiling costs (`compile.ts`).
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LOADS, type LoadName, writeConfig } from './workload.ts'

const SECONDS = Number(process.env.SECONDS_EACH ?? 4)
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const PORT = 5390

const folder = mkdtempSync(join(tmpdir(), 'lbdns-bench-'))
const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const SERVERS: Readonly<Record<string, readonly string[]>> = {
  lbdns: [here('../../server/main.js'), 'run', '-c', writeConfig(folder, PORT)],
  'dgram + dns-packet': [here('peer-dns-packet.js'), String(PORT)],
  dns2: [here('peer-dns2.js'), String(PORT)],
}

type Measured = {
  readonly rate: number
  readonly micros: number
  readonly megabytes: number
  readonly lost: number
  readonly other: number
}

spawnSync(process.execPath, [here('compile.js')], { stdio: 'inherit' })
for (const load of LOADS) {
  const rounds = Array.from({ length: ROUNDS }, () =>
    Object.entries(SERVERS).map(([name, command]) => [name, measure(command, load)] as const),
  ).flat()
  table(load, rounds)
}
rmSync(folder, { recursive: true })

function measure(command: readonly string[], load: LoadName): Measured {
  const server = start(command)
  blast(load, 1) // warm
  const before = ticks(server)
  const { rate, answered, lost, other } = blast(load, SECONDS)
  const micros = ((ticks(server) - before) * 10_000) / Math.max(1, answered)
  const megabytes = residentMegabytes(server)
  server.kill('SIGKILL')
  return { rate, micros, megabytes, lost, other }
}

/** On processor 0, where there is a way to say so. */
function start(command: readonly string[]): ChildProcess {
  return spawn('taskset', ['-c', '0', process.execPath, ...command], { stdio: 'ignore' })
}

type Blast = { rate: number; answered: number; lost: number; other: number }

function blast(load: LoadName, seconds: number): Blast {
  const run = ['-c', '1', process.execPath, here('blast.js'), String(PORT), load, String(seconds)]
  return JSON.parse(spawnSync('taskset', run, { encoding: 'utf8' }).stdout)
}

/** User and system time of a process so far, in hundredths of a second. */
function ticks({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return Number(fields[11]) + Number(fields[12])
}

function residentMegabytes({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

function table(load: LoadName, rounds: readonly (readonly [string, Measured])[]): void {
  const median = (name: string, of: (measured: Measured) => number) => {
    const values = rounds.filter(([who]) => who === name).map(([, measured]) => of(measured))
    return values.sort((a, b) => a - b)[values.length >> 1] ?? 0
  }
  const ours = median('lbdns', ({ micros }) => micros)
  console.log(`${load.padEnd(20)}    rate/s  µs/query  ÷ lbdns     MB  lost  other`)
  for (const name of Object.keys(SERVERS)) {
    const micros = median(name, measured => measured.micros)
    const cells = [
      median(name, ({ rate }) => rate)
        .toFixed(0)
        .padStart(8),
      micros.toFixed(2).padStart(9),
      (micros / ours).toFixed(2).padStart(8),
      median(name, ({ megabytes }) => megabytes)
        .toFixed(0)
        .padStart(6),
      String(median(name, ({ lost }) => lost)).padStart(5),
      String(median(name, ({ other }) => other)).padStart(6),
    ]
    console.log(`  ${name.padEnd(20)}${cells.join(' ')}`)
  }
}
