/**
 * The running server: TCP at a desk of its own, UDP with a crew, and what signals do to both. SIGHUP
 * reloads, all or nothing: whatever is wrong is logged and the old World keeps serving. SIGTERM and
 * SIGINT drain.
 */
import { type Desk, openDesk } from './answer/desk.ts'
import { loadAside } from './aside.ts'
import { Changeover, type Next } from './changeover.ts'
import type { Crew } from './crew.ts'
import { type Problem, problemAt, problemText, wrong } from './fault.ts'
import type { Flip } from './health/verdicts.ts'
import { log } from './log.ts'
import { publishedOf } from './orders.ts'
import { rankHelpers } from './rank.ts'
import { freshSeed } from './seed.ts'
import type { Footing, Served } from './served.ts'
import { addresses, crewFor, open, openDoors, type Start } from './sockets.ts'
import { readState, StateFile } from './state.ts'
import { chance } from './steer/chance.ts'
import type { Steering } from './steer/steering.ts'
import { sweep } from './sweep.ts'
import { counted } from './tell/figures.ts'
import { summary } from './tell/summary.ts'
import { figuresOf } from './transport/engine.ts'
import { close, type Doors, type Listening, NOWHERE } from './transport/listen.ts'

/** How long TCP clients get to read their last replies. */
const DRAIN_MS = 5_000

/** Waits for the signal that ends the server, and ends it. */
export type Farewell = () => Promise<void>

/**
 * Begins to serve. Rejects with a `Fault` where it cannot listen: nothing is open then.
 *
 * @param served what is served first: nothing here keeps it longer than it is served
 */
export async function begin(start: Start, served: Served): Promise<Farewell> {
  const { engine, machine } = start
  const { why } = engine
  if (why !== undefined) log.warn(`UDP goes through node:dgram, on one thread: ${why}`)
  const server = new Server(start, served)
  // Signals are heard before anything is open: one that comes now must not be lost, nor end us.
  process.on('SIGHUP', () => server.reload())
  const farewell = goodbye()
  const places = await server.places()
  if (isAhead(served.config)) log.warn('activate_at lies ahead: with nothing else to serve, now')
  const udp = { workers: server.workers, engine: engine.name }
  const about = { version: machine.version, addresses: places, udp }
  process.stdout.write(summary({ ...served, ...about }))
  return async () => {
    await farewell
    await server.leave()
  }
}

/** What is served, and the sockets around it; reloads change both, one after the other. */
class Server {
  readonly #start: Start
  /** Of TCP. UDP workers have desks of their own, with the same World, board and turns. */
  readonly #desk: Desk
  readonly #crew: Crew
  readonly #doors: Doors
  readonly #changeover: Changeover
  readonly #state: StateFile
  /** What is open, once it is: whoever closes it waits for that first. */
  #listening: Promise<Listening>
  /** What is done last of all that was asked for. */
  #last = Promise.resolve()
  /** A reload is asked for, and has not begun. */
  #isDue = false
  /** The planned change that is waited for. */
  #awaited: Next | undefined
  #isLeaving = false

  constructor(start: Start, served: Served) {
    const warn = (problem: Problem) => log.warn(problemText(problem))
    this.#start = start
    this.#desk = openDesk(served.world, chance(...freshSeed()))
    this.#crew = crewFor(start, served.config, this.#desk)
    this.#doors = openDoors(this.#desk, this.#crew, start.engine.name)
    const { path, maxAge } = served.config.state
    const found = readState(path, maxAge)
    found.warnings.forEach(warn)
    const before = { kept: found.health, goneMs: found.goneMs }
    const onFlip = (flip: Flip) => this.#hear(flip)
    this.#changeover = new Changeover(this.#desk, served, { warn, onFlip }, before)
    this.#state = new StateFile(path, () => ({ health: this.#changeover.kept() }), warn)
    this.#listening = open(NOWHERE, served.config, start, this.#doors)
  }

  /** Threads that serve UDP. */
  get workers(): number {
    return this.#crew.workers
  }

  /** Where it listens, as text. Where it cannot, it leaves, and rejects with the `Fault`. */
  async places(): Promise<string[]> {
    try {
      return addresses(await this.#listening)
    } catch (cause) {
      this.#changeover.stop()
      await this.#crew.leave()
      throw cause
    }
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
    await this.#state.stop()
    this.#changeover.stop()
    log.info('draining')
    await close(await this.#listening, DRAIN_MS)
    await this.#crew.leave()
    const { counts, restarts } = this.#crew.told()
    log.info({ udp: figuresOf(counts), restarts }, 'left')
  }

  /** Swept is when the work is over: until then its frames keep the World that was left, or refused. */
  #inTurn(work: () => Promise<void>): void {
    this.#last = this.#last.then(() => work().catch(refuse)).then(sweep)
  }

  async #load(): Promise<void> {
    const next = await loadNext(this.#start, this.#desk.world.steering)
    if (next === undefined || this.#isLeaving) return
    const { config, world } = next.served
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
    const { config, world } = next.served
    const old = await this.#listening
    const opening = open(old, config, this.#start, this.#doors)
    this.#listening = opening.catch(() => old)
    const listening = addresses(await opening)
    this.#changeover.change(next, planned)
    this.#state.follow(config.state.path)
    await this.#crew.publish(publishedOf(this.#desk))
    this.#warnOfWorkers(config)
    log.info({ digest: world.digest, listening }, 'reloaded')
  }

  #hear({ now, pool, target, why }: Flip): void {
    const told = { pool, target, why }
    if (now === 'up') log.info(told, now)
    else log.warn(told, now)
    this.#state.touch()
  }

  #warnOfWorkers({ workers }: Footing): void {
    if (workers === undefined || this.#start.engine.name === 'dgram') return
    if (workers.count === this.#crew.workers) return
    const what = `lbdns goes on with ${counted(this.#crew.workers, 'worker')}`
    log.warn(problemText(problemAt(workers.at, wrong(what, 'restart it to have another number'))))
  }
}

/** Tells whether a configuration is planned for a time to come. */
function isAhead({ activateAt }: Footing): boolean {
  return activateAt !== undefined && activateAt.ms > Date.now()
}

/** Loads beside the running server; logs all that is wrong. */
async function loadNext(start: Start, old: Steering): Promise<Next | undefined> {
  const { file, helpers, machine } = start
  rankHelpers(helpers) // not before: until now they had to compile what answers
  const loaded = await loadAside(file, machine, old)
  for (const warning of loaded.warnings) log.warn(problemText(warning))
  if (loaded.ok) return { served: loaded.value, moved: loaded.moved }
  for (const problem of loaded.problems) log.error(problemText(problem))
  refuse(counted(loaded.problems.length, 'problem'))
  return undefined
}

function refuse(cause: unknown): void {
  const why = cause instanceof Error ? cause.message : String(cause)
  log.error(`reload refused, the old configuration keeps serving: ${why}`)
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
