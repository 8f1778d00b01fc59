/**
 * The exporter as an HTTP server: `/probe` measures and answers, `/metrics` tells of the process, `/`
 * says what there is. Measurements are bounded in number and in time, targets in length.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { measure } from './command.ts'
import { probeText } from './export-metrics.ts'
import type { Module, Modules } from './export-modules.ts'
import { readOptions } from './options.ts'
import { isWrong, type Wrong, wrong, wrongText } from './plan/wrong.ts'
import { printable } from './tell/number.ts'
import { readName } from './words.ts'
import type { World } from './world.ts'

export type Place = { readonly address: string; readonly port: number }

export type Settings = {
  readonly world: World
  /** Names that may be measured; absent: any. */
  readonly targets: ReadonlySet<string> | undefined
  /** Measurements at one time. */
  readonly concurrent: number
  readonly modules: () => Modules
}

export type Exporter = { readonly place: string; readonly close: () => Promise<void> }

type Own = {
  readonly registry: Registry
  readonly probes: Counter
  readonly queries: Counter
  readonly running: Gauge
  busy: number
}

type Told = { readonly status: number; readonly type: string; readonly text: string }

/** Names of 255 octets have at most 253 characters. */
const LONGEST_TARGET = 253

/** Prometheus waits ten seconds unless told otherwise; half a second of it is for the way back. */
const DEFAULT_SECONDS = 10
const MARGIN_SECONDS = 0.5
const MOST_SECONDS = 300

export async function openExporter(place: Place, settings: Settings): Promise<Exporter> {
  const own = ownMetrics()
  const stop = new AbortController()
  const server = createServer((request, response) => {
    serve(request, settings, own, stop.signal).then(
      told => send(response, told),
      cause => {
        settings.world.err.write(`lbprobe: ${cause instanceof Error ? cause.stack : cause}\n`)
        send(response, plain(500, 'internal error'))
      },
    )
  })
  await listening(server, place)
  const { address, port } = server.address() as AddressInfo
  const host = address.includes(':') ? `[${address}]` : address
  return { place: `${host}:${port}`, close: () => closed(server, stop) }
}

function ownMetrics(): Own {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 })
  for (const name of ['handles', 'requests', 'resources']) {
    registry.removeSingleMetric(`nodejs_active_${name}_total`)
  }
  const registers = [registry]
  return {
    registry,
    probes: new Counter({
      name: 'lbprobe_probes_total',
      help: 'Probes asked for, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    queries: new Counter({
      name: 'lbprobe_queries_total',
      help: 'DNS queries of all probes, by reply code',
      labelNames: ['rcode'],
      registers,
    }),
    running: new Gauge({ name: 'lbprobe_probes_running', help: 'Probes under way', registers }),
    busy: 0,
  }
}

function listening(server: Server, { address, port }: Place): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, () => resolve())
  })
}

/** No new request is taken; those under way end early, with what they have. */
function closed(server: Server, stop: AbortController): Promise<void> {
  stop.abort()
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
}

async function serve(
  request: IncomingMessage,
  settings: Settings,
  own: Own,
  stop: AbortSignal,
): Promise<Told> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'GET only')
  const url = new URL(request.url ?? '/', 'http://localhost')
  switch (url.pathname) {
    case '/':
      return { status: 200, type: 'text/html; charset=utf-8', text: page(settings) }
    case '/-/healthy':
      return plain(200, 'healthy')
    case '/metrics':
      return exposition(await own.registry.metrics())
    case '/probe':
      return probed(url.searchParams, secondsOf(request), settings, own, stop)
  }
  return plain(404, 'there is /probe?target=NAME&module=ecs, /metrics and /-/healthy')
}

function secondsOf({ headers }: IncomingMessage): number {
  const given = Number(headers['x-prometheus-scrape-timeout-seconds'] ?? DEFAULT_SECONDS)
  const seconds =
    Number.isFinite(given) && given > 0 ? Math.min(given, MOST_SECONDS) : DEFAULT_SECONDS
  return Math.max(seconds / 2, seconds - MARGIN_SECONDS)
}

async function probed(
  asked: URLSearchParams,
  seconds: number,
  settings: Settings,
  own: Own,
  stop: AbortSignal,
): Promise<Told> {
  const errand = errandOf(asked, settings)
  if (isWrong(errand)) {
    own.probes.inc({ outcome: 'refused' })
    return plain(400, printable(wrongText(errand)))
  }
  if (own.busy >= settings.concurrent) {
    own.probes.inc({ outcome: 'busy' })
    return plain(503, `${own.busy} probes are under way, and no more are made at one time`)
  }
  own.busy += 1
  own.running.set(own.busy)
  try {
    return await measured(errand, seconds, settings.world, own, stop)
  } finally {
    own.busy -= 1
    own.running.set(own.busy)
  }
}

type Errand = {
  readonly name: string
  readonly module: Module
  readonly server: string | undefined
}

function errandOf(asked: URLSearchParams, { targets, modules }: Settings): Errand | Wrong {
  const target = asked.get('target') ?? ''
  if (target === '') return wrong('no target', '/probe?target=www.example.com')
  if (target.length > LONGEST_TARGET + 1) return wrong('the target is too long to be a name')
  const name = readName(target)
  if (isWrong(name)) return name
  if (targets !== undefined && !targets.has(name)) {
    return wrong(`${name} is no target here`, 'add it with --target')
  }
  const known = modules()
  const wanted = asked.get('module') ?? 'ecs'
  const module = Object.hasOwn(known, wanted) ? known[wanted] : undefined
  if (module !== undefined) return { name, module, server: asked.get('server') ?? undefined }
  return wrong(`no such module: ${wanted.slice(0, 64)}`, `known: ${Object.keys(known).join(', ')}`)
}

async function measured(
  errand: Errand,
  seconds: number,
  world: World,
  own: Own,
  stop: AbortSignal,
): Promise<Told> {
  const { name, module, server } = errand
  const servers = server === undefined ? module.servers : [server]
  const words = [...servers.map(one => `@${one}`), name]
  const options = readOptions(words, flagsOf(module))
  if (isWrong(options)) return plain(400, printable(wrongText(options)))
  const interrupt = AbortSignal.any([stop, AbortSignal.timeout(1000 * seconds)])
  const began = world.wire.now()
  const found = await measure(module.command, options, { ...world, interrupt })
  const took = (world.wire.now() - began) / 1000
  if (isWrong(found)) world.err.write(`lbprobe: ${name}: ${printable(wrongText(found))}\n`)
  const kept = isWrong(found) ? undefined : found
  for (const { rcode = 'none' } of kept?.observations ?? []) own.queries.inc({ rcode })
  own.probes.inc({ outcome: kept === undefined ? 'failed' : 'measured' })
  return exposition(await probeText({ measured: kept, seconds: took }))
}

function flagsOf({ types, countries, subnets, count, timeoutSeconds }: Module) {
  return {
    type: types,
    quiet: true as const,
    progress: false,
    ...(countries === undefined ? {} : { country: countries }),
    ...(subnets.length === 0 ? {} : { subnet: subnets }),
    ...(count === undefined ? {} : { count: String(count) }),
    ...(timeoutSeconds === undefined ? {} : { timeout: String(timeoutSeconds) }),
  }
}

function page({ modules }: Settings): string {
  const names = Object.keys(modules())
  const links = names.map(name => `<li><code>/probe?target=NAME&amp;module=${name}</code></li>`)
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>lbprobe exporter</title>
<h1>lbprobe exporter</h1><ul>${links.join('')}<li><a href="/metrics">/metrics</a></li><li><a href="/-/healthy">/-/healthy</a></li></ul></html>
`
}

function plain(status: number, text: string): Told {
  return { status, type: 'text/plain; charset=utf-8', text: `${text}\n` }
}

function exposition(text: string): Told {
  return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', text }
}

function send(response: ServerResponse, { status, type, text }: Told): void {
  response.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' })
  response.end(text)
}
