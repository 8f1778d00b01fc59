/**
 * From a configuration to what is open: the crew of UDP workers, the TCP service, and their sockets
 * at every address of the list. What cannot be had is said with the line that asked for it.
 */
import { availableParallelism, networkInterfaces } from 'node:os'
import { attend } from './answer/attend.ts'
import type { Desk } from './answer/desk.ts'
import type { Serve } from './answer/peer.ts'
import type { Listen } from './config/config.ts'
import type { Counters, Page } from './counters.ts'
import { Crew } from './crew.ts'
import { Fault } from './fault.ts'
import type { Machine } from './load.ts'
import { log } from './log.ts'
import { publishedOf } from './orders.ts'
import type { Footing } from './served.ts'
import { type ChosenEngine, engineNamed } from './transport/batching.ts'
import type { EngineName } from './transport/engine.ts'
import { affordableWorkers } from './transport/limit.ts'
import { type Doors, type Listening, listen } from './transport/listen.ts'
import { placeText } from './transport/refusal.ts'
import { tcpService } from './transport/tcp.ts'
import { collectAsUsual, compileInPlace } from './v8.ts'

/** The compiled file that a UDP worker runs. */
const WORKER = new URL('worker.js', import.meta.url)

/** What a server starts from. */
export type Start = {
  /** The configuration. */
  readonly file: string
  readonly machine: Machine
  readonly engine: ChosenEngine
  /** V8's own threads. */
  readonly helpers: readonly number[]
  /** `skip`: leave out listen addresses that this machine does not have; for the demo. */
  readonly absent: 'refuse' | 'skip'
}

/** Listens as the configuration says. A refusal names the line that asked for it. */
export async function open(
  old: Listening,
  config: Footing,
  start: Start,
  doors: Doors,
): Promise<Listening> {
  try {
    const listening = await listen(old, wanted(config, start.absent), doors)
    for (const place of listening.skipped) log.warn(`${place} of a wildcard could not be bound`)
    return listening
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    const { code, message, about } = cause
    const asked = config.listen.find(({ host, port }) => placeText(host, port) === about)
    const workers = code === 'NOT_SUPPORTED' ? config.workers : undefined
    const { file, line, column } = (workers ?? asked)?.at ?? {
      file: start.file,
      line: 1,
      column: 1,
    }
    throw new Fault(code, `${file}:${line}:${column}: ${message}`, { cause })
  }
}

/** As many workers as the operator wants, or one a core; `node:dgram` can do with one only. */
export function crewFor({ engine }: Start, config: Footing, desk: Desk, counters: Counters): Crew {
  const asked = engine.name === 'dgram' ? undefined : config.workers
  const most = affordableWorkers(config.listen.length)
  if (asked !== undefined && asked.count > most) {
    const { file, line, column } = asked.at
    const what = `${asked.count} workers need more files than this process may open`
    const fix = `at most ${most}, or raise the limit (ulimit -n; LimitNOFILE= of systemd)`
    throw new Fault('NOT_PERMITTED', `${file}:${line}:${column}: ${what} · ${fix}`)
  }
  collectAsUsual()
  compileInPlace()
  const cores = engine.name === 'dgram' ? 1 : availableParallelism()
  return new Crew(Math.min(asked?.count ?? cores, most), publishedOf(desk), {
    engine: engine.name,
    script: WORKER,
    counters,
    onFault,
    onDeath: cause => log.error({ err: cause }, 'a UDP worker died and is replaced'),
  })
}

function onFault(cause: unknown): void {
  log.error({ err: cause }, 'a query could not be answered')
}

/** @param page where TCP counts, which is served by this thread */
export function openDoors(desk: Desk, page: Page, crew: Crew, engine: EngineName): Doors {
  const answer: Serve = (query, length, reply, peer) =>
    attend(desk, page.tallies, query, length, reply, peer)
  return {
    udp: (address, port, options) => crew.open(address, port, options),
    tcp: tcpService(answer, { onFault }).open,
    wildcards: engineNamed(engine).wildcards ? 'keep' : 'spread',
  }
}

function wanted(config: Footing, absent: Start['absent']): readonly Listen[] {
  if (absent === 'refuse') return config.listen
  const here = Object.values(networkInterfaces()).flatMap(infos => infos ?? [])
  return config.listen.filter(({ host }) => here.some(({ address }) => address === host))
}

export function addresses(listening: Listening): string[] {
  return listening.places.map(({ udp }) => placeText(udp.address, udp.port))
}
