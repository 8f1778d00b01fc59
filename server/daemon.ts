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
import { Fault, type Problem, problemText } from './fault.ts'
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
  const server = new Server(start)
  // Signals are heard before anything is open: one that comes now must not be lost, nor end us.
  process.on('SIGHUP', () => server.reload())
  const farewell = goodbye()
  const places = await server.places()
  const { serving, machine } = start
  if (isAhead(serving.config)) log.warn('activate_at lies ahead: with nothing else to serve, now')
  process.stdout.write(summary({ ...serving, version: machine.version, addresses: places }))
  await farewell
  await server.leave()
}

/** One desk and the sockets around it; reloads change both, one after the other. */
class Server {
  readonly #start: Start
  readonly #desk: Desk
  readonly #doors: Doors
  readonly #changeover: Changeover
  /** What is open, once it is: whoever closes it waits for that first. */
  #listening: Promise<Listening>
  /** What is done last of all that was asked for. */
  #last = Promise.resolve()
  /** A reload is asked for, and has not begun. */
  #isDue = false
  /** The planned change that is waited for. */
  #awaited: Next | undefined
  #isLeaving = false

  constructor(start: Start) {
    const { file, serving } = start
    const warn = (problem: Problem) => log.warn(problemText(problem))
    this.#start = start
    this.#desk = openDesk(serving.world, chance(...new Uint32Array(randomBytes(16).buffer)))
    this.#doors = openDoors(this.#desk)
    this.#changeover = new Changeover(this.#desk, file, serving, warn)
    this.#listening = open(NOWHERE, serving.config, start, this.#doors)
  }

  /** Where it listens, as text. */
  async places(): Promise<string[]> {
    return addresses(await this.#listening)
  }

  /** Asked again before it ran, it runs once; asked while it runs, once more. */
  reload(): void {
    if (this.#isDue) return
    this.#isDue = true
    this.#inTurn(() => {
      this.#isDue = false
      return this.#load()
    })
  }

  async leave(): Promise<void> {
    this.#isLeaving = true
    this.#changeover.stop()
    log.info('draining')
    await close(await this.#listening, DRAIN_MS)
  }

  #inTurn(work: () => Promise<void>): void {
    this.#last = this.#last.then(() => work().catch(refuse))
  }

  async #load(): Promise<void> {
    const next = await loadNext(this.#start, this.#desk.world.steering)
    if (next === undefined || this.#isLeaving) return
    const { config, world } = next.serving
    const { activateAt } = config
    this.#awaited = undefined
    if (activateAt === undefined || !isAhead(config)) {
      await this.#change(next, 'unplanned')
      return
    }
    this.#awaited = next
    this.#changeover.plan(next, activateAt.ms, () => this.#inTurn(() => this.#activate(next)))
    log.info({ digest: world.digest, at: new Date(activateAt.ms) }, 'planned')
  }

  /** Another reload may have taken the place of the plan. */
  async #activate(next: Next): Promise<void> {
    if (this.#awaited === next && !this.#isLeaving) await this.#change(next, 'planned')
  }

  async #change(next: Next, planned: 'planned' | 'unplanned'): Promise<void> {
    const { config, world } = next.serving
    const old = await this.#listening
    const opening = open(old, config, this.#start, this.#doors)
    this.#listening = opening.catch(() => old)
    const listening = addresses(await opening)
    this.#changeover.change(next, planned)
    log.info({ digest: world.digest, listening }, 'reloaded')
  }
}

/** Tells whether a configuration is planned for a time to come. */
function isAhead({ activateAt }: Config): boolean {
  return activateAt !== undefined && activateAt.ms > Date.now()
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
