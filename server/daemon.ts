/**
 * The running server: sockets around one desk, and what signals do to it. SIGHUP reloads, all or
 * nothing: whatever is wrong is logged and the old World keeps serving. SIGTERM and SIGINT drain.
 */
import { randomBytes } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { pino } from 'pino'
import { type Desk, openDesk } from './answer/desk.ts'
import type { Serve } from './answer/peer.ts'
import { serve } from './answer/serve.ts'
import { loadAside } from './aside.ts'
import { Changeover, type Next } from './changeover.ts'
import type { Config, Listen } from './config/config.ts'
import { Fault, problemText } from './fault.ts'
import type { Machine, Serving } from './load.ts'
import { chance } from './steer/chance.ts'
import type { Steering } from './steer/steering.ts'
import { counted } from './tell/figures.ts'
import { summary } from './tell/summary.ts'
import { dgramEngine } from './transport/dgram.ts'
import { close, type Doors, type Listening, listen, NOWHERE } from './transport/listen.ts'
import { placeText } from './transport/refusal.ts'
import { tcpService } from './transport/tcp.ts'

/** How long TCP clients get to read their last replies. */
const DRAIN_MS = 5_000

const log = pino({ base: {}, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2))

/** Where the operator wrote a listen address, or as much of it as is here for a demo. */
export type Start = {
  readonly file: string
  readonly serving: Serving
  readonly machine: Machine
  /** `skip`: leave out listen addresses that this machine does not have; for the demo. */
  readonly absent: 'refuse' | 'skip'
}

/** Serves until a signal ends it. Rejects with a `Fault` where it cannot listen: nothing is open then. */
export async function run(start: Start): Promise<void> {
  const { serving, machine } = start
  const desk = openDesk(serving.world, chance(...new Uint32Array(randomBytes(16).buffer)))
  const doors = openDoors(desk)
  const changeover = new Changeover(desk, start.file, serving, problem =>
    log.warn(problemText(problem)),
  )
  /** What is open, once it is: whoever closes it waits for that first. */
  let listening = open(NOWHERE, serving.config, start, doors)
  let leaving = false

  const inTurn = turns()
  /** The planned change that is waited for. */
  let awaited: Next | undefined

  async function reload(): Promise<void> {
    const next = await loadNext(start, desk.world.steering)
    if (next === undefined || leaving) return
    const { activateAt } = next.serving.config
    awaited = undefined
    if (activateAt === undefined || activateAt.ms <= Date.now()) {
      await change(next, 'unplanned')
      return
    }
    awaited = next
    changeover.plan(next, activateAt.ms, () => inTurn(() => activate(next).catch(refuse)))
    log.info({ digest: next.serving.world.digest, at: new Date(activateAt.ms) }, 'planned')
  }

  /** Another reload may have taken the place of the plan. */
  async function activate(next: Next): Promise<void> {
    if (awaited === next && !leaving) await change(next, 'planned')
  }

  async function change(next: Next, planned: 'planned' | 'unplanned'): Promise<void> {
    const old = await listening
    const opening = open(old, next.serving.config, start, doors)
    listening = opening.catch(() => old)
    const places = addresses(await opening)
    changeover.change(next, planned)
    log.info({ digest: next.serving.world.digest, listening: places }, 'reloaded')
  }

  // Signals are heard before anything is open: one that comes now must not be lost, nor end us.
  process.on(
    'SIGHUP',
    onceMore(inTurn, () => reload().catch(refuse)),
  )
  const farewell = goodbye()
  const places = addresses(await listening)
  process.stdout.write(summary({ ...serving, version: machine.version, addresses: places }))
  await farewell
  leaving = true
  changeover.stop()
  log.info('draining')
  await close(await listening, DRAIN_MS)
}

/** Loads beside the running server; logs all that is wrong. */
async function loadNext({ file, machine }: Start, old: Steering): Promise<Next | undefined> {
  const loaded = await loadAside(file, machine, old)
  for (const warning of loaded.warnings) log.warn(problemText(warning))
  if (loaded.ok) return { serving: loaded.value, moved: loaded.moved }
  for (const problem of loaded.problems) log.error(problemText(problem))
  refuse(counted(loaded.problems.length, 'problem'))
  return undefined
}

function refuse(cause: unknown): void {
  const why = cause instanceof Error ? cause.message : String(cause)
  log.error(`reload refused, the old configuration keeps serving: ${why}`)
}

/** Listens as the configuration says. A refusal names the line that asked for it. */
async function open(
  old: Listening,
  config: Config,
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
    const { file, line, column } = asked?.at ?? { file: start.file, line: 1, column: 1 }
    throw new Fault(code, `${file}:${line}:${column}: ${message}`, { cause })
  }
}

function openDoors(desk: Desk): Doors {
  const answer: Serve = (query, length, reply, peer) => serve(desk, query, length, reply, peer)
  const onFault = (cause: unknown) => log.error({ err: cause }, 'a query could not be answered')
  const tcp = tcpService(answer, { onFault })
  return {
    udp: (address, port, { ecs }) => dgramEngine.open(address, port, answer, { ecs, onFault }),
    tcp: tcp.open,
  }
}

function wanted(config: Config, absent: Start['absent']): readonly Listen[] {
  if (absent === 'refuse') return config.listen
  const here = Object.values(networkInterfaces()).flatMap(infos => infos ?? [])
  return config.listen.filter(({ host }) => here.some(({ address }) => address === host))
}

function addresses(listening: Listening): string[] {
  return listening.places.map(({ udp }) => placeText(udp.address, udp.port))
}

type InTurn = (work: () => Promise<void>) => void

/** Runs what it is given one after the other. */
function turns(): InTurn {
  let last = Promise.resolve()
  return work => {
    last = last.then(work)
  }
}

/** Asked again before it ran, it runs once; asked while it runs, once more. */
function onceMore(inTurn: InTurn, work: () => Promise<void>): () => void {
  let waiting = false
  return () => {
    if (waiting) return
    waiting = true
    inTurn(() => {
      waiting = false
      return work()
    })
  }
}

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
function goodbye(): Promise<void> {
  return new Promise(resolve => {
    let asked = 0
    const leave = () => {
      asked += 1
      if (asked === 1) resolve()
      else process.exit(0)
    }
    process.on('SIGTERM', leave)
    process.on('SIGINT', leave)
  })
}
