/**
 * Slow TCP clients: 15,000 connections from 240 addresses that send an octet now and then. What becomes
 * of UDP, of the server's memory, and of a TCP client that wants an answer meanwhile.
 */
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Bench, Workload } from '../bench.ts'
import type { SlowOrder, SlowReport } from '../load/slow.ts'
import { memoryOf } from '../machine/proc.ts'
import { LOAD_CORE, type Program, start } from '../machine/program.ts'
import { type Serving, serve } from '../machine/serving.ts'
import { lbdns } from '../peers/lbdns.ts'
import type { Column } from '../result.ts'
import { ZONE } from '../site/site.ts'
import { PACED } from './latency.ts'
import { load } from './saturation.ts'

const PROGRAM = fileURLToPath(new URL('../load/slow.js', import.meta.url))

const SLOW = { connections: 15_000, sources: 240, everyMs: 5_000, pace: 1_500 }
/** Until all are there, and the first of them have been sent away. */
const GATHER_MS = 15_000
const RATE = 2_000
const UNTIMED_MS = 1_000

const COLUMNS: readonly Column[] = [
  { key: 'p50', title: 'UDP p50 µs', digits: 0, fold: 'median' },
  { key: 'p99', title: 'p99 µs', digits: 0, fold: 'median' },
  { key: 'slowP50', title: 'then p50 µs', digits: 0, fold: 'median' },
  { key: 'slowP99', title: 'p99 µs', digits: 0, fold: 'median' },
  { key: 'lost', title: 'lost', digits: 0, fold: 'sum' },
  { key: 'megabytes', title: 'MB', digits: 0, fold: 'median' },
  { key: 'slowMegabytes', title: 'then MB', digits: 0, fold: 'median' },
  { key: 'held', title: 'slow ones held', digits: 0, fold: 'median' },
  { key: 'made', title: 'made', digits: 0, fold: 'median' },
  { key: 'tcpAsked', title: 'TCP asked', digits: 0, fold: 'sum' },
  { key: 'tcpAnswered', title: 'answered', digits: 0, fold: 'sum' },
  { key: 'tcpWorstMs', title: 'worst ms', digits: 0, fold: 'median' },
]

export const slowTcp: Workload = async bench => {
  const samples = []
  for (let round = 1; round <= bench.rounds; round += 1) {
    bench.tell(`slow-tcp: ${round} of ${bench.rounds}`)
    samples.push({ server: 'lbdns', figures: await measure(bench) })
  }
  const { connections, sources } = SLOW
  const title = `${connections} slow TCP connections from ${sources} addresses; UDP at ${RATE} queries a second`
  return [{ workload: 'slow-tcp', title, columns: COLUMNS, samples, notes: [] }]
}

async function measure(bench: Bench): Promise<Record<string, number>> {
  const serving = await serve(lbdns(1), bench.site('steered'))
  const before = await udp(serving, bench)
  const megabytes = memoryOf(serving.pid).resident
  const slow = slowClients(serving.port)
  await setTimeout(GATHER_MS)
  const client = steadyClient(serving.port)
  const during = await udp(serving, bench)
  const tcp = client.stop()
  const slowMegabytes = memoryOf(serving.pid).resident
  slow.signal('SIGTERM')
  const { held, made } = JSON.parse(await slow.ended) as SlowReport
  await serving.stop()
  return {
    ...{ p50: before.p50, p99: before.p99, slowP50: during.p50, slowP99: during.p99 },
    ...{ lost: during.lost, megabytes, slowMegabytes, held, made, ...tcp },
  }
}

async function udp(serving: Serving, { seconds }: Bench) {
  const asking = { ...PACED, kind: 'mixed', rate: RATE } as const
  return (await load(serving, asking, UNTIMED_MS / 1000 + seconds)).report
}

function slowClients(port: number): Program {
  const order: SlowOrder = { port, ...SLOW }
  return start([process.execPath, PROGRAM, JSON.stringify(order)], LOAD_CORE)
}

const ASK_EVERY_MS = 200
const PATIENCE_MS = 2_000

/** One that asks over a connection of its own now and then, and counts what is answered in time. */
function steadyClient(port: number) {
  const done = { tcpAsked: 0, tcpAnswered: 0, tcpWorstMs: 0 }
  const asking = setInterval(() => {
    const began = performance.now()
    done.tcpAsked += 1
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, timeout: PATIENCE_MS })
    socket.on('connect', () => socket.write(QUERY))
    socket.on('error', () => undefined)
    socket.on('timeout', () => socket.destroy())
    socket.once('data', () => {
      done.tcpAnswered += 1
      done.tcpWorstMs = Math.max(done.tcpWorstMs, performance.now() - began)
      socket.destroy()
    })
  }, ASK_EVERY_MS)
  const stop = () => {
    clearInterval(asking)
    return done
  }
  return { stop }
}

/** `h1` A, behind its length. */
const QUERY = framedQuery(`h1.${ZONE}`)

function framedQuery(name: string): Buffer {
  const labels = name.split('.').filter(label => label !== '')
  const owner = labels.map(label => Buffer.from(`${String.fromCharCode(label.length)}${label}`))
  const head = Buffer.from('123400000001000000000000', 'hex')
  const message = Buffer.concat([head, ...owner, Buffer.from('0000010001', 'hex')])
  return Buffer.concat([Buffer.of(message.length >> 8, message.length & 0xff), message])
}
