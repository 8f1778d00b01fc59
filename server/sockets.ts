/**
 * From a configuration to what is open: the crew of UDP workers, the TCP service, and their sockets
 * at every address of the list. What cannot be had is said with the line that asked for it.
 */
import { availableParallelism, networkInterfaces } from 'node:os'
import { attend } from './answer/attend.ts'
import type { Desk } from './answer/desk.ts'
import type { Serve } from './answer/peer.ts'
import { type Sampler, sample } from './answer/sample.ts'
import { type Asked, become, isSame, mayRead, type Successor } from './become.ts'
import type { Counters, Page } from './counters.ts'
import { Crew } from './crew.ts'
import { Fault, problemAt, type Wrong, wrong, wrongText } from './fault.ts'
import type { Machine } from './load.ts'
import { log, warn } from './log.ts'
import type { ServiceManager } from './ops/notify.ts'
import type { QueryLog } from './ops/query-log.ts'
import type { Published } from './orders.ts'
import type { Footing } from './served.ts'
import { allowanceOf, mannerOf, pairsOf, streamOf } from './streams.ts'
import { type ChosenEngine, engineNamed } from './transport/batching.ts'
import { Certificates } from './transport/certificates.ts'
import type { TcpCounts } from './transport/connections.ts'
import { type Handed, handedText } from './transport/handed.ts'
import { affordableWorkers } from './transport/limit.ts'
import { close, type Doors, type Listening, listen, NOWHERE } from './transport/listen.ts'
import { FIRST_FREE_PORT, placeText } from './transport/refusal.ts'
import type { Stream, Wanted } from './transport/spread.ts'
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
  /** What whoever started us has bound. */
  readonly handed: Handed
  readonly manager: ServiceManager
  /** Who shall serve. */
  readonly asked: Asked
  /** The same where it is another one: it is become when all is open. */
  readonly successor: Successor | undefined
}

/** Listens for the first time, and lets whoever is to serve take over. Nothing is open where it throws. */
export async function openFirst(
  config: Footing,
  start: Start,
  doors: CountedDoors,
): Promise<Listening> {
  const opening = open(NOWHERE, config, start, doors)
  const listening = await opening.finally(() => warnOfRest(start.handed))
  const { engine, file, successor } = start
  if (engine.name === 'dgram') warnOfWildcards(listening)
  if (successor === undefined) return listening
  try {
    become(successor)
  } catch (cause) {
    await close(listening, 0)
    throw cause
  }
  const { asked, gid, uid } = successor
  log.info({ uid, gid }, `serves as ${asked.named}`)
  if (!mayRead(file)) warn(problemAt(asked.at, unreadable(file, asked.named)))
  return listening
}

function unreadable(file: string, user: string | number): Wrong {
  return wrong(`${user} may not read ${file}: a reload will be refused`, 'change its owner or mode')
}

/** Whoever serves goes on to. */
export function warnOfUser({ asked, file }: Start, now: Asked): void {
  if (isSame(asked, now)) return
  const at = (now.group ?? now.user)?.at ?? { file, line: 0, column: 0 }
  const what = 'user and group stay as they are'
  warn(problemAt(at, wrong(what, 'restart lbdns to have others')))
}

const UNHEARD = {
  what: 'is not served: nobody there is answered',
  fix: 'add it to listen, or take it out of the socket unit',
}
const STRANGE = {
  what: 'is no socket for UDP or TCP of this network',
  fix: 'take it out of the socket unit, or PrivateNetwork= out of that of the service',
}

/** Whoever holds them still takes in what is sent there. */
function warnOfRest(handed: Handed): void {
  for (const socket of handed.dropRest()) {
    const { what, fix } = socket.bound === undefined ? STRANGE : UNHEARD
    log.warn(wrongText(wrong(`${handedText(socket)} was handed over and ${what}`, fix)))
  }
}

/** Listens as the configuration says. A refusal names the line that asked for it. */
export async function open(
  old: Listening,
  config: Footing,
  start: Start,
  doors: CountedDoors,
): Promise<Listening> {
  const allow = doors.allow(config)
  try {
    const listening = await listen(old, wanted(config, start.absent), doors)
    allow()
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
    const isLow = code === 'NOT_PERMITTED' && (asked?.port ?? 0) < FIRST_FREE_PORT
    const more = isLow ? wayOut(old, start) : ''
    throw new Fault(code, `${file}:${line}:${column}: ${message}${more}`, { cause })
  }
}

/** What else opens a low port. */
function wayOut(old: Listening, { successor }: Start): string {
  if (old === NOWHERE) return ', or start it as root with user: in its configuration'
  if (successor === undefined) return ''
  return `, or restart it: ports are opened before it becomes ${successor.asked.named}`
}

/** One that was handed over is served as it is. */
function warnOfWildcards({ places }: Listening): void {
  for (const { place, udp } of places) {
    if (udp === undefined) continue
    if (place.address !== '0.0.0.0' && place.address !== '::') continue
    const where = placeText(place.address, udp.port)
    const what = `${where}: replies over UDP may leave from another address than was asked`
    log.warn(wrongText(wrong(what, 'install koffi, or have a socket for each address handed over')))
  }
}

/** As many workers as the operator wants, or one a core; `node:dgram` can do with one only. */
export function crewFor(
  { engine }: Start,
  config: Footing,
  first: Published,
  parts: { readonly counters: Counters; readonly queryLog: QueryLog },
): Crew {
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
  return new Crew(Math.min(asked?.count ?? cores, most), first, {
    ...parts,
    engine: engine.name,
    script: WORKER,
    onFault,
    onDeath: cause => log.error({ err: cause }, 'a UDP worker died and is replaced'),
  })
}

function onFault(cause: unknown): void {
  log.error({ err: cause }, 'a query could not be answered')
}

/** Doors, and what came through those of TCP. */
export type CountedDoors = Doors & {
  readonly tcpCounts: Readonly<TcpCounts>
  /**
   * Reads what TLS is served with; throws a `Fault` where it, or what connections may take, cannot be
   * had.
   *
   * @returns has all connections keep to it, once all is open
   */
  readonly allow: (config: Footing) => () => void
}

/** What TCP is served with, by this thread: its desk, where it counts, and its end of the query log. */
export type Own = { readonly desk: Desk; readonly page: Page; readonly sampler: Sampler }

export function openDoors(
  { desk, page, sampler }: Own,
  crew: Crew,
  { engine, handed }: Start,
): CountedDoors {
  const answer: Serve = (query, length, reply, peer) => {
    const size = attend(desk, page.tallies, query, length, reply, peer)
    sample(sampler, desk, peer, size)
    return size
  }
  const tcp = tcpService(answer, { onFault })
  const certificates = new Certificates(warn)
  const manner = (stream: Stream | undefined) => mannerOf(stream, certificates)
  return {
    udp: (address, port, { ecs }) =>
      crew.open(address, port, { ecs, fds: handed.take('UDP', address, port, crew.workers) }),
    tcp: async (address, port, { ecs, stream }) => {
      const fd = handed.take('TCP', address, port, 1)?.[0]
      const listener = await tcp.open(address, port, { ecs, fd, manner: manner(stream) })
      const speak = (wanted: Stream | undefined) => {
        listener.manner = manner(wanted)
      }
      return Object.assign(listener, { speak })
    },
    allow(config) {
      const allowance = allowanceOf(config)
      for (const one of config.listen) manner(streamOf(one))
      return () => {
        tcp.allow(allowance)
        certificates.keep(pairsOf(config))
      }
    },
    wildcards: engineNamed(engine.name).wildcards ? 'keep' : 'spread',
    isHanded: (address, port) => handed.has(address, port),
    tcpCounts: tcp.counts,
  }
}

function wanted(config: Footing, absent: Start['absent']): readonly Wanted[] {
  const list = config.listen.map(one => ({ ...one, stream: streamOf(one) }))
  if (absent === 'refuse') return list
  const here = Object.values(networkInterfaces()).flatMap(infos => infos ?? [])
  return list.filter(({ host }) => here.some(({ address }) => address === host))
}

export function addresses(listening: Listening): string[] {
  return listening.places.map(({ place: { stream }, tcp }) => {
    const where = placeText(tcp.address, tcp.port)
    return stream === undefined || stream.over === 'dns'
      ? where
      : `${where} (${stream.over.toUpperCase()})`
  })
}
